//! The C interface of the runtime: emulated work graphs inside an engine.
//!
//! `include/wgc_graph.h` is generated from this crate (`WGC_UPDATE_HEADER=1 cargo test -p wgc-capi`). The functions
//! `wgc_graph_*` wrap those of [`wgc_runtime::vulkan::embed`], which explains their order, and `wgc_package_*` those of
//! [`wgc_abi::package`]. No panic crosses the border, and nothing submits, waits or allocates device memory.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]
#![allow(clippy::missing_safety_doc, reason = "the header asks the same of the pointers of all functions")]

mod error;
mod handles;
mod inside;
mod meshes;
mod package;
mod roots;
mod types;

pub use error::{WgcResult, wgc_last_error};
pub use inside::*;
pub use meshes::*;
pub use package::*;
pub use roots::*;
pub use types::*;

use error::{guard, guard_value};
use handles::{HandleKind, Held, Object, Table};
use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_char};
use std::ptr::NonNull;
use vulkanalia::prelude::v1_2::*;
use wgc_abi::NodeName;
use wgc_runtime::emulated::{Counted, Data, Input, RunError};
use wgc_runtime::vulkan::embed::{Completion, Dispatch, Graph, GraphMemory, Host, Inputs, Mapped, Resume, Timestamps};

/// A package on a device.
pub struct WgcGraph {
    graph: Graph,
    /// Names of the mesh nodes and of their entry points.
    meshes: Vec<(CString, CString)>,
    /// Labels of the marks of the last recording.
    labels: Vec<CString>,
    /// Names of all nodes, sorted.
    nodes: Vec<CString>,
}

impl Object for WgcGraph {
    const KIND: HandleKind = HandleKind::Graph;

    fn table() -> &'static Table<Self> {
        static GRAPHS: Table<WgcGraph> = Table::new();
        &GRAPHS
    }
}

/// Reads a C string.
///
/// # Safety
/// `text` is null or a string that ends with NUL.
unsafe fn name<'a>(text: *const c_char, what: &'static str) -> Result<&'a str, error::Failure> {
    if text.is_null() {
        return Err(error::Failure::argument(what));
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(text) }.to_str().map_err(|_| error::Failure::argument(what))
}

/// Reads a C array; a null pointer is an empty one.
///
/// # Safety
/// `first` is null, or points to `count` elements that live as long as the result is used, if it is aligned.
unsafe fn array<'a, T>(first: *const T, count: u32, what: &'static str) -> Result<&'a [T], error::Failure> {
    match NonNull::new(first.cast_mut()) {
        Some(first) if first.is_aligned() => {
            // SAFETY: guaranteed by the caller; this many fit, since they exist.
            Ok(unsafe { std::slice::from_raw_parts(first.as_ptr(), count as usize) })
        }
        None if count == 0 => Ok(&[]),
        _ => Err(error::Failure::argument(what)),
    }
}

/// Loads a package and creates its pipelines.
///
/// `layouts` are the caller's descriptor set layouts, from set 0 on, according to wgc_package_binding; `cache` may be
/// VK_NULL_HANDLE. The device has the features that the package needs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_load(
    host: *const WgcHost,
    package: *const WgcPackage,
    layouts: *const VkDescriptorSetLayout,
    layout_count: u32,
    cache: VkPipelineCache,
    graph: *mut *mut WgcGraph,
) -> WgcResult {
    guard(|| {
        let package = package::read(package)?;
        // SAFETY: null or valid, as the header asks of all pointers.
        let (host, layouts) = unsafe { (given(host, "host")?, set_layouts(layouts, layout_count)?) };
        if [host.instance, host.physical_device, host.device].iter().any(|handle| handle.is_null()) {
            return Err(error::Failure::argument("host"));
        }
        if host.flags & !(WGC_HOST_LABELS | WGC_HOST_MAXIMAL_RECONVERGENCE | WGC_HOST_SUBGROUP_SIZE_CONTROL) != 0 {
            return Err(error::Failure::argument("flags"));
        }
        let get = host.get_instance_proc_addr.ok_or(error::Failure::argument("get_instance_proc_addr"))?;
        // SAFETY: the handles are valid and belong together, as the header asks for.
        let loaded = unsafe {
            let mut loaded = Host::new(
                get,
                vk::Instance::from_raw(host.instance as usize),
                vk::PhysicalDevice::from_raw(host.physical_device as usize),
                vk::Device::from_raw(host.device as usize),
            )?;
            if host.flags & WGC_HOST_LABELS != 0 {
                loaded = loaded.with_labels();
            }
            if host.flags & WGC_HOST_MAXIMAL_RECONVERGENCE != 0 {
                loaded = loaded.with_maximal_reconvergence();
            }
            if host.flags & WGC_HOST_SUBGROUP_SIZE_CONTROL != 0 {
                loaded = loaded.with_subgroup_size_control();
            }
            Graph::load(loaded, &package, &layouts, vk::PipelineCache::from_raw(cache))?
        };
        // SAFETY: null or valid.
        unsafe { put(loaded, graph) }
    })
}

