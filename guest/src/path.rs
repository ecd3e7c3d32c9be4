//! What a path in a call means (§11): absolute, `~` and relative paths against the project root.
//!
//! Lexical: `.` and `..` are taken out and nothing is looked up. Symbolic links are the host's.

/// Where a session's relative paths begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    root: String,
    home: Option<String>,
    style: Style,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Unix,
    /// Both slashes separate; a path begins with a drive letter or `\\server\share`.
    Windows,
}

impl Base {
    /// A project root and a home directory.
    ///
    /// # Errors
    ///
    /// The name of the argument that is not an absolute path: `root` or `home`.
    pub fn new(root: &str, home: Option<&str>) -> Result<Self, &'static str> {
        let windows = windows_prefix(root).is_some() && !root.starts_with('/');
        let style = if windows { Style::Windows } else { Style::Unix };
        let root = style.normal(root).ok_or("root")?;
        let home = match home {
            None => None,
            Some(home) => Some(style.normal(home).ok_or("home")?),
        };
        Ok(Self { root, home, style })
    }

    /// The absolute path that `path` means.
    pub fn resolve(&self, path: &str) -> String {
        if let Some(absolute) = self.absolute(path) {
            return absolute;
        }
        let joined = match (self.in_home(path), &self.home) {
            (Some(rest), Some(home)) => format!("{home}{}{rest}", self.style.separator()),
            _ => format!("{}{}{path}", self.root, self.style.separator()),
        };
        self.style.normal(&joined).unwrap_or(joined)
    }

    /// A path that is absolute as it stands, without `.`, `..` and doubled separators.
    pub fn absolute(&self, path: &str) -> Option<String> {
        let from_top = || {
            // Only a Windows path can begin at the top and yet not be absolute.
            let top = path.starts_with(|first| self.style.separates(first));
            let (drive, _) = windows_prefix(&self.root).filter(|_| top)?;
            self.style.normal(&format!("{drive}{path}"))
        };
        self.style.normal(path).or_else(from_top)
    }

    /// A path that is not absolute, without `.`, doubled separators, and `..` behind a name.
    pub fn cleaned(&self, path: &str) -> String {
        let mut names: Vec<&str> = Vec::new();
        for name in path.split(|character| self.style.separates(character)) {
            match name {
                "" | "." => {}
                ".." if names.last().is_some_and(|last| *last != "..") => drop(names.pop()),
                name => names.push(name),
            }
        }
        match names.as_slice() {
            [] => ".".to_owned(),
            names => names.join(self.style.separator().encode_utf8(&mut [0; 4])),
        }
    }

    /// What follows `top` in a path at or below it, both as `absolute` gives them.
    pub fn below<'a>(&self, path: &'a str, top: &str) -> Option<&'a str> {
        self.style.below(path, top)
    }

    /// The last name of an absolute path, or the top itself.
    pub fn last_name<'a>(&self, path: &'a str) -> &'a str {
        let name = path.rsplit(self.style.separator()).next();
        name.filter(|name| !name.is_empty()).unwrap_or(path)
    }

    /// The home directory.
    pub fn home(&self) -> Option<&str> {
        self.home.as_deref()
    }

    /// A name in a folder, both absolute when the folder is.
    pub fn join(&self, folder: &str, name: &str) -> String {
        let joined = format!("{folder}{}{name}", self.style.separator());
        self.style.normal(&joined).unwrap_or(joined)
    }

    /// A path relative to the home directory, if there is one.
    pub fn in_home_folder(&self, path: &str) -> Option<String> {
        self.home.as_deref().map(|home| self.join(home, path))
    }

    /// The folders from the top down to the root, and on to `start`, a path below it. Where the root lies
    /// below home, those below home.
    pub fn folders_to(&self, start: Option<&str>) -> Vec<String> {
        let home = self.home.as_deref();
        let below = home.and_then(|home| Some((home, self.style.below(&self.root, home)?)));
        let (top, names) = match below.filter(|(_, names)| !names.is_empty()) {
            Some((home, names)) => (home.to_owned(), names),
            None => self.style.top(&self.root),
        };
        let mut folders = Vec::new();
        if below.is_none_or(|(_, names)| names.is_empty()) {
            folders.push(top.clone());
        }
        let mut folder = top;
        let below = start.unwrap_or_default();
        let names = [names, below].map(|names| names.split(self.style.separator()));
        for name in names.into_iter().flatten().filter(|name| !name.is_empty()) {
            folder = self.join(&folder, name);
            folders.push(folder.clone());
        }
        folders
    }

    /// The project root.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// How a prompt or a note names a file (§11): relative to the root in the project, `~/…` under
    /// home, absolute elsewhere.
    pub fn name(&self, path: &str) -> String {
        let path = self.resolve(path);
        if let Some(rest) = self.style.below(&path, &self.root) {
            return if rest.is_empty() { "." } else { rest }.to_owned();
        }
        let home = self.home.as_deref();
        match home.and_then(|home| self.style.below(&path, home)) {
            Some("") => "~".to_owned(),
            Some(rest) => format!("~{}{rest}", self.style.separator()),
            None => path,
        }
    }

    /// A directory at or below the root, relative to it; empty for the root itself.
    pub fn below_root(&self, path: &str) -> Option<String> {
        let path = self.resolve(path);
        self.style.below(&path, &self.root).map(str::to_owned)
    }

    /// The root's last component, or the top itself.
    pub fn root_name(&self) -> &str {
        self.last_name(&self.root)
    }

    /// Root and home.
    pub fn tops(&self) -> impl Iterator<Item = &str> {
        let tops = [Some(&self.root), self.home.as_ref()];
        tops.into_iter().flatten().map(String::as_str)
    }

    /// What separates the names of a path: a slash, and a backslash in Windows paths.
    pub fn separators(&self) -> &'static [char] {
        match self.style {
            Style::Unix => &['/'],
            Style::Windows => &['\\', '/'],
        }
    }

    /// What follows `~` or `~/`.
    fn in_home<'a>(&self, path: &'a str) -> Option<&'a str> {
        let rest = path.strip_prefix('~')?;
        let separated = rest.starts_with(|character| self.style.separates(character));
        (rest.is_empty() || separated).then_some(rest)
    }
}

