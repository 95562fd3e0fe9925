//! Resident mode: all stages of a small graph in one dispatch of one workgroup.
//!
//! A stage costs a dispatch and a barrier of the device, some 7 us, even if it has one record. The shader of this module
//! calls the nodes' functions in the order of the stages, with a barrier of the workgroup after each stage. Queues,
//! records and states are those of ordinary dispatches, so a host may choose for each run.
//!
//! A node's function takes its place in the dispatch from three variables: the instance, the workgroup of the node, and
//! the thread in it. Several workgroups of a node without barriers run at the same time.

use super::library::{self, Library};
use super::plan::Plan;
use super::shaders::Shader;
use rustc_hash::FxHashMap;
use wgc_abi::tables::{InstanceRow, LAUNCH_DYNAMIC, LAUNCH_FIXED};
use wgc_ir::passes::Inline;
use wgc_ir::{
    Barrier, Block, Builtin, ComputeEntry, Function, FunctionBuilder, Global, GlobalKind, MemoryFlags, Module, Op,
    Scope, Space, Stmt, Symbol, Type, ValueId, passes,
};

pub(super) const RESIDENT: &str = "sched/resident.spv";

/// The most operations of all nodes together, each counted once.
const MAX_OPERATIONS: usize = 8000;
/// The least stages that are worth it.
const MIN_STAGES: usize = 2;
/// Threads of the workgroup, unless a node has more.
const THREADS: u32 = 1024;
/// The same if a node has barriers: only one of its workgroups runs at a time.
const MEETING_THREADS: u32 = 256;

const MAIN: &str = "main";
/// Functions and the push constants of the library. This one returns the number of a workgroup.
const LINEAR_GROUP: &str = "wgc_linear_group";
/// Raises the arguments of an instance by its records, which a resident workgroup counts instead.
const LAUNCH_CONSUMER: &str = "wgc_launch_consumer";
const PUSH: &str = "wg_push";
const PUSH_INSTANCE: u32 = 1;

/// A node's place in the dispatch, as private variables.
const INSTANCE: &str = "wgc.resident.instance";
const GROUP: &str = "wgc.resident.group";
const THREAD: &str = "wgc.resident.thread";

fn variable(name: &'static str) -> Global {
    Global { name: Symbol::const_new(name), kind: GlobalKind::Private { ty: Type::U32, init: None } }
}

/// The barrier after a stage: records and the program's resources are visible to the threads of the next one.
const STAGE_BARRIER: Barrier = Barrier {
    memory: MemoryFlags { uav: true, group_shared: true, node_input: false, node_output: false },
    group_sync: true,
    scope: Some(Scope::Workgroup),
    records: None,
};

/// A node's shader in the resident workgroup.
struct Part<'a> {
    node: &'a Module,
    function: &'a Symbol,
    size: [u32; 3],
    /// Threads of the node's workgroup.
    threads: u32,
    /// It has barriers or groupshared memory, so one workgroup runs at a time.
    meets: bool,
}

/// Returns whether the stages of a graph need nothing but the shaders of its nodes, and are worth a resident workgroup.
pub(crate) fn may_be_resident(shaders: &[Shader], plan: &Plan) -> bool {
    let tables = &plan.tables;
    let has_kernels = !tables.runs.is_empty() || !tables.spills.is_empty() || tables.mesh_stage.is_some();
    // The kernel scan places grids in records between stages.
    let is_listed = shaders.iter().any(|shader| shader.kernel == Some(library::SCAN));
    !has_kernels && !is_listed && tables.stages.len() >= MIN_STAGES
}

