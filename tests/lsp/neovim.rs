//! Neovim as the editor, without a screen; `neovim.lua` is its script. Without Neovim the test is skipped, unless
//! `WGC_REQUIRE_NEOVIM=1` demands it.

use crate::GRAPH;
use std::path::Path;
use std::process::Command;

#[test]
fn neovim_shows_server_results() {
    if Command::new("nvim").arg("--version").output().is_err() {
        assert!(std::env::var_os("WGC_REQUIRE_NEOVIM").is_none_or(|v| v != "1"), "WGC_REQUIRE_NEOVIM=1 asks for nvim");
        eprintln!("left out: there is no nvim");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let shader = folder.path().join("graph.hlsl");
    std::fs::write(&shader, GRAPH.replace("Out[0] =", "Ouch[0] =")).expect("written");
    // Set up as in the documentation, with a `wgc` found by PATH.
    let guide =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/editors.md")).expect("there is a guide");
    let setup = guide.split("```lua\n").nth(1).and_then(|rest| rest.split("```").next()).expect("it says how");
    let setup_file = folder.path().join("setup.lua");
    std::fs::write(&setup_file, setup).expect("written");
    let own = Path::new(env!("CARGO_BIN_EXE_wgc")).parent().expect("it is in a folder").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([own].into_iter().chain(std::env::split_paths(&path))).expect("a path");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lsp/neovim.lua");
    let mut nvim = Command::new("nvim");
    nvim.args(["--headless", "-u", "NONE", "-n", "-i", "NONE", "-S", script]).current_dir(folder.path());
    nvim.env("PATH", path).env("SETUP", &setup_file).env("SHADER", &shader);
    let ran = nvim.output().expect("it starts");
    let stdout = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && stdout.trim() == "ok", "{stdout}\n{}", String::from_utf8_lossy(&ran.stderr));
}
