//! Texts with placeholders, `{{name}}`, as `loop.json` holds them.

/// A text and what is filled into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Placeholder(String),
}

impl Template {
    /// Takes a text apart. Braces that do not enclose a name are text.
    pub fn parse(text: &str) -> Self {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, name, after)) = next_placeholder(rest) {
            pieces.push(Piece::Text(before.to_owned()));
            pieces.push(Piece::Placeholder(name.to_owned()));
            rest = after;
        }
        pieces.push(Piece::Text(rest.to_owned()));
        Self(pieces)
    }

    /// The names of the placeholders, in order.
    pub fn placeholders(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Placeholder(name) => Some(name.as_str()),
        })
    }

    /// The text, unless it is blank: a text that says nothing is left out.
    pub fn when_not_blank(&self) -> Option<&Self> {
        let blank = |piece: &Piece| matches!(piece, Piece::Text(text) if text.trim().is_empty());
        (!self.0.iter().all(blank)).then_some(self)
    }

    /// The text with its placeholders filled. One that `values` does not name is left empty;
    /// the settings' check keeps such a template out.
    pub fn fill(&self, values: &[(&str, &str)]) -> String {
        let mut filled = String::new();
        self.fill_into(&mut filled, values);
        filled
    }

    /// As `fill`, at the end of `into`.
    pub fn fill_into(&self, into: &mut String, values: &[(&str, &str)]) {
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => into.push_str(text),
                Piece::Placeholder(name) => {
                    let value = values.iter().find(|(known, _)| known == name);
                    into.push_str(value.map_or("", |(_, value)| value));
                }
            }
        }
    }
}

fn next_placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (name, after) = rest.split_once("}}")?;
    Some((before, name, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fills_every_placeholder() {
        let template = Template::parse("[{{id}} {{path}}] {{id}}");
        assert_eq!(
            template.placeholders().collect::<Vec<_>>(),
            ["id", "path", "id"]
        );
        let filled = template.fill(&[("id", "#1"), ("path", "{{id}}")]);
        assert_eq!(filled, "[#1 {{id}}] #1");
    }

    #[test]
    fn keeps_lone_braces() {
        assert_eq!(Template::parse("a {{ b }").fill(&[]), "a {{ b }");
    }
}
