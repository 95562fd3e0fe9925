//! Checks globals, nodes and compute entry points.

use super::types::{TypeChecker, Use};
use super::{Errors, Rule};
use crate::Symbol;
use crate::function::ScalarConst;
use crate::graph::{Grid, GridField, Launch, Node, Record};
use crate::mesh::{self, MeshValue};
use crate::module::{Constant, Count, Global, GlobalKind, Module};
use crate::spec_value::SpecStep;
use crate::specialise::{GraphConstant, Specialised};
use crate::types::{Scalar, Type};
use crate::typing;
use rustc_hash::{FxHashMap, FxHashSet};

/// Checks all globals. Returns whether their types are sound.
pub(super) fn globals(module: &Module, errors: &mut Errors) -> bool {
    let mut types = TypeChecker::default();
    let mut sound = true;
    for (name, global) in &module.globals {
        let part = || format!("global @{name}");
        if *name != global.name {
            errors.add(Rule::Name, part(), format!("is called @{} inside", global.name));
        }
        if global.binding().is_some_and(|b| b.count == Count::Array(0)) {
            errors.add(Rule::Type, part(), "an array of no resources");
            sound = false;
        }
        if let GlobalKind::Buffer { counter: Some(counter), binding, .. } = &global.kind {
            let fits = module.globals.get(counter).is_some_and(|c| match &c.kind {
                GlobalKind::Buffer { element, writable, counter: None, binding: own, .. } => {
                    *element == Type::U32 && *writable && own.count == binding.count
                }
                _ => false,
            });
            if !fits {
                errors.add(Rule::Name, part(), format!("@{counter} is not a buffer of as many counters"));
                sound = false;
            }
        }
        if let Some(message) = heap(module, global) {
            errors.add(Rule::Name, part(), message);
            sound = false;
        }
        let ty = match &global.kind {
            GlobalKind::Private { ty, .. } | GlobalKind::Workgroup { ty } | GlobalKind::Constant { ty, .. } => ty,
            GlobalKind::MeshOutput { ty, .. } => ty,
            GlobalKind::Buffer { element, stride, .. } => {
                if types.check(element, Use::Memory).is_ok()
                    && (element.size().is_none_or(|s| s > *stride) || !stride.is_multiple_of(element.align()))
                {
                    errors.add(Rule::Type, part(), format!("elements of {element} every {stride} bytes"));
                    sound = false;
                }
                element
            }
            GlobalKind::Uniform { block, .. } | GlobalKind::PushConstant { block } => {
                if !matches!(block, Type::Struct(_)) {
                    errors.add(Rule::Type, part(), "a block is a structure");
                    sound = false;
                }
                block
            }
            GlobalKind::Image { ty, .. } => {
                if !(1..=4).contains(&ty.components) || ty.texel == Scalar::Bool {
                    errors.add(Rule::Type, part(), format!("no image has texels of {} components", ty.components));
                    sound = false;
                }
                continue;
            }
            GlobalKind::Sampler { .. } | GlobalKind::AccelerationStructure { .. } => continue,
            GlobalKind::SpecConstant { default, .. } => {
                if let Err(message) = constant(&Constant::Scalar(*default), &Type::Scalar(default.ty)) {
                    errors.add(Rule::Constant, part(), message);
                }
                continue;
            }
        };
        let wanted = if matches!(global.kind, GlobalKind::Private { .. }) { Use::Private } else { Use::Memory };
        if let Err(message) = types.check(ty, wanted) {
            errors.add(Rule::Type, part(), message);
            sound = false;
            continue;
        }
        if let GlobalKind::MeshOutput { ty, values, .. } = &global.kind
            && let Err(message) = mesh_output(ty, values)
        {
            errors.add(Rule::Type, part(), message);
            sound = false;
        }
        let value = match &global.kind {
            GlobalKind::Private { init: Some(value), .. } | GlobalKind::Constant { value, .. } => value,
            _ => continue,
        };
        if let Err(message) = constant(value, ty) {
            errors.add(Rule::Constant, part(), message);
        }
    }
    sound
}

/// Checks an output array of a mesh node: each value is a part of an element, and its destination is allowed.
fn mesh_output(ty: &Type, values: &[MeshValue]) -> Result<(), String> {
    let Type::Array { element, .. } = ty else { return Err("outputs of a mesh are arrays".into()) };
    for value in values {
        let Some(part) = mesh::at_path(element, &value.path) else {
            return Err(format!("an element has no {} at {:?}", value.semantic, value.path));
        };
        if !value.slot.takes(part) || mesh::locations(part).is_none() {
            return Err(format!("{} is {part}, which goes to no {}", value.semantic, value.slot.words().0));
        }
    }
    Ok(())
}

