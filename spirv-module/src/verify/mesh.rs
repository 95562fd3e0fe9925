//! Rules about mesh shaders: the execution modes of their entry points, and their output variables
//! (SPV_EXT_mesh_shader; Vulkan, "Mesh Shading" and "Built-In Variables").
//!
//! The requirement that OpSetMeshOutputsEXT is executed once, before every write, concerns behaviour, so no rule checks
//! it.

use super::{Checker, functions, rules};
use crate::module::{Def, EntryPoint, Global, Id, Inst};
use crate::types::Type;
use spirv::{BuiltIn as B, Decoration as D, ExecutionMode as M, ExecutionModel, Op, StorageClass};

const TOPOLOGIES: [M; 3] = [M::OutputPoints, M::OutputLinesEXT, M::OutputTrianglesEXT];

/// The element type of a built-in array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Floats(u32),
    /// An array of floats.
    Distances,
    Integers(u32),
    Bool,
}

/// Built-ins that mesh shaders output, and whether they belong to primitives.
const BUILTINS: &[(B, Element, bool)] = &[
    (B::Position, Element::Floats(4), false),
    (B::PointSize, Element::Floats(1), false),
    (B::ClipDistance, Element::Distances, false),
    (B::CullDistance, Element::Distances, false),
    (B::PrimitiveId, Element::Integers(1), true),
    (B::Layer, Element::Integers(1), true),
    (B::ViewportIndex, Element::Integers(1), true),
    (B::PrimitiveShadingRateKHR, Element::Integers(1), true),
    (B::CullPrimitiveEXT, Element::Bool, true),
];

/// Arrays of indices: the topology, and the number of indices of each primitive.
const INDICES: &[(B, M, u32)] = &[
    (B::PrimitivePointIndicesEXT, M::OutputPoints, 1),
    (B::PrimitiveLineIndicesEXT, M::OutputLinesEXT, 2),
    (B::PrimitiveTriangleIndicesEXT, M::OutputTrianglesEXT, 3),
];

pub(super) fn check(c: &mut Checker) {
    // Most modules have no mesh shaders.
    let of_mesh = |d: &crate::module::Decoration| d.kind == D::PerPrimitiveEXT as u32;
    if c.m.entry_points.iter().any(is_mesh) || c.m.decorations.values().flatten().any(of_mesh) {
        per_primitive(c);
    }
    let sizes = size_instructions(c);
    for entry in &c.m.entry_points {
        let word = entry.inst.word as usize;
        if is_mesh(entry) {
            if let Err(message) = modes(c, entry) {
                c.add(rules::MESH, word, entry.function, format!("{}: {message}", entry.name));
            }
            for message in outputs(c, entry) {
                c.add(rules::MESH, word, entry.function, format!("{}: {message}", entry.name));
            }
            for says in reached(c, entry, &sizes) {
                if let Some(message) = too_large(c, entry, says) {
                    c.add(rules::MESH, says.word as usize, entry.function, format!("{}: {message}", entry.name));
                }
            }
        } else if let Some(says) = reached(c, entry, &sizes).first() {
            let message = format!("{} reaches OpSetMeshOutputsEXT but is not a mesh shader", entry.name);
            c.add(rules::MESH, says.word as usize, entry.function, message);
        }
    }
}

fn is_mesh(entry: &EntryPoint) -> bool {
    entry.model == ExecutionModel::MeshEXT as u32
}

/// Checks that the size of a mesh consists of two words.
pub(super) fn check_instruction(c: &mut Checker, op: Op, inst: &Inst) {
    if op != Op::SetMeshOutputsEXT {
        return;
    }
    for index in 0..2 {
        let ty = c.m.type_of(c.operand(inst, index));
        if !matches!(c.m.ty(ty), Some(Type::Int { width: 32, signed: false })) {
            let message = format!("{} is not an unsigned 32-bit integer", c.m.describe(c.operand(inst, index)));
            c.at(rules::MESH, inst, message);
        }
    }
}

/// Checks the modes for the numbers and kinds of vertices and primitives.
fn modes(c: &Checker, entry: &EntryPoint) -> Result<(), String> {
    let count = TOPOLOGIES.iter().filter(|mode| c.m.execution_mode(entry.function, **mode).is_some()).count();
    if count != 1 {
        return Err(format!(
            "it has {count} of OutputPoints, OutputLinesEXT and OutputTrianglesEXT; exactly one is allowed"
        ));
    }
    for mode in [M::OutputVertices, M::OutputPrimitivesEXT] {
        match c.m.execution_mode(entry.function, mode).map(|m| m.operands.first().copied()) {
            None => return Err(format!("a mesh shader needs {mode:?}")),
            Some(None | Some(0)) => return Err(format!("{mode:?} must be at least 1")),
            Some(Some(_)) => {}
        }
    }
    Ok(())
}

