//! What kind of character stands where: 24 classes of ASCII, and one for each group of scripts.

/// The classes of ASCII, in the order of the table's rows and columns, with their characters. What
/// is in none of them is of the last.
pub const ASCII: [(&str, &str); ASCII_CLASSES] = [
    ("lower", "abcdefghijklmnopqrstuvwxyz"),
    ("upper", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    ("digit", "0123456789"),
    ("space", " "),
    ("tab", "\t"),
    ("newline", "\n"),
    ("return", "\r"),
    ("underscore", "_"),
    ("dot", "."),
    ("comma", ","),
    ("quote", "\"'`"),
    ("open", "([{<"),
    ("close", ")]}>"),
    ("colon", ":;"),
    ("slash", "/"),
    ("backslash", "\\"),
    ("dash", "-"),
    ("operator", "=*"),
    ("plus", "+"),
    ("bar", "&|"),
    ("mark", "#"),
    ("tilde", "!%~"),
    ("caret", "$?@^"),
    ("control", ""),
];

/// The first and the last character of each class beyond ASCII, ascending. What lies in none of
/// them is of one more class, `other`.
pub const SCRIPTS: [(&str, u32, u32); SCRIPT_CLASSES - 1] = [
    ("latin", 0x80, 0x24f),
    ("phonetic", 0x250, 0x2ff),
    ("combining", 0x300, 0x36f),
    ("greek", 0x370, 0x3ff),
    ("cyrillic", 0x400, 0x52f),
    ("armenian", 0x530, 0x58f),
    ("hebrew", 0x590, 0x5ff),
    ("arabic", 0x600, 0x6ff),
    ("syriac", 0x700, 0x8ff),
    ("indic", 0x900, 0xdff),
    ("thai", 0xe00, 0xfff),
    ("burmese", 0x1000, 0x109f),
    ("georgian", 0x10a0, 0x10ff),
    ("jamo", 0x1100, 0x11ff),
    ("ethiopic", 0x1200, 0x139f),
    ("khmer", 0x1780, 0x17ff),
    ("latin-more", 0x1e00, 0x1eff),
    ("punctuation", 0x2000, 0x206f),
    ("symbol", 0x2070, 0x24ff),
    ("box", 0x2500, 0x25ff),
    ("dingbat", 0x2600, 0x27ff),
    ("braille", 0x2800, 0x28ff),
    ("arrows", 0x2900, 0x2bff),
    ("cjk-punctuation", 0x3000, 0x303f),
    ("kana", 0x3040, 0x30ff),
    ("han", 0x3400, 0x9fff),
    ("hangul", 0xac00, 0xd7a3),
    ("private", 0xe000, 0xf8ff),
    ("variation", 0xfe00, 0xfe0f),
    ("full-width", 0xff00, 0xffef),
    ("special", 0xfff0, 0xffff),
    ("ancient", 0x10000, 0x1d3ff),
    ("mathematical", 0x1d400, 0x1d7ff),
    ("emoji", 0x1f000, 0x1faff),
    ("han-more", 0x20000, 0x3ffff),
];

pub const ASCII_CLASSES: usize = 24;
pub const SCRIPT_CLASSES: usize = 36;
pub const SPACE: usize = 3;
pub const NEWLINE: usize = 5;

const CONTROL: u8 = 23;

/// The class of each ASCII character.
static OF_ASCII: [u8; 128] = of_ascii();

/// The class of `character`: below `ASCII_CLASSES` one of `ASCII`, else `ASCII_CLASSES` and the
/// position in `SCRIPTS`.
#[inline]
pub fn of(character: char) -> usize {
    match OF_ASCII.get(character as usize) {
        Some(class) => usize::from(*class),
        None => ASCII_CLASSES + of_script(character as u32),
    }
}

fn of_script(code: u32) -> usize {
    let at = SCRIPTS.partition_point(|(_, _, last)| *last < code);
    match SCRIPTS.get(at) {
        Some((_, first, _)) if *first <= code => at,
        _ => SCRIPT_CLASSES - 1,
    }
}

#[allow(clippy::indexing_slicing)] // Evaluated when it is compiled.
const fn of_ascii() -> [u8; 128] {
    let mut classes = [CONTROL; 128];
    let mut class = 0;
    while class < ASCII_CLASSES {
        let members = ASCII[class].1.as_bytes();
        let mut at = 0;
        while at < members.len() {
            classes[members[at] as usize] = class as u8;
            at += 1;
        }
        class += 1;
    }
    classes
}
