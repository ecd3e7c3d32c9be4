//! The case format of `conformance/README.md`. An unknown field is an error that names it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::files::Entry;
use crate::settings::Settings;

/// A case file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    #[serde(rename = "area")]
    _area: String,
    pub cases: Vec<Case>,
}

/// One case: a session and what is done to it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Case {
    pub name: String,
    #[serde(rename = "rule")]
    _rule: String,
    #[serde(default)]
    pub settings: Settings,
    #[serde(default)]
    pub files: BTreeMap<String, Entry>,
    #[serde(default)]
    pub steps: Vec<Value>,
    #[serde(rename = "expect-open")]
    _expect_open: Option<Value>,
}