/// Checks the output variables of an entry point.
fn outputs(c: &Checker, entry: &EntryPoint) -> Vec<String> {
    let mut wrong = Vec::new();
    // First location, the one after the last, and the variable that occupies them.
    let mut taken: Vec<(u32, u32, Id)> = Vec::new();
    let listed = entry.interface.iter().filter_map(|id| c.m.globals.get(id));
    for global in listed.filter(|g| g.class == StorageClass::Output as u32) {
        if let Err(message) = output(c, entry, global) {
            wrong.push(format!("{} {message}", c.m.describe(global.id)));
            continue;
        }
        let Some((first, count)) = location(c, global) else { continue };
        let end = first.saturating_add(count);
        if let Some((.., other)) = taken.iter().find(|(from, to, _)| first < *to && *from < end) {
            wrong.push(format!("{} and {} share a location", c.m.describe(*other), c.m.describe(global.id)));
        }
        taken.push((first, end, global.id));
    }
    wrong
}

fn output(c: &Checker, entry: &EntryPoint, global: &Global) -> Result<(), String> {
    let pointee = c.pointer(global.id).map_or(0, |p| p.1);
    let Some(Type::Array { element, length }) = c.m.ty(pointee) else {
        return Err("must be an array with an element for each vertex or primitive".into());
    };
    let (element, length) = (*element, c.m.constant_u32(*length));
    let Some(builtin) = builtin(c, global.id) else {
        let is_block = c.m.decoration(element, None, D::Block).is_some();
        if !is_block && c.m.decoration(global.id, None, D::Location).is_none() {
            return Err("has neither Location nor BuiltIn".into());
        }
        return Ok(());
    };
    if let Some((_, topology, count)) = INDICES.iter().find(|row| row.0 == builtin) {
        if !matches!(c.shape(element), Some((Type::Int { width: 32, .. }, n)) if n == *count) {
            return Err(format!(
                "holds {}, but {builtin:?} has {count} 32-bit integers for each primitive",
                c.type_name(element)
            ));
        }
        if c.m.execution_mode(entry.function, *topology).is_none() {
            return Err(format!("is of {builtin:?}, which belongs to {topology:?}"));
        }
        let most = c.m.execution_mode(entry.function, M::OutputPrimitivesEXT);
        let most = most.and_then(|m| m.operands.first().copied());
        if let (Some(length), Some(most)) = (length, most)
            && length != most
        {
            return Err(format!("has indices of {length} primitives, but OutputPrimitivesEXT is {most}"));
        }
        return Ok(());
    }
    let Some((_, wanted, of_primitives)) = BUILTINS.iter().find(|row| row.0 == builtin) else {
        return Err(format!("is of {builtin:?}, which a mesh shader cannot output"));
    };
    let fits = match (wanted, c.m.ty(element)) {
        (Element::Floats(n), _) => {
            matches!(c.shape(element), Some((Type::Float { width: 32 }, count)) if count == *n)
        }
        (Element::Integers(n), _) => {
            matches!(c.shape(element), Some((Type::Int { width: 32, .. }, count)) if count == *n)
        }
        (Element::Bool, ty) => matches!(ty, Some(Type::Bool)),
        (Element::Distances, Some(Type::Array { element, .. })) => {
            matches!(c.m.ty(*element), Some(Type::Float { width: 32 }))
        }
        (Element::Distances, _) => false,
    };
    if !fits {
        return Err(format!("holds {}, which is not valid for {builtin:?}", c.type_name(element)));
    }
    if *of_primitives != c.m.decoration(global.id, None, D::PerPrimitiveEXT).is_some() {
        let has = if *of_primitives { "has no PerPrimitiveEXT" } else { "has PerPrimitiveEXT" };
        return Err(format!("is of {builtin:?} but {has}"));
    }
    Ok(())
}

fn builtin(c: &Checker, id: Id) -> Option<B> {
    let decoration = c.m.decoration(id, None, D::BuiltIn)?;
    B::from_u32(*c.m.decoration_operands(decoration).first()?)
}

