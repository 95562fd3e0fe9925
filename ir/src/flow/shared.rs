//! Tables whose copies share equal parts.
//!
//! Analyses keep one state for each path. Paths differ in the variables that they set, and agree elsewhere. So a copy
//! is free, and joining or comparing two states costs only their differences.

use std::rc::Rc;

/// The number of entries of a leaf, and of branches of a fork.
const WIDTH: usize = 8;

/// A table of fixed length.
#[derive(Clone)]
pub struct Shared<T> {
    root: Rc<Node<T>>,
    /// The number of entries in each branch of the root; 1 for a leaf.
    stride: usize,
}

#[derive(Clone)]
enum Node<T> {
    Leaf(Vec<T>),
    Fork(Vec<Rc<Node<T>>>),
}

impl<T: Clone> Shared<T> {
    /// Creates a table with equal entries.
    pub fn filled(len: usize, with: T) -> Shared<T> {
        let mut node = Rc::new(Node::Leaf(vec![with; WIDTH]));
        let mut stride = 1;
        while stride * WIDTH < len {
            node = Rc::new(Node::Fork(vec![node; WIDTH]));
            stride *= WIDTH;
        }
        Shared { root: node, stride }
    }

    pub fn get(&self, at: usize) -> &T {
        let (mut node, mut stride) = (&self.root, self.stride);
        loop {
            let branch = at / stride % WIDTH;
            match &**node {
                Node::Leaf(entries) => return &entries[branch],
                Node::Fork(branches) => node = &branches[branch],
            }
            stride /= WIDTH;
        }
    }

    pub fn get_mut(&mut self, at: usize) -> &mut T {
        let (mut node, mut stride) = (&mut self.root, self.stride);
        loop {
            let branch = at / stride % WIDTH;
            match Rc::make_mut(node) {
                Node::Leaf(entries) => return &mut entries[branch],
                Node::Fork(branches) => node = &mut branches[branch],
            }
            stride /= WIDTH;
        }
    }

    /// Replaces each entry by the result of `joined` for both entries, if there is one. Returns whether any entry
    /// changed.
    pub fn join(&mut self, other: &Shared<T>, joined: &mut impl FnMut(&T, &T) -> Option<T>) -> bool {
        join(&mut self.root, &other.root, joined)
    }

    /// Calls `with` for entries that may differ, in order.
    pub fn differences(&self, other: &Shared<T>, with: &mut impl FnMut(usize, &T, &T)) {
        differences(&self.root, &other.root, self.stride, 0, with);
    }
}

fn join<T: Clone>(a: &mut Rc<Node<T>>, b: &Rc<Node<T>>, joined: &mut impl FnMut(&T, &T) -> Option<T>) -> bool {
    if Rc::ptr_eq(a, b) {
        return false;
    }
    match (&**a, &**b) {
        (Node::Leaf(own), Node::Leaf(others)) => {
            let new: Vec<Option<T>> = own.iter().zip(others).map(|(own, other)| joined(own, other)).collect();
            let grew = new.iter().any(Option::is_some);
            if grew && let Node::Leaf(own) = Rc::make_mut(a) {
                for (own, new) in own.iter_mut().zip(new) {
                    if let Some(new) = new {
                        *own = new;
                    }
                }
            }
            grew
        }
        (Node::Fork(own), Node::Fork(others)) => {
            let mut grown = Vec::new();
            for (n, (own, other)) in own.iter().zip(others).enumerate() {
                let mut branch = own.clone();
                if join(&mut branch, other, joined) {
                    grown.push((n, branch));
                }
            }
            let grew = !grown.is_empty();
            if grew && let Node::Fork(own) = Rc::make_mut(a) {
                grown.into_iter().for_each(|(n, branch)| own[n] = branch);
            }
            grew
        }
        _ => false,
    }
}

fn differences<T>(a: &Rc<Node<T>>, b: &Rc<Node<T>>, stride: usize, first: usize, with: &mut impl FnMut(usize, &T, &T)) {
    if Rc::ptr_eq(a, b) {
        return;
    }
    match (&**a, &**b) {
        (Node::Leaf(a), Node::Leaf(b)) => {
            a.iter().zip(b).enumerate().for_each(|(n, (a, b))| with(first + n, a, b));
        }
        (Node::Fork(a), Node::Fork(b)) => {
            for (n, (a, b)) in a.iter().zip(b).enumerate() {
                differences(a, b, stride / WIDTH, first + n * stride, with);
            }
        }
        _ => {}
    }
}
