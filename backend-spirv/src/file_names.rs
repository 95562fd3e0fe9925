//! Names of files for nodes.

use indexmap::IndexMap;
use wgc_ir::NodeId;

/// Unique file names of nodes, with characters that every file system accepts.
#[derive(Default)]
pub struct FileNames {
    used: IndexMap<String, u32>,
}

impl FileNames {
    /// Returns the name for a node, without extension.
    pub fn name(&mut self, id: &NodeId) -> String {
        let mut name: String =
            id.name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).take(64).collect();
        if id.index != 0 {
            name = format!("{name}_{}", id.index);
        }
        // Some file systems ignore case.
        let mut key = name.to_ascii_lowercase();
        while let Some(count) = self.used.get_mut(&key) {
            *count += 1;
            name = format!("{name}-{count}");
            key = name.to_ascii_lowercase();
        }
        self.used.insert(key, 1);
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_file_names_are_portable_and_distinct() {
        let mut names = FileNames::default();
        let mut name = |name: &str, index| names.name(&NodeId { name: name.into(), index });
        assert_eq!(name("Draw", 0), "Draw");
        assert_eq!(name("Draw", 3), "Draw_3");
        assert_eq!(name("draw", 0), "draw-2");
        assert_eq!(name("a/../b", 0), "a____b");
        assert_eq!(name("a____b", 0), "a____b-2");
    }
}
