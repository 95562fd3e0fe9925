//! Wrong calls of the C interface. Every function of the header is called with null for each pointer, and with
//! misaligned pointers. Handles are destroyed ones, handles of another kind, and numbers that never were handles. Each
//! structure is passed with invalid values. No call crashes, every failure has a code and a message, and the remaining
//! handles still work.

#[allow(dead_code, reason = "the tests of planted faults use the rest")]
#[path = "planted/driver.rs"]
mod driver;

use std::ffi::{CStr, CString, c_char};
use std::ptr::{null, null_mut};
use wgc_backend_spirv::emulated::EmulatedOptions;
use wgc_compiler::Session;
use wgc_graph::*;
use wgc_sema::db::Options;

const GRAPH: &str = r#"
RWStructuredBuffer<uint> Result;
struct R { uint value; };
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Only(ThreadNodeInputRecord<R> input) { InterlockedAdd(Result[0], input.Get().value); }
"#;

/// Room for any output of a function.
#[repr(C, align(16))]
struct Out([u64; 64]);

/// Valid arguments of all types. The memory that they point to is leaked, because C may do anything with it.
struct Valid {
    package: *mut WgcPackage,
    graph: *mut WgcGraph,
    packed: &'static [u8],
    path: CString,
}

fn leak<T>(value: T) -> *const T {
    Box::leak(Box::new(value))
}

fn host() -> WgcHost {
    WgcHost {
        get_instance_proc_addr: Some(driver::get_instance),
        instance: std::ptr::without_provenance_mut(1),
        physical_device: std::ptr::without_provenance_mut(1),
        device: std::ptr::without_provenance_mut(1),
        flags: 0,
    }
}

fn last_error() -> String {
    // SAFETY: it ends with NUL, and is valid until the next call.
    unsafe { CStr::from_ptr(wgc_last_error()) }.to_string_lossy().into_owned()
}

impl Valid {
    fn new() -> Self {
        driver::start(4);
        let dir = tempfile::tempdir().unwrap();
        let shader = dir.path().join("graph.hlsl");
        std::fs::write(&shader, GRAPH).unwrap();
        let session = Session::new(&[&shader.to_string_lossy()], Options::default());
        let package = session.emulated(&EmulatedOptions::default()).unwrap_or_else(|e| panic!("{e:?}"));
        let packed: &'static [u8] = package.packed().unwrap().leak();
        let file = dir.keep().join("graph.wgcpkg");
        std::fs::write(&file, packed).unwrap();
        let path = CString::new(file.to_string_lossy().into_owned()).unwrap();
        let (mut package, mut graph) = (null_mut(), null_mut());
        // SAFETY: all pointers are valid.
        unsafe {
            assert_eq!(wgc_package_read(path.as_ptr(), &mut package), WgcResult::Ok, "{}", last_error());
            assert_eq!(wgc_graph_load(&host(), package, &1, 1, 0, &mut graph), WgcResult::Ok, "{}", last_error());
        }
        Self { package, graph, packed, path }
    }

