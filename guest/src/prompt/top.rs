//! The root or home as a text may spell it.

/// What stands before a path in the URL of an editor or a local file, without the path's slash.
const URLS: [&str; 2] = ["://file", "file://localhost"];

/// A root or home in pieces. In a text its separators may be doubled and have a `.` between them; a
/// Windows path's may be of either kind, and its letters of either case.
pub struct Top<'a> {
    path: &'a str,
    /// The drive or the server and its share count.
    names: Vec<&'a str>,
    separators: &'static [char],
    /// The separators with which it begins: 1, none for a drive, 2 for a share.
    leading: usize,
}

impl<'a> Top<'a> {
    /// An absolute path in its normal form.
    pub fn new(path: &'a str, separators: &'static [char]) -> Self {
        let names = path.split(separators).filter(|name| !name.is_empty());
        Self {
            path,
            names: names.collect(),
            separators,
            leading: path.len() - path.trim_start_matches(separators).len(),
        }
    }

    /// Whether it can be told from what else a text may hold: `/app` is as well a route, and the
    /// top names nothing.
    pub fn is_unmistakable(&self) -> bool {
        self.names.len() >= 2.max(self.leading + 1)
    }

    /// The path in its normal form.
    pub fn path(&self) -> &'a str {
        self.path
    }

    /// What separates names.
    pub fn separators(&self) -> &'static [char] {
        self.separators
    }

    /// What follows in a text that begins with the first name.
    pub fn after<'t>(&self, text: &'t str) -> Option<&'t str> {
        let (first, others) = self.names.split_first()?;
        others
            .iter()
            .try_fold(self.strip(text, first)?, |rest, name| {
                self.strip(self.strip_separators(rest)?, name)
            })
    }

    fn strip<'t>(&self, text: &'t str, name: &str) -> Option<&'t str> {
        let (given, rest) = text.split_at_checked(name.len())?;
        let windows = self.separators.len() > 1;
        let same = given == name || (windows && given.eq_ignore_ascii_case(name));
        same.then_some(rest)
    }

    /// `/`, `//`, `/./`.
    fn strip_separators<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut rest = text.strip_prefix(self.separators)?;
        loop {
            rest = rest.trim_start_matches(self.separators);
            let dot = rest.strip_prefix('.');
            match dot.and_then(|rest| rest.strip_prefix(self.separators)) {
                Some(next) => rest = next,
                None => return Some(rest),
            }
        }
    }

    /// Where the path begins, by what stands before its first name; none where that makes it
    /// a part of something else.
    pub fn begin(&self, before: &str) -> Option<usize> {
        let outside = before.trim_end_matches(self.separators);
        let run = before.get(outside.len()..)?;
        // Two slashes after a colon are a URL's, and what follows them is its host.
        let is_host = run == "//" && outside.ends_with(':');
        let begins = match self.leading {
            0 => !run.is_empty() || may_stand_before(outside),
            leading => run.len() >= leading && !is_host && may_stand_before(outside),
        };
        begins.then(|| before.len() - self.leading)
    }
}

/// Whether a path may begin after this text.
fn may_stand_before(text: &str) -> bool {
    !text.ends_with(continues_a_path)
        || URLS.iter().any(|url| text.ends_with(url))
        || ends_with_an_option(text)
}

/// `-I`.
fn ends_with_an_option(text: &str) -> bool {
    let option = text.strip_suffix(|letter: char| letter.is_ascii_alphabetic());
    let before = option.and_then(|rest| rest.strip_suffix('-'));
    before.is_some_and(|before| !before.ends_with(continues_a_path))
}

fn continues_a_path(character: char) -> bool {
    character.is_alphanumeric() || "_-.~/\\".contains(character)
}