/// Returns the shader that runs all stages, if the graph is suitable.
///
/// `nodes` are the last of the shaders, lowered for a resident workgroup.
pub(crate) fn resident(
    shaders: &[Shader],
    nodes: &[Module],
    shader_of_node: &[usize],
    plan: &Plan,
    library: Library,
) -> Option<Shader> {
    let mut parts: FxHashMap<usize, Part> = FxHashMap::default();
    for instance in &plan.instances {
        let number = *shader_of_node.get(instance.node)?;
        shaders.get(number).filter(|shader| shader.subgroup_size.is_none())?;
        let node = nodes.get(number.checked_sub(shaders.len() - nodes.len())?)?;
        let entry = node.entries.first().filter(|entry| entry.mesh.is_none() && entry.wave_size.is_none())?;
        let shares = |global: &Global| matches!(global.kind, GlobalKind::Workgroup { .. });
        let meets = node.functions.values().any(|function| function.body.iter().any(meets))
            || node.globals.values().any(shares);
        let size = entry.workgroup_size;
        parts.insert(number, Part { node, function: &entry.function, size, threads: size.iter().product(), meets });
    }
    let threads = threads(parts.values())?;
    let mut module = Module::default();
    let mut numbers: Vec<usize> = parts.keys().copied().collect();
    numbers.sort_unstable();
    for number in numbers {
        let part = &parts[&number];
        let waits = part.meets && part.threads < threads;
        let own = if waits { Some(with_idle_threads(part.node, part.function, part.threads)?) } else { None };
        merge(&mut module, own.as_ref().unwrap_or(part.node), part.function, part.size)?;
    }
    if module.functions.values().map(|function| function.size()).sum::<usize>() > MAX_OPERATIONS {
        return None;
    }
    for helper in [library::RESIDENT_RECORDS, library::RESIDENT_GROUPS] {
        add(&mut module, library.function(helper).ok()?.clone())?;
    }
    [INSTANCE, GROUP, THREAD].into_iter().for_each(|name| module.add_global(variable(name)));
    module.add_function(main(threads, plan, shader_of_node, &parts)?);
    module.entries = vec![ComputeEntry {
        name: Symbol::const_new(MAIN),
        function: Symbol::const_new(MAIN),
        workgroup_size: [threads, 1, 1],
        wave_size: None,
        mesh: None,
        specialised: Vec::new(),
    }];
    Some(Shader { file: RESIDENT.to_owned(), module, subgroup_size: None, kernel: None })
}

/// Returns the module with all calls inlined into a node's function, in which further threads than those of the node
/// only take part in barriers. `None`: such threads cannot know which barriers are reached.
fn with_idle_threads(module: &Module, name: &Symbol, threads: u32) -> Option<Module> {
    let mut module = module.clone();
    passes::inline(&mut module, Inline::All).ok()?;
    let function = module.functions.get(name)?.clone().into_function();
    let (mut b, body) = FunctionBuilder::rewrite(function);
    let (thread, end) = (b.builtin(Builtin::GroupIndex), b.const_u32(threads));
    let is_idle = b.ge(thread, end);
    b.if_then(is_idle, |b| b.ret(None));
    body.into_iter().for_each(|stmt| b.push(stmt));
    let mut function = b.finish();
    if function.body.iter().any(meets) && !passes::early_returns(&mut function) {
        return None;
    }
    module.functions.retain(|other, _| other == name);
    **module.functions.get_mut(name)? = function;
    Some(module)
}

/// Returns the threads of the workgroup: the fewest that no node exceeds and that some run side by side.
fn threads<'a>(parts: impl Iterator<Item = &'a Part<'a>> + Clone) -> Option<u32> {
    let most = parts.clone().map(|part| part.threads).max()?;
    let mut meeting = parts.filter(|part| part.meets).map(|part| part.threads);
    Some(match meeting.next() {
        None => most.max(THREADS),
        Some(first) if meeting.all(|threads| threads == first) && first == most => most,
        Some(_) => most.max(MEETING_THREADS),
    })
}

/// Returns whether a statement is or contains a barrier of the workgroup.
fn meets(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Barrier(barrier) if barrier.group_sync) || stmt.blocks().flatten().any(meets)
}

/// Adds the functions and variables of a node's shader. `None`: two nodes need different ones of one name, or a variable
/// would keep its value from one node to the next.
fn merge(module: &mut Module, shader: &Module, entry: &Symbol, size: [u32; 3]) -> Option<()> {
    for global in shader.globals.values() {
        let is_push = matches!(global.kind, GlobalKind::PushConstant { .. });
        if matches!(global.kind, GlobalKind::Private { .. }) || is_push && global.name != PUSH {
            return None;
        }
        match module.globals.get(&global.name) {
            Some(known) if known != global => return None,
            Some(_) => {}
            None => module.add_global(global.clone()),
        }
    }
    for function in shader.functions.values() {
        let is_entry = function.name == *entry;
        add(module, placed((**function).clone(), is_entry.then_some(size))?)?;
    }
    Some(())
}

fn add(module: &mut Module, function: Function) -> Option<()> {
    match module.functions.get(&function.name) {
        Some(known) if **known != function => None,
        Some(_) => Some(()),
        None => {
            module.add_function(function);
            Some(())
        }
    }
}

/// Returns a function that takes its place from the variables. `size`: the workgroup of the node that it implements.
/// `None`: it uses a place that has no variable.
fn placed(function: Function, size: Option<[u32; 3]>) -> Option<Function> {
    let name = function.name.clone();
    let (mut b, body) = FunctionBuilder::rewrite(function);
    if name == LAUNCH_CONSUMER {
        b.ret(None);
        return Some(b.finish());
    }
    if name == LINEAR_GROUP {
        let place = b.global(&variable(GROUP));
        let group = b.load(place);
        b.ret(Some(group));
        return Some(b.finish());
    }
    replaced(&mut b, body, size)?;
    Some(b.finish())
}

