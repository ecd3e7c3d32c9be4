//! No absolute path of the machine in the harness's own words (§11).

use super::top::Top;
use super::{Place, of_source};
use crate::error::Error;
use crate::record::Kind;

/// Where a path ends in a text, beside white space.
const ENDS: &str = "\"'`)]}<>,;:!?&|*…";

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
    let separators = place.base.separators();
    let tops = place.base.tops().map(|top| Top::new(top, separators));
    let found = tops.filter(Top::is_unmistakable);
    let found = found.filter_map(|top| find(text, &top));
    let Some(found) = found.min_by_key(|found| found.at) else {
        return Ok(());
    };
    let of = of_source(name);
    let character = text.get(..found.at).unwrap_or_default().chars().count();
    let problem = format!(
        "{of}names an absolute path of the machine, `{}`, at character {character}; \
         `{}` is its name here",
        found.spelling,
        place.name(&found.path)
    );
    Err(Error::argument(argument, problem))
}

/// A path that a text names.
struct Found<'a> {
    /// Where it begins, in bytes.
    at: usize,
    spelling: &'a str,
    path: String,
}

/// The first place where `top` stands as a path or the beginning of one.
fn find<'a>(text: &'a str, top: &Top<'_>) -> Option<Found<'a>> {
    text.char_indices().find_map(|(name, _)| {
        let (before, rest) = text.split_at_checked(name)?;
        let rest = top.after(rest).filter(|rest| ends_a_name(rest))?;
        let at = top.begin(before)?;
        let below = below(rest, top);
        let end = text.len() - rest.len() + below.len();
        Some(Found {
            at,
            spelling: text.get(at..end)?,
            path: format!("{}{below}", top.path()),
        })
    })
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

/// What of a text after `top` belongs to the path.
fn below<'a>(rest: &'a str, top: &Top<'_>) -> &'a str {
    if !rest.starts_with(top.separators()) {
        return "";
    }
    let end = rest.find(|character: char| character.is_whitespace() || ENDS.contains(character));
    let path = rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest);
    let without_stop = path.trim_end_matches('.');
    let is_parent =
        path.len() - without_stop.len() == 2 && without_stop.ends_with(top.separators());
    if is_parent { path } else { without_stop }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::Base;

    fn found(base: &Base, text: &str) -> Option<(usize, String, String)> {
        let tops = base.tops().map(|top| Top::new(top, base.separators()));
        let found = tops.filter(Top::is_unmistakable);
        let found = found.filter_map(|top| find(text, &top));
        let found = found.min_by_key(|found| found.at)?;
        Some((found.at, found.spelling.to_owned(), base.name(&found.path)))
    }

    #[test]
    fn finds_every_spelling() {
        let base = Base::new("/work/app", Some("/home/ada")).unwrap();
        for (text, at, spelling, name) in [
            ("In /work/app.", 3, "/work/app", "."),
            ("/work/app:ro", 0, "/work/app", "."),
            ("cd /work/app&&ls", 3, "/work/app", "."),
            ("/work/app/src/a.ts.", 0, "/work/app/src/a.ts", "src/a.ts"),
            ("/work/app/src:ro", 0, "/work/app/src", "src"),
            ("/work/app/a…", 0, "/work/app/a", "a"),
            ("/work/app/..", 0, "/work/app/..", "/work"),
            ("file:///work/app/x", 7, "/work/app/x", "x"),
            ("vscode://file/work/app/x", 13, "/work/app/x", "x"),
            ("-I/work/app/include", 2, "/work/app/include", "include"),
            ("//work/app", 1, "/work/app", "."),
            ("/work//app", 0, "/work//app", "."),
            ("/work/./app", 0, "/work/./app", "."),
            ("~ is /home/ada/x", 5, "/home/ada/x", "~/x"),
        ] {
            let expected = (at, spelling.to_owned(), name.to_owned());
            assert_eq!(found(&base, text), Some(expected), "{text}");
        }
    }

    #[test]
    fn finds_every_spelling_of_a_windows_path() {
        let base = Base::new(r"C:\work\app", Some(r"\\srv\share\ada")).unwrap();
        for (text, at, spelling, name) in [
            ("C:/work/app/x", 0, "C:/work/app/x", "x"),
            (r"c:\work\app", 0, r"c:\work\app", "."),
            (r"C:\\work\\app\\x", 0, r"C:\\work\\app\\x", "x"),
            ("file:///C:/work/app", 8, "C:/work/app", "."),
            (r"C:\Work\App\X", 0, r"C:\Work\App\X", "X"),
            ("at //SRV/share/ada/x", 3, "//SRV/share/ada/x", r"~\x"),
        ] {
            let expected = (at, spelling.to_owned(), name.to_owned());
            assert_eq!(found(&base, text), Some(expected), "{text}");
        }
        assert_eq!(found(&base, "https://srv/share/ada"), None);
    }

    #[test]
    fn lets_other_words_pass() {
        let base = Base::new("/work/app", Some("/root")).unwrap();
        for text in [
            "x/work/app",
            "a-I/work/app",
            "https://work/app",
            "https://site/work/app",
            "/work/App",
            "/work/apple",
            "/root/x",
        ] {
            assert_eq!(found(&base, text), None, "{text}");
        }
        let short = Base::new("/app", None).unwrap();
        assert_eq!(found(&short, "Routes: GET /app/users"), None);
    }
}