impl Style {
    fn separates(self, character: char) -> bool {
        character == '/' || (self == Self::Windows && character == '\\')
    }

    fn separator(self) -> char {
        match self {
            Self::Unix => '/',
            Self::Windows => '\\',
        }
    }

    /// What follows `top` in a path at or below it; both are in normal form. Windows tells no
    /// names apart by the case of their letters.
    fn below<'a>(self, path: &'a str, top: &str) -> Option<&'a str> {
        let (beginning, rest) = path.split_at_checked(top.len())?;
        let windows = self == Self::Windows;
        if beginning != top && !(windows && beginning.eq_ignore_ascii_case(top)) {
            return None;
        }
        if rest.is_empty() {
            return Some("");
        }
        if top.ends_with(self.separator()) {
            return Some(rest);
        }
        rest.strip_prefix(self.separator())
    }

    /// The top of an absolute path in normal form, and the names below it.
    fn top(self, path: &str) -> (String, &str) {
        let (mut top, rest) = match self {
            Self::Unix => (String::new(), path),
            Self::Windows => windows_prefix(path).unwrap_or_default(),
        };
        top.push(self.separator());
        (top, rest.trim_start_matches(self.separator()))
    }

    /// An absolute path without `.`, `..` and doubled separators; none for a relative one.
    fn normal(self, path: &str) -> Option<String> {
        let (mut normal, rest) = match self {
            Self::Unix => (String::new(), path.strip_prefix('/')?),
            Self::Windows => windows_prefix(path)?,
        };
        let mut names: Vec<&str> = Vec::new();
        for name in rest.split(|character| self.separates(character)) {
            match name {
                "" | "." => {}
                // At the top, `..` stays at the top.
                ".." => drop(names.pop()),
                name => names.push(name),
            }
        }
        if names.is_empty() {
            normal.push(self.separator());
        }
        for name in names {
            normal.push(self.separator());
            normal.push_str(name);
        }
        Some(normal)
    }
}

