//! Shares, as the report writes them.

/// A part in percent of a whole, with one decimal, rounded half away from zero; `0.0` of nothing.
pub(crate) fn percent(part: i128, whole: u64) -> String {
    if whole == 0 {
        return "0.0".to_owned();
    }
    let whole = i128::from(whole);
    let tenths = (part.abs() * 2000 + whole) / (2 * whole);
    let sign = if part < 0 && tenths > 0 { "-" } else { "" };
    format!("{sign}{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_has_one_decimal_and_a_sign() {
        for (part, whole, expected) in [
            (0, 0, "0.0"),
            (-7, 0, "0.0"),
            (0, 1000, "0.0"),
            (245, 1000, "24.5"),
            (1, 3, "33.3"),
            (2, 3, "66.7"),
            (-100, 1000, "-10.0"),
            (-1, 100_000, "0.0"),
            (i128::from(u64::MAX), u64::MAX, "100.0"),
        ] {
            assert_eq!(percent(part, whole), expected, "{part} {whole}");
        }
    }
}
