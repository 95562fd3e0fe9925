//! DXC as a library.
//!
//! [`Dxc`] loads `libdxcompiler.so` once and compiles any number of sources with it. Its interface is COM: an object is
//! a pointer to a table of functions, in the order of `dxcapi.h`. This module has all unsafe code of the package.
//!
//! A crash of the library is a crash of the process: callers that must survive one use `isolate`.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::{env, ptr};

/// The location of `tools/install-dxc`'s library, below the cache directory.
const INSTALLED: &str = "wgc/dxc/libdxcompiler-1.8.so";

/// Returns the library of the tests: `WGC_DXC_LIBRARY`, or the one that `tools/install-dxc` fetched, if it exists.
pub fn library() -> Option<PathBuf> {
    let named = env::var_os("WGC_DXC_LIBRARY").filter(|path| !path.is_empty()).map(PathBuf::from);
    let cache = || {
        let given = env::var_os("XDG_CACHE_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
        given.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")))
    };
    named.or_else(|| Some(cache()?.join(INSTALLED))).filter(|path| path.is_file())
}

/// Returns the library's path. Without a library it reports the skipped tests on the error stream.
///
/// # Panics
/// When `WGC_REQUIRE_DXC=1` asks for DXC, and it is not there.
pub fn required(what: &str) -> Option<PathBuf> {
    let found = library();
    if found.is_none() {
        let required = env::var_os("WGC_REQUIRE_DXC").is_some_and(|value| value == "1");
        assert!(!required, "WGC_REQUIRE_DXC=1 asks for DXC, which tools/install-dxc installs: {what}");
        // Not `eprintln!`: the test runner hides its output if the test passes.
        let _ = std::io::Write::write_fmt(
            &mut std::io::stderr(),
            format_args!("LEFT OUT: {what}: there is no DXC (tools/install-dxc installs it)\n"),
        );
    }
    found
}

/// The result of a compilation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// The SPIR-V module or DXIL container; `None` when DXC refuses the source.
    pub object: Option<Vec<u8>>,
    /// Errors and warnings, as DXC prints them.
    pub messages: String,
}

impl Compiled {
    /// Returns the object as words of SPIR-V.
    pub fn words(&self) -> Option<Vec<u32>> {
        let bytes = self.object.as_ref()?;
        Some(bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect())
    }
}

#[repr(C)]
struct Guid(u32, u16, u16, [u8; 8]);

const COMPILER: Guid = Guid(0x73e2_2d93, 0xe6ce, 0x47f3, [0xb5, 0xbf, 0xf0, 0x66, 0x4f, 0x39, 0xc1, 0xb0]);
const UTILS: Guid = Guid(0x6245_d6af, 0x66e0, 0x48fd, [0x80, 0xb4, 0x4d, 0x27, 0x17, 0x96, 0x74, 0x8c]);
const I_COMPILER3: Guid = Guid(0x228b_4687, 0x5a6a, 0x4730, [0x90, 0x0c, 0x97, 0x02, 0xb2, 0x20, 0x3f, 0x54]);
const I_UTILS: Guid = Guid(0x4605_c4cb, 0x2019, 0x492a, [0xad, 0xa4, 0x65, 0xf2, 0x0b, 0xb7, 0xd6, 0x7f]);
const I_RESULT: Guid = Guid(0x5834_6cda, 0xdde7, 0x4497, [0x94, 0x61, 0x6f, 0x87, 0xaf, 0x5e, 0x06, 0x59]);

/// Indexes in the tables of functions.
const RELEASE: usize = 2;
const COMPILER3_COMPILE: usize = 3;
const UTILS_CREATE_DEFAULT_INCLUDE_HANDLER: usize = 9;
const RESULT_GET_STATUS: usize = 3;
const RESULT_GET_RESULT: usize = 4;
const RESULT_GET_ERROR_BUFFER: usize = 5;
const BLOB_GET_BUFFER_POINTER: usize = 3;
const BLOB_GET_BUFFER_SIZE: usize = 4;

/// `CP_UTF8`
const UTF8: u32 = 65001;

#[repr(C)]
struct Buffer {
    data: *const c_void,
    size: usize,
    encoding: u32,
}

type Raw = *mut c_void;
type CreateInstance = unsafe extern "C" fn(*const Guid, *const Guid, *mut Raw) -> i32;
type Compile = unsafe extern "C" fn(Raw, *const Buffer, *const *const u32, u32, Raw, *const Guid, *mut Raw) -> i32;

unsafe extern "C" {
    fn setlocale(category: c_int, locale: *const c_char) -> *mut c_char;
}

/// An interface of an object, released when it is dropped. Never null.
struct Object(Raw);

impl Object {
    /// The function at a place of the object's table.
    ///
    /// # Safety
    /// `F` is the type of the function at that place of the interface that the pointer is of.
    unsafe fn function<F: Copy>(&self, place: usize) -> F {
        const { assert!(size_of::<F>() == size_of::<Raw>()) };
        // SAFETY: an interface begins with the pointer to its table, which has more than `place` functions. The caller
        // guarantees that this one is an `F`, which is a pointer.
        unsafe {
            let table = *self.0.cast::<*const Raw>();
            table.add(place).cast::<F>().read()
        }
    }

    /// Calls a function that returns an interface through its only argument.
    ///
    /// # Safety
    /// The function at that place takes the object and a pointer to an interface.
    unsafe fn get(&self, place: usize) -> Option<Object> {
        let mut to = ptr::null_mut();
        // SAFETY: the caller upholds it.
        let code = unsafe {
            let get: unsafe extern "C" fn(Raw, *mut Raw) -> i32 = self.function(place);
            get(self.0, &raw mut to)
        };
        (code >= 0 && !to.is_null()).then_some(Object(to))
    }