/// Loads another state of a graph's package. The pipelines and mesh shaders of modules with unchanged code are reused:
/// after an edit of one node only that node's are created. `layouts` are those that the package requires. If its
/// bindings are the same, they are defined like those that `graph` was loaded with. If the bindings differ, all
/// pipelines are created. `reloaded` has no memory yet; `graph` is unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_reload(
    graph: *const WgcGraph,
    package: *const WgcPackage,
    layouts: *const VkDescriptorSetLayout,
    layout_count: u32,
    cache: VkPipelineCache,
    reloaded: *mut *mut WgcGraph,
) -> WgcResult {
    guard(|| {
        let package = package::read(package)?;
        let graph = read(graph)?;
        // SAFETY: null or valid, and layouts as the header asks for.
        let made = unsafe {
            let layouts = set_layouts(layouts, layout_count)?;
            graph.graph.reload(&package, &layouts, vk::PipelineCache::from_raw(cache))?
        };
        // SAFETY: null or valid.
        unsafe { put(made, reloaded) }
    })
}

/// Creates another graph of the same package, with the same pipelines and without memory: one for each dispatch that is
/// recorded or in flight at the same time. Each is destroyed separately, in any order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_share(graph: *const WgcGraph, shared: *mut *mut WgcGraph) -> WgcResult {
    guard(|| {
        // SAFETY: null or valid.
        unsafe { put(read(graph)?.graph.share(), shared) }
    })
}

/// Returns the number of pipelines and mesh shaders that loading created, without the reused ones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_pipelines_made(graph: *const WgcGraph) -> u32 {
    guard_value(0, || {
        let g = read(graph)?;
        Ok(g.graph.pipelines_made() as u32)
    })
}

/// # Safety
/// Reads an array of this many handles, or null.
unsafe fn set_layouts(
    first: *const VkDescriptorSetLayout,
    count: u32,
) -> Result<Vec<vk::DescriptorSetLayout>, error::Failure> {
    // SAFETY: as the caller promises.
    let layouts = unsafe { array(first, count, "layouts") }?;
    present(layouts, "layouts")?;
    Ok(layouts.iter().map(|&raw| vk::DescriptorSetLayout::from_raw(raw)).collect())
}

/// Refuses VK_NULL_HANDLE among handles.
pub(crate) fn present(handles: &[u64], what: &'static str) -> Result<(), error::Failure> {
    if handles.contains(&0) { Err(error::Failure::argument(what)) } else { Ok(()) }
}

/// # Safety
/// `out` is null or valid.
unsafe fn put(loaded: Graph, out: *mut *mut WgcGraph) -> Result<(), error::Failure> {
    let meshes = meshes::names(&loaded);
    let names = loaded.manifest().instances.iter().map(|instance| instance.node.name.as_str());
    let nodes = names.collect::<BTreeSet<_>>().into_iter().filter_map(|name| CString::new(name).ok()).collect();
    let made = WgcGraph { graph: loaded, meshes, labels: Vec::new(), nodes };
    // SAFETY: as the caller promises.
    unsafe { keep(made, out, "graph") }
}

/// Destroys the graph, and the pipelines that no other graph uses. No dispatch of it is in flight or being recorded.
/// NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_destroy(graph: *mut WgcGraph) {
    destroy(graph, "graph");
}

/// Returns the layout of all pipelines, which descriptor sets are bound with.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_layout(graph: *const WgcGraph) -> VkPipelineLayout {
    guard_value(0, || {
        let g = read(graph)?;
        Ok(g.graph.layout().as_raw())
    })
}

