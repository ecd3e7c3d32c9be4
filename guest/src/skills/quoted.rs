//! Names in double quotes, with Go's escapes.

/// Reads a quoted name at the beginning of `text`: it, and what follows the closing quote. None if
/// it is not closed on its line, or has an escape that is none.
///
/// Bytes that are no UTF-8 become U+FFFD.
pub fn read(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('"')?;
    let mut name = Vec::new();
    loop {
        let stop = rest.find(['"', '\\', '\n'])?;
        let (plain, stopped) = rest.split_at_checked(stop)?;
        name.extend_from_slice(plain.as_bytes());
        if let Some(after) = stopped.strip_prefix('"') {
            return Some((String::from_utf8_lossy(&name).into_owned(), after));
        }
        rest = read_escape(stopped.strip_prefix('\\')?, &mut name)?;
    }
}

/// What follows a backslash goes to the end of `name`; answers what follows it.
fn read_escape<'a>(text: &'a str, name: &mut Vec<u8>) -> Option<&'a str> {
    let mut characters = text.chars();
    let plain = match characters.next()? {
        'x' => {
            let (code, rest) = read_hex(characters.as_str(), 2)?;
            name.push(u8::try_from(code).ok()?);
            return Some(rest);
        }
        'u' => return read_code(characters.as_str(), 4, name),
        'U' => return read_code(characters.as_str(), 8, name),
        escape => {
            let (_, plain) = SHORT.iter().find(|(short, _)| *short == escape)?;
            *plain
        }
    };
    push(name, plain);
    Some(characters.as_str())
}

fn read_code<'a>(text: &'a str, digits: usize, name: &mut Vec<u8>) -> Option<&'a str> {
    let (code, rest) = read_hex(text, digits)?;
    push(name, char::from_u32(code)?);
    Some(rest)
}

fn read_hex(text: &str, digits: usize) -> Option<(u32, &str)> {
    let (hex, rest) = text.split_at_checked(digits)?;
    let all = hex.bytes().all(|digit| digit.is_ascii_hexdigit());
    let code = all.then(|| u32::from_str_radix(hex, 16).ok()).flatten()?;
    Some((code, rest))
}

fn push(name: &mut Vec<u8>, character: char) {
    name.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

/// The escapes of one letter.
const SHORT: [(char, char); 9] = [
    ('"', '"'),
    ('\\', '\\'),
    ('a', '\u{7}'),
    ('b', '\u{8}'),
    ('f', '\u{c}'),
    ('n', '\n'),
    ('r', '\r'),
    ('t', '\t'),
    ('v', '\u{b}'),
];

/// `name` in quotes, as `read` reads it again.
pub fn write(name: &str) -> String {
    let mut quoted = String::from('"');
    for character in name.chars() {
        let short = SHORT.iter().find(|(_, plain)| *plain == character);
        match (short, u32::from(character)) {
            (Some((escape, _)), _) => quoted.extend(['\\', *escape]),
            _ if is_printable(character) => quoted.push(character),
            (None, code @ ..=0x7f) => quoted.push_str(&format!(r"\x{code:02x}")),
            (None, code @ ..=0xffff) => quoted.push_str(&format!(r"\u{code:04x}")),
            (None, code) => quoted.push_str(&format!(r"\U{code:08x}")),
        }
    }
    quoted.push('"');
    quoted
}

/// Whether a character is a letter, mark, number, sign or the blank.
fn is_printable(character: char) -> bool {
    if character.is_ascii() {
        return (' '..='~').contains(&character);
    }
    // What is escaped behind another character is not printable; as the first one, a mark is
    // escaped too.
    let text = String::from_iter(['a', character]);
    text.escape_debug().nth(1) == Some(character)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn spells_as_go_does() {
        for (name, quoted) in [
            ("", r#""""#),
            ("a b-c'd", r#""a b-c'd""#),
            ("a\"b\\c", r#""a\"b\\c""#),
            ("\u{7}\u{8}\u{c}\n\r\t\u{b}", r#""\a\b\f\n\r\t\v""#),
            ("\0\u{1b}\u{7f}", r#""\x00\x1b\x7f""#),
            (
                "\u{80}\u{a0}\u{200b}\u{feff}",
                r#""\u0080\u00a0\u200b\ufeff""#,
            ),
            ("\u{e0001}\u{10ffff}", r#""\U000e0001\U0010ffff""#),
            ("日本 é e\u{301} 🎉", "\"日本 é e\u{301} 🎉\""),
        ] {
            assert_eq!(write(name), quoted);
            assert_eq!(read(quoted), Some((name.to_owned(), "")));
        }
    }

    #[test]
    fn reads_every_escape() {
        for (quoted, name) in [
            (r#""\xe2\x82\xAC""#, "€"),
            (r#""\u20aC\U0001F389""#, "€🎉"),
            (r#""a\xffb""#, "a\u{fffd}b"),
            ("\"tab\there\"", "tab\there"),
        ] {
            assert_eq!(read(quoted), Some((name.to_owned(), "")));
        }
        assert_eq!(read("\"a\" b\"").unwrap().1, " b\"");
    }

    #[test]
    fn refuses_what_is_not_closed_or_spelled_otherwise() {
        for quoted in [
            "",
            "a",
            "\"",
            "\"a",
            "\"a\\\"",
            "\"a\nb\"",
            r#""\""#,
            r#""\'""#,
            r#""\q""#,
            r#""\101""#,
            r#""\x1""#,
            r#""\x+1""#,
            r#""\u20a""#,
            r#""\ud800""#,
            r#""\U00110000""#,
            r#""\uü00""#,
        ] {
            assert_eq!(read(quoted), None, "{quoted}");
        }
    }

    proptest! {
        #[test]
        fn any_name_comes_back(name in any::<String>(), after in any::<String>()) {
            let text = write(&name) + &after;
            prop_assert_eq!(read(&text), Some((name, &*after)));
        }

        #[test]
        fn no_text_makes_it_panic(text in "\"([\"\\\\xuUn0-9a-fü\\n]|.)*") {
            read(&text);
        }
    }
}
