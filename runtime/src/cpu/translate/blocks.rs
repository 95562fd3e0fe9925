//! A function's blocks: instructions in structured order, then branches with the copies of phis.

use super::{Result, Translator};
use crate::cpu::program::{Block, Edge, End, Function, Row};
use spirv::Op;
use wgc_spirv_module::Id;
use wgc_spirv_module::module::{self, Def, Terminator};
use wgc_spirv_module::structure::Structure;

pub(super) fn translate(t: &mut Translator<'_>, id: Id) -> Result<Function> {
    let m = t.m;
    let function = m.function(id).ok_or_else(|| format!("%{id} is not a function"))?;
    let structure = Structure::of(function).map_err(|e| e.to_string())?;
    let result = t.functions.get(&id).and_then(|f| f.1);
    // A phi may be used, through another phi, before its own block.
    for &index in &structure.order {
        for inst in function.blocks[index].insts.iter().filter(|i| i.op() == Some(Op::Phi)) {
            t.word = inst.word;
            let value = t.new_value(inst.ty)?;
            t.values.insert(inst.result, value);
        }
    }
    if id == t.entry {
        // Initial values of variables outside functions.
        t.code = std::mem::take(&mut t.prologue);
        t.words = vec![0; t.code.len()];
    }
    let mut parts = Vec::with_capacity(structure.order.len());
    for &index in &structure.order {
        let block = &function.blocks[index];
        for inst in &block.insts {
            t.instruction(inst)?;
        }
        t.word = block.terminator_inst.word;
        if let Terminator::ReturnValue(value) = block.terminator {
            let value = t.value(value)?;
            match result {
                Some(result) if result.n == value.n => t.copy(result.row, value.row, value.n),
                _ => return Err("the type of OpReturnValue is not that of its function".into()),
            }
        }
        parts.push((std::mem::take(&mut t.code), std::mem::take(&mut t.words)));
    }
    let mut blocks = Vec::with_capacity(parts.len());
    for (&index, (code, words)) in structure.order.iter().zip(parts) {
        let block = &function.blocks[index];
        t.word = block.terminator_inst.word;
        let end = end(t, function, &structure, block)?;
        blocks.push(Block { code, words, end, end_word: t.word });
    }
    Ok(Function { blocks })
}

fn end(t: &mut Translator<'_>, f: &module::Function, s: &Structure, block: &module::Block) -> Result<End> {
    Ok(match &block.terminator {
        Terminator::Branch(target) => End::Jump(edge(t, f, s, block, *target)?),
        Terminator::BranchConditional { condition, then, otherwise } => End::Branch {
            condition: t.scalar(*condition)?,
            then: edge(t, f, s, block, *then)?,
            otherwise: edge(t, f, s, block, *otherwise)?,
        },
        Terminator::Switch { selector, default, cases } => {
            let mut targets: Vec<Id> = Vec::new();
            let mut place = |id: Id| match targets.iter().position(|t| *t == id) {
                Some(at) => at as u32,
                None => {
                    targets.push(id);
                    targets.len() as u32 - 1
                }
            };
            let default = place(*default);
            let cases = cases.iter().map(|(value, label)| (*value, place(*label))).collect();
            let mut edges = Vec::with_capacity(targets.len());
            for target in targets {
                edges.push(edge(t, f, s, block, target)?);
            }
            End::Switch { selector: t.scalar(*selector)?, cases, default, edges }
        }
        Terminator::Return | Terminator::ReturnValue(_) => End::Return,
        Terminator::Unreachable => End::Unreachable,
        Terminator::Other(_) => End::Kill,
    })
}

fn edge(t: &mut Translator<'_>, f: &module::Function, s: &Structure, from: &module::Block, to: Id) -> Result<Edge> {
    // The structure has checked that the label is this function's.
    let Def::Label(_, index) = t.m.def(to) else { return Err("a branch to no block".into()) };
    let block = f.blocks.get(index as usize).ok_or("a branch to no block")?;
    let target = s.position.get(index as usize).copied().flatten().ok_or("a branch to no block")? as u32;
    let mut moves: Vec<(Row, Row, u32)> = Vec::new();
    for phi in block.insts.iter().filter(|i| i.op() == Some(Op::Phi)) {
        t.word = phi.word;
        let pairs = t.m.operands(phi).chunks_exact(2);
        let source = pairs.filter_map(|p| if p[1] == from.label { Some(p[0]) } else { None }).next();
        let source = source.ok_or_else(|| format!("OpPhi has no value for %{}", from.label))?;
        let (dst, src) = (t.value(phi.result)?, t.value(source)?);
        if dst.n != src.n {
            return Err("OpPhi has a value of another type".into());
        }
        if dst.row != src.row && dst.n > 0 {
            moves.push((dst.row, src.row, dst.n));
        }
    }
    Ok(Edge { target, moves: sequence(t, moves)? })
}

/// Sequences a parallel copy, with temporaries where one move overwrites a row that another reads.
fn sequence(t: &mut Translator<'_>, moves: Vec<(Row, Row, u32)>) -> Result<Vec<(Row, Row, u32)>> {
    let overlap = |a: Row, b: Row, an: u32, bn: u32| a < b + bn && b < a + an;
    let conflict = moves.iter().enumerate().any(|(i, a)| moves.iter().skip(i + 1).any(|b| overlap(a.0, b.1, a.2, b.2)));
    if !conflict {
        return Ok(moves);
    }
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for (dst, src, n) in moves {
        let temporary = t.rows(n)?;
        first.push((temporary, src, n));
        second.push((dst, temporary, n));
    }
    first.extend(second);
    Ok(first)
}
