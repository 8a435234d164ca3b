//! The bounds of what is kept, with their defaults (MEM-8, MEM-9, REC-7).

use std::time::Duration;

/// Bounds of one engine. Every field has a default and a configuration key of the same name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Learned items a scope keeps; over it the lowest-scored go. 0 = no cap. Default 500
    /// (`MYOSOTIS_MAX_ITEMS`, MEM-8).
    pub max_items: usize,
    /// Verbatim messages a scope keeps, counted apart. 0 = no cap. Default 50,000 (MEM-8).
    pub max_messages: usize,
    /// Rows a user may have in all, past values included. 0 = no limit. Default 1,000,000 (MEM-9).
    pub max_user_items: u64,
    /// Bytes of sealed content a user may have. 0 = no limit. Default 8 GiB (MEM-9).
    pub max_user_bytes: u64,
    /// Past values a slot keeps. Default 5 (MEM-6).
    pub max_history: usize,
    /// Longest wait for a query's vector before recall answers from words alone. Default 300 ms (REC-7).
    pub recall_deadline: Duration,
    /// Bytes of decrypted scopes kept in memory. Default 256 MiB.
    pub cache_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_items: 500,
            max_messages: 50_000,
            max_user_items: 1_000_000,
            max_user_bytes: 8 << 30,
            max_history: 5,
            recall_deadline: Duration::from_millis(300),
            cache_bytes: 256 << 20,
        }
    }
}