    /// Returns a value for a parameter, by its type and name.
    fn argument(&self, ty: &str, name: &str) -> usize {
        let block = || WgcBlock { buffer: 1, offset: 0, bytes: 1 << 20, address: 256 };
        let bindings = || WgcBindings { sets: leak(1u64), set_count: 1, push_bytes: 0, push: null() };
        let input = || WgcInput {
            node: c"Only".as_ptr(),
            index: 0,
            stride: 0,
            count: 1,
            records: leak(7u32).cast(),
            address: 0,
        };
        match ty {
            "const struct WgcHost *" => leak(host()) as usize,
            "const struct WgcPackage *" | "struct WgcPackage *" => self.package as usize,
            "const struct WgcGraph *" | "struct WgcGraph *" => self.graph as usize,
            "const VkDescriptorSetLayout *" => leak(1u64) as usize,
            "const struct WgcSizes *" => leak(WgcSizes { arena_bytes: 1 << 20, record_bytes: 64, inputs: 1 }) as usize,
            "const struct WgcMemory *" => {
                let pointer = Box::leak(vec![0u8; 1 << 20].into_boxed_slice()).as_mut_ptr().cast();
                let memory = WgcMemory {
                    state: block(),
                    exchange: block(),
                    exchange_pointer: pointer,
                    chunks: leak(block()),
                    chunk_count: 1,
                };
                leak(memory) as usize
            }
            "const struct WgcInput *" => leak(input()) as usize,
            "const struct WgcBlock *" => leak(block()) as usize,
            "const struct WgcBindings *" => leak(bindings()) as usize,
            "const struct WgcTimestamps *" => leak(WgcTimestamps { pool: 1, first: 0, count: 1000 }) as usize,
            "const struct WgcDispatch *" => leak(WgcDispatch {
                inputs: leak(input()),
                input_count: 1,
                device_inputs: 0,
                completion: WGC_COMPLETION_EITHER,
                sweeps: 1,
                bindings: bindings(),
                local_roots: null(),
                timestamps: null(),
            }) as usize,
            "const struct WgcDraws *" => {
                leak(WgcDraws { pipelines: null(), pipeline_count: 0, bindings: bindings(), timestamps: null() })
                    as usize
            }
            "const char *" if name == "path" => self.path.as_ptr() as usize,
            "const char *" => c"Only".as_ptr() as usize,
            "const void *" => self.packed.as_ptr() as usize,
            "uintptr_t" => self.packed.len(),
            "VkCommandBuffer" => 1,
            "VkPipelineCache" => 0,
            "uint32_t" if name.ends_with("_count") => 1,
            "uint32_t" | "uint64_t" => 0,
            // The output parameter of the function.
            _ if ty.ends_with('*') => leak(Out([0; 64])) as usize,
            _ => panic!("a parameter of type `{ty}`: give it a valid value here"),
        }
    }
}

/// A function of the header.
struct Function {
    returns: String,
    name: String,
    /// Their types and names.
    parameters: Vec<(String, String)>,
}

fn header() -> Vec<Function> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("capi/include/wgc_graph.h");
    let text = std::fs::read_to_string(path).unwrap();
    let code: String =
        text.lines().filter(|line| !line.starts_with(['#', '/'])).map(|line| [line, " "].concat()).collect();
    let code = code.rsplit_once("extern \"C\" {").map_or(code.as_str(), |(_, code)| code);
    let declarations = code.split(';').filter_map(|text| Some((text.split_once('(')?, text)));
    let split = |text: &str| {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let at = text.rfind([' ', '*']).unwrap_or(0) + 1;
        (text[..at].trim().to_owned(), text[at..].to_owned())
    };
    let mut functions = Vec::new();
    for ((head, parameters), _) in declarations.filter(|((head, _), _)| head.contains("wgc_")) {
        let (returns, name) = split(head);
        let parameters = parameters.trim().trim_end_matches(')');
        let parameters = parameters.split(',').map(split).filter(|(ty, name)| !ty.is_empty() && name != "void");
        functions.push(Function { returns, name, parameters: parameters.collect() });
    }
    functions
}

type Call = unsafe extern "C" fn(usize, usize, usize, usize, usize, usize) -> usize;

macro_rules! table {
    ($($name:ident)*) => { &[$((stringify!($name), $name as *const ())),*] };
}

/// All functions with their addresses. Each takes up to six integers and pointers.
const FUNCTIONS: &[(&str, *const ())] = table!(
    wgc_graph_load wgc_graph_reload wgc_graph_share wgc_graph_pipelines_made wgc_graph_destroy wgc_graph_layout wgc_graph_entry
    wgc_graph_entry_number wgc_graph_requirements wgc_graph_bind wgc_graph_recommended_arena
    wgc_graph_arena_for wgc_graph_grow
    wgc_graph_record_upload wgc_graph_record wgc_graph_resume wgc_graph_status wgc_graph_report wgc_graph_consumed
    wgc_last_error wgc_graph_poison wgc_graph_most_timestamps wgc_graph_mark_count wgc_graph_mark wgc_graph_stages
    wgc_graph_mesh_node_count wgc_graph_mesh_node wgc_graph_record_draws wgc_package_read wgc_package_unpack
    wgc_package_destroy wgc_package_manifest wgc_package_stages wgc_package_push_bytes wgc_package_binding_count
    wgc_package_binding wgc_package_feature_count wgc_package_feature wgc_graph_local_roots wgc_graph_local_argument
);

