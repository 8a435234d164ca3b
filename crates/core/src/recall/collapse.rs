//! One thing once: parts of a message, equal claims and values of a slot stand for each other.

use super::{Collapse, Collapsed};
use crate::claim::same_claim;
use crate::index::EntryRef;
use crate::item::Kind;
use crate::vector;

/// Cosine from which two learned memories are asked whether they make the same claim. Lower than where they
/// are merged when written (MEM-5): a line too few is a smaller loss than a memory. Below it no two texts
/// that `same_claim` takes for one were seen.
const NEAR: f32 = 0.75;

/// Goes through `ranked`, best first, and keeps up to `k` places of it. An older value of a slot gives way to
/// the newest wherever that stands.
pub(super) fn keep(ranked: &[(usize, EntryRef<'_>)], k: usize) -> (Vec<usize>, Vec<Collapsed>) {
    let mut kept: Vec<usize> = Vec::new();
    let mut collapsed = Vec::new();
    for (place, (index, entry)) in ranked.iter().enumerate() {
        if kept.len() >= k {
            break;
        }
        let newer = |other: &&(usize, EntryRef<'_>)| {
            entry.slot().is_some() && other.1.slot() == entry.slot() && other.1.newness() > entry.newness()
        };
        let reason = ranked.iter().find(newer).map(|other| (other.1.id(), Collapse::OlderValue)).or_else(|| {
            kept.iter().find_map(|&other| {
                let other = &ranked[other];
                let reason = same(other.1, *entry, other.0 == *index)?;
                Some((other.1.id(), reason))
            })
        });
        match reason {
            Some((kept, reason)) => collapsed.push(Collapsed { id: entry.id(), kept, reason }),
            None => kept.push(place),
        }
    }
    (kept, collapsed)
}

/// Whether `b` says what `a` says.
fn same(a: EntryRef<'_>, b: EntryRef<'_>, same_index: bool) -> Option<Collapse> {
    if a.kind() == Kind::Message || b.kind() == Kind::Message {
        return (same_index && a.is_part_with(b)).then_some(Collapse::SameMessage);
    }
    let claim = near(a, b) && same_claim(a.text(), b.text());
    claim.then_some(Collapse::SameClaim)
}

/// Whether two texts are close enough to be asked; without vectors their words decide alone.
fn near(a: EntryRef<'_>, b: EntryRef<'_>) -> bool {
    match (a.vectors().next(), b.vectors().next()) {
        (Some(a), Some(b)) if a.len() == b.len() => vector::dot(a, b) >= NEAR,
        _ => true,
    }
}
