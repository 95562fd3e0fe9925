//! Puts checks into a program.
//!
//! A *shadow* is a row with the undefined bits of another row's value. Rows that may be undefined have one: variables,
//! values loaded from initially undefined memory, and all values moved or composed from their bits. Every other read of
//! such a row is a use and is checked. Its result counts as defined, so one error is reported once. Within a block, a
//! checked row is not checked again until it changes.

use crate::cpu::exec::ops::{Binary, Ternary, Unary};
use crate::cpu::program::{AtomicOp, Block, Check, Edge, End, ImageOp, Ins, Program, RayOp, Row, Space, SubgroupOp};
use rustc_hash::FxHashSet;

/// Rows of copied values: destination and source.
type Moves<'a> = &'a mut dyn FnMut(Row, Row, u32);

struct Shadows {
    /// The rows that may be undefined.
    maybe: Vec<bool>,
    /// The shadow of each row that has one.
    of: Vec<Option<Row>>,
}

/// Adds checks to a program.
pub fn instrument(program: &mut Program) {
    let shadows = Shadows::of(program);
    let Program { functions, footprints, zeroed, .. } = program;
    let varies = |row: Row| zeroed.iter().any(|&(first, n)| (first..first + n).contains(&row));
    for block in functions.iter_mut().flat_map(|f| &mut f.blocks) {
        let (code, words) = (std::mem::take(&mut block.code), std::mem::take(&mut block.words));
        let mut out = Out { block, shadows: &shadows, word: 0, varies: &varies, checked: FxHashSet::default() };
        for (ins, word) in code.into_iter().zip(words) {
            out.word = word;
            let cells = |footprint: u32| footprints.get(footprint as usize).map_or(0, |f| f.cells.len() as u32);
            out.instruction(ins, cells);
        }
        out.word = out.block.end_word;
        match out.block.end {
            End::Branch { condition: row, .. } | End::Switch { selector: row, .. } => out.defined(row, 1),
            _ => {}
        }
        for edge in edges(&mut block.end) {
            let moves: Vec<_> = edge.moves.iter().filter_map(|&(d, s, n)| shadows.moved(d, s, n)).collect();
            edge.moves.extend(moves);
        }
    }
    let starts =
        |rows: &[(Row, u32)]| rows.iter().filter_map(|&(row, n)| Some((shadows.at(row)?, n))).collect::<Vec<_>>();
    program.shadows = [starts(&program.zeroed), starts(&program.undefined)].concat();
}

fn edges(end: &mut End) -> Vec<&mut Edge> {
    match end {
        End::Jump(edge) => vec![edge],
        End::Branch { then, otherwise, .. } => vec![then, otherwise],
        End::Switch { edges, .. } => edges.iter_mut().collect(),
        End::Return | End::Kill | End::Unreachable => Vec::new(),
    }
}

/// Returns the variable that contains a row.
fn variable(program: &Program, row: Row) -> Option<(Row, u32)> {
    program.zeroed.iter().copied().find(|&(first, n)| (first..first + n).contains(&row))
}

/// Operations that work bit by bit, or move bits by a number that is used.
fn by_bits(op: Binary) -> Option<Bits> {
    Some(match op {
        Binary::And => Bits::Mix(true),
        Binary::Or => Bits::Mix(false),
        Binary::Xor => Bits::Either,
        Binary::Shl32 | Binary::Shl64 | Binary::Shr32 | Binary::Shr64 | Binary::Sar32 | Binary::Sar64 => Bits::Shift,
        _ => return None,
    })
}

enum Bits {
    /// `true`: and.
    Mix(bool),
    Either,
    Shift,
}

/// Returns whether the shadow of a unary operation is the operation, or a copy, of its operand's shadow.
fn keeps_bits(op: Unary) -> bool {
    matches!(op, Unary::Not32 | Unary::Not64 | Unary::Not | Unary::Cut8 | Unary::Cut16 | Unary::Cut32)
}

fn extracts(op: Ternary) -> bool {
    matches!(op, Ternary::BitsU32 | Ternary::BitsU64 | Ternary::BitsS32 | Ternary::BitsS64)
}