/// Parameters that may be null.
const OPTIONAL: [(&str, &str); 4] = [
    ("wgc_graph_record", "recorded"),
    ("wgc_graph_resume", "timestamps"),
    ("wgc_graph_destroy", "graph"),
    ("wgc_package_destroy", "package"),
];

impl Function {
    fn call(&self, arguments: &[usize]) -> usize {
        let (_, address) = FUNCTIONS.iter().find(|(name, _)| *name == self.name).expect("it is in the table");
        let at = |index: usize| arguments.get(index).copied().unwrap_or(0);
        // SAFETY: it is a C function that takes these in registers, and ignores the ones that it does not declare.
        let result = unsafe {
            let function = std::mem::transmute::<*const (), Call>(*address);
            function(at(0), at(1), at(2), at(3), at(4), at(5))
        };
        match self.returns.as_str() {
            "enum WgcResult" | "uint32_t" | "VkShaderStageFlags" => result & 0xffff_ffff,
            "void" => 0,
            _ => result,
        }
    }

    fn valid(&self, valid: &Valid) -> Vec<usize> {
        self.parameters.iter().map(|(ty, name)| valid.argument(ty, name)).collect()
    }

    /// Returns the function's result on failure, apart from a code.
    fn otherwise(&self) -> usize {
        if matches!(self.name.as_str(), "wgc_graph_entry_number" | "wgc_graph_local_argument") {
            0xffff_ffff
        } else {
            0
        }
    }

    /// Checks that the call fails with its own message, which contains `text`.
    #[track_caller]
    fn fails(&self, arguments: &[usize], text: &str) {
        let mut none = null_mut();
        // SAFETY: all pointers are valid.
        unsafe { wgc_package_unpack(b"x".as_ptr().cast(), 1, &mut none) };
        let before = last_error();
        let result = self.call(arguments);
        let message = last_error();
        match self.returns.as_str() {
            "enum WgcResult" => assert_ne!(result, WgcResult::Ok as usize, "{}{arguments:x?}", self.name),
            _ => assert_eq!(result, self.otherwise(), "{}{arguments:x?}", self.name),
        }
        assert_ne!(result, WgcResult::Internal as usize, "{}{arguments:x?}: {message}", self.name);
        assert!(
            message != before && message.contains(text) && !message.contains("panicked"),
            "{}{arguments:x?}: {message}",
            self.name
        );
    }
}

#[test]
fn every_function_of_the_header_is_called_here() {
    let names: Vec<_> = header().into_iter().map(|function| function.name).collect();
    for name in &names {
        assert!(FUNCTIONS.iter().any(|(called, _)| called == name), "{name} is not called: add it to the table");
    }
    assert_eq!(names.len(), FUNCTIONS.len(), "{names:?}");
    assert!(header().iter().all(|function| function.parameters.len() <= 6));
}

#[test]
fn null_is_rejected_for_required_pointers() {
    let valid = Valid::new();
    for function in header() {
        for (at, (ty, name)) in function.parameters.iter().enumerate() {
            if !ty.ends_with('*') && ty != "VkCommandBuffer" {
                continue;
            }
            let mut arguments = function.valid(&valid);
            arguments[at] = 0;
            match OPTIONAL.contains(&(&function.name, name)) {
                true if function.returns == "void" => assert_eq!(function.call(&arguments), 0),
                // Another argument may still be missing.
                true => drop(function.call(&arguments)),
                false => function.fails(&arguments, ""),
            }
        }
    }
    works(&valid);
}

