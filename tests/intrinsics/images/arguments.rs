//! The arguments of a case's 64 threads.

use crate::harness::{Case, Reference, Shape, Want};
use crate::kind::Kind;
use std::rc::Rc;

/// Threads of a case.
pub const THREADS: usize = 64;

/// Arguments of a case; the first is the thread's number.
pub struct Arguments {
    shapes: Vec<Shape>,
    threads: Vec<Vec<u64>>,
}

impl Arguments {
    pub fn new() -> Arguments {
        Arguments {
            shapes: vec![Shape { kind: Kind::U32, width: 1 }],
            threads: (0..THREADS as u64).map(|t| vec![t]).collect(),
        }
    }

    /// Adds floats, which are given in double precision; returns the argument's name and the converted floats.
    pub fn floats(&mut self, width: usize, of: impl Fn(usize) -> [f64; 4]) -> (String, Rc<[[f64; 4]]>) {
        let rounded: Rc<[[f64; 4]]> = (0..THREADS).map(|t| of(t).map(|x| f64::from(x as f32))).collect();
        let bits = |t: usize| rounded[t].map(|x| Kind::F32.of_float(x));
        let name = self.add(Kind::F32, width, bits);
        (name, rounded)
    }

    /// Adds integers.
    pub fn integers(&mut self, kind: Kind, width: usize, of: impl Fn(usize) -> [i64; 4]) -> (String, Rc<[[i64; 4]]>) {
        let values: Rc<[[i64; 4]]> = (0..THREADS).map(of).collect();
        let name = self.add(kind, width, |t| values[t].map(|x| kind.of_integer(x.into())));
        (name, values)
    }

    fn add(&mut self, kind: Kind, width: usize, bits: impl Fn(usize) -> [u64; 4]) -> String {
        for (t, thread) in self.threads.iter_mut().enumerate() {
            thread.extend(&bits(t)[..width]);
        }
        self.shapes.push(Shape { kind, width });
        format!("a{}", self.shapes.len() - 1)
    }

    /// Returns the case; `want` computes a thread's results.
    pub fn case(
        self,
        name: &str,
        text: String,
        results: Vec<Shape>,
        want: impl Fn(usize) -> Vec<Want> + 'static,
    ) -> Case {
        let want: Reference = Box::new(move |bits| want(bits[0] as usize));
        Case { name: name.to_owned(), text, args: self.shapes, results, inputs: self.threads, want }
    }
}
