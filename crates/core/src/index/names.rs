//! Names that many rows share (sessions, speakers), each kept once and counted.

use std::collections::HashMap;
use std::sync::Arc;

use super::postings::table_bytes;
use super::vectors::NONE;

/// Interned names. A name whose last user is gone is forgotten, and its number reused.
#[derive(Debug, Default)]
pub(crate) struct Names {
    numbers: HashMap<Arc<str>, u32>,
    names: Vec<Option<Arc<str>>>,
    uses: Vec<u32>,
    free: Vec<u32>,
    text: usize,
}

impl Names {
    /// The number of a name, which gains a user. [`NONE`] for none.
    pub(super) fn take(&mut self, name: Option<&str>) -> u32 {
        let Some(name) = name else { return NONE };
        if let Some(&number) = self.numbers.get(name) {
            self.uses[number as usize] += 1;
            return number;
        }
        let shared: Arc<str> = name.into();
        self.text += name.len() + 16;
        let number = self.free.pop().unwrap_or_else(|| {
            self.names.push(None);
            self.uses.push(0);
            self.names.len() as u32 - 1
        });
        self.names[number as usize] = Some(Arc::clone(&shared));
        self.uses[number as usize] = 1;
        self.numbers.insert(shared, number);
        number
    }

    /// Takes a user away from a name; true if it was the last.
    pub(super) fn release(&mut self, number: u32) -> bool {
        let Some(uses) = self.uses.get_mut(number as usize) else { return false };
        *uses -= 1;
        if *uses > 0 {
            return false;
        }
        if let Some(name) = self.names[number as usize].take() {
            self.text -= name.len() + 16;
            self.numbers.remove(&name);
        }
        self.free.push(number);
        true
    }

    /// The name for a number.
    pub(crate) fn get(&self, number: u32) -> Option<&str> {
        self.names.get(number as usize)?.as_deref()
    }

    /// How many numbers there are, unused ones included.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// Numbers and names in use.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        self.names.iter().enumerate().filter_map(|(number, name)| Some((number as u32, name.as_deref()?)))
    }

    /// Heap bytes.
    pub(super) fn bytes(&self) -> usize {
        self.text
            + table_bytes::<(Arc<str>, u32)>(self.numbers.capacity())
            + self.names.capacity() * size_of::<Option<Arc<str>>>()
            + (self.uses.capacity() + self.free.capacity()) * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_lives_as_long_as_its_users() {
        let mut names = Names::default();
        let a = names.take(Some("alice"));
        assert_eq!(names.take(Some("alice")), a);
        assert_eq!(names.take(None), NONE);
        assert!(!names.release(a));
        assert!(names.release(a));
        assert_eq!(names.get(a), None);
        assert_eq!(names.take(Some("bob")), a);
        assert!(!names.release(NONE));
    }
}
