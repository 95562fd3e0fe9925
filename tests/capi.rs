//! The C interface: compiles its example with the installed C compiler and runs it on a Vulkan device, with the static
//! and with the shared library.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
// Cargo builds the libraries because this test depends on the crate.
use wgc_graph as _;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {stderr}");
    output
}

fn says(command: &mut Command) -> String {
    String::from_utf8(run(command).stdout).unwrap()
}

/// Returns the folder of the libraries, which is also this test's folder.
fn libraries() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().to_owned()
}

/// Compiles an example with one of the libraries, treating every warning as an error.
fn build(dir: &Path, example: &str, name: &str, library: &[&str]) -> PathBuf {
    let program = dir.join(name);
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-I"]).arg(Path::new(ROOT).join("capi/include"));
    cc.arg(Path::new(ROOT).join("capi/examples").join(example)).args(library);
    run(cc.args(["-lvulkan", "-lm", "-lpthread", "-ldl", "-o"]).arg(&program));
    program
}

#[test]
fn the_c_example_runs_a_graph_in_an_engine() {
    if let Err(error) = wgc_runtime::vulkan::VulkanDevice::open(None) {
        return wgc_runtime::vulkan::testing::left_out(&error);
    }
    let dir = tempfile::tempdir().unwrap();
    let package = dir.path().join("hello.wgcpkg");
    let shader = Path::new(ROOT).join("examples/hello.hlsl");
    let packed = dir.path().join("packed.wgcpkg");
    for (path, form) in [(&package, None), (&packed, Some("--pack"))] {
        let mut wgc = Command::new(env!("CARGO_BIN_EXE_wgc"));
        run(wgc.arg(&shader).args(["--target", "spirv-emulated"]).args(form).arg("-o").arg(path));
    }

    let libraries = libraries();
    let fixed = libraries.join("libwgc_graph.a");
    let fixed = build(dir.path(), "hello.c", "fixed", &[fixed.to_str().unwrap()]);
    let folder = libraries.to_str().unwrap();
    let shared = build(dir.path(), "hello.c", "shared", &["-L", folder, "-lwgc_graph"]);
    for program in [fixed, shared] {
        assert!(says(Command::new(&program).env("LD_LIBRARY_PATH", folder).arg(&packed)).ends_with(", in 0 sweeps\n"));
        let mut hello = Command::new(program);
        hello.env("LD_LIBRARY_PATH", folder).arg(&package);
        assert!(says(&mut hello).ends_with(", in 0 sweeps\n"), "one pass");
        // 3 pages of 64 KiB are the minimum: no record is lost, the run only takes longer.
        let least = says(hello.arg("192"));
        let sweeps = least.split_once(", in ").and_then(|(_, rest)| rest.split_once(' ')).unwrap().0;
        assert!(sweeps.parse::<u32>().unwrap() > 1, "{least}");
    }

    let mut little = Command::new(dir.path().join("fixed"));
    let refused = little.arg(&package).arg("191").output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    let message = "binding memory: this graph needs at least 196608 bytes of graph memory in a scheduled run; the limit is 131072\n";
    assert_eq!(String::from_utf8_lossy(&refused.stderr), message);
    std::fs::write(&packed, "neither a package nor anything else").unwrap();
    let damaged = Command::new(dir.path().join("fixed")).arg(&packed).output().unwrap();
    let stderr = String::from_utf8_lossy(&damaged.stderr);
    assert_eq!(stderr, "reading the package: it is not a packed package: it is not a tar archive\n");
    let nothing = Command::new(dir.path().join("fixed")).arg(dir.path()).output().unwrap();
    assert!(String::from_utf8_lossy(&nothing.stderr).starts_with("reading the package: cannot read manifest.json"));
}

/// Mesh nodes, local root arguments, timestamps, labels, guards and errors: the program compares each result itself.
#[test]
fn c_interface_draws_meshes_and_inspects_runs() {
    if let Err(error) = wgc_runtime::vulkan::VulkanDevice::open(None) {
        return wgc_runtime::vulkan::testing::left_out(&error);
    }
    let dir = tempfile::tempdir().unwrap();
    let shader = Path::new(ROOT).join("capi/examples/inside.hlsl");
    let [guarded, plain] = ["guarded", "plain"].map(|name| dir.path().join(name));
    for (path, options) in [(&guarded, Some("--poison")), (&plain, None)] {
        let mut wgc = Command::new(env!("CARGO_BIN_EXE_wgc"));
        run(wgc.arg(&shader).args(["--target", "spirv-emulated"]).args(options).arg("-o").arg(path));
    }
    let library = libraries().join("libwgc_graph.a");
    let inside = build(dir.path(), "inside.c", "inside", &[library.to_str().unwrap()]);
    let output = says(Command::new(&inside).arg(&guarded));
    if output == "no mesh shaders\n" {
        return wgc_runtime::vulkan::testing::left_out(&output.trim());
    }
    // Draws follow the last stage and have labels only; guards follow every launch.
    let expected = "the shaders use 1 descriptor sets, but 0 set layouts were given\n\
        no dispatch was recorded\n\
        the argument commands is missing or wrong\n\
        the graph has local root arguments, but no table of them was given: 3 records of 16 bytes\n\
        a node has the local root arguments 2, but the table has 2 records\n\
        prep guard inject guard Start guard Square guard \n\
        <prep><guard><inject><guard><stage 0<Start>><guard><stage 1<Square>><guard><Draw>\n\
        node Start (level 0): it requested more records than MaxRecords of its output (output 1)\n\
        node Start (level 0): it used an index out of range of an array, vector or matrix in a record (output 0)\n";
    assert_eq!(output, expected);
    let refused = Command::new(&inside).arg(&plain).output().unwrap();
    let message = "asking for guards: the package has no guards after its records: compile it with --poison\n";
    assert_eq!(String::from_utf8_lossy(&refused.stderr), message);
}