/// Lists the moves of an instruction: rows that it only copies, whole or in bits.
fn moves(program: &Program, ins: &Ins, f: Moves<'_>) {
    match *ins {
        Ins::Unary { op, dst, a, n } if keeps_bits(op) => f(dst, a, n),
        Ins::Binary { op, dst, a, b, n } => match by_bits(op) {
            Some(Bits::Shift) => f(dst, a, n),
            Some(_) => {
                f(dst, a, n);
                f(dst, b, n);
            }
            None => {}
        },
        Ins::Ternary { op, dst, a, n, .. } if extracts(op) => f(dst, a, n),
        Ins::Ternary { op: Ternary::Select, dst, b, c, n, .. } => {
            f(dst, b, n);
            f(dst, c, n);
        }
        Ins::Move { dst, src, n } => f(dst, src, n),
        Ins::Select { dst, a, b, n, .. } => {
            f(dst, a, n);
            f(dst, b, n);
        }
        Ins::GatherRows { dst, row, n, .. } => {
            if let Some((first, count)) = variable(program, row) {
                // Any element may be meant.
                (0..count).step_by(n.max(1) as usize).for_each(|at| f(dst, first + at, n.min(count - at)));
            }
        }
        Ins::ScatterRows { src, row, n, .. } => {
            if let Some((first, count)) = variable(program, row) {
                (0..count).step_by(n.max(1) as usize).for_each(|at| f(first + at, src, n.min(count - at)));
            }
        }
        _ => {}
    }
}

