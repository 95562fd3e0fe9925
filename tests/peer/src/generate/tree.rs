//! A program as structured text, for printing and reduction.

use std::fmt::Write;

/// The allowed reductions of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// It stays unless its parent is removed.
    Fixed,
    /// It may be removed, or replaced by the removable parts within it.
    Removable,
    /// A value of a type: it may become another value of that type within it, or a constant.
    Value(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Text(String),
    Tree(Tree),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    pub role: Role,
    pub parts: Vec<Part>,
}

impl Tree {
    pub fn new(role: Role) -> Tree {
        Tree { role, parts: Vec::new() }
    }

    /// Adds text or a tree at the end.
    pub fn add(&mut self, part: impl Into<Part>) {
        self.parts.push(part.into());
    }

    /// Prints the program.
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        for part in &self.parts {
            match part {
                Part::Text(text) => {
                    let _ = out.write_str(text);
                }
                Part::Tree(tree) => tree.write(out),
            }
        }
    }

    /// Returns the number of all trees in it, including itself.
    pub fn size(&self) -> usize {
        let within = self.parts.iter().map(|part| if let Part::Tree(tree) = part { tree.size() } else { 0 });
        1 + within.sum::<usize>()
    }
}

impl From<&str> for Part {
    fn from(text: &str) -> Part {
        Part::Text(text.to_owned())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Part {
        Part::Text(text)
    }
}

impl From<&String> for Part {
    fn from(text: &String) -> Part {
        Part::Text(text.clone())
    }
}

impl From<Tree> for Part {
    fn from(tree: Tree) -> Part {
        Part::Tree(tree)
    }
}

/// Builds a tree of a role with these parts.
macro_rules! tree {
    ($role:expr; $($part:expr),* $(,)?) => {{
        #[allow(unused_mut, reason = "a tree may be empty")]
        let mut tree = $crate::generate::tree::Tree::new($role);
        $(tree.add($part);)*
        tree
    }};
}
pub(crate) use tree;