/// `C:` or `\\server\share`, and what follows it. None where a Windows path is not absolute.
fn windows_prefix(path: &str) -> Option<(String, &str)> {
    let slash = |character| character == '/' || character == '\\';
    let bytes = path.as_bytes();
    if let [drive, b':', b'/' | b'\\', ..] = bytes
        && drive.is_ascii_alphabetic()
    {
        let drive = char::from(drive.to_ascii_uppercase());
        return Some((format!("{drive}:"), path.get(3..)?));
    }
    let share = path
        .strip_prefix(r"\\")
        .or_else(|| path.strip_prefix("//"))?;
    let mut parts = share.splitn(3, slash);
    let (server, name) = (parts.next()?, parts.next()?);
    if server.is_empty() || name.is_empty() {
        return None;
    }
    Some((
        format!(r"\\{server}\{name}"),
        parts.next().unwrap_or_default(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolves_against_root_and_home() {
        let base = Base::new("/work/app/", Some("/home/ada")).unwrap();
        for (path, absolute) in [
            ("src/a.ts", "/work/app/src/a.ts"),
            ("./src//../a.ts", "/work/app/a.ts"),
            ("../../../../x", "/x"),
            ("/etc/./hosts", "/etc/hosts"),
            ("", "/work/app"),
            ("/", "/"),
            ("~", "/home/ada"),
            ("~/x", "/home/ada/x"),
            ("~x", "/work/app/~x"),
            ("a\\b", "/work/app/a\\b"),
        ] {
            assert_eq!(base.resolve(path), absolute, "{path}");
        }
    }

    #[test]
    fn names_the_folders_down_to_the_root_and_the_start() {
        let to = |root: &str, home: Option<&str>, start: Option<&str>| {
            Base::new(root, home).unwrap().folders_to(start)
        };
        assert_eq!(to("/a", None, Some("b/c")), ["/", "/a", "/a/b", "/a/b/c"]);
        let folders = |root, home| to(root, home, None);
        assert_eq!(folders("/a/b", None), ["/", "/a", "/a/b"]);
        assert_eq!(folders("/a/b/c", Some("/a")), ["/a/b", "/a/b/c"]);
        assert_eq!(folders("/a", Some("/a")), ["/", "/a"]);
        assert_eq!(folders("/", None), ["/"]);
        assert_eq!(folders(r"C:\a", None), [r"C:\", r"C:\a"]);
        let share = [r"\\host\share\", r"\\host\share\a"];
        assert_eq!(folders(r"\\host\share\a", None), share);
    }

    #[test]
    fn takes_windows_paths_where_the_root_is_one() {
        let base = Base::new(r"c:\work\app", None).unwrap();
        for (path, absolute) in [
            (r"src\a.ts", r"C:\work\app\src\a.ts"),
            ("src/../a.ts", r"C:\work\app\a.ts"),
            ("D:/x", r"D:\x"),
            (r"\x", r"C:\x"),
            ("/x/./y", r"C:\x\y"),
            (r"C:\", r"C:\"),
            ("~/x", r"C:\work\app\~\x"),
            (r"\\host\share\a\..\b", r"\\host\share\b"),
        ] {
            assert_eq!(base.resolve(path), absolute, "{path}");
        }
    }

    #[test]
    fn names_windows_paths_in_any_case() {
        let base = Base::new("C:/Work/App", Some(r"c:\Users\Ada")).unwrap();
        for (path, name) in [
            (r"c:\work\app", "."),
            ("C:/WORK/app/Src/A.ts", r"Src\A.ts"),
            (r"C:\work\apple", r"C:\work\apple"),
            (r"C:\users\ADA\x", r"~\x"),
        ] {
            assert_eq!(base.name(path), name, "{path}");
        }
        assert_eq!(base.below_root("c:/work/app/x"), Some("x".to_owned()));
        let unix = Base::new("/work/app", None).unwrap();
        assert_eq!(unix.name("/work/App/x"), "/work/App/x");
    }

    #[test]
    fn cleans_relative_paths_without_a_base() {
        let unix = Base::new("/work/app", None).unwrap();
        let windows = Base::new(r"C:\work", None).unwrap();
        for (path, cleaned) in [
            ("src/./x/../a.ts", "src/a.ts"),
            ("a//b/", "a/b"),
            ("../../a/../b", "../../b"),
            ("a/../..", ".."),
            (".", "."),
            ("a/..", "."),
            ("~/x", "~/x"),
        ] {
            assert_eq!(unix.absolute(path), None);
            assert_eq!(unix.cleaned(path), cleaned);
            assert_eq!(windows.cleaned(path), cleaned.replace('/', r"\"));
        }
        assert_eq!(windows.absolute("/x"), Some(r"C:\x".to_owned()));
        assert_eq!(windows.last_name(r"C:\x\y"), "y");
        assert_eq!(unix.last_name("/"), "/");
    }

    #[test]
    fn refuses_a_base_that_is_not_absolute() {
        assert_eq!(
            Base::new("//work/app", None).unwrap().resolve("a"),
            "/work/app/a"
        );
        assert_eq!(Base::new("work", None), Err("root"));
        assert_eq!(Base::new("/work", Some("ada")), Err("home"));
    }
}
