//! Compiles a graph for both targets and runs it on the CPU device, in this process.

use crate::evaluate::{Outcome, given, initial};
use crate::fused;
use crate::hlsl::{resources, spell};
use crate::model::{Graph, Record, Resource, SLOTS, Stmt};
use crate::settings::{Choice, Setup};
use crate::shape::Layout;
use crate::support::Scratch;
use crate::watch::{Log, Watch};
use crate::wrapper::Wrapper;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use wgc_abi::interface::Heap;
use wgc_abi::{Interface, Package};
use wgc_backend_spirv::EmitOptions;
use wgc_backend_spirv::emulated::EmulatedOptions;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_compiler::{Failure, Session};
use wgc_ir::passes::OptLevel;
use wgc_runtime::cpu::{Batching, CpuDevice, CpuSettings, GraphModule, Order, Sanitize, Specialisation};
use wgc_runtime::device::{
    BufferId, Descriptor, Device, DeviceError, ImageDesc, ImageFormat, ResourceBinding, Resources, SamplerDesc,
};
use wgc_runtime::executors::{EmulatedExecutor, NativeExecutor};
use wgc_runtime::run_file::{DispatchMode, EntryInput, Executor};
use wgc_runtime::scene::{Instance, Object, SceneDesc, Triangles};
use wgc_runtime::vulkan::testing;
use wgc_sema::db::Options;
use wgc_sema::tables::codes::Severity;

/// The settings under which a graph runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thoroughness {
    /// The native target under the policy of its seed. Graphs up to a seed also run on the emulated target, under one
    /// setting.
    OnePolicy {
        emulated: u64,
    },
    /// The native target under all policies, and the emulated one under one setting.
    AllPolicies,
    /// The emulated target under the setting of its seed, on a Vulkan device.
    Vulkan,
    /// The emulated target under all settings of the product.
    Product,
    ProductOnVulkan,
    /// The emulated target under one setting, on Vulkan or the CPU device.
    Setup {
        choice: Choice,
        on_vulkan: bool,
    },
}

impl Thoroughness {
    /// Returns the only setting of the emulated target, if it is one.
    pub fn single_way(self, seed: u64) -> Option<(Choice, bool)> {
        match self {
            Self::OnePolicy { .. } | Self::AllPolicies => Some((Choice::of(seed), false)),
            Self::Vulkan => Some((Choice::of(seed), true)),
            Self::Setup { choice, on_vulkan } => Some((choice, on_vulkan)),
            Self::Product | Self::ProductOnVulkan => None,
        }
    }
}

/// The error of a graph: one sentence, and details.
pub type Wrong = String;

/// Returns the policy of the CPU device for a seed.
fn policy(seed: u64, quads: bool) -> CpuSettings {
    policies(seed, quads, Thoroughness::Product)[0]
}

fn policies(seed: u64, quads: bool, how: Thoroughness) -> Vec<CpuSettings> {
    let batchings = [Batching::Full, Batching::Single, Batching::Random(seed)];
    let orders = [Order::Fifo, Order::Lifo, Order::Random(seed)];
    // Quads are four lanes of one subgroup.
    let sizes: &[u32] = if quads { &[32, 4, 8, 64] } else { &[32, 1, 2, 4, 16, 128] };
    let of = |n: u64| CpuSettings {
        batching: batchings[n as usize % 3],
        order: orders[n as usize / 3 % 3],
        subgroup_size: sizes[(n / 9) as usize % sizes.len()],
        max_workgroups: 100_000,
        threads: if n % 7 == 3 { 3 } else { 1 },
        ..CpuSettings::default()
    };
    match how {
        // Each batching with each order, with alternating sizes of subgroups.
        Thoroughness::AllPolicies => (0..9).map(|n| of(n + 9 * (n + seed))).collect(),
        _ => vec![of(seed)],
    }
}

/// Compiles, verifies, runs and compares.
pub fn check(graph: &Graph, outcome: &Outcome, seed: u64, how: Thoroughness) -> Result<(), Wrong> {
    let checked = catch_unwind(AssertUnwindSafe(|| check_all(graph, outcome, seed, how)));
    checked.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(format!("wgc panics: {}", text.unwrap_or_default()))
    })
}