#[test]
fn invalid_handles_are_rejected() {
    let valid = Valid::new();
    // SAFETY: all pointers are valid.
    let (gone, left) = unsafe {
        let (mut graph, mut package) = (null_mut(), null_mut());
        assert_eq!(wgc_graph_share(valid.graph, &mut graph), WgcResult::Ok);
        assert_eq!(wgc_package_read(valid.path.as_ptr(), &mut package), WgcResult::Ok);
        wgc_graph_destroy(graph);
        wgc_package_destroy(package);
        ([package as usize, graph as usize], [valid.package as usize, valid.graph as usize])
    };
    let local = 0u64;
    for function in header() {
        for (at, (ty, _)) in function.parameters.iter().enumerate() {
            let kind = match ty.as_str() {
                "const struct WgcPackage *" | "struct WgcPackage *" => 0,
                "const struct WgcGraph *" | "struct WgcGraph *" => 1,
                _ => continue,
            };
            let with = |value: usize| {
                let mut arguments = function.valid(&valid);
                arguments[at] = value;
                arguments
            };
            function.fails(&with(gone[kind]), "is already destroyed");
            function.fails(&with(left[1 - kind]), if kind == 0 { "is a graph" } else { "is a package" });
            let garbage = [1, 8, left[kind] + 1, &raw const local as usize, usize::MAX, 0xffff_ffff_0000_0000];
            for garbage in garbage {
                function.fails(&with(garbage), "is not a handle of this library");
            }
            function.fails(&with(left[kind] | 0x00ff_fff0), "is not a handle of this library");
        }
    }
    works(&valid);
}

#[test]
fn misaligned_pointers_are_refused() {
    let valid = Valid::new();
    for function in header() {
        for (at, (ty, _)) in function.parameters.iter().enumerate() {
            let is_handle = ["WgcGraph *", "WgcPackage *"].iter().any(|handle| ty.ends_with(handle));
            if ty.ends_with('*') && !is_handle && !["const char *", "const void *"].contains(&ty.as_str()) {
                let mut arguments = function.valid(&valid);
                arguments[at] += 1;
                function.fails(&arguments, "");
            }
        }
    }
    works(&valid);
}

/// Checks that the remaining handles work as before.
#[track_caller]
fn works(valid: &Valid) {
    let mut out = WgcRequirements { state_bytes: 0, exchange_bytes: 0, page_bytes: 0, least_arena_bytes: 0 };
    let sizes = WgcSizes { arena_bytes: 1 << 20, record_bytes: 64, inputs: 1 };
    // SAFETY: all pointers are valid.
    unsafe {
        assert_eq!(wgc_graph_requirements(valid.graph, &sizes, &mut out), WgcResult::Ok, "{}", last_error());
        assert!(out.state_bytes > 0 && out.page_bytes == 64 << 10);
        assert_eq!(wgc_package_binding_count(valid.package), 1);
        assert_eq!(wgc_graph_entry_number(valid.graph, c"Only".as_ptr(), 0), 0);
    }
}

#[track_caller]
fn refused(result: WgcResult, wanted: WgcResult, text: &str) {
    let message = last_error();
    assert_eq!(result, wanted, "{message}");
    assert!(message.contains(text), "{message}");
}