/// Gets the entry node of this name: the bytes of its records (0: empty ones) and their alignment.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_entry(
    graph: *const WgcGraph,
    node: *const c_char,
    index: u32,
    entry: *mut WgcEntry,
) -> WgcResult {
    guard(|| {
        let graph = read(graph)?;
        // SAFETY: null or valid.
        let node = unsafe { name(node, "node") }?;
        let found = graph.graph.manifest().entrypoints.iter().find(|e| e.node.name == node && e.node.index == index);
        let found = found.ok_or_else(|| RunError::NoEntry(NodeName { name: node.to_owned(), index }))?;
        let record = found.record.as_ref();
        let found =
            WgcEntry { record_bytes: record.map_or(0, |r| r.size), record_align: record.map_or(1, |r| r.align) };
        // SAFETY: null or valid.
        unsafe { write(entry, found, "entry") }
    })
}

/// Returns the number of the entry node of this name, for inputs that the device counts; UINT32_MAX if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_entry_number(graph: *const WgcGraph, node: *const c_char, index: u32) -> u32 {
    let mut number = u32::MAX;
    guard(|| {
        let graph = read(graph)?;
        // SAFETY: null or valid.
        let node = unsafe { name(node, "node") }?;
        let mut entries = (0..).zip(&graph.graph.manifest().entrypoints);
        number = entries.find(|(_, e)| e.node.name == node && e.node.index == index).map_or(u32::MAX, |(n, _)| n);
        Ok(())
    });
    number
}

/// Gets the memory that the graph needs for these sizes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_requirements(
    graph: *const WgcGraph,
    sizes: *const WgcSizes,
    requirements: *mut WgcRequirements,
) -> WgcResult {
    guard(|| {
        let graph = read(graph)?;
        // SAFETY: null or valid.
        let sizes = unsafe { given(sizes, "sizes") }?;
        let needed = graph.graph.requirements(&sizes.into());
        let needed = WgcRequirements {
            state_bytes: needed.state_bytes,
            exchange_bytes: needed.exchange_bytes,
            page_bytes: needed.page_bytes,
            least_arena_bytes: needed.least_arena_bytes,
        };
        // SAFETY: null or valid.
        unsafe { write(requirements, needed, "requirements") }
    })
}

/// Binds memory, in place of the previous one. Record wgc_graph_record_upload next.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_bind(
    graph: *mut WgcGraph,
    sizes: *const WgcSizes,
    memory: *const WgcMemory,
) -> WgcResult {
    guard(|| {
        let mut graph = read(graph)?;
        // SAFETY: null or valid.
        let (sizes, memory) = unsafe { (given(sizes, "sizes")?, given(memory, "memory")?) };
        let pointer =
            NonNull::new(memory.exchange_pointer.cast()).ok_or(error::Failure::argument("exchange_pointer"))?;
        // SAFETY: an array of this length.
        let chunks = unsafe { array(memory.chunks, memory.chunk_count, "chunks") }?;
        present(&[memory.state.buffer, memory.exchange.buffer], "memory")?;
        present(&chunks.iter().map(|chunk| chunk.buffer).collect::<Vec<_>>(), "chunks")?;
        let memory = GraphMemory {
            state: (&memory.state).into(),
            exchange: Mapped { block: (&memory.exchange).into(), pointer },
            arena: chunks.iter().map(Into::into).collect(),
        };
        // SAFETY: the blocks match their fields, as the header requires.
        Ok(unsafe { graph.graph.bind(sizes.into(), memory) }?)
    })
}

/// Gets the bytes of arena with which dispatches of these records run well: in one pass if that takes at most `most`.
/// `records` of the inputs are not read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_recommended_arena(
    graph: *const WgcGraph,
    inputs: *const WgcInput,
    input_count: u32,
    most: u64,
    bytes: *mut u64,
) -> WgcResult {
    guard(|| {
        // SAFETY: null or valid; an array of this length.
        let (graph, inputs) = (read(graph)?, unsafe { array(inputs, input_count, "inputs") }?);
        let counts = inputs.iter().map(|input| {
            // SAFETY: as above.
            let name = unsafe { name(input.node, "node") }?.to_owned();
            Ok((NodeName { name, index: input.index }, input.count))
        });
        let counts = counts.collect::<Result<Vec<_>, error::Failure>>()?;
        // SAFETY: null or valid.
        unsafe { write(bytes, graph.graph.recommended_arena(&counts, most)?, "bytes") }
    })
}