/// Returns the first location of a variable, and the number of its locations. Partial locations are not counted.
fn location(c: &Checker, global: &Global) -> Option<(u32, u32)> {
    let decoration = c.m.decoration(global.id, None, D::Location)?;
    if c.m.decoration(global.id, None, D::Component).is_some() {
        return None;
    }
    let Some(Type::Array { element, .. }) = c.m.ty(c.pointer(global.id)?.1) else { return None };
    Some((*c.m.decoration_operands(decoration).first()?, locations(c, *element, 0)?))
}

/// Returns the number of locations of a type. Types are declared before those that contain them; the limit on the depth
/// stops the recursion in damaged modules.
fn locations(c: &Checker, ty: Id, depth: u32) -> Option<u32> {
    const MAX_DEPTH: u32 = 64;
    if depth > MAX_DEPTH {
        return None;
    }
    match c.m.ty(ty)? {
        Type::Array { element, length } => locations(c, *element, depth + 1)?.checked_mul(c.m.constant_u32(*length)?),
        Type::Matrix { column, columns } => locations(c, *column, depth + 1)?.checked_mul(*columns),
        Type::Struct { members } => {
            members.iter().try_fold(0u32, |sum, member| sum.checked_add(locations(c, *member, depth + 1)?))
        }
        _ => match c.shape(ty)? {
            (Type::Int { width: 64, .. } | Type::Float { width: 64 }, count) if count > 2 => Some(2),
            _ => Some(1),
        },
    }
}

/// Checks that per-primitive variables are outputs of mesh shaders or inputs of fragment shaders.
fn per_primitive(c: &mut Checker) {
    for (&id, decorations) in &c.m.decorations {
        let Some(decoration) = decorations.iter().find(|d| d.kind == D::PerPrimitiveEXT as u32 && d.member.is_none())
        else {
            continue;
        };
        let class = c.m.globals.get(&id).map_or(u32::MAX, |g| g.class);
        let model = match StorageClass::from_u32(class) {
            Some(StorageClass::Output) => Some(ExecutionModel::MeshEXT),
            Some(StorageClass::Input) => Some(ExecutionModel::Fragment),
            _ => None,
        };
        let lists = |entry: &&EntryPoint| entry.interface.contains(&id);
        let other = c.m.entry_points.iter().filter(lists).find(|entry| Some(entry.model) != model.map(|m| m as u32));
        if model.is_none() || other.is_some() {
            let message = format!(
                "PerPrimitiveEXT of {}, which is neither only a mesh shader output nor only a fragment shader input",
                c.m.describe(id)
            );
            c.add(rules::MESH, decoration.inst.word as usize, id, message);
        }
    }
}

/// Returns the instructions in each function that set the size of a mesh.
fn size_instructions<'a>(c: &Checker<'a>) -> Vec<Vec<&'a Inst>> {
    let says = |f: &'a crate::module::Function| {
        let insts = f.blocks.iter().flat_map(|b| &b.insts);
        insts.filter(|i| i.op() == Some(Op::SetMeshOutputsEXT)).collect()
    };
    c.m.functions.iter().map(says).collect()
}

/// Reports a constant size that exceeds the limit in the execution mode.
fn too_large(c: &Checker, entry: &EntryPoint, says: &Inst) -> Option<String> {
    let modes = [(0, M::OutputVertices), (1, M::OutputPrimitivesEXT)];
    modes.into_iter().find_map(|(index, mode)| {
        let most = *c.m.execution_mode(entry.function, mode)?.operands.first()?;
        // A specialisation constant gets its value when the pipeline is created.
        let count = c.operand(says, index);
        let is_fixed = c.m.constants.get(&count).is_some_and(|constant| !constant.spec);
        let count = c.m.constant_u32(count).filter(|count| is_fixed && *count > most)?;
        Some(format!("OpSetMeshOutputsEXT of {count}, but {mode:?} is {most}"))
    })
}

/// Returns the size instructions in the functions that an entry point reaches.
fn reached<'a, 'b>(c: &Checker, entry: &EntryPoint, says: &'b [Vec<&'a Inst>]) -> Vec<&'b &'a Inst> {
    if says.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    let callees = functions::callees(c);
    let Def::Function(root) = c.m.def(entry.function) else { return Vec::new() };
    let mut seen = vec![false; callees.len()];
    let mut work = vec![root as usize];
    let mut out = Vec::new();
    while let Some(f) = work.pop() {
        if f >= seen.len() || std::mem::replace(&mut seen[f], true) {
            continue;
        }
        out.extend(&says[f]);
        work.extend(&callees[f]);
    }
    out
}
