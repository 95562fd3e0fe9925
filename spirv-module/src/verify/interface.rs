//! Rules about entry points, the variables that they list, their execution modes, and the bindings of resources (SPIR-V
//! 3.49.5, Vulkan "Shader Interfaces").

use super::stages::{self, StageUse, WITH_GROUPS};
use super::{Checker, builtins, functions, rules};
use crate::module::{Def, EntryPoint, ExecutionMode, Id};
use crate::types::Type;
use rustc_hash::FxHashSet;
use spirv::{Capability, Decoration, ExecutionMode as M, ExecutionModel, StorageClass};

pub(super) fn check(c: &mut Checker) {
    let callees = functions::callees(c);
    let used = used_globals(c);
    let stage_uses = stages::uses(c);
    let mut names = FxHashSet::default();
    if c.m.entry_points.is_empty() && !c.m.has_capability(Capability::Linkage) {
        c.add(rules::ENTRY_POINT, 5, 0, "the module has no entry point");
    }
    let called: FxHashSet<usize> = callees.iter().flatten().copied().collect();
    for entry in &c.m.entry_points {
        if let Err(message) = function_of(c, entry, &called) {
            c.add(rules::ENTRY_POINT, entry.inst.word as usize, entry.function, format!("{}: {message}", entry.name));
        }
        if !names.insert((entry.model, &entry.name)) {
            let message = format!("duplicate entry point {}", entry.name);
            c.add(rules::ENTRY_POINT, entry.inst.word as usize, entry.function, message);
        }
        listed(c, entry, &callees, &used, &stage_uses);
        workgroup_size(c, entry);
        origin(c, entry);
    }
    modes(c);
    resources(c);
}

fn function_of(c: &Checker, entry: &EntryPoint, called: &FxHashSet<usize>) -> Result<(), String> {
    if ExecutionModel::from_u32(entry.model).is_none() {
        return Err(format!("unknown execution model {}", entry.model));
    }
    let Def::Function(index) = c.m.def(entry.function) else {
        return Err(format!("{} is not a function", c.m.describe(entry.function)));
    };
    if called.contains(&(index as usize)) {
        return Err("an entry point cannot be called".into());
    }
    let Some(function) = c.m.function(entry.function) else { return Ok(()) };
    let void = matches!(c.m.ty(function.result_type), Some(Type::Void));
    if !void || !function.parameters.is_empty() && !c.is_kernel() {
        return Err("its function takes parameters or returns a value".into());
    }
    Ok(())
}

/// Returns the global variables that each function uses directly.
fn used_globals(c: &Checker) -> Vec<Vec<Id>> {
    c.m.functions
        .iter()
        .map(|f| {
            let mut used = Vec::new();
            for inst in f.blocks.iter().flat_map(|b| b.insts.iter().chain([&b.terminator_inst])) {
                c.for_each_used_id(inst, |id| {
                    if c.m.globals.contains_key(&id) {
                        used.push(id);
                    }
                });
            }
            used.sort_unstable();
            used.dedup();
            used
        })
        .collect()
}

