//! The first difference between two lists of tools.

use super::Cause;
use super::change::change;
use super::finding::{Finding, Part};
use super::prompt::Unit;

/// None where they are the same.
pub(crate) fn difference(previous: &[Unit<'_>], next: &[Unit<'_>]) -> Option<Finding> {
    let pairs = previous.iter().zip(next);
    let at = pairs.take_while(|(a, b)| a.same(b)).count();
    let finding = match (previous.get(at), next.get(at)) {
        (None, None) => return None,
        (Some(gone), None) => removed(gone),
        (None, Some(new)) => added(new),
        (Some(a), Some(b)) => between(a, b, previous, next),
    };
    Some(finding)
}

fn between(a: &Unit<'_>, b: &Unit<'_>, previous: &[Unit<'_>], next: &[Unit<'_>]) -> Finding {
    let stays = |tool: &Unit<'_>, tools: &[Unit<'_>]| {
        tools
            .iter()
            .any(|other| other.tool_name() == tool.tool_name())
    };
    if a.tool_name() == b.tool_name() {
        return change(a, b, Part::Tools);
    }
    match (stays(a, next), stays(b, previous)) {
        (true, true) => moved(a, b),
        (true, false) => added(b),
        (false, true) => removed(a),
        (false, false) => replaced(a, b),
    }
}

fn moved(a: &Unit<'_>, b: &Unit<'_>) -> Finding {
    let (before, now) = (a.tool_name(), b.tool_name());
    Finding::new(
        Cause::ToolOrder,
        format!("tool `{now}` stands where `{before}` stood"),
    )
    .at(Part::Tools, b, "")
    .with(Some(before.to_owned()), Some(now.to_owned()))
}

fn added(tool: &Unit<'_>) -> Finding {
    let name = tool.tool_name();
    Finding::new(Cause::ToolAdded, format!("tool `{name}` was added"))
        .at(Part::Tools, tool, "")
        .with(None, Some(name.to_owned()))
}

fn removed(tool: &Unit<'_>) -> Finding {
    let name = tool.tool_name();
    Finding::new(Cause::ToolRemoved, format!("tool `{name}` was removed"))
        .at(Part::Tools, tool, "")
        .with(Some(name.to_owned()), None)
}

fn replaced(a: &Unit<'_>, b: &Unit<'_>) -> Finding {
    let (before, now) = (a.tool_name(), b.tool_name());
    let what = format!("tool `{before}` was removed, and `{now}` stands in its place");
    Finding::new(Cause::ToolRemoved, what)
        .at(Part::Tools, a, "")
        .with(Some(before.to_owned()), Some(now.to_owned()))
}