/// Gets the bytes of arena with which a dispatch of these inputs runs well, as wgc_graph_recommended_arena does. If all
/// `records` are in host memory, they are read, and the grids in them count in place of the largest ones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_arena_for(
    graph: *const WgcGraph,
    inputs: *const WgcInput,
    input_count: u32,
    most: u64,
    bytes: *mut u64,
) -> WgcResult {
    guard(|| {
        // SAFETY: null or valid; an array of this length.
        let (graph, inputs) = (read(graph)?, unsafe { array(inputs, input_count, "inputs") }?);
        // SAFETY: host memory has as many records as the inputs declare.
        let inputs = inputs.iter().map(|input| unsafe { entry_records(&graph, input) });
        let inputs = inputs.collect::<Result<Vec<_>, error::Failure>>()?;
        // SAFETY: null or valid.
        unsafe { write(bytes, graph.graph.arena_for(&inputs, most)?, "bytes") }
    })
}

/// Adds a chunk to the arena, of the size of the other chunks. No dispatch is in flight; a pending one uses it from the
/// next wgc_graph_resume on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_grow(graph: *mut WgcGraph, chunk: *const WgcBlock) -> WgcResult {
    guard(|| {
        let mut graph = read(graph)?;
        // SAFETY: null or valid.
        let chunk = unsafe { given(chunk, "chunk") }?;
        present(&[chunk.buffer], "chunk")?;
        // SAFETY: the block matches its fields, as the header requires.
        Ok(unsafe { graph.graph.grow(chunk.into()) }?)
    })
}

/// Records the upload of the package's tables, once for the memory that the graph has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_record_upload(graph: *mut WgcGraph, commands: VkCommandBuffer) -> WgcResult {
    guard(|| {
        let mut graph = read(graph)?;
        let commands = command_buffer(commands)?;
        // SAFETY: the command buffer is being recorded, as the header asks for.
        Ok(unsafe { graph.graph.record_upload(commands) }?)
    })
}

/// Records one dispatch of the graph. `recorded` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_record(
    graph: *mut WgcGraph,
    commands: VkCommandBuffer,
    dispatch: *const WgcDispatch,
    recorded: *mut WgcRecorded,
) -> WgcResult {
    guard(|| {
        let mut graph = read(graph)?;
        let commands = command_buffer(commands)?;
        // SAFETY: null or valid.
        let (dispatch, recorded) = unsafe { (given(dispatch, "dispatch")?, optional_out(recorded, "recorded")?) };
        let listed = if dispatch.device_inputs == 0 { dispatch.input_count } else { 0 };
        // SAFETY: arrays of these lengths, as the header requires.
        let inputs = unsafe { array(dispatch.inputs, listed, "inputs") }?
            .iter()
            // SAFETY: as above.
            .map(|input| unsafe { entry_records(&graph, input) })
            .collect::<Result<Vec<_>, _>>()?;
        // SAFETY: as above.
        let (push, sets) = unsafe { bound(&dispatch.bindings) }?;
        let completion = match (dispatch.completion, dispatch.sweeps) {
            (WGC_COMPLETION_SINGLE, _) => Completion::Single,
            (WGC_COMPLETION_SWEEPS, sweeps) => Completion::Sweeps(sweeps),
            (WGC_COMPLETION_EITHER, sweeps) => Completion::Either(sweeps),
            _ => return Err(error::Failure::argument("completion")),
        };
        let inputs = match dispatch.device_inputs {
            0 => Inputs::Host(&inputs),
            list => Inputs::Device(Counted { list, most: dispatch.input_count }),
        };
        // SAFETY: null or valid.
        let (local_roots, timestamps) =
            unsafe { (optional(dispatch.local_roots, "local_roots")?, queries(dispatch.timestamps)?) };
        let local_roots = local_roots.map(Into::into);
        let dispatch = Dispatch { inputs, push, sets: &sets, completion, local_roots, timestamps };
        // SAFETY: the command buffer is being recorded, and the rest is as the header asks for.
        let done = unsafe { graph.graph.record(commands, &dispatch) }?;
        graph.labels = inside::labels(&graph.graph);
        if let Some(recorded) = recorded {
            let done = WgcRecorded { scheduled: u32::from(done.scheduled), pages: done.pages };
            // SAFETY: valid, as the header asks for.
            unsafe { recorded.write(done) };
        }
        Ok(())
    })
}

