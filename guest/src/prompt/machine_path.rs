//! No absolute path of the machine in the harness's own words (§11).

use super::Place;
use crate::error::Error;
use crate::record::Kind;

/// Refuses a text that names the root or home, or something below. `name` is what the error calls
/// the text beside its argument; empty for nothing.
///
/// # Errors
///
/// `invalid-argument`: where it stands and what would be right.
pub fn check(place: Place<'_>, argument: &str, name: &str, text: &str) -> Result<(), Error> {
    if place.kind == Kind::Chat || !place.rules.prompt.refuse_paths {
        return Ok(());
    }
    let tops = place.base.tops();
    let found = tops.filter_map(|top| find(text, top)).min();
    let Some((at, found)) = found else {
        return Ok(());
    };
    let of = match name {
        "" => String::new(),
        name => format!("of `{name}` "),
    };
    let character = text.get(..at).unwrap_or_default().chars().count();
    let problem = format!(
        "{of}names an absolute path of the machine, `{found}`, at character {character}; \
         `{}` is its name here",
        place.name(found)
    );
    Err(Error::argument(argument, problem))
}

/// The first place where `top` stands as a path or the beginning of one, and the path.
fn find<'a>(text: &'a str, top: &str) -> Option<(usize, &'a str)> {
    let mut places = text.match_indices(top);
    places.find_map(|(at, _)| {
        let before = text.get(..at)?.chars().next_back();
        let rest = text.get(at..)?;
        let begins = before.is_none_or(|before| !continues_a_path(before));
        (begins && ends_a_name(rest.get(top.len()..)?)).then(|| (at, path(rest)))
    })
}

fn continues_a_path(character: char) -> bool {
    character.is_alphanumeric() || "_-.~/\\".contains(character)
}

/// Whether a name ends before this text.
fn ends_a_name(rest: &str) -> bool {
    let mut characters = rest.chars();
    match characters.next() {
        None => true,
        Some('.') => !characters.next().is_some_and(char::is_alphanumeric),
        Some(next) => !next.is_alphanumeric() && next != '_' && next != '-',
    }
}

fn path(rest: &str) -> &str {
    let end =
        rest.find(|character: char| character.is_whitespace() || "\"')]}>,;`".contains(character));
    rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest)
}
