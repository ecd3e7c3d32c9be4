//! Skills that are switched on (docs/assembly.md, "Skills that come and go").

use std::collections::BTreeMap;

/// The skills that are on, in the order of switching on, each with what is told of it.
#[derive(Clone, Debug, Default)]
pub struct Skills {
    enabled: BTreeMap<u32, Enabled>,
    /// The place of each by its name.
    places: BTreeMap<String, u32>,
    /// How many were ever switched on, each time it was.
    used: u32,
}

/// A skill that is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enabled {
    /// Its name.
    pub name: String,
    /// What is told of it.
    pub text: String,
}

impl Skills {
    /// Those that are on.
    pub fn enabled(&self) -> impl Iterator<Item = &Enabled> {
        self.enabled.values()
    }

    /// One that is on.
    pub fn get(&self, name: &str) -> Option<&Enabled> {
        self.enabled.get(self.places.get(name)?)
    }

    /// Whether none ever was on.
    pub fn is_unused(&self) -> bool {
        self.used == 0
    }

    /// A skill is switched on. One that is on keeps its place.
    pub(super) fn enable(&mut self, name: String, text: String) {
        let new = self.used.saturating_add(1);
        let place = *self.places.entry(name.clone()).or_insert(new);
        self.used = new;
        self.enabled.insert(place, Enabled { name, text });
    }

    /// A skill is switched off.
    pub(super) fn disable(&mut self, name: &str) {
        if let Some(place) = self.places.remove(name) {
            self.enabled.remove(&place);
        }
    }
}
