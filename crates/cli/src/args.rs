//! The command line: what may be typed, and its help.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use myosotis::{Kind, MemoryId, State};

/// Long-term memory for chat assistants: remembers, recalls, and really forgets.
#[derive(Debug, Parser)]
#[command(name = "myosotis", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  export MYOSOTIS_USER=alice
  myosotis consent on
  myosotis remember \"I am allergic to peanuts\"
  myosotis import conversations.json
  myosotis recall \"what should she not eat?\" --explain
  myosotis forget --query \"peanuts\"

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused (memory is off, text too long, ...), 4 not found.";

/// Options every command takes.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Whose memory: 1 to 64 letters, digits, '_' or '-' [env: MYOSOTIS_USER]
    #[arg(long, short, global = true, value_name = "ID")]
    pub(crate) user: Option<String>,
    /// Any other user id (an e-mail address, `auth0|abc`, ...), from which a valid one is derived
    #[arg(long, global = true, value_name = "ID", conflicts_with = "user")]
    pub(crate) external_user: Option<String>,
    /// Where the store lies [env: MYOSOTIS_DATA_DIR] [default: the platform's data folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data_dir: Option<PathBuf>,
    /// The configuration file [env: MYOSOTIS_CONFIG] [default: the platform's configuration folder]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Which bucket of memories [env: MYOSOTIS_NAMESPACE] [default: chat]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) namespace: Option<String>,
    /// Which project or thread within it [env: MYOSOTIS_WORKSPACE] [default: none]
    #[arg(long, short, global = true, value_name = "NAME")]
    pub(crate) workspace: Option<String>,
    /// Which embedder: built-in or none [env: MYOSOTIS_EMBEDDER]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) embedder: Option<String>,
    /// Your time zone, as in Europe/Berlin [env: MYOSOTIS_TIME_ZONE] [default: the system's]
    #[arg(long, global = true, value_name = "ZONE")]
    pub(crate) time_zone: Option<String>,
    /// Print JSON instead of text for people
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show it all in a store that is thrown away, on a conversation of ours or of yours
    #[command(after_help = "Examples:\n  myosotis demo\n  myosotis demo conversations.json")]
    Demo {
        /// A file to import and ask questions of
        file: Option<PathBuf>,
    },
    /// Remember a sentence
    Remember(RememberArgs),
    /// Find the memories that answer a question
    Recall(RecallArgs),
    /// List what is remembered
    Memories(MemoriesArgs),
    /// Show a memory, where it comes from, and its past values
    History {
        /// The memory's id
        id: MemoryId,
    },
    /// Change a memory; its former text stays in the history
    Edit(EditArgs),
    /// Keep a memory whatever the cap says
    Pin {
        /// The memory's id
        id: MemoryId,
        /// Let it go with the others again
        #[arg(long)]
        remove: bool,
    },
    /// Forget memories by id, or see candidates for a description
    Forget(ForgetArgs),
    /// Erase everything about this user, keys included
    ForgetMe {
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Import a conversation or an export of another memory system
    Import(ImportArgs),
    /// Write everything about this user as JSON lines
    Export {
        /// Where to; `-` or nothing is the standard output
        file: Option<PathBuf>,
    },
    /// Show numbers and a picture of what is remembered
    Stats,
    /// Give memories the vectors of the embedder in use
    Reindex,
    /// Switch memory on or off, pause it, or show what was said
    Consent {
        /// What to do
        #[arg(value_enum, default_value = "show")]
        what: ConsentWord,
        /// The version of the policy that was shown to the user
        #[arg(long, value_name = "VERSION")]
        policy: Option<String>,
    },
    /// Check the store, the keys and the embedder
    Doctor,
    /// Show the configuration
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print completions for a shell
    #[command(
        after_help = "Example:\n  myosotis completions bash > ~/.local/share/bash-completion/completions/myosotis"
    )]
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

/// What `config` does.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print every setting with its value and where that came from
    Show,
}

/// The words of `consent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ConsentWord {
    /// Learn and recall
    On,
    /// Neither; what is stored stays until it is erased
    Off,
    /// Recall, but learn nothing new
    Pause,
    /// Say what is set
    Show,
}

/// Arguments of `remember`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  myosotis remember \"I work at Globex\" --slot employer\n  echo \"I prefer short answers\" | myosotis remember --kind preference -"
)]
pub(crate) struct RememberArgs {
    /// What to remember; `-` reads it from the standard input
    #[arg(required = true, value_name = "TEXT")]
    pub(crate) text: Vec<String>,
    /// fact, preference, decision, event, episode or rule
    #[arg(long, default_value = "fact")]
    pub(crate) kind: Kind,
    /// The single-valued fact this is a value of, as in employer or home_city
    #[arg(long, value_name = "NAME")]
    pub(crate) slot: Option<String>,
    /// How strongly it counts, 0 to 1
    #[arg(long, default_value_t = 0.5, value_name = "0..1")]
    pub(crate) importance: f64,
    /// When it was said, if not now: 2023-05-07 or 2023-05-07T14:00:00Z
    #[arg(long, value_name = "TIME")]
    pub(crate) said: Option<String>,
    /// When it happened or will happen
    #[arg(long, value_name = "TIME")]
    pub(crate) event: Option<String>,
    /// Keep it whatever the cap says
    #[arg(long)]
    pub(crate) pin: bool,
}