/// Tries invalid values field by field.
#[test]
fn invalid_structure_fields_are_rejected() {
    use WgcResult::{Argument, Early, Input, Ok};
    let valid = Valid::new();
    let graph = valid.graph;
    let mut made = null_mut();
    // SAFETY: all pointers are null or valid, and the recorded commands never run.
    unsafe {
        for (host, what) in [
            (WgcHost { flags: 8, ..host() }, "flags"),
            (WgcHost { flags: u32::MAX, ..host() }, "flags"),
            (WgcHost { get_instance_proc_addr: None, ..host() }, "get_instance_proc_addr"),
            (WgcHost { device: null_mut(), ..host() }, "host"),
            (WgcHost { instance: null_mut(), ..host() }, "host"),
            (WgcHost { physical_device: null_mut(), ..host() }, "host"),
        ] {
            refused(wgc_graph_load(&host, valid.package, &1, 1, 0, &mut made), Argument, what);
        }
        refused(wgc_graph_load(&host(), valid.package, &0, 1, 0, &mut made), Argument, "layouts");
        refused(wgc_graph_load(&host(), valid.package, null(), 1, 0, &mut made), Argument, "layouts");
        refused(wgc_graph_load(&host(), valid.package, null(), 0, 0, &mut made), Argument, "set layouts");
        assert!(made.is_null());

        // Before memory is bound.
        let dispatch = &*(valid.argument("const struct WgcDispatch *", "") as *const WgcDispatch);
        let commands = 1 as VkCommandBuffer;
        refused(wgc_graph_record(graph, commands, dispatch, null_mut()), Early, "no memory yet");
        refused(wgc_graph_record_upload(graph, commands), Early, "no memory yet");

        let all = WgcSizes { arena_bytes: u64::MAX, record_bytes: u64::MAX, inputs: u32::MAX };
        let mut needed = WgcRequirements { state_bytes: 0, exchange_bytes: 0, page_bytes: 0, least_arena_bytes: 0 };
        assert_eq!(wgc_graph_requirements(graph, &all, &mut needed), Ok, "{}", last_error());
        assert!(needed.exchange_bytes > 1 << 60, "nobody has so much: {}", needed.exchange_bytes);
        let memory = |chunks, chunk_count| WgcMemory {
            chunks,
            chunk_count,
            ..std::ptr::read(valid.argument("const struct WgcMemory *", "") as *const WgcMemory)
        };
        let block = || WgcBlock { buffer: 1, offset: 0, bytes: 1 << 20, address: 256 };
        let sizes = WgcSizes { arena_bytes: 1 << 20, record_bytes: 64, inputs: 1 };
        refused(wgc_graph_bind(graph, &all, &memory(&block(), 1)), Argument, "the block state has");
        refused(wgc_graph_bind(graph, &sizes, &memory(null(), 1)), Argument, "chunks");
        for bad in [
            memory(null(), 0),
            memory([block(), WgcBlock { bytes: 1 << 19, ..block() }].as_ptr(), 2),
            memory(&WgcBlock { bytes: 0, ..block() }, 1),
            memory(&WgcBlock { bytes: u64::MAX, ..block() }, 1),
            memory(&WgcBlock { buffer: 0, ..block() }, 1),
            memory([const { WgcBlock { buffer: 1, offset: 0, bytes: 1 << 20, address: 256 } }; 17].as_ptr(), 17),
            WgcMemory { state: WgcBlock { buffer: 0, ..block() }, ..memory(&block(), 1) },
            WgcMemory { state: WgcBlock { address: 3, ..block() }, ..memory(&block(), 1) },
            WgcMemory { exchange: WgcBlock { offset: 128, ..block() }, ..memory(&block(), 1) },
            WgcMemory { exchange: WgcBlock { bytes: 0, ..block() }, ..memory(&block(), 1) },
            WgcMemory { exchange_pointer: null_mut(), ..memory(&block(), 1) },
        ] {
            let result = wgc_graph_bind(graph, &sizes, &bad);
            assert!(matches!(result, Argument | WgcResult::Arena), "{result:?}: {}", last_error());
        }

        // After memory is bound.
        let state = driver::block(4 << 20);
        let exchange = driver::mapped(1 << 20);
        let arena = driver::block(1 << 20);
        let of = |b: wgc_runtime::vulkan::embed::Block| {
            use vulkanalia::vk::Handle as _;
            WgcBlock { buffer: b.buffer.as_raw(), offset: b.offset, bytes: b.bytes, address: b.address }
        };
        let memory = WgcMemory {
            state: of(state),
            exchange: of(exchange.block),
            exchange_pointer: exchange.pointer.as_ptr().cast(),
            chunks: &of(arena),
            chunk_count: 1,
        };
        assert_eq!(wgc_graph_bind(graph, &sizes, &memory), Ok, "{}", last_error());
        refused(wgc_graph_status(graph, &mut std::mem::zeroed()), Early, "no dispatch was recorded");
        assert_eq!(wgc_graph_record_upload(graph, commands), Ok, "{}", last_error());
        let change = |change: &dyn Fn(&mut WgcDispatch)| {
            let mut dispatch = std::ptr::read(dispatch);
            change(&mut dispatch);
            wgc_graph_record(graph, commands, &dispatch, null_mut())
        };
        let input = |change: &dyn Fn(&mut WgcInput)| {
            let mut input = std::ptr::read(dispatch.inputs);
            change(&mut input);
            let input = leak(input);
            move |dispatch: &mut WgcDispatch| dispatch.inputs = input
        };
        refused(change(&|d| d.completion = 3), Argument, "completion");
        refused(change(&|d| d.completion = u32::MAX), Argument, "completion");
        refused(change(&|d| (d.completion, d.sweeps) = (WGC_COMPLETION_SWEEPS, 0)), Argument, "0 sweeps");
        refused(change(&|d| (d.completion, d.sweeps) = (WGC_COMPLETION_SWEEPS, 4097)), Argument, "the limit is 4096");
        refused(
            change(&|d| (d.completion, d.sweeps) = (WGC_COMPLETION_SWEEPS, u32::MAX)),
            Argument,
            "the limit is 4096",
        );
        refused(change(&|d| d.inputs = null()), Argument, "inputs");
        refused(change(&|d| d.bindings.push_bytes = 4), Argument, "push");
        refused(change(&|d| d.bindings.sets = null()), Argument, "sets");
        refused(change(&|d| d.bindings.set_count = 0), Argument, "descriptor sets");
        refused(change(&|d| (d.bindings.sets, d.bindings.set_count) = (leak(0), 1)), Argument, "sets");
        refused(
            change(&|d| d.timestamps = leak(WgcTimestamps { pool: 0, first: 0, count: 100 })),
            Argument,
            "timestamps",
        );
        refused(
            change(&|d| d.timestamps = leak(WgcTimestamps { pool: 1, first: 0, count: 0 })),
            Argument,
            "timestamps",
        );
        refused(
            change(&|d| d.timestamps = leak(WgcTimestamps { pool: 1, first: u32::MAX, count: 100 })),
            Argument,
            "timestamps",
        );
        refused(change(&|d| d.device_inputs = 3), Argument, "");
        refused(change(&input(&|i| i.node = null())), Argument, "node");
        refused(change(&input(&|i| i.node = c"None".as_ptr())), Input, "no entry node None");
        refused(change(&input(&|i| i.node = c"\xff".as_ptr())), Argument, "node");
        refused(change(&input(&|i| i.index = 9)), Input, "no entry node");
        refused(change(&input(&|i| (i.records, i.address) = (null(), 0))), Argument, "records");
        refused(change(&input(&|i| (i.records, i.address) = (null(), 2))), Input, "multiples of 4");
        refused(change(&input(&|i| (i.stride, i.count) = (1, 2))), Input, "stride");
        refused(change(&input(&|i| (i.stride, i.count) = (u32::MAX, u32::MAX))), Argument, "stride or count");
        assert_eq!(change(&|d| d.sweeps = 4096), Ok, "{}", last_error());
        refused(wgc_graph_mark(graph, u32::MAX, &mut std::mem::zeroed()), Argument, "number");
        assert!(wgc_graph_most_timestamps(graph, u32::MAX) > 4096);

        let inputs = WgcInput { count: 5, ..std::ptr::read(dispatch.inputs) };
        let mut bytes = 0;
        refused(
            wgc_graph_recommended_arena(graph, &inputs, 1, 0, &mut bytes),
            WgcResult::Arena,
            "bytes of graph memory",
        );
        assert_eq!(wgc_graph_arena_for(graph, &inputs, 1, u64::MAX, &mut bytes), Ok, "{}", last_error());
        assert!(bytes > 0);
        refused(
            wgc_graph_arena_for(graph, &WgcInput { records: null(), ..inputs }, 1, 0, &mut bytes),
            Argument,
            "records",
        );
        let inputs = WgcInput { count: u32::MAX, ..inputs };
        let result = wgc_graph_recommended_arena(graph, &inputs, 1, u64::MAX, &mut bytes);
        refused(result, Input, "too many records for Only");
        refused(wgc_package_unpack(valid.packed.as_ptr().cast(), usize::MAX, null_mut()), Argument, "size");
    }
    works(&valid);
}