fn check_all(graph: &Graph, outcome: &Outcome, seed: u64, how: Thoroughness) -> Result<(), Wrong> {
    let dir = Scratch::new().with("graph.hlsl", spell(graph));
    let (session, left) = session(&dir.0.join("graph.hlsl").to_string_lossy());
    let session = session.emitting(EmitOptions { level: level(seed), ..EmitOptions::default() });
    let checked = check_with(&session, graph, outcome, seed, how);
    SESSION.set(Some((session, left)));
    checked
}

/// Number of programs that share a database, to reuse the built-in declarations.
const SHARED: u32 = 40;

thread_local! {
    /// The last session, and the number of programs that its database still serves.
    static SESSION: RefCell<Option<(Session, u32)>> = const { RefCell::new(None) };
}

fn session(file: &str) -> (Session, u32) {
    let options = Options { enable_16bit_types: true, ..Options::default() };
    match SESSION.take() {
        Some((last, left @ 1..)) => (last.another(&[file], options), left - 1),
        _ => (Session::new(&[file], options), SHARED),
    }
}

fn check_with(session: &Session, graph: &Graph, outcome: &Outcome, seed: u64, how: Thoroughness) -> Result<(), Wrong> {
    for diagnostic in session.diagnostics() {
        // The programs are valid, and flow checks report only certain errors.
        let flow = ("WG0340"..="WG0353").contains(&&*diagnostic.code.to_string());
        if diagnostic.severity == Severity::Error || flow {
            return Err(format!("{}: {}", diagnostic.code, diagnostic.message));
        }
    }
    let interface = session.interface().map_err(|e| failed("interface", e))?;
    let is_quad = |stmt: &Stmt| matches!(stmt, Stmt::Quad { .. });
    let quads = graph.nodes.iter().any(|node| node.body.iter().any(is_quad));
    let (cpu, level) = (policy(seed, quads), level(seed));
    let emulated = Emulated { session, interface: &interface, graph, outcome, cpu, level };
    match how {
        Thoroughness::Vulkan => return emulated.run(&[Choice::of(seed)], true),
        Thoroughness::Product => return emulated.run(&Choice::product(seed), false),
        Thoroughness::ProductOnVulkan => return emulated.run(&Choice::product(seed), true),
        Thoroughness::Setup { choice, on_vulkan } => return emulated.run(&[choice], on_vulkan),
        Thoroughness::OnePolicy { .. } | Thoroughness::AllPolicies => {}
    }
    let native = session.native().map_err(|e| failed("native", e))?;
    let modules = [GraphModule { words: &native.words, names: &native.node_names(), wave_sizes: &[] }];
    for settings in policies(seed, quads, how) {
        let device = CpuDevice::new(settings);
        let executor = NativeExecutor::new(device, &modules, &Specialisation::default());
        let ran = executor.and_then(|mut executor| execute(graph, &interface, &mut executor, DispatchMode::Cpu));
        compare(graph, outcome, ran).map_err(|e| format!("native, {settings:?}: {e}"))?;
    }
    match how {
        Thoroughness::OnePolicy { emulated: last } if seed > last => Ok(()),
        _ => emulated.run(&[Choice::of(seed)], false),
    }
}

/// A graph for the emulated target.
struct Emulated<'a> {
    session: &'a Session,
    interface: &'a Interface,
    graph: &'a Graph,
    outcome: &'a Outcome,
    cpu: CpuSettings,
    level: OptLevel,
}