    /// The contents of a blob.
    ///
    /// # Safety
    /// The object is an `IDxcBlob`.
    unsafe fn bytes(&self) -> Vec<u8> {
        // SAFETY: both functions belong to a blob, whose memory lives as long as the blob.
        unsafe {
            let pointer: unsafe extern "C" fn(Raw) -> *const u8 = self.function(BLOB_GET_BUFFER_POINTER);
            let size: unsafe extern "C" fn(Raw) -> usize = self.function(BLOB_GET_BUFFER_SIZE);
            let (pointer, size) = (pointer(self.0), size(self.0));
            if pointer.is_null() { Vec::new() } else { std::slice::from_raw_parts(pointer, size).to_vec() }
        }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // SAFETY: every interface has `Release` there, and this is the reference that was counted for us.
        unsafe {
            let release: unsafe extern "C" fn(Raw) -> u32 = self.function(RELEASE);
            release(self.0);
        }
    }
}

/// The compiler, loaded into this process.
pub struct Dxc {
    // Objects are dropped before the code that releases them.
    compiler: Object,
    includes: Object,
    _library: std::mem::ManuallyDrop<libloading::Library>,
}

impl Dxc {
    /// Loads a `libdxcompiler.so`.
    ///
    /// # Errors
    /// It cannot be loaded, or lacks the interfaces that are used here.
    pub fn load(path: &Path) -> Result<Dxc, String> {
        const LC_CTYPE: c_int = 0;
        const UTF8_LOCALE: &CStr = c"C.UTF-8";
        // SAFETY: the string ends with a zero. The library reads names of files by the locale.
        unsafe { setlocale(LC_CTYPE, UTF8_LOCALE.as_ptr()) };
        // SAFETY: its initialisers have no conditions. It stays loaded, because its destructors are known to crash.
        let library = unsafe { libloading::Library::new(path) };
        let library = std::mem::ManuallyDrop::new(library.map_err(|e| format!("cannot load {}: {e}", path.display()))?);
        // SAFETY: `dxcapi.h` declares the function with this type.
        let create = unsafe { library.get::<CreateInstance>(b"DxcCreateInstance\0") };
        let create = *create.map_err(|e| format!("{} is no DXC: {e}", path.display()))?;
        let created = |class: &Guid, interface: &Guid| {
            let mut to = ptr::null_mut();
            // SAFETY: all three pointers match the function's parameters.
            let code = unsafe { create(class, interface, &raw mut to) };
            let object = (code >= 0 && !to.is_null()).then_some(Object(to));
            object.ok_or_else(|| format!("{} lacks an interface ({code:#x})", path.display()))
        };
        let compiler = created(&COMPILER, &I_COMPILER3)?;
        let utils = created(&UTILS, &I_UTILS)?;
        // SAFETY: the function of `IDxcUtils` at that place takes a pointer to an include handler.
        let includes = unsafe { utils.get(UTILS_CREATE_DEFAULT_INCLUDE_HANDLER) };
        let includes = includes.ok_or("DXC has no include handler")?;
        Ok(Dxc { compiler, includes, _library: library })
    }

    /// Compiles a source. `name` is the path that messages and the search for included files use; `arguments` are those of
    /// the command line without a file and without outputs (`-T cs_6_6 -E main -spirv`).
    ///
    /// # Errors
    /// The library does not take the command line.
    pub fn compile<S: AsRef<str>>(&self, name: &str, source: &[u8], arguments: &[S]) -> Result<Compiled, String> {
        // An absolute path may look like an option: /Tiles/a.hlsl is -T iles/a.hlsl.
        let name = if name.starts_with('/') { format!("/.{name}") } else { name.to_owned() };
        let all = std::iter::once(name.as_str()).chain(arguments.iter().map(AsRef::as_ref));
        let wide: Vec<Vec<u32>> = all.map(|text| text.chars().map(u32::from).chain([0]).collect()).collect();
        let pointers: Vec<*const u32> = wide.iter().map(Vec::as_ptr).collect();
        let buffer = Buffer { data: source.as_ptr().cast(), size: source.len(), encoding: UTF8 };
        let mut to = ptr::null_mut();
        // SAFETY: `dxcapi.h` declares the function with this type; strings end with zeros, and everything outlives the
        // call.
        let code = unsafe {
            let compile: Compile = self.compiler.function(COMPILER3_COMPILE);
            let (words, count) = (pointers.as_ptr(), pointers.len() as u32);
            compile(self.compiler.0, &raw const buffer, words, count, self.includes.0, &I_RESULT, &raw mut to)
        };
        if code < 0 || to.is_null() {
            return Err(format!("DXC does not accept the command line ({code:#x})"));
        }
        let result = Object(to);
        let mut status = 0;
        // SAFETY: the object is an `IDxcResult`, which has these functions at these indexes; both returned objects are
        // blobs.
        let (messages, object) = unsafe {
            let get_status: unsafe extern "C" fn(Raw, *mut i32) -> i32 = result.function(RESULT_GET_STATUS);
            get_status(result.0, &raw mut status);
            let messages = result.get(RESULT_GET_ERROR_BUFFER).map(|blob| blob.bytes()).unwrap_or_default();
            (messages, result.get(RESULT_GET_RESULT).map(|blob| blob.bytes()))
        };
        let messages = String::from_utf8_lossy(&messages).trim_end_matches('\0').to_owned();
        Ok(Compiled { object: object.filter(|bytes| status >= 0 && !bytes.is_empty()), messages })
    }
}