/// Refuses a package of another version before it reads anything else of it.
#[test]
fn packages_of_another_version_are_refused() {
    let valid = Valid::new();
    let dir = tempfile::tempdir().unwrap();
    let package = wgc_abi::Package::unpacked(valid.packed).unwrap();
    let path = dir.path().join("graph.wgcpkg");
    for (name, bytes) in package.files().unwrap() {
        let file = path.join(&name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }
    let file = CString::new(path.to_string_lossy().into_owned()).unwrap();
    let manifest = path.join("manifest.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let (head, tail) = text.split_once("\"version\":").unwrap();
    let (version, tail) = tail.split_at(tail.find([',', '\n', '}']).unwrap());
    let version: u64 = version.trim().parse().unwrap();
    let mut made = null_mut();
    for (version, text) in [
        (version.to_string(), ""),
        ((version + 1).to_string(), "has version"),
        ("0".to_owned(), "has version 0"),
        ("\"new\"".to_owned(), "which is not a number"),
        ("-1".to_owned(), "version"),
    ] {
        std::fs::write(&manifest, [head, "\"version\": ", &version, tail].concat()).unwrap();
        // SAFETY: all pointers are valid.
        let result = unsafe { wgc_package_read(file.as_ptr(), &mut made) };
        match text {
            "" => assert_eq!(result, WgcResult::Ok, "{}", last_error()),
            _ => refused(result, WgcResult::Package, text),
        }
    }
}

#[derive(Clone, Copy)]
struct Handles(*mut WgcGraph, *mut WgcPackage);

// SAFETY: handles are numbers.
unsafe impl Send for Handles {}
// SAFETY: as above.
unsafe impl Sync for Handles {}

/// Several threads call functions of one graph and one package while both are destroyed. Each call succeeds or reports
/// that the handle is gone.
#[test]
fn handles_may_be_shared_between_threads() {
    let valid = Valid::new();
    for _ in 0..20 {
        let mut handles = Handles(null_mut(), null_mut());
        // SAFETY: all pointers are valid.
        unsafe {
            assert_eq!(wgc_graph_share(valid.graph, &mut handles.0), WgcResult::Ok);
            assert_eq!(wgc_package_read(valid.path.as_ptr(), &mut handles.1), WgcResult::Ok);
        }
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(move || uses(handles));
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
            // SAFETY: handles may be destroyed at any time, and twice.
            unsafe {
                wgc_graph_destroy(handles.0);
                wgc_package_destroy(handles.1);
                wgc_graph_destroy(handles.0);
                wgc_package_destroy(handles.1);
            }
            assert!(last_error().contains("is already destroyed"));
        });
    }
    works(&valid);
}

