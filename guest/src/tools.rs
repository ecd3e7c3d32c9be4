//! The tools that the model is offered: the same list for the whole session (§10.4).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::bracket;
use crate::json;
use crate::record::{Dialect, Kind};
use crate::template::Template;

/// The tool that shows a stored result again (§4, §9).
const RECALL: &str = include_str!("../../conformance/prompts/tools/recall.json");

/// A tool. `wit/context.wit` explains each field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the contract documents them, once")]
pub struct Tool {
    pub name: String,
    pub description: String,
    pub parameters: String,
    pub definition: Option<String>,
    pub requires: Vec<String>,
    pub unavailable: Option<String>,
    pub kinds: Vec<Kind>,
    pub vision: bool,
}

/// What is fixed for the session and may leave tools out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    /// The session's kind.
    pub kind: Kind,
    /// Whether the model sees images.
    pub vision: bool,
    /// A subagent's narrowing.
    pub only: Option<Vec<String>>,
    /// What was switched off.
    pub without: Vec<String>,
}

/// What is wrong with a tool, and with which of its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolFault {
    /// Its place in the list, from 0.
    pub at: usize,
    /// The field.
    pub field: &'static str,
    /// What is wrong and what would be right.
    pub problem: String,
}

impl Filter {
    /// Whether a tool is offered.
    fn passes(&self, tool: &Tool) -> bool {
        let kind = tool.kinds.is_empty() || tool.kinds.contains(&self.kind);
        kind && (self.vision || !tool.vision) && self.lets_pass(&tool.name)
    }

    fn lets_pass(&self, name: &str) -> bool {
        let named = |names: &[String]| names.iter().any(|other| other == name);
        self.only.as_deref().is_none_or(named) && !named(&self.without)
    }

    /// The tools of a list that are offered, and `recall` after them.
    pub fn offered(&self, given: &[Tool], recall: bool) -> Vec<Tool> {
        let passing = given.iter().filter(|tool| self.passes(tool));
        let mut offered: Vec<Tool> = passing.cloned().collect();
        let own = has_recall(given);
        offered.extend(recall_tool().filter(|tool| recall && !own && self.passes(tool)));
        offered
    }
}

/// Whether the model can call `recall`.
pub fn has_recall(tools: &[Tool]) -> bool {
    tools.iter().any(|tool| tool.name == "recall")
}

/// `recall`, as the component defines it.
fn recall_tool() -> Option<Tool> {
    let written: Value = serde_json::from_str(RECALL).ok()?;
    Some(Tool {
        name: written.get("name")?.as_str()?.to_owned(),
        description: written.get("description")?.as_str()?.to_owned(),
        parameters: written.get("parameters")?.to_string(),
        definition: None,
        requires: Vec::new(),
        unavailable: None,
        kinds: Vec::new(),
        vision: false,
    })
}

/// Checks tools as they are given.
///
/// # Errors
///
/// The first fault.
pub fn check(tools: &[Tool]) -> Result<(), ToolFault> {
    for (at, tool) in tools.iter().enumerate() {
        let fault = |field, problem| Err(ToolFault { at, field, problem });
        if tool.name.is_empty() {
            return fault("name", "is empty".to_owned());
        }
        if tools.iter().take(at).any(|other| other.name == tool.name) {
            let problem = format!("is `{}` a second time; each tool needs its own", tool.name);
            return fault("name", problem);
        }
        if tool
            .unavailable
            .as_ref()
            .is_some_and(|text| text.trim().is_empty())
        {
            let problem = "is blank, must say that the tool is not available; none says so itself";
            return fault("unavailable", problem.to_owned());
        }
        if let Some(definition) = &tool.definition {
            if let Err(problem) = json::object(definition) {
                return fault("definition", problem);
            }
        } else if let Err(problem) = schema(&tool.parameters) {
            return fault("parameters", problem);
        }
    }
    Ok(())
}

fn schema(parameters: &str) -> Result<Map<String, Value>, String> {
    let none = r#"{"type":"object","properties":{}}"#;
    let blank = parameters.trim().is_empty();
    json::object(if blank { none } else { parameters })
}

