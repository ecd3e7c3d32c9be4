//! Names that are told apart.

use std::collections::BTreeSet;

/// The names that were given.
#[derive(Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// `name`; where it is taken, `2~name`, or the next number that is free.
    pub(super) fn give(&mut self, name: &str) -> String {
        let mut given = name.to_owned();
        let mut number: usize = 2;
        while !self.0.insert(given.clone()) {
            given = format!("{number}~{name}");
            number += 1;
        }
        given
    }
}