impl Emulated<'_> {
    /// Runs it under each setting. Neighbours with one plan share a package, and all of them one Vulkan device.
    fn run(&self, choices: &[Choice], on_vulkan: bool) -> Result<(), Wrong> {
        let mut last: Option<(Settings, Package)> = None;
        let mut vulkan = if on_vulkan { testing::device() } else { None };
        let rays = resources(self.graph).contains(&Resource::Scene);
        if vulkan.as_ref().is_some_and(|device| rays && !device.offers("rayQuery")) {
            testing::left_out(&"the device traces no rays, as this graph does");
            return Ok(());
        }
        for choice in choices {
            let setup = vulkan.as_ref().map_or_else(|| choice.setup(), |device| choice.setup_on_vulkan(device));
            let mut cpu = self.cpu;
            let package = match last.take() {
                Some((plan, package)) if plan == setup.plan => {
                    // The first run already finds the shaders' mistakes.
                    cpu.sanitize = Sanitize::Off;
                    package
                }
                _ => {
                    let emit = EmitOptions { level: self.level, ..EmulatedOptions::default().emit };
                    let options = EmulatedOptions { plan: setup.plan, edges: Vec::new(), emit };
                    fused::add(self.session, &setup.plan).map_err(|e| failed("fusion", e))?;
                    self.session.emulated(&options).map_err(|e| failed("emulated", e))?
                }
            };
            last = Some((setup.plan, package.clone()));
            let ran = if on_vulkan {
                let Some(device) = vulkan.take() else { return Ok(()) };
                let (ran, device) = self.execute(device, package, &setup);
                vulkan = Some(device);
                ran
            } else if let [_] = choices
                && package.manifest.kernels.joint.is_none()
            {
                // The rules do not cover joint dispatches. In a product, each graph has been watched already.
                let cpu = CpuDevice::new(cpu);
                let watch = Watch::new(&package, cpu.limits().clone(), Log::default());
                self.execute(Wrapper::new(cpu, watch), package, &setup).0
            } else {
                self.execute(CpuDevice::new(cpu), package, &setup).0
            };
            let place = if on_vulkan { "on Vulkan".to_owned() } else { format!("{cpu:?}") };
            compare(self.graph, self.outcome, ran).map_err(|e| format!("emulated, {choice:?}, {place}: {e}"))?;
        }
        Ok(())
    }

    /// Runs it, and returns the device, which is unchanged.
    fn execute<D: Device>(&self, device: D, package: Package, setup: &Setup) -> (Result<Ran, DeviceError>, D) {
        let mut executor = EmulatedExecutor::new(device, package, setup.host);
        let ran = execute(self.graph, self.interface, &mut executor, setup.mode());
        (ran, executor.into_device())
    }
}

/// Returns the level of optimisation for a seed.
fn level(seed: u64) -> OptLevel {
    [OptLevel::O2, OptLevel::O0, OptLevel::O3, OptLevel::O1][seed as usize % 4]
}

fn failed(what: &str, failure: Failure) -> Wrong {
    match failure {
        Failure::Target(message) => format!("{what}: {message}"),
        Failure::Source(diagnostic) => format!("{what}: {}: {}", diagnostic.code, diagnostic.message),
        Failure::Internal(error) => format!("{what}: a bug in wgc: {}", error.0),
    }
}

/// The count of a node that runs inside its producers.
const UNCOUNTED: u64 = u64::MAX;

/// The results of a run, and findings of the device.
type Ran = (Outcome, Vec<String>);

