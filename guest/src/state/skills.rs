//! Skills that are switched on (docs/assembly.md, "Skills that come and go").

/// The skills that are on, in the order of switching on, each with what is told of it.
#[derive(Clone, Debug, Default)]
pub struct Skills {
    enabled: Vec<Enabled>,
    /// Whether any ever was.
    used: bool,
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
    pub fn enabled(&self) -> &[Enabled] {
        &self.enabled
    }

    /// One that is on.
    pub fn get(&self, name: &str) -> Option<&Enabled> {
        self.enabled.iter().find(|skill| skill.name == name)
    }

    /// Whether none ever was on.
    pub fn is_unused(&self) -> bool {
        !self.used
    }

    /// A skill is switched on. One that is on keeps its place.
    pub(super) fn enable(&mut self, name: String, text: String) {
        self.used = true;
        match self.enabled.iter_mut().find(|skill| skill.name == name) {
            Some(skill) => skill.text = text,
            None => self.enabled.push(Enabled { name, text }),
        }
    }

    /// A skill is switched off.
    pub(super) fn disable(&mut self, name: &str) {
        self.enabled.retain(|skill| skill.name != name);
    }
}