/// Checks the listed variables, and that the stage has all instructions that it reaches. From 1.4 on, an entry point lists
/// all global variables that it uses; before, only inputs and outputs.
fn listed(c: &mut Checker, entry: &EntryPoint, callees: &[Vec<usize>], used: &[Vec<Id>], stage_uses: &[StageUse]) {
    let all = c.m.version.1 >= 4;
    let word = entry.inst.word as usize;
    let is_compute = entry.model == ExecutionModel::GLCompute as u32;
    let mut interface = FxHashSet::default();
    for &id in &entry.interface {
        let Some(global) = c.m.globals.get(&id) else {
            let message = format!("{} lists {}, which is not a global variable", entry.name, c.m.describe(id));
            c.add(rules::INTERFACE, word, id, message);
            continue;
        };
        if !all && !is_input_or_output(global.class) {
            let message = format!(
                "{} lists {}: before SPIR-V 1.4 only inputs and outputs are allowed",
                entry.name,
                c.m.describe(id)
            );
            c.add(rules::INTERFACE, word, id, message);
        }
        if is_compute && global.class == StorageClass::Output as u32 {
            let message =
                format!("{} lists the output {}, but a compute shader has no outputs", entry.name, c.m.describe(id));
            c.add(rules::INTERFACE, word, id, message);
        }
        if !interface.insert(id) && all {
            c.add(rules::INTERFACE, word, id, format!("{} lists {} twice", entry.name, c.m.describe(id)));
        }
    }
    let Def::Function(root) = c.m.def(entry.function) else { return };
    let mut seen = vec![false; callees.len()];
    let mut work = vec![root as usize];
    while let Some(f) = work.pop() {
        if f >= seen.len() || std::mem::replace(&mut seen[f], true) {
            continue;
        }
        work.extend(&callees[f]);
        stages::check(c, entry, &stage_uses[f]);
        for id in &used[f] {
            let class = c.m.globals.get(id).map_or(0, |g| g.class);
            // The rules about meshes check these outputs.
            let is_of_mesh = class == StorageClass::Output as u32 && entry.model == ExecutionModel::MeshEXT as u32;
            if is_input_or_output(class) && !is_of_mesh {
                builtins::check_stage(c, entry, *id);
            }
            if (all || is_input_or_output(class)) && interface.insert(*id) {
                let message = format!("{} uses {} but does not list it", entry.name, c.m.describe(*id));
                c.add(rules::INTERFACE, word, *id, message);
            }
        }
    }
}

fn is_input_or_output(class: u32) -> bool {
    class == StorageClass::Input as u32 || class == StorageClass::Output as u32
}

/// Checks that fragment shaders declare the origin of their coordinates.
fn origin(c: &mut Checker, entry: &EntryPoint) {
    let has = |mode| c.m.execution_mode(entry.function, mode).is_some();
    if entry.model != ExecutionModel::Fragment as u32 || has(M::OriginUpperLeft) != has(M::OriginLowerLeft) {
        return;
    }
    let message = format!("{} must have one of OriginUpperLeft and OriginLowerLeft", entry.name);
    c.add(rules::EXECUTION_MODE, entry.inst.word as usize, entry.function, message);
}

/// Checks that compute shaders declare the size of their workgroups.
fn workgroup_size(c: &mut Checker, entry: &EntryPoint) {
    if !ExecutionModel::from_u32(entry.model).is_some_and(|m| WITH_GROUPS.contains(&m)) {
        return;
    }
    let mode = c.m.execution_mode(entry.function, M::LocalSize);
    let zero = mode.is_some_and(|m| m.operands.contains(&0));
    let by_id = c.m.execution_mode(entry.function, M::LocalSizeId).is_some();
    let by_builtin = c.m.decorations.values().flatten().any(|d| {
        d.kind == Decoration::BuiltIn as u32
            && c.m.decoration_operands(d).first() == Some(&(spirv::BuiltIn::WorkgroupSize as u32))
    });
    let wrong = match zero {
        true => "declares workgroups without threads",
        false if mode.is_none() && !by_id && !by_builtin => "does not declare the size of its workgroups",
        false => return,
    };
    let message = format!("{} {wrong}", entry.name);
    c.add(rules::EXECUTION_MODE, entry.inst.word as usize, entry.function, message);
}

/// Operands of modes that compute shaders and nodes use.
const MODES: &[(M, usize, bool)] = &[
    (M::LocalSize, 3, false),
    (M::LocalSizeId, 3, true),
    (M::SubgroupSize, 1, false),
    (M::CoalescingAMDX, 0, false),
    (M::IsApiEntryAMDX, 1, true),
    (M::MaxNodeRecursionAMDX, 1, true),
    (M::StaticNumWorkgroupsAMDX, 3, true),
    (M::MaxNumWorkgroupsAMDX, 3, true),
    (M::ShaderIndexAMDX, 1, true),
    (M::SharesInputWithAMDX, 2, true),
    (M::OutputVertices, 1, false),
    (M::OutputPrimitivesEXT, 1, false),
    (M::OutputLinesEXT, 0, false),
    (M::OutputTrianglesEXT, 0, false),
    (M::DenormPreserve, 1, false),
    (M::DenormFlushToZero, 1, false),
    (M::SignedZeroInfNanPreserve, 1, false),
    (M::RoundingModeRTE, 1, false),
    (M::RoundingModeRTZ, 1, false),
];

