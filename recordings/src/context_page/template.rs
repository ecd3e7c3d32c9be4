//! HTML from templates: texts are escaped, and what was put in is not looked at again.

/// Markup that is put in as it is.
pub(super) struct Html(pub(super) String);

impl Html {
    /// A text as a browser shows it, in an element or a quoted attribute.
    pub(super) fn text(text: &str) -> Self {
        let mut html = String::with_capacity(text.len());
        for letter in text.chars() {
            match letter {
                '&' => html.push_str("&amp;"),
                '<' => html.push_str("&lt;"),
                '>' => html.push_str("&gt;"),
                '"' => html.push_str("&quot;"),
                '\'' => html.push_str("&#39;"),
                letter => html.push(letter),
            }
        }
        Self(html)
    }

    /// Pieces after each other.
    pub(super) fn all(pieces: impl IntoIterator<Item = Self>) -> Self {
        Self(pieces.into_iter().map(|piece| piece.0).collect())
    }
}

/// The template with each `{{name}}` filled; one that no value has stays as it is.
pub(super) fn fill(template: &str, values: &[(&str, Html)]) -> Html {
    let mut html = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        html.push_str(before);
        let value = after.split_once("}}").and_then(|(name, behind)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((value, behind))
        });
        match value {
            Some((value, behind)) => {
                html.push_str(&value.0);
                rest = behind;
            }
            None => {
                html.push_str("{{");
                rest = after;
            }
        }
    }
    html.push_str(rest);
    Html(html)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_escaped_once_and_never_filled() {
        let values = [
            ("a", Html::text("<b> & \"c\" 'd' {{b}}")),
            ("b", Html("<br>".to_owned())),
        ];
        let filled = fill("{{a}}|{{b}}|{{c}}|{{", &values);
        assert_eq!(
            filled.0,
            "&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; {{b}}|<br>|{{c}}|{{"
        );
    }
}
