//! Shared parts of the command's tests: running `wgc`, scratch directories, and the existing run files.

#![allow(dead_code, reason = "each test binary uses a part")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Returns the root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A finished run of the command.
pub struct Ran {
    pub status: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Ran {
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Asserts the exit status; prints the output when it differs.
    #[track_caller]
    pub fn expect(self, status: i32) -> Ran {
        assert_eq!(self.status, status, "\n--- stdout\n{}\n--- stderr\n{}", self.out(), self.stderr);
        self
    }
}

/// Runs `wgc` with arguments in a directory.
pub fn wgc<S: AsRef<std::ffi::OsStr>>(dir: &Path, args: impl IntoIterator<Item = S>) -> Ran {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_wgc"))
        .args(args)
        .current_dir(dir)
        .env("NO_COLOR", "1")
        .output()
        .expect("wgc starts");
    Ran { status: status.code().unwrap_or(-1), stdout, stderr: String::from_utf8_lossy(&stderr).into_owned() }
}

/// Runs `wgc` with text on standard input.
pub fn wgc_with_input<S: AsRef<std::ffi::OsStr>>(dir: &Path, args: impl IntoIterator<Item = S>, input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wgc"))
        .args(args)
        .current_dir(dir)
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("wgc starts");
    let mut pipe = child.stdin.take().expect("it is piped");
    pipe.write_all(input.as_bytes()).expect("wgc reads it");
    drop(pipe);
    let Output { status, stdout, stderr } = child.wait_with_output().expect("wgc ends");
    Ran { status: status.code().unwrap_or(-1), stdout, stderr: String::from_utf8_lossy(&stderr).into_owned() }
}

/// A fresh directory, removed when dropped.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new() -> Scratch {
        Scratch(tempfile::tempdir().expect("a temporary directory can be made").keep())
    }

    /// Writes a file into it.
    pub fn with(self, name: &str, contents: impl AsRef<[u8]>) -> Scratch {
        fs::write(self.0.join(name), contents).expect("the file can be written");
        self
    }

    /// Returns the names of its entries, sorted.
    pub fn entries(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .expect("the directory exists")
            .map(|e| e.expect("it can be read").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns every `*.run.json` in a directory of the repository.
pub fn run_files(dir: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(root().join(dir))
        .expect("the directory exists")
        .map(|e| e.expect("it can be read").path())
        .filter(|p| p.to_string_lossy().ends_with(".run.json"))
        .collect();
    files.sort();
    files
}

/// A target and a device that every run file must pass on.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub target: &'static str,
    pub device: &'static str,
}

pub const PLACES: [Place; 3] = [
    Place { target: "spirv-amdx", device: "cpu" },
    Place { target: "spirv-emulated", device: "cpu" },
    Place { target: "spirv-emulated", device: "vulkan" },
];

/// Does the work for each item, on two threads, and reports the failures in the order of the items.
pub fn in_parallel<T: Sync>(items: &[T], work: impl Fn(&T) -> Option<String> + Sync) {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(BTreeMap::new());
    let worker = || {
        while let Some((number, item)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|n| Some((n, items.get(n)?)))
        {
            if let Some(failure) = work(item) {
                failures.lock().unwrap_or_else(PoisonError::into_inner).insert(number, failure);
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(worker))));
    let failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert!(failures.is_empty(), "{}", failures.into_values().collect::<String>());
}

/// Returns whether tests on a Vulkan device run here. Without one they are skipped with a notice, unless
/// `WGC_REQUIRE_VULKAN=1` asks for a failure.
pub fn vulkan_is_here(what: &str) -> bool {
    let listed = wgc(root(), ["devices"]).expect(0).out();
    let usable = listed.lines().any(|l| l.trim_start().starts_with("vulkan:") && !l.contains("lacks"));
    if !usable {
        wgc_runtime::vulkan::testing::left_out(&format!("{what}: no device can run emulated graphs:\n{listed}"));
    }
    usable
}