/// Modes with ids as operands that are in no row above.
const BY_ID: &[M] = &[M::SubgroupsPerWorkgroupId, M::LocalSizeHintId, M::FPFastMathDefault, M::MaximumRegistersIdINTEL];

/// Modes that mesh shaders share with tessellation and geometry shaders: the number of output vertices, and points as
/// output.
const OF_MESHES_TOO: &[M] = &[M::OutputVertices, M::OutputPoints];

const OF_MESHES: &[M] = &[M::OutputLinesEXT, M::OutputTrianglesEXT, M::OutputPrimitivesEXT];

/// From `Invocations` to `DepthUnchanged`, and from `InputPoints` to `OutputTriangleStrip`. Only tessellation, geometry
/// and fragment shaders have them; mesh shaders have a few of them.
const GRAPHICS_MODES: &[u32] =
    &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29];

fn modes(c: &mut Checker) {
    let entries: FxHashSet<Id> = c.m.entry_points.iter().map(|e| e.function).collect();
    let mut seen = FxHashSet::default();
    for mode in &c.m.execution_modes {
        let known = M::from_u32(mode.mode);
        let row = MODES.iter().find(|row| Some(row.0) == known);
        let message = if !entries.contains(&mode.function) {
            Some(format!("{} is not an entry point", c.m.describe(mode.function)))
        } else if let Some((_, count, by_id)) = row
            && (mode.operands.len() != *count || *count > 0 && mode.has_ids() != *by_id)
        {
            let what = match (count, by_id) {
                (0, _) => "no operands".into(),
                (1, true) => "one id".into(),
                (1, false) => "one literal".into(),
                (_, true) => format!("{count} ids"),
                (_, false) => format!("{count} literals"),
            };
            Some(format!("{} needs {what}", mode_name(mode.mode)))
        } else if let Some(known) = known
            && mode.has_ids() != row.map_or_else(|| BY_ID.contains(&known), |row| row.2)
        {
            let right = if mode.has_ids() { "OpExecutionMode" } else { "OpExecutionModeId" };
            Some(format!("{known:?} must be set with {right}"))
        } else if is_of(c, mode.function, ExecutionModel::GLCompute) && GRAPHICS_MODES.contains(&mode.mode) {
            Some(format!("{} is not allowed in a compute shader", mode_name(mode.mode)))
        } else if is_of(c, mode.function, ExecutionModel::MeshEXT)
            && GRAPHICS_MODES.contains(&mode.mode)
            && !known.is_some_and(|mode| OF_MESHES_TOO.contains(&mode))
        {
            Some(format!("{} is not allowed in a mesh shader", mode_name(mode.mode)))
        } else if let Some(known) = known.filter(|mode| OF_MESHES.contains(mode))
            && ![ExecutionModel::MeshEXT, ExecutionModel::MeshNV].into_iter().any(|m| is_of(c, mode.function, m))
        {
            Some(format!("{known:?} is only allowed in a mesh shader"))
        } else if known == Some(M::FPFastMathDefault)
            && !mode.operands.first().is_some_and(|ty| matches!(c.m.ty(*ty), Some(Type::Float { .. })))
        {
            Some("FPFastMathDefault needs a type of floats".into())
        } else if mode.has_ids() && !constants_of(mode).iter().all(|id| is_constant(c, *id)) {
            Some(format!("{} needs constants", mode_name(mode.mode)))
        } else {
            // Float modes are declared once for each width, or type.
            let sizes = [M::OutputVertices, M::OutputPrimitivesEXT, M::SubgroupSize];
            let widths = row.is_some_and(|r| r.1 == 1 && !r.2 && !sizes.contains(&r.0));
            let widths = widths || known == Some(M::FPFastMathDefault);
            let width = mode.operands.first().filter(|_| widths).copied();
            let again = !seen.insert((mode.function, mode.mode, width));
            again.then(|| format!("{} is repeated", mode_name(mode.mode)))
        };
        if let Some(message) = message {
            c.at(rules::EXECUTION_MODE, &mode.inst, message);
        }
    }
}