/// Returns the error of a view of a heap. It must be unbounded, and at the binding that all views of the heap share.
fn heap(module: &Module, global: &Global) -> Option<String> {
    let own = global.binding()?;
    let heap = own.heap?;
    if own.count != Count::Unbounded {
        return Some("a view of a heap that is not an unbounded array".into());
    }
    let first = module.globals.values().find(|g| g.binding().is_some_and(|b| b.heap == Some(heap)))?;
    let slot = first.binding()?;
    let apart = (slot.set, slot.binding) != (own.set, own.binding);
    apart.then(|| format!("views of one heap have different bindings: @{} has another", first.name))
}

/// Checks that a constant has the type. The recursion is as deep as the type, which was already checked.
fn constant(value: &Constant, ty: &Type) -> Result<(), String> {
    match value {
        Constant::Zero => Ok(()),
        Constant::Scalar(ScalarConst { ty: scalar, bits }) => {
            if *ty != Type::Scalar(*scalar) {
                return Err(format!("a constant of another type than {ty}"));
            }
            if bits & !scalar.mask() != 0 { Err(format!("{bits:#x} has bits outside {ty}")) } else { Ok(()) }
        }
        Constant::Composite(parts) => {
            let count = match ty {
                Type::Vector(_, n) => u64::from(*n),
                Type::Matrix(m) => u64::from(m.rows),
                Type::Array { len, .. } => u64::from(*len),
                Type::Struct(s) => s.fields.len() as u64,
                _ => return Err(format!("{ty} has no parts")),
            };
            if count != parts.len() as u64 {
                return Err(format!("{} parts for {ty}", parts.len()));
            }
            parts.iter().zip(0..).try_for_each(|(part, i)| constant(part, &typing::element(ty, i)?))
        }
    }
}

/// Checks all records. Returns whether their types are sound.
pub(super) fn graph(module: &Module, errors: &mut Errors) -> bool {
    let mut types = TypeChecker::default();
    let mut sound = true;
    for node in &module.graph.nodes {
        let outputs = node.outputs.iter().map(|o| (&o.name, &o.record));
        for (name, record) in node.input.iter().map(|i| (&i.name, &i.record)).chain(outputs) {
            let Some(record) = record else { continue };
            let result = match &record.ty {
                ty @ Type::Struct(_) => types.check(ty, Use::Memory),
                _ => Err("a record is a structure".into()),
            };
            if let Err(message) = result {
                errors.add(Rule::Type, part(node), format!("{name}: {message}"));
                sound = false;
            }
        }
    }
    sound
}

fn part(node: &Node) -> String {
    format!("node \"{}\"[{}]", node.id.name, node.id.index)
}

/// Checks nodes against each other and their functions, and compute entries.
pub(super) fn interfaces(module: &Module, errors: &mut Errors) {
    let mut by_id = FxHashMap::default();
    for node in &module.graph.nodes {
        if by_id.insert(&node.id, node).is_some() {
            errors.add(Rule::Name, part(node), "two nodes have this identity");
        }
    }
    for node in &module.graph.nodes {
        let mut complain = |rule, message: String| errors.add(rule, part(node), message);
        check_entry_function(module, &node.function, &mut complain);
        check_launch(node, &mut complain);
        check_specialised(module, &node.specialised, |what| node.number(what), &mut complain);
        for record in node.input.iter().filter_map(|i| i.record.as_ref()) {
            check_grid_field(record, &mut complain);
        }
        for (i, output) in node.outputs.iter().enumerate() {
            if let Some(n) = output.shared_with
                && (n as usize >= node.outputs.len() || n as usize == i)
            {
                complain(Rule::Interface, format!("output {} shares the budget of output {n}", output.name));
            }
            if let Some(record) = &output.record {
                check_grid_field(record, &mut complain);
            }
            let target = by_id.get(&output.target);
            let wanted = target.map(|t| t.input.as_ref().and_then(|i| i.record.as_ref()));
            let agree = match (wanted, &output.record) {
                (None, _) | (Some(None), None) => true,
                // Only bytes are passed on, so the fields may differ.
                (Some(Some(input)), Some(record)) => input.ty.size() == record.ty.size(),
                _ => false,
            };
            if !agree {
                complain(
                    Rule::Interface,
                    format!("output {} has records of another size than its target", output.name),
                );
            }
        }
    }
    let mut names = FxHashSet::default();
    for entry in &module.entries {
        let mut complain = |rule, message: String| errors.add(rule, format!("entry \"{}\"", entry.name), message);
        check_entry_function(module, &entry.function, &mut complain);
        if !names.insert(&entry.name) {
            complain(Rule::Name, "two entries have this name".into());
        }
        if entry.workgroup_size.contains(&0) {
            complain(Rule::Interface, format!("workgroups of {:?} threads", entry.workgroup_size));
        }
        let threads = |what| match what {
            GraphConstant::Threads(axis) => entry.workgroup_size.get(axis as usize).copied(),
            _ => None,
        };
        check_specialised(module, &entry.specialised, threads, &mut complain);
    }
}

