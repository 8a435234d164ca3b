//! Runs the built program in a folder of its own.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A data folder with a user.
pub(crate) struct Home {
    pub(crate) dir: tempfile::TempDir,
}

/// What a call printed.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    #[track_caller]
    pub(crate) fn ok(self) -> String {
        assert_eq!(self.code, 0, "{}{}", self.out, self.err);
        self.out
    }

    #[track_caller]
    pub(crate) fn fails(self, code: i32) -> String {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        self.err
    }
}

impl Home {
    /// A home whose user has consented.
    pub(crate) fn new() -> Self {
        let home = Self::blank();
        home.run(&["consent", "on"]).ok();
        home
    }

    /// A home in which nothing has happened.
    pub(crate) fn blank() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// A file beside the data folder.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.dir.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// The program with this home's settings and nothing else of the environment's.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = program();
        command.env("MYOSOTIS_DATA_DIR", self.data()).env("MYOSOTIS_USER", "alice").env("HOME", self.dir.path());
        command.args(args).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Said {
        said(self.command(args).output().unwrap())
    }

    pub(crate) fn run_with_input(&self, args: &[&str], input: &[u8]) -> Said {
        let mut command = self.command(args);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let feeding = std::thread::spawn(move || {
            // The program may stop reading early; that is for the test to judge.
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().unwrap();
        feeding.join().unwrap();
        said(output)
    }

    /// The texts of the live memories, sorted.
    pub(crate) fn texts(&self) -> Vec<String> {
        let listed = self.run(&["memories", "--everywhere", "--json"]).ok();
        let mut texts: Vec<String> =
            listed.lines().map(|line| json(line)["text"].as_str().unwrap().to_owned()).collect();
        texts.sort();
        texts
    }

    /// Remembers and gives the id.
    pub(crate) fn remember(&self, text: &str) -> String {
        json(&self.run(&["remember", "--json", text]).ok())["id"].as_str().unwrap().to_owned()
    }
}

pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_myosotis"));
    let kept: Vec<_> = std::env::vars_os().filter(|(name, _)| name == "PATH" || name == "LLVM_PROFILE_FILE").collect();
    command.env_clear().envs(kept).env("TZ", "UTC");
    command
}

pub(crate) fn said(output: Output) -> Said {
    Said {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

pub(crate) fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A transcript with one message a text.
pub(crate) fn transcript(texts: impl IntoIterator<Item = String>) -> String {
    let line = |(at, text): (usize, String)| {
        let minute = at % 60;
        let hour = at / 60 % 24;
        let message = serde_json::json!({
            "id": format!("m{at}"), "role": "user", "content": text, "session": "s1",
            "timestamp": format!("2024-03-01T{hour:02}:{minute:02}:00Z"),
        });
        format!("{message}\n")
    };
    texts.into_iter().enumerate().map(line).collect()
}

pub(crate) fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}
