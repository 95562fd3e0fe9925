//! The common parts of all workloads: a device with timed submissions, shaders compiled from text, buffers bound by
//! number.

use crate::shaders;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use wgc_abi::manifest::Stage;
use wgc_backend_spirv::emulated::EmulatedOptions as CompilerOptions;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_compiler::Session;
use wgc_runtime::device::{BindingsId, BufferId, Command, Device, PipelineId, ResourceBinding, Resources};
use wgc_runtime::emulated::inside::Trace;
use wgc_runtime::emulated::{EmulatedGraph, EmulatedOptions, Input};
use wgc_runtime::vulkan::VulkanDevice;
use wgc_sema::db::Options;

#[derive(Clone, Copy)]
pub struct Sizes {
    pub large: bool,
}

/// One version of a workload; it returns its time.
pub struct Way {
    pub name: &'static str,
    pub run: Box<dyn FnMut(&mut Rig) -> Duration>,
}

/// The expected contents of a buffer of zeros after every version, and a sequential program that computes them.
pub struct Results {
    pub buffer: BufferId,
    pub host: Box<dyn Fn() -> Vec<u32>>,
}

/// The least costs of the graph.
#[derive(Clone, Copy, Default)]
pub struct Cost {
    /// The bytes read and written, each record once in both directions.
    pub bytes: u64,
    /// The most atomics on the counter of any stage: one for each subgroup that appends to its queue.
    pub atomics: u64,
    pub groups: u64,
}

pub struct Workload {
    pub name: String,
    /// The graph, its hand-written equivalent, and others.
    pub ways: Vec<Way>,
    pub cost: Cost,
    pub results: Option<Results>,
}

pub struct Rig {
    device: VulkanDevice,
    folder: TempDir,
    /// `None` on a CPU.
    warm: Option<Command>,
    /// The steps of the last run: commands between two barriers.
    steps: u64,
    /// Measures the launches of graphs.
    trace: Option<Rc<RefCell<Trace>>>,
}

/// Storage buffers of set 0, by binding.
#[derive(Clone)]
pub struct Bound {
    pub buffers: Rc<[BufferId]>,
    bindings: BindingsId,
}

/// The shaders of one file, with one layout of push constants.
#[derive(Clone)]
pub struct Shaders {
    bindings: BindingsId,
    pipelines: Rc<[(String, PipelineId)]>,
}

impl Rig {
    pub fn open(name: Option<&str>, looks: bool) -> Self {
        let mut device = VulkanDevice::open(name).expect("there is a Vulkan device");
        device.time_submissions().expect("it has a clock");
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in shaders::ALL {
            std::fs::write(folder.path().join(name), text).expect("the shader can be written");
        }
        let mut rig = Self { device, folder, warm: None, steps: 0, trace: looks.then(Rc::default) };
        if !rig.describe().contains(", CPU") {
            let bound = rig.bind(&[Contents::Zeroes(4)]);
            rig.warm = Some(rig.shaders("warm.hlsl", &[], &bound, 0).dispatch("Warm", &[], [8192, 1, 1]));
        }
        rig
    }

    /// Keeps the device busy for this time, so that it runs at its clock under load. A device that mostly waits for its
    /// host, as between two samples, may run at a fifth of that.
    pub fn warm(&mut self, least: Duration) {
        let Some(command) = self.warm.clone() else { return };
        let start = Instant::now();
        while start.elapsed() < least {
            self.time(std::slice::from_ref(&command));
        }
    }

    pub fn is_cpu(&self) -> bool {
        self.warm.is_none()
    }

    pub fn subgroup(&self) -> u64 {
        u64::from(self.device.limits().subgroups.default.max(1))
    }

    /// Returns the times of graph launches since the last call; `None` if they are not measured.
    pub fn launches(&self) -> Option<String> {
        self.trace.as_ref().map(|trace| trace.take().table())
    }

