//! What a path in a recorded call means: the component's own lexical rule (docs/rulings.md,
//! "Identity"), so that the replay's tree holds a file where the component looks for it.

/// Where a session's relative paths begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Base {
    root: String,
    home: Option<String>,
    style: Style,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Unix,
    Windows,
}

impl Base {
    /// A recorded project root; `/` where it is none or not absolute. The home directory is the
    /// one that the root lies in.
    pub(crate) fn new(root: Option<&str>) -> Self {
        let windows = |root: &str| windows_prefix(root).is_some() && !root.starts_with('/');
        let style = if root.is_some_and(windows) {
            Style::Windows
        } else {
            Style::Unix
        };
        let root = root
            .and_then(|root| style.normal(root))
            .unwrap_or_else(|| "/".to_owned());
        let home = home_of(&root, style);
        Self { root, home, style }
    }

    /// The project root, absolute.
    pub(crate) fn root(&self) -> &str {
        &self.root
    }

    /// The home directory, where it is known.
    pub(crate) fn home(&self) -> Option<&str> {
        self.home.as_deref()
    }

    /// The absolute path that `path` means.
    pub(crate) fn resolve(&self, path: &str) -> String {
        if let Some(absolute) = self.style.normal(path) {
            return absolute;
        }
        let joined = match (self.in_home(path), &self.home) {
            (Some(rest), Some(home)) => format!("{home}{}{rest}", self.style.separator()),
            // Only a Windows path can begin at the top and yet not be absolute.
            _ if path.starts_with(|first| self.style.separates(first)) => {
                let drive = windows_prefix(&self.root).map(|(drive, _)| drive);
                format!("{}{path}", drive.unwrap_or_default())
            }
            _ => format!("{}{}{path}", self.root, self.style.separator()),
        };
        self.style.normal(&joined).unwrap_or(joined)
    }

    /// `path` as a call would give it from the root: a relative path of a call that was made in
    /// another directory is led back to that directory.
    pub(crate) fn led_back(&self, directory: Option<&str>, path: &str) -> String {
        let elsewhere = directory.filter(|directory| self.resolve(directory) != self.root);
        match elsewhere {
            Some(directory) if self.style.normal(path).is_none() && !path.starts_with('~') => {
                self.resolve(&format!("{directory}{}{path}", self.style.separator()))
            }
            _ => path.to_owned(),
        }
    }

    fn in_home<'a>(&self, path: &'a str) -> Option<&'a str> {
        let rest = path.strip_prefix('~')?;
        let separated = rest.starts_with(|character| self.style.separates(character));
        (rest.is_empty() || separated).then_some(rest)
    }
}

/// `/Users/ada`, `/home/ada`, `/root` or `C:\Users\ada`, if `root` lies in one.
fn home_of(root: &str, style: Style) -> Option<String> {
    let separator = style.separator();
    let depth = match style {
        Style::Unix if root == "/root" || root.starts_with("/root/") => 1,
        Style::Unix if root.starts_with("/Users/") || root.starts_with("/home/") => 2,
        Style::Windows if root.get(2..)?.starts_with(r"\Users\") => 2,
        _ => return None,
    };
    let mut names = root.split(separator);
    let prefix = names.next()?;
    let names: Vec<&str> = names.take(depth).collect();
    (names.len() == depth)
        .then(|| format!("{prefix}{separator}{}", names.join(&separator.to_string())))
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
    if let [drive, b':', b'/' | b'\\', ..] = path.as_bytes()
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
    fn resolves_as_the_component_does() {
        let base = Base::new(Some("/home/ada/app/"));
        assert_eq!(
            (base.root(), base.home()),
            ("/home/ada/app", Some("/home/ada"))
        );
        for (path, absolute) in [
            ("src/a.ts", "/home/ada/app/src/a.ts"),
            ("./src//../a.ts", "/home/ada/app/a.ts"),
            ("../../../../x", "/x"),
            ("/etc/./hosts", "/etc/hosts"),
            ("~/x", "/home/ada/x"),
            ("~x", "/home/ada/app/~x"),
        ] {
            assert_eq!(base.resolve(path), absolute, "{path}");
        }
    }

    #[test]
    fn a_windows_root_makes_windows_paths() {
        let base = Base::new(Some("c:/dev/roo-code"));
        assert_eq!((base.root(), base.home()), (r"C:\dev\roo-code", None));
        assert_eq!(base.resolve("src/a.ts"), r"C:\dev\roo-code\src\a.ts");
        assert_eq!(base.resolve(r"\x\y"), r"C:\x\y");
        assert_eq!(Base::new(Some("//host/share/a")).root(), "/host/share/a");
        let home = Base::new(Some(r"C:\Users\ada\app"));
        assert_eq!(home.home(), Some(r"C:\Users\ada"));
    }

    #[test]
    fn a_missing_or_relative_root_is_the_top() {
        assert_eq!(Base::new(None).root(), "/");
        assert_eq!(Base::new(Some("app")).root(), "/");
        assert_eq!(Base::new(Some("/home")).home(), None);
        assert_eq!(Base::new(Some("/root/app")).home(), Some("/root"));
    }

    #[test]
    fn a_call_made_elsewhere_is_led_back() {
        let base = Base::new(Some("/work"));
        assert_eq!(base.led_back(Some("/work/sub"), "a.ts"), "/work/sub/a.ts");
        assert_eq!(base.led_back(Some("/work/"), "a.ts"), "a.ts");
        assert_eq!(base.led_back(Some("sub"), "../b/a.ts"), "/work/b/a.ts");
        assert_eq!(base.led_back(Some("/x"), "/a.ts"), "/a.ts");
        assert_eq!(base.led_back(None, "a.ts"), "a.ts");
    }
}
