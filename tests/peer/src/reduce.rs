//! Reduces a program while a property holds.

use crate::generate::tree::{Part, Role, Tree};

/// A reduction of a program.
enum Cut {
    /// Removes a removable part.
    Remove,
    /// Replaces a removable part by the removable parts within it.
    Unwrap,
    /// Replaces a value by a constant.
    Constant,
    /// Replaces a value by the n-th value of its type within it.
    Inner(usize),
}

/// Returns the smallest program found for which `holds` is true, after at most `tries` attempts.
pub fn reduced(tree: &Tree, tries: usize, mut holds: impl FnMut(&Tree) -> bool) -> Tree {
    let mut best = tree.clone();
    let mut left = tries;
    loop {
        let before = best.size();
        let mut order = sizes(&best);
        // Large parts first.
        order.sort_by_key(|(n, size)| (std::cmp::Reverse(*size), *n));
        let mut at = 0;
        while at < order.len() && left > 0 {
            let (n, _) = order[at];
            at += 1;
            for cut in cuts(&best, n) {
                let Some(smaller) = with_cut(&best, n, &cut) else { continue };
                if smaller == best || left == 0 {
                    continue;
                }
                left -= 1;
                if holds(&smaller) {
                    best = smaller;
                    // Numbers after this one have changed; smaller parts come next anyway.
                    let size = order[at - 1].1;
                    order = sizes(&best);
                    order.sort_by_key(|(n, size)| (std::cmp::Reverse(*size), *n));
                    at = order.partition_point(|(_, other)| *other > size);
                    break;
                }
            }
        }
        if best.size() == before || left == 0 {
            return best;
        }
    }
}

/// Returns the trees that may be reduced, numbered in order, with their sizes.
fn sizes(tree: &Tree) -> Vec<(usize, usize)> {
    fn visit(tree: &Tree, next: &mut usize, out: &mut Vec<(usize, usize)>) {
        let n = *next;
        *next += 1;
        if tree.role != Role::Fixed && !tree.parts.is_empty() {
            out.push((n, tree.size()));
        }
        for part in &tree.parts {
            if let Part::Tree(inner) = part {
                visit(inner, next, out);
            }
        }
    }
    let mut out = Vec::new();
    visit(tree, &mut 0, &mut out);
    out
}

fn nth<'t>(tree: &'t Tree, n: &mut usize) -> Option<&'t Tree> {
    if *n == 0 {
        return Some(tree);
    }
    *n -= 1;
    for part in &tree.parts {
        if let Part::Tree(inner) = part
            && let Some(found) = nth(inner, n)
        {
            return Some(found);
        }
    }
    None
}

fn cuts(tree: &Tree, n: usize) -> Vec<Cut> {
    let Some(found) = nth(tree, &mut n.clone()) else { return Vec::new() };
    match &found.role {
        Role::Fixed => Vec::new(),
        Role::Removable => vec![Cut::Remove, Cut::Unwrap],
        Role::Value(ty) => {
            let mut all = vec![Cut::Constant];
            all.extend((0..within(found, ty).len().min(4)).map(Cut::Inner));
            all
        }
    }
}

/// Returns the outermost values of a type within a value.
fn within<'t>(tree: &'t Tree, ty: &str) -> Vec<&'t Tree> {
    let mut out = Vec::new();
    for part in &tree.parts {
        let Part::Tree(inner) = part else { continue };
        if matches!(&inner.role, Role::Value(other) if other == ty) {
            out.push(inner);
        } else {
            out.extend(within(inner, ty));
        }
    }
    out
}

fn removable(tree: &Tree, out: &mut Vec<Part>) {
    for part in &tree.parts {
        let Part::Tree(inner) = part else { continue };
        if inner.role == Role::Removable {
            out.push(part.clone());
        } else {
            removable(inner, out);
        }
    }
}

fn with_cut(tree: &Tree, n: usize, cut: &Cut) -> Option<Tree> {
    fn visit(tree: &Tree, n: &mut Option<usize>, cut: &Cut) -> Option<Tree> {
        match n {
            Some(0) => {
                *n = None;
                return replaced(tree, cut);
            }
            Some(left) => *left -= 1,
            None => return Some(tree.clone()),
        }
        let mut out = Tree::new(tree.role.clone());
        for part in &tree.parts {
            out.parts.push(match part {
                Part::Tree(inner) => Part::Tree(visit(inner, n, cut)?),
                text => text.clone(),
            });
        }
        Some(out)
    }
    visit(tree, &mut Some(n), cut)
}

fn replaced(tree: &Tree, cut: &Cut) -> Option<Tree> {
    let mut out = Tree::new(tree.role.clone());
    match (cut, &tree.role) {
        (Cut::Remove, _) => {}
        (Cut::Unwrap, _) => {
            removable(tree, &mut out.parts);
            if out.parts.is_empty() {
                return None;
            }
        }
        (Cut::Constant, Role::Value(ty)) => {
            let text = format!("(({ty})1)");
            if tree.parts == [Part::Text(text.clone())] {
                return None;
            }
            out.parts.push(Part::Text(text));
        }
        (Cut::Inner(n), Role::Value(ty)) => return within(tree, ty).get(*n).map(|inner| (*inner).clone()),
        _ => return None,
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Features, program};

    /// A reduced program still has the property, and little else.
    #[test]
    fn reduced_programs_keep_the_property_and_little_else() {
        let made = program(7, &Features::without(""));
        let wanted = |tree: &Tree| tree.text().contains("[numthreads(") && tree.text().matches("Store").count() >= 2;
        assert!(wanted(&made.tree));
        let small = reduced(&made.tree, 3000, wanted);
        assert!(wanted(&small) && small.text().len() * 2 < made.text().len(), "{}", small.text());
        assert_eq!(small.text().matches(".Store").count(), 2);
    }
}