/// Records more sweeps of a pending dispatch. `deepest` comes from the status if the last submission has finished, else
/// it is 0: stages before it are left out of the first sweep. `timestamps` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_resume(
    graph: *mut WgcGraph,
    commands: VkCommandBuffer,
    bindings: *const WgcBindings,
    sweeps: u32,
    deepest: u32,
    timestamps: *const WgcTimestamps,
) -> WgcResult {
    guard(|| {
        let mut graph = read(graph)?;
        let commands = command_buffer(commands)?;
        // SAFETY: null or valid, and arrays of these lengths; the command buffer is being recorded.
        unsafe {
            let (push, sets) = bound(given(bindings, "bindings")?)?;
            let timestamps = queries(timestamps)?;
            graph.graph.resume(commands, &Resume { push, sets: &sets, sweeps, deepest, timestamps })?;
        }
        graph.labels = inside::labels(&graph.graph);
        Ok(())
    })
}

/// Gets the state of the last recorded dispatch. Its submission has finished. WGC_RESULT_GRAPH: a shader broke its own
/// limits. WGC_RESULT_INPUT: one of the inputs that the device has counted was left out. wgc_last_error names it; the
/// status is valid all the same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_status(graph: *const WgcGraph, status: *mut WgcStatus) -> WgcResult {
    guard(|| {
        let graph = read(graph)?;
        let found = graph.graph.status()?;
        let error = found.error.as_ref().map(|error| graph.blame(error)).unwrap_or_default();
        let values = WgcStatus {
            pending: u32::from(found.pending),
            sweeps: found.sweeps,
            grid_clamped: u32::from(found.grid_clamped),
            pages_least: found.pages_least,
            pages_peak: found.pages_peak,
            deepest: found.deepest,
            error: error.code,
            error_count: error.count,
            error_node: error.node,
            error_node_index: error.index,
            error_level: error.level,
            error_output: error.output,
            report_count: (found.reports.errors.len() + found.reports.cut_grids.len()) as u32,
            unlisted: u32::from(found.reports.unlisted),
        };
        // SAFETY: null or valid.
        unsafe { write(status, values, "status") }?;
        found.error.map_or(Ok(()), |error| Err(error::Failure::reported(error, &found.reports)))
    })
}

/// Gets one of the `report_count` reports of the last dispatch, in the order of the stages, errors first. Its
/// submission has finished.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_report(graph: *const WgcGraph, number: u32, report: *mut WgcReport) -> WgcResult {
    guard(|| {
        let graph = read(graph)?;
        let found = graph.blames(&graph.graph.status()?.reports).into_iter().nth(number as usize);
        let found = found.ok_or(error::Failure::argument("number"))?;
        let error::Blame { code, node, index, level, output, .. } = found;
        // SAFETY: null or valid.
        unsafe { write(report, WgcReport { code, node, node_index: index, level, output }, "report") }
    })
}

/// Returns the records that a node consumed in the last dispatch, all recursion levels together; 0 for an unknown node.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_consumed(graph: *const WgcGraph, node: *const c_char, index: u32) -> u64 {
    let mut sum = 0;
    let result = guard(|| {
        let graph = read(graph)?;
        // SAFETY: null or valid.
        let node = unsafe { name(node, "node") }?;
        let instances = graph.graph.status()?.instances;
        sum = instances.iter().filter(|i| i.node.name == node && i.node.index == index).map(|i| i.records).sum();
        Ok(())
    });
    if result == WgcResult::Ok { sum } else { 0 }
}

/// Returns the graph of a handle, for one call.
fn read(graph: *const WgcGraph) -> Result<Held<WgcGraph>, error::Failure> {
    WgcGraph::table().get(graph, "graph")
}

/// Creates a handle for a new object and writes it to `out`.
///
/// # Safety
/// `out` is null or valid.
unsafe fn keep<T: Object>(object: T, out: *mut *mut T, what: &'static str) -> Result<(), error::Failure> {
    // Checked first, so that no handle is lost.
    if out.is_null() || !out.is_aligned() {
        return Err(error::Failure::argument(what));
    }
    let handle = T::table().insert(object)?;
    // SAFETY: as the caller promises.
    unsafe { write(out, handle, what) }
}