fn execute(
    graph: &Graph,
    interface: &Interface,
    executor: &mut dyn Executor,
    mode: DispatchMode,
) -> Result<Ran, DeviceError> {
    let device = executor.device();
    let mut bindings = Vec::new();
    let mut bind = |binding, resources| bindings.push(ResourceBinding { set: 0, binding, resources });
    let words = initial();
    let results = [buffer(device, &words[..SLOTS.len()])?, buffer(device, &words[SLOTS.len()..])?];
    for (n, id) in (0..).zip(results) {
        bind(n, Resources::StorageBuffers(vec![id]));
    }
    for resource in resources(graph) {
        let given = |range: std::ops::Range<u32>| range.map(|n| given(resource, n)).collect::<Vec<u32>>();
        match resource {
            Resource::Structured => bind(2, Resources::StorageBuffers(vec![buffer(device, &given(0..16))?])),
            Resource::Bytes => bind(3, Resources::StorageBuffers(vec![buffer(device, &given(0..16))?])),
            Resource::Texture => {
                let image = device.create_image(ImageDesc::new(ImageFormat::R32Float, &[4, 4]))?;
                let texels: Vec<u8> = given(0..16).iter().flat_map(|n| (*n as f32).to_le_bytes()).collect();
                device.write_image(image, &texels)?;
                bind(4, Resources::SampledImages(vec![image]));
                bind(5, Resources::Samplers(vec![device.create_sampler(SamplerDesc::default())?]));
            }
            Resource::Scene => {
                let scene = device.create_acceleration_structure(&scene())?;
                bind(6, Resources::AccelerationStructures(vec![scene]));
            }
            Resource::Constants => bind(7, Resources::UniformBuffers(vec![buffer(device, &given(0..8))?])),
            Resource::Heap => {
                let all = [buffer(device, &given(0..8))?, buffer(device, &given(8..16))?];
                let heap = interface.bindings.iter().find(|b| b.heap == Some(Heap::Resource));
                if let Some(heap) = heap {
                    bind(heap.binding, Resources::Heap(all.map(Descriptor::StorageBuffer).to_vec()));
                }
            }
        }
    }
    executor.bind(&bindings, &[])?;
    let inputs: Vec<EntryInput> = graph.inputs.iter().map(|input| entry(graph, input.node, &input.records)).collect();
    let ran = executor.dispatch(mode, &inputs)?;
    let mut all = Vec::new();
    for id in results {
        let mut bytes = vec![0; SLOTS.len() * 4];
        executor.device().read_buffer(id, 0, &mut bytes)?;
        all.extend(bytes.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap_or_default())));
    }
    let consumed = graph.nodes.iter().map(|node| {
        let name = &graph.families[node.family].name;
        let found = ran.records.iter().flatten().filter(|(n, _)| n.name == *name && n.index == node.index);
        let is_fused = ran.uncounted.iter().any(|n| n.name == *name && n.index == node.index);
        if is_fused { UNCOUNTED } else { found.map(|(_, count)| count).sum() }
    });
    let outcome = Outcome { results: all, consumed: consumed.collect() };
    let findings = ran.findings.into_iter().flatten().map(|f| format!("{}: {}", f.code, f.message)).collect();
    Ok((outcome, findings))
}

fn buffer(device: &mut dyn Device, words: &[u32]) -> Result<BufferId, DeviceError> {
    let id = device.create_buffer(words.len() as u64 * 4)?;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    device.write_buffer(id, 0, &bytes)?;
    Ok(id)
}

/// Returns triangles over the first and the third of four squares.
fn scene() -> SceneDesc {
    let triangle = Triangles {
        vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        indices: vec![[0, 1, 2]],
        opaque: true,
    };
    let at = |x: f32, id| Instance {
        id,
        transform: [1.0, 0.0, 0.0, x, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        ..Instance::default()
    };
    let ids = [0, 2].map(|n| given(Resource::Scene, n));
    SceneDesc { objects: vec![Object::Triangles(vec![triangle])], instances: vec![at(0.0, ids[0]), at(2.0, ids[1])] }
}

/// Lays records out as a host does.
fn entry(graph: &Graph, node: usize, records: &[Record]) -> EntryInput {
    let made = &graph.nodes[node];
    let (mut data, mut stride) = (Vec::new(), 0);
    if let Some(shape) = made.shape() {
        let Layout { leaves, size, align, .. } = &graph.layouts[shape];
        stride = size.next_multiple_of((*align).max(4));
        for (n, record) in records.iter().enumerate() {
            data.resize(n * stride as usize + *size as usize, 0);
            for (leaf, bits) in leaves.iter().zip(record) {
                let at = n * stride as usize + leaf.offset as usize;
                let bytes = leaf.scalar.bytes() as usize;
                data[at..at + bytes].copy_from_slice(&bits.to_le_bytes()[..bytes]);
            }
        }
    }
    EntryInput {
        node: graph.families[made.family].name.clone(),
        index: made.index,
        data,
        stride,
        count: records.len() as u32,
    }
}

fn compare(graph: &Graph, outcome: &Outcome, ran: Result<Ran, DeviceError>) -> Result<(), Wrong> {
    let (ran, findings) = ran.map_err(|e| format!("the device: {e}"))?;
    if let Some(finding) = findings.first() {
        return Err(format!("a finding: {finding}"));
    }
    for (node, (got, want)) in graph.nodes.iter().zip(ran.consumed.iter().zip(&outcome.consumed)) {
        if got != want && *got != UNCOUNTED {
            return Err(format!("{} gets {got} records and not {want}", node.function));
        }
    }
    match (0..outcome.results.len()).find(|n| ran.results[*n] != outcome.results[*n]) {
        None => Ok(()),
        Some(n) => Err(format!("result {n} is {:#x} and not {:#x}", ran.results[n], outcome.results[n])),
    }
}
