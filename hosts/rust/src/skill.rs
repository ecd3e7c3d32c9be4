//! Skills that are switched on and off (`docs/assembly.md`, "Skills that come and go").

/// A skill that was told to the model, or taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillChange {
    /// The skill's name.
    pub name: String,
    /// Whether it is active from here on.
    pub active: bool,
}

/// A skill, as the harness knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkillState {
    /// The skill's name.
    pub name: String,
    /// Whether it is switched on.
    pub enabled: bool,
    /// Whether the model was last told that it is active.
    pub active: bool,
}

/// A skill's text that was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SkillTruncated {
    /// Bytes of its text.
    pub bytes: u32,
    /// The most bytes that are sent (the setting `assembly.skill_bytes`).
    pub cap: u32,
}
