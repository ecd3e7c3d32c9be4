//! The report as a page of its own: everything is in it, and it runs no script.

use std::collections::BTreeMap;

use super::kind::shown;
use super::template::{Html, fill};
use super::{BigResult, ContextKind, ContextPart, ContextReport, sentences};
use crate::share::percent;
use crate::summary::numbers::grouped;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const GAUGE: &str = "<div class=\"gauge\" role=\"img\" aria-label=\"{{label}}\">\
    <span class=\"filled\" style=\"width: {{filled}}%\"></span>\
    <span class=\"limit\" style=\"left: {{limit}}%\"></span></div>\n";
const BAR: &str = "    <dt>{{label}}</dt>\n    \
    <dd><span class=\"bar {{group}}\" style=\"width: {{width}}%\"></span> \
    <span class=\"number\">{{percent}} %</span></dd>\n";
const PART: &str = "      <tr><th scope=\"row\"><span class=\"mark {{group}}\"></span>{{label}}</th>\
    <td>{{count}}</td><td>{{bytes}}</td><td>{{percent}} %</td><td>{{tokens}}</td></tr>\n";
const BIGGEST: &str = "  <h2>The largest results</h2>\n  <div class=\"wide\" tabindex=\"0\" role=\"region\" \
    aria-label=\"The largest results\">\n  <table>\n    \
    <thead><tr><th scope=\"col\">Result</th><th scope=\"col\" class=\"name\">Tool</th>\
    <th scope=\"col\">Bytes</th><th scope=\"col\">Tokens</th></tr></thead>\n    <tbody>\n{{rows}}    \
    </tbody>\n  </table>\n  </div>\n";
const RESULT: &str = "      <tr><th scope=\"row\">{{id}}</th><td class=\"name\">{{tool}}</td>\
    <td>{{bytes}}</td><td>{{tokens}}</td></tr>\n";

/// What fills the window, as an HTML page with a chart, in light or dark as the reader's system is.
#[must_use]
pub fn context_page(report: &ContextReport) -> String {
    let parts = report.parts.iter().map(|part| row(part, report.bytes));
    let values = [
        ("style", Html(STYLE.to_owned())),
        ("session", Html::text(&shown(&report.session))),
        ("sentences", sentences(report)),
        ("gauge", gauge(report)),
        ("bars", bars(report)),
        ("parts", Html::all(parts)),
        ("bytes", number(report.bytes)),
        ("tokens", number(report.part_tokens())),
        ("biggest", biggest(&report.biggest)),
    ];
    fill(PAGE, &values).0
}

fn number(number: u64) -> Html {
    Html::text(&grouped(number))
}

fn share(part: u64, whole: u64) -> Html {
    Html::text(&percent(part.into(), whole))
}

fn sentences(report: &ContextReport) -> Html {
    let sentences = sentences::of(report);
    let paragraph = |sentence: &String| fill("  <p>{{it}}</p>\n", &[("it", Html::text(sentence))]);
    Html::all(sentences.iter().map(paragraph))
}

/// How much of the window is filled, and from where on a compaction is due. Empty without a window.
fn gauge(report: &ContextReport) -> Html {
    let pressure = &report.pressure;
    if pressure.window == 0 {
        return Html::all([]);
    }
    let filled = percent(pressure.tokens.into(), pressure.window);
    let limit = percent(pressure.soft_limit.into(), pressure.window);
    let label = format!("{filled} % of the window is filled; a compaction is due from {limit} %");
    let within = |tokens: u64| share(tokens.min(pressure.window), pressure.window);
    let values = [
        ("label", Html::text(&label)),
        ("filled", within(pressure.tokens)),
        ("limit", within(pressure.soft_limit)),
    ];
    fill(GAUGE, &values)
}

/// A bar for each kind, the longest for the largest.
fn bars(report: &ContextReport) -> Html {
    let mut kinds: BTreeMap<ContextKind, u64> = BTreeMap::new();
    for part in &report.parts {
        let bytes = kinds.entry(part.kind).or_default();
        *bytes = bytes.saturating_add(part.bytes);
    }
    let largest = kinds.values().copied().max().unwrap_or_default();
    let bar = |(kind, bytes): (ContextKind, u64)| {
        let values = [
            ("label", Html::text(kind.label())),
            ("group", Html::text(kind.group())),
            ("width", share(bytes, largest)),
            ("percent", share(bytes, report.bytes)),
        ];
        fill(BAR, &values)
    };
    Html::all(kinds.into_iter().map(bar))
}

fn row(part: &ContextPart, whole: u64) -> Html {
    let values = [
        ("group", Html::text(part.kind.group())),
        ("label", Html::text(&part.label())),
        ("count", number(part.count)),
        ("bytes", number(part.bytes)),
        ("percent", share(part.bytes, whole)),
        ("tokens", number(part.tokens)),
    ];
    fill(PART, &values)
}

/// Empty without results.
fn biggest(results: &[BigResult]) -> Html {
    if results.is_empty() {
        return Html::all([]);
    }
    let row = |result: &BigResult| {
        let values = [
            ("id", Html::text(&shown(&result.id))),
            ("tool", Html::text(&shown(&result.tool))),
            ("bytes", number(result.bytes)),
            ("tokens", number(result.tokens)),
        ];
        fill(RESULT, &values)
    };
    fill(BIGGEST, &[("rows", Html::all(results.iter().map(row)))])
}
