//! Generates the structures of records.

use crate::random::Random;
use crate::shape::{GridForm, Layout, Member, SCALARS, Scalar, Struct, Type};

/// Bytes of the largest record, so that a thread may send a few.
const LARGEST: u32 = 40;
/// The field that the groups of a grid accumulate in.
pub const GATHERED: &str = "sum";

pub struct Structs {
    pub all: Vec<Struct>,
    pub layouts: Vec<Layout>,
    /// Numbers of the structures that are records, not parts of them.
    pub records: Vec<usize>,
}

impl Structs {
    /// Generates a few of them; the last one is tracked.
    pub fn made(random: &mut Random, records: u32) -> Structs {
        let mut made = Structs { all: Vec::new(), layouts: Vec::new(), records: Vec::new() };
        for n in 0..records {
            made.record(random, n + 1 == records);
        }
        made
    }

    pub fn tracked(&self) -> usize {
        *self.records.last().expect("there is one at least")
    }

    pub fn has_grid(&self, shape: usize) -> bool {
        self.layouts[shape].leaves.iter().any(|leaf| leaf.grid.is_some())
    }

    fn add(&mut self, made: Struct) -> usize {
        self.all.push(made);
        self.layouts.push(Layout::of(&self.all, self.all.len() - 1));
        self.all.len() - 1
    }

    fn record(&mut self, random: &mut Random, tracked: bool) {
        loop {
            let before = self.all.len();
            let number = self.structure(random, tracked);
            if self.layouts[number].size <= LARGEST {
                return self.records.push(number);
            }
            self.all.truncate(before);
            self.layouts.truncate(before);
        }
    }

    fn structure(&mut self, random: &mut Random, tracked: bool) -> usize {
        let most = random.pick(&[[3, 1, 1], [2, 2, 1], [1, 2, 2], [2, 1, 2], [1, 1, 3], [4, 1, 1]]);
        // Position of the grid: among the members, in one of them, or in the base.
        let grid = if random.one_in(4) { None } else { Some(random.below(4)) };
        let grid_form = random.pick(&[
            GridForm::Scalar,
            GridForm::Vector(2),
            GridForm::Vector(3),
            GridForm::Array(1),
            GridForm::Array(2),
            GridForm::Array(3),
        ]);
        let grid_scalar = random.pick(&[Scalar::U32, Scalar::U16]);
        let asked = || Member {
            name: "grid".into(),
            ty: match grid_form {
                GridForm::Scalar => Type::Scalar(grid_scalar),
                GridForm::Vector(n) => Type::Vector(grid_scalar, n),
                GridForm::Array(n) => Type::Array(Box::new(Type::Scalar(grid_scalar)), n),
            },
            grid: true,
        };
        let mut members: Vec<Member> = Vec::new();
        let mut base = None;
        for n in 0..1 + random.below(3) {
            let ty = self.ty(random, 2);
            members.push(Member { name: format!("m{n}"), ty, grid: false });
        }
        let place = |random: &mut Random, members: &Vec<Member>| random.below(members.len() as u32 + 1) as usize;
        match grid {
            Some(0 | 1) => members.insert(place(random, &members), asked()),
            Some(2) => {
                let mut parts = vec![asked()];
                if random.one_in(2) {
                    let ty = Type::Scalar(random.pick(&SCALARS));
                    parts.insert(random.below(2) as usize, Member { name: "n".into(), ty, grid: false });
                }
                let nested = self.part(parts, most);
                let member = Member { name: "inner".into(), ty: Type::Struct(nested), grid: false };
                members.insert(place(random, &members), member);
            }
            Some(_) => base = Some(self.part(vec![asked()], most)),
            None if random.one_in(6) => {
                let ty = self.ty(random, 1);
                base = Some(self.part(vec![Member { name: "b".into(), ty, grid: false }], most));
            }
            None => {}
        }
        if tracked {
            let sum = Member { name: GATHERED.into(), ty: Type::Scalar(Scalar::U32), grid: false };
            members.insert(place(random, &members), sum);
        }
        let name = format!("Record{}", self.all.len());
        self.add(Struct { name, base, members, tracked, most })
    }

    fn part(&mut self, members: Vec<Member>, most: [u32; 3]) -> usize {
        let name = format!("Part{}", self.all.len());
        self.add(Struct { name, base: None, members, tracked: false, most })
    }

    fn ty(&mut self, random: &mut Random, depth: u32) -> Type {
        let scalar = random.pick(&SCALARS);
        match random.below(if depth == 0 { 6 } else { 11 }) {
            0..=3 => Type::Scalar(scalar),
            4 | 5 => Type::Vector(scalar, 2 + random.below(3)),
            6 => {
                let scalar = random.pick(&[Scalar::F32, Scalar::U32, Scalar::I32, Scalar::F16]);
                let (rows, columns) = (2 + u32::from(random.one_in(4)), 2 + u32::from(random.one_in(4)));
                Type::Matrix { scalar, rows, columns, row_major: random.one_in(2) }
            }
            7 | 8 => {
                let row = || Type::Array(Box::new(Type::Scalar(scalar)), 2);
                let element = if random.one_in(4) { row() } else { self.ty(random, depth - 1) };
                Type::Array(Box::new(element), random.pick(&[1, 2, 2, 3]))
            }
            _ => {
                let count = 1 + random.below(2);
                let members = (0..count)
                    .map(|n| Member { name: format!("p{n}"), ty: self.ty(random, depth - 1), grid: false })
                    .collect();
                Type::Struct(self.part(members, [1; 3]))
            }
        }
    }
}
