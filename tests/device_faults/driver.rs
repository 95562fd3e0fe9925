//! The real driver with calls that fail when the test asks for it. Each device function that returns a result is
//! replaced by one that counts its calls. A failing call does nothing.

use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::sync::Mutex;

use vulkanalia::loader::{LIBRARY, LibloadingLoader, Loader, LoaderError};
use vulkanalia::prelude::v1_2::*;
use wgc_runtime::device::Result;
use wgc_runtime::vulkan::VulkanDevice;
use wgc_runtime::vulkan::testing::device_of;

/// Functions that may fail. All take up to six integers and pointers.
pub const FUNCTIONS: [&str; 27] = [
    "vkAllocateMemory",
    "vkMapMemory",
    "vkCreateBuffer",
    "vkBindBufferMemory",
    "vkCreateImage",
    "vkBindImageMemory",
    "vkCreateImageView",
    "vkCreateBufferView",
    "vkCreateSampler",
    "vkCreateShaderModule",
    "vkCreatePipelineLayout",
    "vkCreateComputePipelines",
    "vkCreatePipelineCache",
    "vkCreateDescriptorSetLayout",
    "vkCreateDescriptorPool",
    "vkAllocateDescriptorSets",
    "vkCreateCommandPool",
    "vkResetCommandPool",
    "vkAllocateCommandBuffers",
    "vkBeginCommandBuffer",
    "vkEndCommandBuffer",
    "vkCreateFence",
    "vkResetFences",
    "vkQueueSubmit",
    "vkWaitForFences",
    "vkDeviceWaitIdle",
    "vkCreateQueryPool",
];

/// The calls that fail.
#[derive(Clone, Copy, Debug)]
pub struct Faults {
    /// The index of the call, counted from 0 over all functions or over those of one name.
    pub at: Option<(usize, Option<&'static str>)>,
    /// Also fails all later calls.
    pub lasts: bool,
    pub code: vk::ErrorCode,
    /// Limit of the device memory, for all allocations together.
    pub memory: Option<u64>,
}

/// No faults.
impl Default for Faults {
    fn default() -> Self {
        Self { at: None, lasts: false, code: vk::ErrorCode::OUT_OF_DEVICE_MEMORY, memory: None }
    }
}

#[derive(Default)]
struct State {
    faults: Faults,
    calls: usize,
    failed: Vec<&'static str>,
    /// Sizes by handle.
    allocated: Vec<(u64, u64)>,
}

type Function = unsafe extern "system" fn(usize, usize, usize, usize, usize, usize) -> i32;
type GetDevice = unsafe extern "system" fn(usize, *const c_char) -> usize;
type GetInstance = unsafe extern "system" fn(usize, *const c_char) -> usize;

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// The driver's own functions, shared by all tests of the process.
static REAL: Mutex<[usize; FUNCTIONS.len()]> = Mutex::new([0; FUNCTIONS.len()]);
static GET_INSTANCE: Mutex<usize> = Mutex::new(0);
static GET_DEVICE: Mutex<usize> = Mutex::new(0);
static FREE: Mutex<usize> = Mutex::new(0);

/// Sets the faults of this thread, and restarts the count.
pub fn fail(faults: Faults) {
    STATE.with_borrow_mut(|state| {
        (state.faults, state.calls) = (faults, 0);
        state.failed.clear();
    });
}

/// Returns the number of counted calls.
pub fn calls() -> usize {
    STATE.with_borrow(|state| state.calls)
}

/// Returns the functions that have failed.
pub fn failed() -> Vec<&'static str> {
    STATE.with_borrow(|state| state.failed.clone())
}

/// Returns the memory that is currently allocated.
pub fn allocated() -> u64 {
    STATE.with_borrow(|state| state.allocated.iter().map(|(_, bytes)| bytes).sum())
}

/// Opens the default device.
pub fn open() -> Result<VulkanDevice> {
    // SAFETY: it is the system's Vulkan loader by its standard name, and it stays loaded.
    let Ok(loader) = (unsafe { LibloadingLoader::new(LIBRARY) }) else {
        return VulkanDevice::open(None);
    };
    device_of(Failing(loader))
}

struct Failing(LibloadingLoader);

