//! Paths of the in-memory tree: like Unix's, or like Windows' where one begins with a drive or a share.

/// An absolute path as its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TreePath {
    /// `C:` or `\\server\share`; empty on Unix.
    volume: String,
    names: Vec<String>,
}

impl TreePath {
    /// Takes `.`, `..` and doubled separators out. A path that is not absolute begins at `/`.
    pub(super) fn new(path: &str) -> Self {
        let (mut whole, names) = Self::split(path);
        for name in names {
            whole.enter(&name);
        }
        whole
    }

    /// The top of the path's volume, and the names on the way from there, as they are written.
    pub(super) fn split(path: &str) -> (Self, Vec<String>) {
        let (volume, rest) = split_volume(path);
        let top = Self {
            volume,
            names: Vec::new(),
        };
        let names = top.names_in(rest);
        (top, names)
    }

    /// Where a link leads from the folder that this path is, and the names on the way.
    pub(super) fn follow(&self, target: &str) -> (Self, Vec<String>) {
        if !split_volume(target).0.is_empty() {
            return Self::split(target);
        }
        let mut start = self.clone();
        if target.starts_with(self.separators()) {
            start.names.clear();
        }
        (start, self.names_in(target))
    }

    /// Goes one name further.
    pub(super) fn enter(&mut self, name: &str) {
        match name {
            "" | "." => {}
            // At the top, `..` stays at the top.
            ".." => self.leave(),
            name => self.names.push(name.to_owned()),
        }
    }

    /// Goes back to the folder.
    pub(super) fn leave(&mut self) {
        self.names.pop();
    }

    pub(super) fn is_top(&self) -> bool {
        self.names.is_empty()
    }

    /// The path as text.
    pub(super) fn text(&self) -> String {
        let separator = self.separator();
        let mut text = self.volume.clone();
        for name in &self.names {
            text.push(separator);
            text.push_str(name);
        }
        if self.names.is_empty() {
            text.push(separator);
        }
        text
    }

    /// How the paths of everything below begin.
    pub(super) fn below(&self) -> String {
        let mut text = self.text();
        if !self.is_top() {
            text.push(self.separator());
        }
        text
    }

    fn names_in(&self, path: &str) -> Vec<String> {
        path.split(self.separators()).map(str::to_owned).collect()
    }

    fn separators(&self) -> &'static [char] {
        if self.volume.is_empty() {
            &['/']
        } else {
            &['/', '\\']
        }
    }

    fn separator(&self) -> char {
        if self.volume.is_empty() { '/' } else { '\\' }
    }
}

/// `C:` or `\\server\share`, and what follows it; nothing, and the path, on Unix.
fn split_volume(path: &str) -> (String, &str) {
    drive(path)
        .or_else(|| share(path))
        .unwrap_or((String::new(), path))
}

fn drive(path: &str) -> Option<(String, &str)> {
    match path.as_bytes() {
        [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic() => {
            let volume = format!("{}:", char::from(letter.to_ascii_uppercase()));
            Some((volume, path.get(3..)?))
        }
        _ => None,
    }
}

fn share(path: &str) -> Option<(String, &str)> {
    let mut parts = path.strip_prefix(r"\\")?.splitn(3, ['/', '\\']);
    let (server, name) = (parts.next()?, parts.next()?);
    let named = !server.is_empty() && !name.is_empty();
    named.then(|| {
        (
            format!(r"\\{server}\{name}"),
            parts.next().unwrap_or_default(),
        )
    })
}