/// Calls functions on one thread until the handles are gone.
fn uses(handles: Handles) {
    let Handles(graph, package) = handles;
    let sizes = WgcSizes { arena_bytes: 1 << 20, record_bytes: 64, inputs: 1 };
    loop {
        let mut requirements =
            WgcRequirements { state_bytes: 0, exchange_bytes: 0, page_bytes: 0, least_arena_bytes: 0 };
        let mut binding = WgcBinding { name: null::<c_char>(), set: 0, binding: 0, count: 0, r#type: 0 };
        let mut shared = null_mut();
        // SAFETY: all pointers are valid.
        let results = unsafe {
            let results = [
                wgc_graph_requirements(graph, &sizes, &mut requirements),
                wgc_graph_share(graph, &mut shared),
                wgc_package_binding(package, 0, &mut binding),
            ];
            wgc_graph_destroy(shared);
            results
        };
        if results.iter().all(|result| *result == WgcResult::Argument) {
            return;
        }
        for result in results {
            match result {
                WgcResult::Ok => {}
                _ => assert_eq!(result, WgcResult::Argument, "{}", last_error()),
            }
        }
        assert!(results[0] != WgcResult::Ok || requirements.page_bytes == 64 << 10);
    }
}

/// Each thread has its own handles and its own messages.
#[test]
fn last_error_is_thread_local() {
    let valid = Valid::new();
    let path = &valid.path;
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for _ in 0..20 {
                    let mut package = null_mut();
                    // SAFETY: all pointers are valid or null.
                    unsafe {
                        assert_eq!(wgc_package_read(path.as_ptr(), &mut package), WgcResult::Ok);
                        match thread % 2 {
                            0 => refused(wgc_package_binding(package, 9, null_mut()), WgcResult::Argument, "number"),
                            _ => refused(wgc_package_read(null(), &mut package), WgcResult::Argument, "path"),
                        }
                        wgc_package_destroy(package);
                    }
                }
            });
        }
    });
}