impl Loader for Failing {
    unsafe fn load(&self, name: &[u8]) -> std::result::Result<extern "system" fn(), Box<dyn LoaderError>> {
        // SAFETY: the caller upholds it.
        let found = unsafe { self.0.load(name) }?;
        if name.strip_suffix(b"\0").unwrap_or(name) != b"vkGetInstanceProcAddr" {
            return Ok(found);
        }
        *GET_INSTANCE.lock().unwrap() = found as usize;
        // SAFETY: both are functions of the same address space, and the caller knows the type from the name.
        Ok(unsafe { std::mem::transmute::<GetInstance, extern "system" fn()>(get_instance) })
    }
}

unsafe extern "system" fn get_instance(instance: usize, name: *const c_char) -> usize {
    // SAFETY: it is the function that was found by this name.
    let real = unsafe { std::mem::transmute::<usize, GetInstance>(*GET_INSTANCE.lock().unwrap()) };
    // SAFETY: the caller upholds it.
    let (found, text) = unsafe { (real(instance, name), CStr::from_ptr(name)) };
    if text != c"vkGetDeviceProcAddr" || found == 0 {
        return found;
    }
    *GET_DEVICE.lock().unwrap() = found;
    get_device as *const () as usize
}

unsafe extern "system" fn get_device(device: usize, name: *const c_char) -> usize {
    // SAFETY: it is the function that was found by this name.
    let real = unsafe { std::mem::transmute::<usize, GetDevice>(*GET_DEVICE.lock().unwrap()) };
    // SAFETY: the caller upholds it.
    let (found, text) = unsafe { (real(device, name), CStr::from_ptr(name)) };
    if text == c"vkFreeMemory" && found != 0 {
        *FREE.lock().unwrap() = found;
        return free as *const () as usize;
    }
    match FUNCTIONS.iter().position(|function| text.to_bytes() == function.as_bytes()) {
        Some(at) if found != 0 => {
            REAL.lock().unwrap()[at] = found;
            REPLACED[at] as *const () as usize
        }
        _ => found,
    }
}

/// Fails, or calls the driver's function.
unsafe extern "system" fn replaced<const AT: usize>(a: usize, b: usize, c: usize, d: usize, e: usize, f: usize) -> i32 {
    let name = FUNCTIONS[AT];
    // The size follows the type and the chain of the structure.
    // SAFETY: vkAllocateMemory has a valid VkMemoryAllocateInfo there.
    let bytes = if name == "vkAllocateMemory" { unsafe { *((b + 16) as *const u64) } } else { 0 };
    let code = STATE.with_borrow_mut(|state| {
        let Faults { at, lasts, code, memory } = state.faults;
        let is_counted = at.is_none_or(|(_, only)| only.is_none_or(|only| only == name));
        let number = state.calls;
        state.calls += usize::from(is_counted);
        let full = memory.is_some_and(|most| state.allocated.iter().map(|(_, n)| n).sum::<u64>() + bytes > most);
        let code = match at {
            Some((at, _)) if is_counted && (number == at || lasts && number > at) => code,
            _ if bytes != 0 && full => vk::ErrorCode::OUT_OF_DEVICE_MEMORY,
            _ => return None,
        };
        state.failed.push(name);
        Some(code)
    });
    // A lost device executes nothing any more, so its objects may be destroyed: a wait really waits before it fails.
    let waits = name == "vkWaitForFences" || name == "vkDeviceWaitIdle";
    if let Some(code) = code.filter(|code| *code != vk::ErrorCode::DEVICE_LOST || !waits) {
        return code.as_raw();
    }
    // SAFETY: it is the driver's function of this name. It takes at most these arguments and ignores the rest; the
    // caller passed the ones that it takes.
    let result = unsafe { std::mem::transmute::<usize, Function>(REAL.lock().unwrap()[AT])(a, b, c, d, e, f) };
    if let Some(code) = code {
        return code.as_raw();
    }
    if bytes != 0 && result == 0 {
        // SAFETY: the handle was written through the fourth argument.
        let handle = unsafe { *(d as *const u64) };
        STATE.with_borrow_mut(|state| state.allocated.push((handle, bytes)));
    }
    result
}

unsafe extern "system" fn free(device: usize, memory: u64, allocator: usize) {
    STATE.with_borrow_mut(|state| state.allocated.retain(|(handle, _)| *handle != memory));
    // SAFETY: it is the driver's function, and the caller passed its arguments.
    unsafe {
        std::mem::transmute::<usize, unsafe extern "system" fn(usize, u64, usize)>(*FREE.lock().unwrap())(
            device, memory, allocator,
        );
    }
}

macro_rules! replaced {
    ($($at:literal)*) => { [$(replaced::<$at> as Function),*] };
}

static REPLACED: [Function; FUNCTIONS.len()] =
    replaced!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26);
