//! The edges that an author chooses to fuse or to keep, in any mode.

use crate::Symbol;
use crate::graph::NodeId;

/// The choice for an edge, or for all edges of a node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EdgeChoice {
    /// `Node.Output` or `Node`; an element of a node array is `Node[2]`, and `Node` stands for all elements.
    pub edge: String,
    /// True: the edge must be fused, by the rules of [`FusionMode::Full`](super::FusionMode::Full). False: it stays.
    pub fuse: bool,
}

impl EdgeChoice {
    /// Returns whether the choice is about an output of a node.
    pub fn names(&self, node: &NodeId, output: &Symbol) -> bool {
        let rest = self.edge.strip_prefix(&*node.name).map(|rest| {
            let index = format!("[{}]", node.index);
            rest.strip_prefix(index.as_str()).unwrap_or(rest)
        });
        rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('.') == Some(output))
    }
}

/// Returns the choice for an output: the last one that names it.
pub(super) fn chosen(choices: &[EdgeChoice], node: &NodeId, output: &Symbol) -> Option<bool> {
    choices.iter().rev().find(|choice| choice.names(node, output)).map(|choice| choice.fuse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_name_nodes_elements_and_outputs() {
        let node = |name: &str, index| NodeId { name: name.into(), index };
        let names = |edge: &str, node: &NodeId, output: &str| {
            EdgeChoice { edge: edge.to_owned(), fuse: true }.names(node, &output.into())
        };
        let (plain, element) = (node("A", 0), node("A", 2));
        for (edge, of_plain, of_element) in [
            ("A", true, true),
            ("A.out", true, true),
            ("A[2]", false, true),
            ("A[2].out", false, true),
            ("A[0].out", true, false),
            ("A.other", false, false),
            ("AB", false, false),
            ("B.out", false, false),
            ("A.", false, false),
        ] {
            assert_eq!((names(edge, &plain, "out"), names(edge, &element, "out")), (of_plain, of_element), "{edge}");
        }
        assert!(names("A.b.out", &node("A.b", 0), "out"), "names of nodes may have dots");
    }

    #[test]
    fn the_last_choice_decides() {
        let choice = |edge: &str, fuse| EdgeChoice { edge: edge.to_owned(), fuse };
        let choices = [choice("A", true), choice("A.out", false)];
        let node = NodeId { name: "A".into(), index: 0 };
        assert_eq!(chosen(&choices, &node, &"out".into()), Some(false));
        assert_eq!(chosen(&choices, &node, &"other".into()), Some(true));
        assert_eq!(chosen(&choices, &NodeId { name: "B".into(), index: 0 }, &"out".into()), None);
    }
}