/// Destroys the object of a handle; null is ignored.
fn destroy<T: Object>(handle: *mut T, what: &'static str) {
    guard(|| if handle.is_null() { Ok(()) } else { T::table().remove(handle, what).map(drop) });
}

/// # Safety
/// `pointer` is null, or valid if it is aligned.
unsafe fn given<'a, T>(pointer: *const T, what: &'static str) -> Result<&'a T, error::Failure> {
    // SAFETY: as the caller promises.
    unsafe { optional(pointer, what) }?.ok_or(error::Failure::argument(what))
}

/// # Safety
/// The conditions of [`given`].
unsafe fn optional<'a, T>(pointer: *const T, what: &'static str) -> Result<Option<&'a T>, error::Failure> {
    if !pointer.is_aligned() {
        return Err(error::Failure::argument(what));
    }
    // SAFETY: as the caller promises.
    Ok(unsafe { pointer.as_ref() })
}

/// Returns a location to write to; `None` for null.
fn optional_out<T>(pointer: *mut T, what: &'static str) -> Result<Option<NonNull<T>>, error::Failure> {
    if pointer.is_aligned() { Ok(NonNull::new(pointer)) } else { Err(error::Failure::argument(what)) }
}

/// # Safety
/// `out` is null, or valid if it is aligned.
unsafe fn write<T>(out: *mut T, value: T, what: &'static str) -> Result<(), error::Failure> {
    let out = optional_out(out, what)?.ok_or(error::Failure::argument(what))?;
    // SAFETY: as the caller promises.
    unsafe { out.write(value) };
    Ok(())
}

fn command_buffer(commands: VkCommandBuffer) -> Result<vk::CommandBuffer, error::Failure> {
    if commands.is_null() {
        return Err(error::Failure::argument("commands"));
    }
    Ok(vk::CommandBuffer::from_raw(commands as usize))
}

/// # Safety
/// The conditions of [`given`].
unsafe fn queries(timestamps: *const WgcTimestamps) -> Result<Option<Timestamps>, error::Failure> {
    // SAFETY: as the caller promises.
    let timestamps = unsafe { optional(timestamps, "timestamps") }?;
    if let Some(timestamps) = timestamps {
        present(&[timestamps.pool], "timestamps")?;
        timestamps.first.checked_add(timestamps.count).ok_or(error::Failure::argument("timestamps"))?;
    }
    Ok(timestamps.map(Into::into))
}

/// # Safety
/// The pointers are null or arrays of the given lengths.
unsafe fn bound(bindings: &WgcBindings) -> Result<(&[u8], Vec<vk::DescriptorSet>), error::Failure> {
    // SAFETY: as the caller promises.
    let (push, sets) = unsafe {
        let push = array(bindings.push.cast::<u8>(), bindings.push_bytes, "push")?;
        (push, array(bindings.sets, bindings.set_count, "sets")?)
    };
    present(sets, "sets")?;
    Ok((push, sets.iter().map(|&raw| vk::DescriptorSet::from_raw(raw)).collect()))
}

/// # Safety
/// Host memory has as many records as the input declares.
unsafe fn entry_records<'a>(graph: &WgcGraph, input: &'a WgcInput) -> Result<Input<'a>, error::Failure> {
    // SAFETY: as the caller promises.
    let node = NodeName { name: unsafe { name(input.node, "node") }?.to_owned(), index: input.index };
    let entry = graph.graph.manifest().entrypoints.iter().find(|e| e.node == node);
    let bytes = entry.and_then(|e| e.record.as_ref()).map_or(0, |record| u64::from(record.size));
    let copies = if input.stride == 0 { 1 } else { u64::from(input.count) };
    let total = if bytes == 0 || input.count == 0 { 0 } else { (copies - 1) * u64::from(input.stride) + bytes };
    let is_slice = isize::try_from(total).is_ok();
    let data = match NonNull::new(input.records.cast_mut()) {
        Some(_) if !is_slice => return Err(error::Failure::argument("stride or count of an input")),
        // SAFETY: the caller guarantees this many bytes.
        Some(first) => Data::Bytes(unsafe { std::slice::from_raw_parts(first.cast().as_ptr(), total as usize) }),
        None => Data::Address(input.address),
    };
    if total != 0 && input.records.is_null() && input.address == 0 {
        return Err(error::Failure::argument("records or address of an input"));
    }
    Ok(Input { node, data, stride: input.stride, count: input.count })
}