/// A tool as its dialect spells it.
fn wire(tool: &Tool, dialect: Dialect) -> Value {
    // Both were checked when they were given.
    if let Some(definition) = &tool.definition {
        return Value::Object(json::object(definition).unwrap_or_default());
    }
    let parameters = Value::Object(schema(&tool.parameters).unwrap_or_default());
    let name = Value::from(tool.name.as_str());
    let description = Value::from(tool.description.as_str());
    let kind = Value::from("function");
    let (name, description) = (("name", name), ("description", description));
    match dialect {
        Dialect::OpenaiChat => {
            let function = json::fields([name, description, ("parameters", parameters)]);
            json::fields([("type", kind), ("function", function)])
        }
        Dialect::AnthropicMessages => {
            json::fields([name, description, ("input_schema", parameters)])
        }
        Dialect::OpenaiResponses => json::fields([
            ("type", kind),
            name,
            description,
            ("parameters", parameters),
        ]),
    }
}

/// The tools of a session and what is known of them.
#[derive(Clone, Debug)]
pub struct Toolset {
    dialect: Dialect,
    filter: Filter,
    list: Vec<Tool>,
    /// As they are sent.
    wire: Vec<Value>,
    conditions: BTreeSet<String>,
    withdrawn: BTreeMap<String, String>,
    servers: BTreeMap<String, Option<String>>,
}

impl Toolset {
    /// The tools as a session begins.
    pub fn new(
        dialect: Dialect,
        filter: Filter,
        tools: Vec<Tool>,
        conditions: Vec<String>,
    ) -> Self {
        let mut toolset = Self {
            dialect,
            filter,
            list: Vec::new(),
            wire: Vec::new(),
            conditions: conditions.into_iter().collect(),
            withdrawn: BTreeMap::new(),
            servers: BTreeMap::new(),
        };
        toolset.append(tools);
        toolset
    }

    fn append(&mut self, tools: Vec<Tool>) {
        let dialect = self.dialect;
        self.wire
            .extend(tools.iter().map(|tool| wire(tool, dialect)));
        self.list.extend(tools);
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// The first `count` as they are sent.
    pub fn sent(&self, count: usize) -> &[Value] {
        self.wire.get(..count).unwrap_or(&self.wire)
    }

    /// The tools, each with how it is sent.
    pub fn listed(&self) -> impl Iterator<Item = (&Tool, &Value)> {
        self.list.iter().zip(&self.wire)
    }

    /// Those that a subagent can have: what is withdrawn here is withdrawn there.
    pub fn to_give(&self) -> Vec<Tool> {
        let listed = self.list.iter();
        let left = listed.filter(|tool| self.refusal_of(&tool.name).is_none());
        left.cloned().collect()
    }

    /// Whether a tool of that name is listed.
    pub fn has(&self, name: &str) -> bool {
        self.list.iter().any(|tool| tool.name == name)
    }

    /// What of a server's tools is new here.
    pub fn new_of(&self, given: &[Tool]) -> Vec<Tool> {
        let offered = given.iter().filter(|tool| self.filter.passes(tool));
        offered
            .filter(|tool| !self.has(&tool.name))
            .cloned()
            .collect()
    }

    /// Whether a server is known with those instructions.
    pub fn knows_server(&self, name: &str, instructions: Option<&str>) -> bool {
        let known = self.servers.get(name);
        known.is_some_and(|known| known.as_deref() == instructions)
    }

    /// A server connected.
    pub fn connect(&mut self, name: String, tools: Vec<Tool>, instructions: Option<String>) {
        self.servers.insert(name, instructions);
        self.append(tools);
    }

    /// The conditions that are met.
    pub fn conditions(&self) -> Vec<String> {
        self.conditions.iter().cloned().collect()
    }

    /// Whether a condition is met.
    pub fn is_met(&self, condition: &str) -> bool {
        self.conditions.contains(condition)
    }

    /// A condition comes or goes.
    pub fn set_condition(&mut self, name: String, met: bool) {
        if met {
            self.conditions.insert(name);
        } else {
            self.conditions.remove(&name);
        }
    }

    /// What a withdrawn tool answers.
    pub fn refusal_of(&self, name: &str) -> Option<&str> {
        self.withdrawn.get(name).map(String::as_str)
    }

    /// A tool is withdrawn.
    pub fn withdraw(&mut self, name: String, refusal: String) {
        self.withdrawn.insert(name, refusal);
    }

    /// What a call of a tool is answered in place of being run, if anything.
    pub fn refusal(&self, name: &str, unavailable: &Template) -> Option<String> {
        if let Some(refusal) = self.refusal_of(name) {
            return Some(refusal.to_owned());
        }
        let tool = self.list.iter().find(|tool| tool.name == name)?;
        if tool.requires.iter().all(|condition| self.is_met(condition)) {
            return None;
        }
        let own = tool.unavailable.clone();
        Some(own.unwrap_or_else(|| unavailable.fill(&[("name", &bracket::escaped(name))])))
    }
}
