//! Records that name their parent: the conversation is the path from the last leaf to the root.

use std::collections::HashMap;

/// A record's place in the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) id: String,
    pub(crate) parent: Option<String>,
    /// Carries the conversation on although it names no parent.
    pub(crate) continues: bool,
    /// A subagent's: a conversation of its own, kept whole.
    pub(crate) side: bool,
}

/// The conversations of a file.
#[derive(Debug)]
pub(crate) struct Tree {
    parents: Vec<Option<usize>>,
    roots: Vec<usize>,
    /// Whether each record is on the path of its conversation.
    pub(crate) on_path: Vec<bool>,
}

impl Tree {
    /// `spoken`: whether the record at an index is a message, and so may be the last leaf.
    pub(crate) fn new(nodes: &[&Node], spoken: impl Fn(usize) -> bool) -> Self {
        let parents = parents(nodes);
        let roots = roots(&parents);
        let on_path = nodes.iter().map(|node| node.side).collect();
        let mut tree = Self {
            parents,
            roots,
            on_path,
        };
        let mut leaves = HashMap::new();
        for (at, _) in nodes
            .iter()
            .enumerate()
            .filter(|(at, node)| !node.side && spoken(*at))
        {
            leaves.insert(tree.root(at), at);
        }
        for leaf in leaves.into_values() {
            tree.mark(leaf);
        }
        tree
    }

    /// The first record of the conversation that the record at an index belongs to.
    pub(crate) fn root(&self, at: usize) -> usize {
        self.roots.get(at).copied().unwrap_or(at)
    }

    fn mark(&mut self, leaf: usize) {
        let mut next = Some(leaf);
        while let Some(at) = next {
            match self.on_path.get_mut(at) {
                Some(marked) if !*marked => *marked = true,
                _ => return,
            }
            next = self.parents.get(at).copied().flatten();
        }
    }
}

/// A parent that is not in the file (a broken line, a file that was cut) is taken to be the record
/// before.
fn parents(nodes: &[&Node]) -> Vec<Option<usize>> {
    let places: HashMap<&str, usize> = nodes
        .iter()
        .enumerate()
        .map(|(at, node)| (node.id.as_str(), at))
        .collect();
    let mut previous = [None, None];
    let mut parents = Vec::with_capacity(nodes.len());
    for (at, node) in nodes.iter().enumerate() {
        let [main, side] = &mut previous;
        let before = if node.side { side } else { main };
        parents.push(match &node.parent {
            Some(parent) => places
                .get(parent.as_str())
                .copied()
                .filter(|found| *found != at)
                .or(*before),
            None if node.continues => *before,
            None => None,
        });
        *before = Some(at);
    }
    parents
}

/// The root of each record. In a circle, which no writer makes on purpose, one of it.
fn roots(parents: &[Option<usize>]) -> Vec<usize> {
    let mut roots: Vec<Option<usize>> = vec![None; parents.len()];
    let mut walked = vec![false; parents.len()];
    for start in 0..parents.len() {
        let mut path = Vec::new();
        let mut at = start;
        let root = loop {
            if let Some(root) = roots.get(at).copied().flatten() {
                break root;
            }
            match walked.get_mut(at) {
                Some(seen) if !*seen => *seen = true,
                _ => break at,
            }
            path.push(at);
            match parents.get(at).copied().flatten() {
                Some(parent) => at = parent,
                None => break at,
            }
        };
        for at in path {
            if let Some(slot) = roots.get_mut(at) {
                *slot = Some(root);
            }
        }
    }
    roots
        .into_iter()
        .enumerate()
        .map(|(at, root)| root.unwrap_or(at))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(links: &[(&str, &str)]) -> Tree {
        let nodes: Vec<Node> = links.iter().map(|(id, parent)| node(id, parent)).collect();
        Tree::new(&nodes.iter().collect::<Vec<_>>(), |_| true)
    }

    fn node(id: &str, parent: &str) -> Node {
        let parent = (!parent.is_empty()).then(|| parent.to_owned());
        Node {
            id: id.into(),
            parent,
            ..Node::default()
        }
    }

    #[test]
    fn a_rewind_leaves_the_other_branch() {
        let tree = tree(&[("a", ""), ("b", "a"), ("c", "b"), ("d", "a"), ("e", "d")]);
        assert_eq!(tree.on_path, [true, false, false, true, true]);
        assert_eq!(tree.root(4), 0);
    }

    #[test]
    fn a_lost_parent_is_the_record_before() {
        let tree = tree(&[("a", ""), ("b", "lost"), ("c", "b")]);
        assert_eq!(tree.on_path, [true, true, true]);
    }

    #[test]
    fn a_second_root_is_a_second_conversation() {
        let tree = tree(&[("a", ""), ("b", "a"), ("c", ""), ("d", "c")]);
        assert_eq!(tree.on_path, [true; 4]);
        assert_eq!((tree.root(1), tree.root(3)), (0, 2));
    }

    #[test]
    fn circles_and_forward_links_end() {
        let tree = tree(&[("a", "b"), ("b", "a"), ("c", "c"), ("d", "e"), ("e", "")]);
        assert_eq!(tree.on_path.len(), 5);
        assert_eq!(tree.root(3), 4);
    }

    #[test]
    fn a_subagent_is_kept_whole() {
        let side = |id: &str, parent: &str| Node {
            side: true,
            ..node(id, parent)
        };
        let nodes = [
            node("a", ""),
            side("s", ""),
            side("t", "s"),
            side("u", "s"),
            node("b", "a"),
        ];
        let tree = Tree::new(&nodes.iter().collect::<Vec<_>>(), |_| true);
        assert_eq!(tree.on_path, [true; 5]);
        assert_eq!(tree.root(3), 1);
    }
}