impl Shadows {
    fn of(program: &mut Program) -> Shadows {
        let rows = program.rows as usize;
        let mut list: Vec<(Row, Row, u32)> = Vec::new();
        let mut maybe = vec![false; rows];
        let mut mark = |row: Row, n: u32| {
            (row..row + n).for_each(|row| {
                if let Some(slot) = maybe.get_mut(row as usize) {
                    *slot = true;
                }
            });
        };
        for &(row, n) in program.zeroed.iter().chain(&program.undefined) {
            mark(row, n);
        }
        for block in program.functions.iter_mut().flat_map(|f| &mut f.blocks) {
            for edge in edges(&mut block.end) {
                list.extend(&edge.moves);
            }
        }
        for block in program.functions.iter().flat_map(|f| &f.blocks) {
            for ins in &block.code {
                moves(program, ins, &mut |dst, src, n| list.push((dst, src, n)));
                if let Ins::Load { dst, footprint, space, .. } = *ins
                    && space.starts_undefined()
                {
                    mark(dst, program.footprints.get(footprint as usize).map_or(0, |f| f.cells.len() as u32));
                }
            }
        }
        let is = |maybe: &[bool], row: Row| maybe.get(row as usize).copied().unwrap_or(false);
        loop {
            let mut changed = false;
            for &(dst, src, n) in &list {
                for i in 0..n {
                    if is(&maybe, src + i) && !is(&maybe, dst + i) {
                        if let Some(slot) = maybe.get_mut((dst + i) as usize) {
                            *slot = true;
                        }
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        // Copies are of consecutive rows, so either all of their rows have shadows or none.
        let mut has = maybe.clone();
        loop {
            let mut changed = false;
            for &(dst, src, n) in &list {
                let all = |has: &[bool]| (dst..dst + n).chain(src..src + n).all(|row| is(has, row));
                let any = (dst..dst + n).any(|row| is(&maybe, row) || is(&has, row));
                if any && !all(&has) {
                    for row in (dst..dst + n).chain(src..src + n) {
                        if let Some(slot) = has.get_mut(row as usize) {
                            changed |= !*slot;
                            *slot = true;
                        }
                    }
                }
            }
            // So are values that are stored and loaded.
            for ins in program.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.code) {
                let (row, footprint) = match *ins {
                    Ins::Store { src, footprint, .. } => (src, footprint),
                    Ins::Load { dst, footprint, .. } => (dst, footprint),
                    _ => continue,
                };
                let n = program.footprints.get(footprint as usize).map_or(0, |f| f.cells.len() as u32);
                if (row..row + n).any(|row| is(&has, row)) {
                    for row in row..row + n {
                        if let Some(slot) = has.get_mut(row as usize) {
                            changed |= !*slot;
                            *slot = true;
                        }
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let mut next = program.rows;
        let of = has
            .into_iter()
            .map(|has| {
                has.then(|| {
                    next += 1;
                    next - 1
                })
            })
            .collect();
        program.rows = next;
        Shadows { maybe, of }
    }

    fn at(&self, row: Row) -> Option<Row> {
        self.of.get(row as usize).copied().flatten()
    }

    fn maybe(&self, row: Row, n: u32) -> bool {
        (row..row + n).any(|row| self.maybe.get(row as usize).copied().unwrap_or(false))
    }

    /// Returns the copy of shadows for a copy of rows.
    fn moved(&self, dst: Row, src: Row, n: u32) -> Option<(Row, Row, u32)> {
        Some((self.at(dst)?, self.at(src)?, n)).filter(|_| n > 0)
    }
}

struct Out<'o> {
    block: &'o mut Block,
    shadows: &'o Shadows,
    word: u32,
    /// Tests whether a row belongs to a variable, which changes.
    varies: &'o dyn Fn(Row) -> bool,
    /// Rows that are known to be defined already.
    checked: FxHashSet<Row>,
}

impl Out<'_> {
    fn push(&mut self, ins: Ins) {
        self.block.code.push(ins);
        self.block.words.push(self.word);
    }

    fn check(&mut self, check: Check) {
        self.push(Ins::Check(Box::new(check)));
    }

    /// Adds a check for a use of rows.
    fn defined(&mut self, row: Row, n: u32) {
        // Runs of rows that may be undefined; their shadows are consecutive.
        let mut at = row;
        while at < row + n {
            let asks = |row: Row| self.shadows.maybe(row, 1) && !self.checked.contains(&row);
            if !asks(at) {
                at += 1;
                continue;
            }
            let end = (at..row + n).find(|&r| !asks(r)).unwrap_or(row + n);
            self.checked.extend((at..end).filter(|&row| !(self.varies)(row)));
            if let Some(shadow) = self.shadows.at(at) {
                self.check(Check::Defined { shadow, n: end - at });
            }
            at = end;
        }
    }

    /// Computes the shadow of a binary operation's result.
    fn bits(&mut self, op: Binary, [dst, a, b]: [Row; 3], n: u32) {
        let at = |row| self.shadows.at(row);
        let (Some(shadow), Some(sa)) = (at(dst), at(a)) else { return };
        match (by_bits(op), at(b)) {
            (Some(Bits::Shift), _) => self.push(Ins::Binary { op, dst: shadow, a: sa, b, n }),
            (Some(Bits::Either), Some(sb)) => {
                self.push(Ins::Binary { op: Binary::Or, dst: shadow, a: sa, b: sb, n });
            }
            (Some(Bits::Mix(and)), Some(sb)) => {
                self.check(Check::Mix { and, shadow, a: [a, sa], b: [b, sb], n });
            }
            _ => {}
        }
    }

    fn instruction(&mut self, ins: Ins, cells: impl Fn(u32) -> u32) {
        uses(&ins, &mut |row, n| self.defined(row, n));
        if let Ins::Call { .. } = ins {
            // Its results and arguments may be in the rows of an earlier call.
            self.checked.clear();
        }
        match ins {
            Ins::Load { dst, address, footprint, space } => {
                let shadow = self.shadows.at(dst).filter(|_| cells(footprint) > 0 && space.starts_undefined());
                if shadow.is_some() || space.is_common() {
                    self.check(Check::Load { address, footprint, space, shadow });
                }
            }
            Ins::Store { src, address, footprint, space } => {
                let n = cells(footprint);
                if matches!(space, Space::Device { .. })
                    && self.shadows.maybe(src, n)
                    && let Some(shadow) = self.shadows.at(src)
                {
                    self.check(Check::Stored { shadow, footprint });
                }
                let shadow = self.shadows.at(src).filter(|_| n > 0 && space.starts_undefined());
                if space.starts_undefined() || space.is_common() {
                    self.check(Check::Store { src, address, footprint, space, shadow });
                }
            }
            Ins::Atomic { op, address, bytes, space, orders, .. } => {
                self.check(Check::Atomic { op, address, bytes, space, orders });
            }
            Ins::Unary { op, dst, a, n } if keeps_bits(op) => {
                if let Some((dst, a, n)) = self.shadows.moved(dst, a, n) {
                    let cuts = matches!(op, Unary::Cut8 | Unary::Cut16 | Unary::Cut32);
                    self.push(if cuts { Ins::Unary { op, dst, a, n } } else { Ins::Move { dst, src: a, n } });
                }
            }
            Ins::Binary { op, dst, a, b, n } => self.bits(op, [dst, a, b], n),
            Ins::Ternary { op, dst, a, b, c, n } if extracts(op) => {
                if let Some((dst, a, _)) = self.shadows.moved(dst, a, n) {
                    self.push(Ins::Ternary { op, dst, a, b, c, n });
                }
            }
            Ins::Ternary { op: op @ Ternary::Select, dst, a, b, c, n } => {
                if let (Some(dst), Some(b), Some(c)) = (self.shadows.at(dst), self.shadows.at(b), self.shadows.at(c)) {
                    self.push(Ins::Ternary { op, dst, a, b, c, n });
                }
            }
            Ins::Move { dst, src, n } => {
                if let Some((dst, src, n)) = self.shadows.moved(dst, src, n) {
                    self.push(Ins::Move { dst, src, n });
                }
            }
            Ins::Select { dst, condition, a, b, n } => {
                if let (Some(dst), Some(a), Some(b)) = (self.shadows.at(dst), self.shadows.at(a), self.shadows.at(b)) {
                    self.push(Ins::Select { dst, condition, a, b, n });
                }
            }
            Ins::GatherRows { dst, row, offset, n } => {
                if let (Some(dst), Some(row)) = (self.shadows.at(dst), self.shadows.at(row)) {
                    self.push(Ins::GatherRows { dst, row, offset, n });
                }
            }
            Ins::ScatterRows { src, row, offset, n } => {
                if let (Some(src), Some(row)) = (self.shadows.at(src), self.shadows.at(row)) {
                    self.push(Ins::ScatterRows { src, row, offset, n });
                }
            }
            _ => {}
        }
        self.push(ins);
    }
}

/// Lists the rows whose values an instruction uses, other than by copying them.
fn uses(ins: &Ins, f: &mut impl FnMut(Row, u32)) {
    match *ins {
        Ins::Unary { op, a, n, .. } => {
            if !keeps_bits(op) {
                f(a, n);
            }
        }
        Ins::Binary { op, a, b, n, .. } => match by_bits(op) {
            Some(Bits::Shift) => f(b, n),
            Some(_) => {}
            None => {
                f(a, n);
                f(b, n);
            }
        },
        Ins::Ternary { op: Ternary::Select, a, n, .. } => f(a, n),
        Ins::Ternary { op, a, b, c, n, .. } => {
            if !extracts(op) {
                f(a, n);
            }
            f(b, n);
            f(c, n);
        }
        Ins::Select { condition, .. } => f(condition, 1),
        Ins::Load { address, .. } | Ins::Store { address, .. } | Ins::ArrayLength { address, .. } => f(address, 1),
        Ins::Offset { base, .. } => f(base, 1),
        Ins::Index { base, index, .. }
        | Ins::Element { base, index, .. }
        | Ins::DescriptorIndex { base, index, .. } => {
            f(base, 1);
            f(index, 1);
        }
        Ins::BufferOf { descriptor, .. } => f(descriptor, 1),
        Ins::RowIndex { index, .. } => f(index, 1),
        Ins::GatherRows { offset, .. } | Ins::ScatterRows { offset, .. } => f(offset, 1),
        Ins::Atomic { op, address, value, compare, .. } => {
            f(address, 1);
            if op != AtomicOp::Load {
                f(value, 1);
            }
            if op == AtomicOp::CompareExchange {
                f(compare, 1);
            }
        }
        Ins::Derivative { a, n, .. } => f(a, n),
        Ins::Subgroup { op, a, n, .. } => match op {
            SubgroupOp::All | SubgroupOp::Any | SubgroupOp::Ballot => f(a, 1),
            SubgroupOp::AllEqual | SubgroupOp::Arithmetic { .. } => f(a, n),
            // The others name lanes, or pass values on: the lane that matters is unknown here.
            _ => {}
        },
        Ins::Image(ref image) => {
            f(image.image, 1);
            if !matches!(image.op, ImageOp::Size | ImageOp::Levels | ImageOp::Samples) {
                f(image.coordinates, image.axes + u32::from(image.arrayed));
            }
            if image.op == ImageOp::Write {
                f(image.value, image.components);
            }
        }
        Ins::Ray(ref ray) => {
            if let RayOp::Trace { flags, mask, origin, least, direction, greatest, .. } = ray.op {
                [(flags, 1), (mask, 1), (origin, 3), (least, 1), (direction, 3), (greatest, 1)]
                    .into_iter()
                    .for_each(|(row, n)| f(row, n));
            }
        }
        Ins::Print(ref print) => print.numbers.iter().for_each(|number| f(number.row, 1)),
        Ins::AllocatePayloads { count, index, .. } => {
            f(count, 1);
            f(index, 1);
        }
        Ins::PayloadValid { index, .. } => f(index, 1),
        Ins::SetMeshOutputs { vertices, primitives } => {
            f(vertices, 1);
            f(primitives, 1);
        }
        Ins::Move { .. }
        | Ins::EnqueuePayloads { .. }
        | Ins::PayloadLength { .. }
        | Ins::Call { .. }
        | Ins::ControlBarrier { .. }
        | Ins::MemoryBarrier { .. }
        | Ins::FinishWriting { .. }
        | Ins::Check(_) => {}
    }
}
