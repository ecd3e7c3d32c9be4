//! The size of an image, read from its data (docs/compaction.md, "Tokens of a request").

use base64::prelude::{BASE64_STANDARD, Engine};

/// How many characters are tried first, a multiple of four: most images tell their size at their
/// beginning, and a photograph of megabytes need not be decoded for it.
const BEGINNING: usize = 1 << 16;

/// Width and height in pixels, both above 0, of a PNG, JPEG, GIF or WebP. None for other data, and
/// for data that do not tell it.
#[must_use]
pub fn image_size(base64: &str) -> Option<(u32, u32)> {
    let beginning = base64.get(..BEGINNING).and_then(size_in);
    beginning.or_else(|| size_in(base64))
}

fn size_in(base64: &str) -> Option<(u32, u32)> {
    let data = BASE64_STANDARD.decode(base64).ok()?;
    let size = imagesize::blob_size(&data).ok()?;
    let (width, height) = (size.width.try_into().ok()?, size.height.try_into().ok()?);
    (width > 0 && height > 0).then_some((width, height))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x0a\0\0\0\x06\x09\x08\x02\0\0\0";
    const GIF: &[u8] = b"GIF89a\x40\x01\xf0\0\0\0\0";
    const JPEG: &[u8] =
        b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x11\x08\x01\xe0\x02\x80\x03";
    const WEBP: &[u8] = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x2b\x01\0\xc7\0\0";

    #[test]
    fn reads_the_four_formats() {
        for (data, size) in [
            (PNG, (2560, 1545)),
            (GIF, (320, 240)),
            (JPEG, (640, 480)),
            (WEBP, (300, 200)),
        ] {
            let encoded = BASE64_STANDARD.encode(data);
            assert_eq!(image_size(&encoded), Some(size), "{encoded}");
        }
    }

    #[test]
    fn a_size_after_long_data_is_found() {
        let mut jpeg = JPEG[..2].to_vec();
        for _ in 0..2 {
            jpeg.extend_from_slice(b"\xff\xe1\xff\xff");
            jpeg.resize(jpeg.len() + 0xfffd, b'x');
        }
        jpeg.extend_from_slice(&JPEG[20..]);
        assert_eq!(image_size(&BASE64_STANDARD.encode(jpeg)), Some((640, 480)));
    }

    #[test]
    fn data_that_tell_no_size_have_none() {
        let flat = [&GIF[..6], &[0, 0, 1, 0, 0, 0, 0]].concat();
        for data in [&b""[..], b"GIF89a", b"text of no image", &PNG[..20], &flat] {
            assert_eq!(image_size(&BASE64_STANDARD.encode(data)), None);
        }
        for text in ["", "no base64!", "data:image/png;base64,iVBORw0KGgo", "ü"] {
            assert_eq!(image_size(text), None);
        }
    }

    proptest! {
        #[test]
        fn no_text_and_no_data_make_it_panic(
            text in ".*",
            format in prop::sample::select(vec![PNG, GIF, JPEG, WEBP]),
            kept in 0_usize..40,
            more in prop::collection::vec(any::<u8>(), 0..200),
        ) {
            let _ = image_size(&text);
            let data: Vec<u8> = format.iter().copied().take(kept).chain(more).collect();
            if let Some((width, height)) = image_size(&BASE64_STANDARD.encode(data)) {
                prop_assert!(width > 0 && height > 0);
            }
        }
    }
}
