//! How the rules are read from merged settings.

use serde_json::Value;

use crate::error::Error;
use crate::template::Template;

/// A part of merged settings, read by hand: deriving this would be a twelfth of the component.
#[derive(Clone, Copy)]
pub struct Section<'a> {
    key: &'a str,
    settings: &'a Value,
}

impl<'a> Section<'a> {
    pub fn file(settings: &'a Value) -> Self {
        let key = "loop.json";
        Self { key, settings }
    }

    pub fn section(self, key: &'a str) -> Result<Self, Error> {
        let settings = self.get(key, Some)?;
        Ok(Self { key, settings })
    }

    pub fn number(self, key: &str) -> Result<u32, Error> {
        self.get(key, |value| {
            value.as_u64().and_then(|number| number.try_into().ok())
        })
    }

    pub fn text(self, key: &str) -> Result<&'a str, Error> {
        self.get(key, Value::as_str)
    }

    pub fn owned(self, key: &str) -> Result<String, Error> {
        Ok(self.text(key)?.to_owned())
    }

    pub fn template(self, key: &str) -> Result<Template, Error> {
        Ok(Template::parse(self.text(key)?))
    }

    pub fn names(self, key: &str) -> Result<Vec<String>, Error> {
        self.get(key, |names| {
            let names = names.as_array()?.iter();
            names.map(|name| name.as_str().map(str::to_owned)).collect()
        })
    }

    /// A list whose entries are read further, by a function that names what it cannot read.
    pub fn entries<T>(
        self,
        key: &str,
        parse: impl Fn(&[String]) -> Result<T, (usize, String)>,
    ) -> Result<T, Error> {
        let names = self.names(key)?;
        parse(&names).map_err(|(position, problem)| {
            if position < names.len() {
                self.fault(&format!("{key}[{position}]"), problem)
            } else {
                self.fault(key, problem)
            }
        })
    }

    /// The merge keeps the defaults' keys and types, so only a fault of `loop.json` gets here.
    fn get<T>(self, key: &str, take: impl Fn(&'a Value) -> Option<T>) -> Result<T, Error> {
        let found = self.settings.get(key).and_then(take);
        found.ok_or_else(|| self.fault(key, "is missing or of another type"))
    }

    pub fn fault(self, key: &str, problem: impl Into<String>) -> Error {
        Error::setting(&format!("{}.{key}", self.key), problem)
    }
}
