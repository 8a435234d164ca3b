//! The constants of recall, each with its reason. One set for every scope, whatever is in it.
//!
//! Measured without a language model on LoCoMo (conversations between people) and BEAM (long chats with an
//! assistant), set so that they hold on both, and checked by leaving one conversation out: the optimum
//! is flat, a step of any constant costs less than a point of recall.

/// Weight of relevance in the score. Source: REC-2.
pub const WEIGHT_RELEVANCE: f64 = 0.7;
/// Weight of recency. Source: REC-2.
pub const WEIGHT_RECENCY: f64 = 0.2;
/// Weight of importance. Source: REC-2.
pub const WEIGHT_IMPORTANCE: f64 = 0.1;
/// Half-life of recency: 30 days. Source: REC-2, NodeTool's long-term memory.
pub const HALF_LIFE_MS: f64 = 30.0 * 86_400_000.0;

/// How much of recency counts for something learned: all of it (REC-2).
pub const RECENCY_LEARNED: f64 = 1.0;
/// How much of it counts for a message when a question is about how things are now.
pub const RECENCY_NOW: f64 = 0.5;
/// How much of it counts for a message otherwise. A verbatim log is a record, not a belief: all of recency
/// costs 2 to 6 points of recall there, for the answer is rarely what was said last.
pub const RECENCY_ELSE: f64 = 0.1;
/// How much of it counts when a question is about the past.
pub const RECENCY_PAST: f64 = 0.0;

/// BM25: how soon more occurrences stop counting. Short passages want little.
pub const K1: f32 = 0.9;
/// BM25: how much a longer passage is held back.
pub const B: f32 = 0.6;
/// Weight of two words of the question standing side by side.
pub const PAIRS: f32 = 0.3;
/// Weight of words that belong to a date in the question. They occur in every message of that day and would
/// favour the shortest; the column of dates serves them better.
pub const DATE_WORDS: f32 = 0.25;

/// Weight of the calibrated cosine beside the word leg (both 0 to 1).
pub const DENSE: f32 = 0.5;
/// Standard deviations above the mean of the scope at which a cosine begins to count. Raw cosines have an
/// offset for each question which, summed over neighbours, favours the middle of conversations.
pub const DENSE_DEVIATIONS: f64 = 1.0;
/// The least stretch of cosine over which the dense leg goes from 0 to 1: where all memories are about as
/// near, small differences are noise.
pub const DENSE_RANGE: f32 = 0.2;
/// In scopes of fewer rows the mean alone is the floor.
pub const DENSE_FEW: usize = 8;

/// Dialogue: how much of the running sum of what was said before is kept from one message to the next.
pub const CARRY: f32 = 0.5;
/// Dialogue: weight of what was said before.
pub const BEFORE: f32 = 0.3;
/// Dialogue: more of it if the message before asked something shortly: this is the answer.
pub const ANSWER: f32 = 0.3;
/// Dialogue: weight of what was said after.
pub const AFTER: f32 = 0.25;
/// Dialogue: weight of the whole conversation's words.
pub const SESSION: f32 = 0.5;
/// The conversation's words count in scopes with more conversations than this.
pub const SESSIONS_MORE_THAN: usize = 5;
/// Dialogue: the message is of the one person the question names.
pub const WHO: f32 = 0.5;
/// Dialogue: the same, if the question names several and this one first.
pub const WHO_FIRST: f32 = 0.25;
/// Dialogue: the message opens its conversation, which is where people tell their news.
pub const OPENER: f32 = 0.2;
/// Dialogue: taken off a message that ends with a question: it is rarely an answer.
pub const QUESTION: f32 = 0.15;

/// Log: the user's own messages, unless the question asks what the assistant said. Memory is about what the
/// user told.
pub const BY_USER: f32 = 0.7;
/// Log: weight of the assistant's reply for the message before it.
pub const REPLIED: f32 = 0.3;
/// Log: weight of the user's message for the reply.
pub const REPLY: f32 = 0.3;
/// Learned memories in a scope that has messages too: level with the user's own messages.
pub const LEARNED: f32 = 0.7;

/// The item has a word of time and the question asks when.
pub const WHEN: f32 = 0.3;
/// The item's date lies in a month, year or stretch of time the question names.
pub const MONTH: f32 = 0.3;
/// Days after a month's end that count as in it: things are told later than they happen.
pub const MONTH_SLACK_DAYS: i32 = 15;
/// The item's date is the day the question names.
pub const DAY: f32 = 0.3;
/// Share of it in the week after that day.
pub const DAY_AFTER: f32 = 0.5;
/// Days after a day that count as after it.
pub const DAY_SLACK_DAYS: i32 = 7;

/// Raw cosine from which on a memory is relevant although it shares no word with the question (REC-4).
/// With the built-in embedder, of 20 questions that have nothing to do with 20 facts the nearest fact lies
/// at 0.18 (median) and 0.32 (most); a paraphrase without a common word at 0.31 (median).
pub const MIN_COSINE: f32 = 0.35;
/// In scopes of fewer than [`DENSE_FEW`] rows this share of it is enough: there is little to mistake it for.
pub const FEW_SHARE: f32 = 0.72;
/// A lower cosine, down to this share of it, will do ...
pub const STANDS_OUT_SHARE: f32 = 0.57;
/// ... if it stands out from the scope by so many standard deviations. Together: 15 of the 20 paraphrases
/// found, 2 of the 20 others answered (a floor of 0.25 alone: 12 and 2).
pub const STANDS_OUT_DEVIATIONS: f32 = 2.5;