/// Arguments of `recall`.
#[derive(Debug, Args)]
#[command(after_help = RECALL_HELP)]
pub(crate) struct RecallArgs {
    /// The question
    #[arg(required_unless_present = "queries", value_name = "QUESTION")]
    pub(crate) query: Vec<String>,
    /// How many memories, 1 to 50
    #[arg(short, long, value_name = "N")]
    pub(crate) k: Option<usize>,
    /// Show the terms of each score, and why others were left out
    #[arg(long)]
    pub(crate) explain: bool,
    /// Answer a file of questions, JSON lines in and out; `-` reads the standard input
    #[arg(long, value_name = "FILE", conflicts_with = "query")]
    pub(crate) queries: Option<PathBuf>,
    /// When the question is asked, if not now
    #[arg(long, value_name = "TIME")]
    pub(crate) at: Option<String>,
    /// Search what was current at that time
    #[arg(long, value_name = "TIME")]
    pub(crate) as_of: Option<String>,
    /// Also look in the namespace's memories that belong to no workspace
    #[arg(long)]
    pub(crate) inherit: bool,
    /// Most tokens the memories may take together
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<usize>,
    /// Only this kind; may be given several times
    #[arg(long)]
    pub(crate) kind: Vec<Kind>,
    /// Score by cosine alone: 0.7 relevance + 0.2 recency + 0.1 importance
    #[arg(long)]
    pub(crate) plain: bool,
    /// Print the block that goes into a prompt
    #[arg(long, conflicts_with_all = ["explain", "queries"])]
    pub(crate) block: bool,
    /// Do not note that the memories were used
    #[arg(long)]
    pub(crate) no_touch: bool,
}

const RECALL_HELP: &str = r#"Examples:
  myosotis recall "where does she live?"
  myosotis recall "what did we decide yesterday?" --time-zone Europe/Berlin -k 10
  myosotis recall "where did she work?" --as-of 2023-06-01
  myosotis recall --queries questions.jsonl > answers.jsonl

A line of a --queries file: {"id": "q1", "query": "…", "k": 10, "at": "2024-01-31", "workspace": "…"};
k, at and workspace may be left out. A line of the answer:
{"id": "q1", "items": [{"id", "source_id", "text", "kind", "score", …}], "degraded": "…", "left_out": 0}"#;

/// Arguments of `memories`.
#[derive(Debug, Args)]
pub(crate) struct MemoriesArgs {
    /// Only this kind; may be given several times
    #[arg(long)]
    pub(crate) kind: Vec<Kind>,
    /// live, superseded or quarantined
    #[arg(long, default_value = "live", value_parser = parse_state)]
    pub(crate) state: State,
    /// Only texts that contain this
    #[arg(long, value_name = "WORDS")]
    pub(crate) contains: Option<String>,
    /// At most this many
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// What was current at that time
    #[arg(long, value_name = "TIME")]
    pub(crate) as_of: Option<String>,
    /// Every namespace and workspace, not just the chosen one
    #[arg(long)]
    pub(crate) everywhere: bool,
}

fn parse_state(word: &str) -> Result<State, String> {
    match word {
        "live" => Ok(State::Live),
        "superseded" => Ok(State::Superseded),
        "quarantined" => Ok(State::Quarantined),
        _ => Err("use live, superseded or quarantined".into()),
    }
}

/// Arguments of `edit`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  myosotis edit 0197… --text \"I work at Initech\"")]
pub(crate) struct EditArgs {
    /// The memory's id
    pub(crate) id: MemoryId,
    /// The new text
    #[arg(long)]
    pub(crate) text: Option<String>,
    /// The new kind
    #[arg(long)]
    pub(crate) kind: Option<Kind>,
    /// The new importance, 0 to 1
    #[arg(long, value_name = "0..1")]
    pub(crate) importance: Option<f64>,
    /// The new slot; "" takes it away
    #[arg(long, value_name = "NAME")]
    pub(crate) slot: Option<String>,
}

/// Arguments of `forget`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  myosotis forget 0197… 0198…\n  myosotis forget --query \"that I like jazz\"\n  myosotis forget --all --workspace old-project"
)]
pub(crate) struct ForgetArgs {
    /// The ids of the memories to forget
    #[arg(required_unless_present_any = ["query", "all"], value_name = "ID")]
    pub(crate) ids: Vec<MemoryId>,
    /// Show the memories this may mean; on a terminal, choose among them
    #[arg(long, value_name = "WORDS", conflicts_with = "ids")]
    pub(crate) query: Option<String>,
    /// Forget everything in the chosen namespace and workspace
    #[arg(long, conflicts_with_all = ["ids", "query"])]
    pub(crate) all: bool,
    /// Do not ask
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Arguments of `import`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  myosotis import conversations.json\n  myosotis import transcript.jsonl --strict\n  myosotis import memory.json --format mcp-memory --workspace notes\n\nThe same file twice changes nothing, so an interrupted import is resumed by starting it again."
)]
pub(crate) struct ImportArgs {
    /// The file; `.gz` is unpacked, `-` reads the standard input
    pub(crate) file: PathBuf,
    /// What it is, if it cannot be told: myosotis, transcript, chatgpt, claude, mem0, mcp-memory, locomo or beam
    #[arg(long, value_name = "NAME")]
    pub(crate) format: Option<String>,
    /// Import nothing at all if a line is broken
    #[arg(long)]
    pub(crate) strict: bool,
}
