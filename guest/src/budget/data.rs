//! Data in a block, which are counted as what they are and not as words (docs/compaction.md, "Data").

use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::Value;

use crate::image_size::image_size;
use crate::rules::TokenRules;

/// What data are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Image,
    Document,
    Audio,
    Other,
}

impl Kind {
    /// Of a block's type, or a media type.
    fn named(word: &str) -> Option<Self> {
        let holds = |part: &&str| word.contains(part);
        if holds(&"image") {
            Some(Self::Image)
        } else if holds(&"audio") {
            Some(Self::Audio)
        } else if ["pdf", "document", "file"].iter().any(holds) {
            Some(Self::Document)
        } else {
            word.starts_with("text/").then_some(Self::Other)
        }
    }

    /// Of what stands in an object, nearest first.
    fn inside(self, value: &Value) -> Self {
        let named = |key: &str| Self::named(value.get(key)?.as_str()?);
        let mut keys = ["media_type", "mime_type", "type"].into_iter();
        keys.find_map(named).unwrap_or(self)
    }
}

/// Whether any of its texts is data.
pub fn is_in(value: &Value, rules: &TokenRules) -> bool {
    match value {
        Value::String(text) => read(text, rules).is_some(),
        Value::Array(items) => items.iter().any(|item| is_in(item, rules)),
        Value::Object(fields) => fields.values().any(|field| is_in(field, rules)),
        _ => false,
    }
}

/// Takes the data out of a block, and counts them.
pub fn take(value: &mut Value, rules: &TokenRules) -> u64 {
    take_of(value, Kind::Other, rules)
}

fn take_of(value: &mut Value, kind: Kind, rules: &TokenRules) -> u64 {
    let inside = kind.inside(value);
    let of = |inner: &mut Value| take_of(inner, inside, rules);
    match value {
        Value::String(text) => {
            let Some((media, data)) = read(text, rules) else {
                return 0;
            };
            let kind = Kind::named(media).unwrap_or(kind);
            let tokens = tokens(data, kind, rules);
            text.clear();
            tokens
        }
        Value::Array(items) => items.iter_mut().map(of).sum(),
        Value::Object(fields) => fields.values_mut().map(of).sum(),
        _ => 0,
    }
}

/// The media type, empty where it is not told, and the base64 of a text that is data.
fn read<'a>(text: &'a str, rules: &TokenRules) -> Option<(&'a str, &'a str)> {
    if rules.data_least == 0 {
        return None;
    }
    if let Some(url) = text.strip_prefix("data:") {
        let (media, data) = url.split_once(',')?;
        let media = media.strip_suffix(";base64")?;
        return is_base64(data).then_some((media, data));
    }
    (text.len() >= rules.data_least as usize && is_base64(text)).then_some(("", text))
}

/// Whether it has the characters of base64 alone, in either alphabet.
fn is_base64(text: &str) -> bool {
    let may = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_=\r\n".contains(&byte);
    text.bytes().all(may)
}

/// The tokens of an image in a URL that holds it.
pub fn in_url(url: &str, rules: &TokenRules) -> Option<u64> {
    let (_, data) = read(url, rules).filter(|_| url.starts_with("data:"))?;
    Some(image(data, rules))
}

fn tokens(data: &str, kind: Kind, rules: &TokenRules) -> u64 {
    let per = |bytes: u32| bytes_of(data) / u64::from(bytes.max(1));
    match kind {
        _ if image_size(data).is_some() => image(data, rules),
        _ if data.starts_with("JVBERi") => document(data, rules),
        Kind::Image => image(data, rules),
        Kind::Document => document(data, rules),
        Kind::Audio => per(rules.audio_bytes),
        Kind::Other => per(rules.data_bytes),
    }
}

fn bytes_of(data: &str) -> u64 {
    data.len() as u64 * 3 / 4
}

/// The tokens of an image by its size, or by its length where that is not told.
pub fn image(data: &str, rules: &TokenRules) -> u64 {
    let size = image_size(data).map(|(width, height)| {
        u64::from(width) * u64::from(height) / u64::from(rules.image_area.max(1))
    });
    let tokens = size.unwrap_or_else(|| bytes_of(data) / 4);
    let most = match rules.image_most {
        0 => u64::MAX,
        most => u64::from(most),
    };
    u64::from(rules.image) + tokens.min(most)
}

/// The tokens of a document by its pages, or by its length where they are not told.
fn document(data: &str, rules: &TokenRules) -> u64 {
    match pages(data) {
        0 => bytes_of(data) / u64::from(rules.document_bytes.max(1)),
        pages => pages * u64::from(rules.document_page),
    }
}

/// How many pages a PDF says that it has, where its objects are not compressed.
fn pages(data: &str) -> u64 {
    let bytes = BASE64_STANDARD.decode(data).unwrap_or_default();
    let mut pages = 0;
    let mut rest = bytes.as_slice();
    while let Some((_, after)) = rest.split_first() {
        if let Some(value) = rest.strip_prefix(b"/Type") {
            let is_page = value.trim_ascii_start().strip_prefix(b"/Page");
            let ends = |next: &[u8]| !next.first().is_some_and(u8::is_ascii_alphanumeric);
            pages += u64::from(is_page.is_some_and(ends));
        }
        rest = after;
    }
    pages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_counted_where_they_are_told() {
        let pdf =
            "%PDF-1.4 /Type /Pages /Type/Page\n<< /Type  /Page /Parent 1 0 R >> /Type/PageLabel";
        assert_eq!(pages(&BASE64_STANDARD.encode(pdf)), 2);
        assert_eq!(pages("no base64!"), 0);
    }
}