/// Returns the operands that are constants. Those of FPFastMathDefault follow a type.
fn constants_of(mode: &ExecutionMode) -> &[Id] {
    let types = usize::from(mode.mode == M::FPFastMathDefault as u32);
    mode.operands.get(types..).unwrap_or(&[])
}

fn mode_name(mode: u32) -> String {
    M::from_u32(mode).map_or_else(|| format!("mode {mode}"), |known| format!("{known:?}"))
}

/// Returns whether all entry points of the function have this execution model.
fn is_of(c: &Checker, function: Id, model: ExecutionModel) -> bool {
    let mut models = c.m.entry_points.iter().filter(|e| e.function == function).map(|e| e.model);
    models.all(|m| m == model as u32)
}

fn is_constant(c: &Checker, id: Id) -> bool {
    c.m.constants.contains_key(&id)
}

/// Checks that resources have bindings, and that their blocks are decorated as blocks.
fn resources(c: &mut Checker) {
    if !c.m.has_capability(Capability::Shader) {
        return;
    }
    for global in c.m.globals.values() {
        let Some(class) = StorageClass::from_u32(global.class) else { continue };
        let bound =
            matches!(class, StorageClass::UniformConstant | StorageClass::Uniform | StorageClass::StorageBuffer);
        let block = matches!(class, StorageClass::Uniform | StorageClass::StorageBuffer | StorageClass::PushConstant);
        let mut missing = Vec::new();
        for kind in [Decoration::DescriptorSet, Decoration::Binding] {
            if bound && c.m.decoration(global.id, None, kind).is_none() {
                missing.push(format!("{kind:?}"));
            }
        }
        let is_bound = |kind| c.m.decoration(global.id, None, kind).is_some();
        if !bound && (is_bound(Decoration::Binding) || is_bound(Decoration::DescriptorSet)) {
            let message = format!("{} of {class:?} cannot have a binding", c.m.describe(global.id));
            c.add(rules::RESOURCE, global.inst.word as usize, global.id, message);
        }
        if block && !is_block(c, global.ty, class) {
            missing.push("Block on its structure".into());
        }
        if !missing.is_empty() {
            let message = format!("{} has no {}", c.m.describe(global.id), missing.join(" and no "));
            c.add(rules::RESOURCE, global.inst.word as usize, global.id, message);
        }
    }
    push_constants(c);
}

fn is_block(c: &Checker, pointer: Id, class: StorageClass) -> bool {
    let Some(Type::Pointer { pointee, .. }) = c.m.ty(pointer) else { return true };
    let structure = match c.m.ty(*pointee) {
        Some(Type::Array { element, .. } | Type::RuntimeArray { element }) => *element,
        _ => *pointee,
    };
    if !matches!(c.m.ty(structure), Some(Type::Struct { .. })) {
        return false;
    }
    let old = class == StorageClass::Uniform && c.m.decoration(structure, None, Decoration::BufferBlock).is_some();
    old || c.m.decoration(structure, None, Decoration::Block).is_some()
}

/// Checks that an entry point has at most one block of push constants, which only the lists of 1.4 show.
fn push_constants(c: &mut Checker) {
    if c.m.version.1 < 4 {
        return;
    }
    for entry in &c.m.entry_points {
        let is_push = |id: &&Id| c.m.globals.get(*id).is_some_and(|g| g.class == StorageClass::PushConstant as u32);
        if entry.interface.iter().filter(is_push).count() > 1 {
            let message = format!("{} uses two blocks of push constants", entry.name);
            c.add(rules::RESOURCE, entry.inst.word as usize, entry.function, message);
        }
    }
}