    /// Steps of the last run.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    pub fn describe(&self) -> String {
        let devices = wgc_runtime::devices::list().to_string();
        let name = self.device.name();
        let lines: Vec<&str> =
            devices.lines().skip_while(|line| !line.starts_with(&name)).take(2).map(str::trim).collect();
        lines.join(", ")
    }

    fn session(&self, file: &str, defines: &[(&str, u32)]) -> Session {
        let defines = defines.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())).collect();
        let path = self.folder.path().join(file);
        let session = Session::new(&[&path.to_string_lossy()], Options { defines, ..Options::default() });
        let errors: Vec<String> = session.diagnostics().iter().map(|d| d.message.clone()).collect();
        assert!(session.module().is_ok(), "{file}: {errors:?}");
        session
    }

    /// Buffers of these contents.
    pub fn bind(&mut self, contents: &[Contents]) -> Bound {
        let buffers = contents.iter().map(|contents| self.buffer(contents)).collect();
        self.bound(buffers)
    }

    /// Binds the contents after an existing buffer.
    pub fn bind_with(&mut self, first: BufferId, contents: &[Contents]) -> Bound {
        let others: Vec<BufferId> = contents.iter().map(|contents| self.buffer(contents)).collect();
        self.bound([first].into_iter().chain(others).collect())
    }

    fn buffer(&mut self, contents: &Contents) -> BufferId {
        let bytes = match contents {
            Contents::Zeroes(bytes) => *bytes,
            Contents::Words(words) => words.len() as u64 * 4,
        };
        let buffer = self.device.create_buffer(bytes).expect("there is memory");
        if let Contents::Words(words) = contents {
            self.write(buffer, words);
        }
        buffer
    }

    fn bound(&mut self, buffers: Rc<[BufferId]>) -> Bound {
        let binding = |(binding, buffer): (u32, &BufferId)| ResourceBinding {
            set: 0,
            binding,
            resources: Resources::StorageBuffers(vec![*buffer]),
        };
        let all: Vec<ResourceBinding> = (0..).zip(buffers.iter()).map(binding).collect();
        let bindings = self.device.create_bindings(&all).expect("they can be bound");
        Bound { buffers, bindings }
    }

    pub fn write(&mut self, buffer: BufferId, words: &[u32]) {
        self.device.write_buffer(buffer, 0, &bytes(words)).expect("it fits");
    }

    pub fn read(&mut self, buffer: BufferId, count: usize) -> Vec<u32> {
        let mut bytes = vec![0; count * 4];
        self.device.read_buffer(buffer, 0, &mut bytes).expect("it has so many");
        self.device.take_time();
        bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
    }

    pub fn shaders(&mut self, file: &str, defines: &[(&str, u32)], bound: &Bound, push_bytes: u32) -> Shaders {
        let module = self.session(file, defines).compute().unwrap_or_else(|error| panic!("{file}: {error:?}"));
        let entries = module.entry_points.iter().map(|entry| entry.name.clone());
        let mut pipeline = |entry: String| {
            let made = self.device.create_pipeline(&module.words, &entry, Some(bound.bindings), push_bytes, None);
            let pipeline = made.unwrap_or_else(|error| panic!("{file}: {entry}: {error}"));
            (entry, pipeline)
        };
        Shaders { bindings: bound.bindings, pipelines: entries.map(&mut pipeline).collect() }
    }

    pub fn graph(
        &mut self,
        file: &str,
        defines: &[(&str, u32)],
        bound: &Bound,
        options: EmulatedOptions,
    ) -> EmulatedGraph {
        self.planned(file, defines, bound, options, Settings::default())
    }

    pub fn planned(
        &mut self,
        file: &str,
        defines: &[(&str, u32)],
        bound: &Bound,
        options: EmulatedOptions,
        plan: Settings,
    ) -> EmulatedGraph {
        let compiler = CompilerOptions { plan, ..CompilerOptions::default() };
        let package =
            self.session(file, defines).emulated(&compiler).unwrap_or_else(|error| panic!("{file}: {error:?}"));
        let graph = EmulatedGraph::load(&mut self.device, &package, Some(bound.bindings), options);
        let mut graph = graph.unwrap_or_else(|error| panic!("{file}: {error}"));
        if let Some(trace) = &self.trace {
            graph.trace(Rc::clone(trace));
        }
        graph
    }

    /// Returns the time of the commands on the device.
    pub fn time(&mut self, commands: &[Command]) -> Duration {
        self.device.take_time();
        self.device.submit(commands).expect("it runs");
        let barriers = commands.iter().filter(|command| matches!(command, Command::Barrier)).count();
        let open = commands.last().is_some_and(|command| !matches!(command, Command::Barrier));
        self.steps = barriers as u64 + u64::from(open);
        self.device.take_time()
    }

    /// Returns the time of a graph's dispatch on the device.
    pub fn dispatch(&mut self, graph: &mut EmulatedGraph, inputs: &[Input]) -> Duration {
        self.device.take_time();
        let report = graph.dispatch(&mut self.device, inputs, &[]).unwrap_or_else(|error| panic!("{error}"));
        let before = |stage: &&Stage| stage.spills != 0 || stage.runs != 0;
        let stages = &graph.manifest().stages;
        let once = stages.len() + stages.iter().filter(before).count();
        // A scheduled sweep begins, injects, and admits at each head of a segment.
        let heads = 2 + stages.iter().filter(|stage| !stage.follows).count();
        self.steps = once as u64;
        if report.sweeps != 0 {
            self.steps = u64::from(report.sweeps) * (once + heads) as u64;
        }
        self.device.take_time()
    }

    /// Returns the most workgroups on X, and on Y, of one launch.
    pub fn group_limit(&self) -> u32 {
        self.device.limits().max_groups[0].min(1 << 30)
    }
}

pub enum Contents {
    Zeroes(u64),
    Words(Vec<u32>),
}

impl Shaders {
    fn pipeline(&self, entry: &str) -> PipelineId {
        let found = self.pipelines.iter().find(|(name, _)| name == entry);
        found.unwrap_or_else(|| panic!("there is no shader {entry}")).1
    }

    pub fn dispatch(&self, entry: &str, push: &[u32], groups: [u32; 3]) -> Command {
        let (pipeline, bindings, label) = (self.pipeline(entry), Some(self.bindings), entry.to_owned());
        Command::Dispatch { pipeline, bindings, push: bytes(push), groups, label }
    }

    /// Returns dispatches with arguments number `index` of a buffer, 16 bytes each.
    pub fn indirect(&self, entry: &str, push: &[u32], args: BufferId, index: u64) -> Command {
        let (pipeline, bindings, label) = (self.pipeline(entry), Some(self.bindings), entry.to_owned());
        Command::DispatchIndirect { pipeline, bindings, push: bytes(push), args, offset: index * 16, label }
    }
}

pub fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Returns a grid of at least this many workgroups, in rows of at most 65,535.
pub fn grid(groups: u32) -> [u32; 2] {
    let rows = groups.div_ceil(65_535).max(1);
    [groups.div_ceil(rows), rows]
}

/// Computes the hash of the shaders.
pub fn hash(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x7feb_352d);
    x ^= x >> 15;
    x = x.wrapping_mul(0x846c_a68b);
    x ^ x >> 16
}

/// Panics at the first difference.
pub fn same(what: &str, found: &[u32], expected: &[u32]) {
    let wrong = found.iter().zip(expected).position(|(a, b)| a != b);
    if let Some(at) = wrong {
        panic!("{what}: word {at} is {}, and must be {}", found[at], expected[at]);
    }
}