fn check_entry_function(module: &Module, name: &str, complain: &mut impl FnMut(Rule, String)) {
    match module.functions.get(name) {
        None => complain(Rule::Name, format!("its function @{name} does not exist")),
        Some(f) if !f.params.is_empty() || f.ret != Type::Void => {
            complain(Rule::Interface, format!("its function @{name} takes parameters or returns a value"));
        }
        Some(_) => {}
    }
}

/// Checks that the numbers are those of the defaults, and that each is specialised once.
fn check_specialised(
    module: &Module,
    all: &Specialised,
    number: impl Fn(GraphConstant) -> Option<u32>,
    complain: &mut impl FnMut(Rule, String),
) {
    let mut seen = FxHashSet::default();
    for (what, by) in all {
        let default = |name: &Symbol| match module.globals.get(name).map(|g| &g.kind) {
            Some(GlobalKind::SpecConstant { default, .. }) => Some(*default),
            _ => None,
        };
        let wrong = by.0.iter().filter_map(|step| match step {
            SpecStep::Constant(name) => {
                let fits = default(name).is_some_and(|d| matches!(d.ty, Scalar::U32 | Scalar::I32));
                (!fits).then(|| format!("@{name} is not a specialisation constant of a 32-bit integer"))
            }
            SpecStep::Truth(name) => {
                let fits = default(name).is_some_and(|d| d.ty == Scalar::Bool);
                (!fits).then(|| format!("@{name} is not a specialisation constant of type bool"))
            }
            SpecStep::Number(_) | SpecStep::Op(_) => None,
        });
        let wrong: Vec<String> = wrong.collect();
        let is_right = wrong.is_empty();
        wrong.into_iter().for_each(|message| complain(Rule::Name, message));
        if !by.is_number() {
            complain(Rule::Interface, format!("what gives {what:?} leaves no number"));
            continue;
        }
        let computed = by.evaluate(|name| Some(default(name)?.bits as u32));
        if is_right && (computed.is_none() || computed != number(*what)) {
            let names: Vec<String> = by.constants().map(|name| format!("@{name}")).collect();
            complain(Rule::Interface, format!("{what:?} is not the default of {}", names.join(", ")));
        }
        if !seen.insert(what) {
            complain(Rule::Interface, format!("{what:?} is specialised twice"));
        }
    }
}

fn check_launch(node: &Node, complain: &mut impl FnMut(Rule, String)) {
    if node.num_threads.contains(&0) || node.launch == Launch::Thread && node.num_threads != [1, 1, 1] {
        complain(Rule::Interface, format!("workgroups of {:?} threads", node.num_threads));
    }
    let grid_fits = match node.grid {
        Grid::None => !node.launch.has_grid(),
        Grid::Fixed(_) => node.launch.has_grid(),
        Grid::Max(_) => {
            let record = node.input.as_ref().and_then(|i| i.record.as_ref());
            node.launch.has_grid() && record.is_some_and(|r| r.grid.is_some())
        }
    };
    if !grid_fits {
        complain(Rule::Interface, "its dispatch grid does not fit its launch mode or record".into());
    }
    if node.mesh.is_some() != (node.launch == Launch::Mesh) {
        complain(Rule::Interface, "its mesh does not fit its launch mode".into());
    }
    if node.mesh.is_some() && !node.outputs.is_empty() {
        complain(Rule::Interface, "sends records and outputs a mesh".into());
    }
    if let Some(input) = &node.input
        && (input.max_records == 0 || node.launch != Launch::Coalescing && input.max_records != 1)
    {
        complain(Rule::Interface, format!("takes {} records at a time", input.max_records));
    }
}

fn check_grid_field(record: &Record, complain: &mut impl FnMut(Rule, String)) {
    let Some(grid) = &record.grid else { return };
    match resolve(grid, &record.ty) {
        Some((offset, ty)) => {
            let fits = matches!(grid.scalar, Scalar::U16 | Scalar::U32) && (1..=3).contains(&grid.components);
            let same = ty.scalar() == Some(grid.scalar) && ty.components() == Some(grid.components);
            let array = matches!(&ty, Type::Array { element, len, stride }
                if **element == Type::Scalar(grid.scalar)
                    && *len == grid.components
                    && *stride == grid.scalar.size());
            if !fits || !(same || array) || offset != u64::from(grid.offset) {
                complain(Rule::Interface, format!("the grid's field is {ty} at {offset}"));
            }
        }
        None => complain(Rule::Interface, "the record has no such field for the grid".into()),
    }
}

fn resolve(grid: &GridField, record: &Type) -> Option<(u64, Type)> {
    let mut ty = record;
    let mut offset = 0;
    for &index in &grid.path {
        let Type::Struct(s) = ty else { return None };
        let field = s.fields.get(index as usize)?;
        offset += u64::from(field.offset);
        ty = &field.ty;
    }
    Some((offset, ty.clone()))
}