fn replaced(b: &mut FunctionBuilder, block: Block, size: Option<[u32; 3]>) -> Option<()> {
    for mut stmt in block {
        for inner in stmt.blocks_mut() {
            let old = std::mem::take(inner);
            b.begin_block();
            let done = replaced(b, old, size);
            *inner = b.end_block();
            done?;
        }
        if let Stmt::Let(id) = stmt {
            replace(b, id, size)?;
        }
        b.push(stmt);
    }
    Some(())
}

fn replace(b: &mut FunctionBuilder, id: ValueId, size: Option<[u32; 3]>) -> Option<()> {
    match b.function().value(id).map(|value| value.op.clone())? {
        Op::Builtin(Builtin::GroupIndex) => {
            let place = b.global(&variable(THREAD));
            b.function_mut().values[id].op = Op::Load(place);
        }
        Op::Builtin(Builtin::GroupThreadId) => {
            let [x, y, _] = size?;
            let place = b.global(&variable(THREAD));
            let thread = b.load(place);
            let (width, height) = (b.const_u32(x), b.const_u32(y));
            let (row, column) = (b.div(thread, width), b.rem(thread, width));
            let (plane, row) = (b.div(row, height), b.rem(row, height));
            b.function_mut().values[id].op = Op::Compose(vec![column, row, plane]);
        }
        Op::Builtin(builtin) if builtin.is_place_of_thread() => return None,
        Op::Field { base, index: PUSH_INSTANCE } if is_push(b.function(), base) => {
            let value = &mut b.function_mut().values[id];
            value.op = Op::Global(Symbol::const_new(INSTANCE));
            value.ty = Type::reference(Space::Private, Type::U32);
        }
        _ => {}
    }
    Some(())
}

fn is_push(function: &Function, place: ValueId) -> bool {
    matches!(function.value(place).map(|value| &value.op), Some(Op::Global(name)) if name == PUSH)
}

/// Returns the number of workgroups of an instance.
fn groups(b: &mut FunctionBuilder, instance: ValueId, row: &InstanceRow) -> ValueId {
    if row.launch == LAUNCH_DYNAMIC {
        return b.call(library::RESIDENT_GROUPS.name, Type::U32, vec![instance]);
    }
    let queue = b.const_u32(row.queue);
    let records = b.call(library::RESIDENT_RECORDS.name, Type::U32, vec![queue]);
    if row.launch == LAUNCH_FIXED {
        let groups = b.const_u32(row.grid_groups);
        return b.mul(records, groups);
    }
    let (unit, more) = (b.const_u32(row.unit.max(1)), b.const_u32(row.unit.max(1) - 1));
    let rounded = b.add(records, more);
    b.div(rounded, unit)
}

/// Returns the entry point: the workgroups of each instance, by stage.
fn main(threads: u32, plan: &Plan, shader_of_node: &[usize], parts: &FxHashMap<usize, Part>) -> Option<Function> {
    let mut b = FunctionBuilder::new(MAIN, Type::Void);
    let [instance_place, group_place, thread_place] = [INSTANCE, GROUP, THREAD].map(|name| b.global(&variable(name)));
    let index = b.builtin(Builtin::GroupIndex);
    for stage in &plan.tables.stages {
        for number in stage.first_instance..stage.first_instance + stage.instance_count {
            let part = parts.get(shader_of_node.get(plan.instances.get(number as usize)?.node)?)?;
            let instance = b.const_u32(number);
            let groups = groups(&mut b, instance, plan.tables.instances.get(number as usize)?);
            let width = b.const_u32(part.threads);
            let at_once = if part.meets { 1 } else { threads / part.threads };
            let (slot, thread) = match part.meets {
                true => (b.const_u32(0), index),
                false => (b.div(index, width), b.rem(index, width)),
            };
            b.store(instance_place, instance);
            b.store(thread_place, thread);
            let (first, step) = (b.const_u32(0), b.const_u32(at_once));
            let function = part.function.clone();
            b.for_steps(first, groups, step, |b, first| {
                let group = b.add(first, slot);
                let run = |b: &mut FunctionBuilder| {
                    b.store(group_place, group);
                    b.call_void(function.clone(), Vec::new());
                };
                // All threads work, and the next workgroup reuses the groupshared memory.
                if part.meets {
                    run(b);
                    b.barrier(STAGE_BARRIER);
                    return;
                }
                let mut works = b.lt(group, groups);
                // The threads after the last whole workgroup of the node have no work.
                if at_once * part.threads != threads {
                    let has_slot = b.lt(slot, step);
                    works = b.and(works, has_slot);
                }
                b.if_then(works, run);
            });
        }
        b.barrier(STAGE_BARRIER);
    }
    b.ret(None);
    Some(b.finish())
}
