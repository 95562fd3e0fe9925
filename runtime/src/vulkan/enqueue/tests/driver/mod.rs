//! A mock driver for the tests. Its functions record their arguments and check them against the valid usage of the
//! specification (the numbers in [`Driver::violations`]). They do only enough work to show that it was requested.
//!
//! The pipeline's index of node number `n` is `10 n + 7`. Executing a record of the node adds the record's first word
//! to word `n` of the storage buffer at set 0, binding 0, and one to word 8. Executing a dispatch puts the first word
//! of the push constants in word 9. Device addresses are addresses of the host, so the tests can read device memory.
//!
//! Structures of a dispatch are read by the offsets of the C headers, as a driver reads them, and not by those of the
//! bindings.

mod device;
mod graphs;
mod instance;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CStr;

use vulkanalia::loader::{Loader, LoaderError};
use vulkanalia::prelude::v1_2::*;

use super::super::super::instance::VulkanInstance;

/// The properties of the mock driver.
#[derive(Clone)]
pub struct Setup {
    /// The revision of the extension; `None` if it is not listed.
    pub revision: Option<u32>,
    /// Lists the extensions that it depends on.
    pub dependencies: bool,
    pub version: (u32, u32),
    pub buffer_device_address: bool,
    pub shader_enqueue: bool,
    /// Entry points that do not exist.
    pub without: &'static [&'static str],
    /// Least, most and step of scratch memory.
    pub scratch: (u64, u64, u64),
    /// Allocations of more bytes fail.
    pub memory: u64,
    pub max_payloads: u32,
    /// The number of the submission that fails, counted from 1.
    pub failing_submission: Option<u32>,
}

impl Setup {
    /// Returns a complete revision 2, with the least limits that are allowed.
    pub fn new() -> Self {
        Self {
            revision: Some(2),
            dependencies: true,
            version: (1, 3),
            buffer_device_address: true,
            shader_enqueue: true,
            without: &[],
            scratch: (4096, 8192, 1000),
            memory: 1 << 30,
            max_payloads: 256,
            failing_submission: None,
        }
    }

    /// Starts the driver on this thread, in place of the one before.
    pub fn start(self) -> VulkanInstance {
        DRIVER.with_borrow_mut(|driver| *driver = Driver::new(self));
        VulkanInstance::of(MockLoader, false).unwrap_or_else(|e| panic!("{e}"))
    }
}

pub struct Driver {
    setup: Setup,
    /// Calls that concern graphs, in order.
    pub log: Vec<String>,
    /// The observed violations of the specification.
    pub violations: Vec<String>,
    /// Objects that live, by type and handle.
    pub living: BTreeSet<(&'static str, u64)>,
    last_handle: u64,
    submissions: u32,
    memories: BTreeMap<u64, Memory>,
    buffers: BTreeMap<u64, BufferOf>,
    pipelines: BTreeMap<u64, Vec<(String, u32)>>,
    /// The address at binding 0 of each set.
    sets: BTreeMap<u64, u64>,
    recorded: Vec<Recorded>,
    /// Scratch memory by its address: the pipeline that it is initialised for, and its bytes.
    scratch: BTreeMap<u64, (u64, u64)>,
}

struct Memory {
    words: Vec<u64>,
    /// Bytes skipped at its start, so that its address has no large alignment.
    skipped: usize,
}

impl Memory {
    fn address(&mut self) -> u64 {
        (self.words.as_mut_ptr().expose_provenance() + self.skipped) as u64
    }
}

struct BufferOf {
    bytes: u64,
    usage: vk::BufferUsageFlags,
    memory: Option<u64>,
}

/// A command of the one command buffer.
#[derive(Clone)]
enum Recorded {
    Pipeline(vk::PipelineBindPoint, u64),
    Sets(vk::PipelineBindPoint, Vec<u64>),
    Push(Vec<u8>),
    Barrier { source: vk::AccessFlags, target: vk::AccessFlags, stages: vk::PipelineStageFlags },
    Initialize { pipeline: u64, scratch: u64, bytes: u64 },
    Dispatch { scratch: u64, bytes: u64, nodes: Nodes },
}

/// The node structures of a dispatch.
#[derive(Clone)]
enum Nodes {
    /// Read while the command was recorded: node index and records.
    Host(Vec<(u32, Vec<Vec<u8>>)>),
    /// Count, address and stride.
    Indirect(u32, u64, u64),
    /// Address of the count.
    IndirectCount(u64),
}

impl Driver {
    fn new(setup: Setup) -> Self {
        Self {
            setup,
            log: Vec::new(),
            violations: Vec::new(),
            living: BTreeSet::new(),
            last_handle: 0,
            submissions: 0,
            memories: BTreeMap::new(),
            buffers: BTreeMap::new(),
            pipelines: BTreeMap::new(),
            sets: BTreeMap::new(),
            recorded: Vec::new(),
            scratch: BTreeMap::new(),
        }
    }

    fn handle(&mut self, kind: &'static str) -> u64 {
        self.last_handle += 1;
        self.living.insert((kind, self.last_handle));
        self.last_handle
    }

    fn destroy(&mut self, kind: &'static str, handle: u64) {
        if handle != 0 && !self.living.remove(&(kind, handle)) {
            self.violations.push(format!("{kind} {handle} is destroyed and was not alive"));
        }
    }

    fn demand(&mut self, holds: bool, rule: &str) {
        if !holds {
            self.violations.push(rule.to_owned());
        }
    }

    /// Finds the buffer that has `bytes` bytes from an address.
    fn buffer_at(&mut self, address: u64, bytes: u64) -> Option<vk::BufferUsageFlags> {
        for buffer in self.buffers.values() {
            let Some(memory) = buffer.memory.and_then(|id| self.memories.get_mut(&id)) else { continue };
            let start = memory.address();
            if address >= start && address + bytes <= start + buffer.bytes {
                return Some(buffer.usage);
            }
        }
        None
    }
}

thread_local! {
    static DRIVER: RefCell<Driver> = RefCell::new(Driver::new(Setup::new()));
}

/// Runs a function on the driver of this thread.
pub fn with<T>(use_it: impl FnOnce(&mut Driver) -> T) -> T {
    DRIVER.with_borrow_mut(use_it)
}

/// Takes the calls about graphs since the last time, after checking that none violated the specification.
#[track_caller]
pub fn calls() -> Vec<String> {
    let (log, violations) = with(|driver| (std::mem::take(&mut driver.log), driver.violations.clone()));
    assert_eq!(violations, [""; 0]);
    log
}

struct MockLoader;

impl Loader for MockLoader {
    unsafe fn load(&self, name: &[u8]) -> Result<extern "system" fn(), Box<dyn LoaderError>> {
        assert_eq!(name, b"vkGetInstanceProcAddr");
        let function = instance::get_instance_proc_addr as vk::PFN_vkGetInstanceProcAddr;
        // SAFETY: the bindings convert it back to its real type.
        Ok(unsafe { std::mem::transmute::<vk::PFN_vkGetInstanceProcAddr, extern "system" fn()>(function) })
    }
}

/// The functions of a table by their names.
macro_rules! functions {
    ($($name:literal $type:ident $function:expr;)*) => {
        pub(super) fn find(name: &str) -> vulkanalia::vk::PFN_vkVoidFunction {
            use vulkanalia::vk;
            match name {
                // SAFETY: the bindings convert it back to its real type, which they find by its name.
                $($name => Some(unsafe {
                    std::mem::transmute::<vk::$type, unsafe extern "system" fn()>($function as vk::$type)
                }),)*
                _ => None,
            }
        }
    };
}
use functions;

/// Defines a function that creates an object without checks, and the one that destroys it.
macro_rules! object {
    ($kind:ident $info:ident $create:ident $destroy:ident) => {
        unsafe extern "system" fn $create(
            _: vk::Device,
            _: *const vk::$info,
            _: *const vk::AllocationCallbacks,
            made: *mut vk::$kind,
        ) -> vk::Result {
            let handle = super::with(|driver| driver.handle(stringify!($kind)));
            // SAFETY: the caller provides a location for the handle.
            unsafe { *made = vk::$kind::from_raw(handle) };
            vk::Result::SUCCESS
        }
        object!($kind $destroy);
    };
    ($kind:ident $destroy:ident) => {
        unsafe extern "system" fn $destroy(_: vk::Device, object: vk::$kind, _: *const vk::AllocationCallbacks) {
            super::with(|driver| driver.destroy(stringify!($kind), object.as_raw()));
        }
    };
}
use object;

/// Copies bytes at a device address, which is an address of the host here.
///
/// # Safety
/// `bytes` bytes are there.
unsafe fn bytes_at(address: u64, bytes: u64) -> Vec<u8> {
    let pointer = std::ptr::with_exposed_provenance::<u8>(address as usize);
    // SAFETY: the caller has looked.
    unsafe { std::slice::from_raw_parts(pointer, bytes as usize) }.to_vec()
}

fn text(name: *const std::ffi::c_char) -> String {
    // SAFETY: names of the interface end with NUL.
    unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
}
