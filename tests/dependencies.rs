//! Dependencies and unsafe code of this project. Licences, duplicates and sources must be allowed by `deny.toml`. A
//! list names the places that call Vulkan, C and the operating system.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Returns all packages and the members of the workspace, as cargo resolves them on this platform.
fn metadata() -> Value {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("-vV").output().expect("rustc starts");
    let version = String::from_utf8(version.stdout).expect("it is text");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("it has a host").to_owned();
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // The packages were fetched for this build.
    cargo.args(["metadata", "--format-version", "1", "--offline", "--locked", "--filter-platform", &host]);
    let out = cargo.current_dir(ROOT).output().expect("cargo starts");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).expect("it is JSON")
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// Returns the strings of a list in `deny.toml`; of tables in it the crates.
fn listed(name: &str) -> BTreeSet<String> {
    let file = std::fs::read_to_string(Path::new(ROOT).join("deny.toml")).expect("it is there");
    let start = format!("\n{name} = [\n");
    let (_, list) = file.split_once(&start).expect("the list is there");
    let (list, _) = list.split_once("\n]").expect("it has an end");
    list.lines().filter_map(|line| line.split('"').nth(1)).map(str::to_owned).collect()
}

/// Returns whether the allowed licences satisfy a licence expression.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut tokens = spaced.split_whitespace().peekable();
    let met = any(&mut tokens, allowed);
    met && tokens.next().is_none()
}

type Tokens<'t> = std::iter::Peekable<std::str::SplitWhitespace<'t>>;

fn any(tokens: &mut Tokens<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut met = all(tokens, allowed);
    while tokens.next_if_eq(&"OR").is_some() {
        met |= all(tokens, allowed);
    }
    met
}

fn all(tokens: &mut Tokens<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut met = one(tokens, allowed);
    while tokens.next_if_eq(&"AND").is_some() {
        met &= one(tokens, allowed);
    }
    met
}

fn one(tokens: &mut Tokens<'_>, allowed: &BTreeSet<String>) -> bool {
    let met = match tokens.next() {
        Some("(") => {
            let met = any(tokens, allowed);
            return tokens.next() == Some(")") && met;
        }
        Some(licence) => allowed.contains(licence),
        None => false,
    };
    // An exception only grants more rights.
    if tokens.next_if_eq(&"WITH").is_some() {
        tokens.next();
    }
    met
}

#[test]
fn licence_expressions_are_read() {
    let allowed: BTreeSet<String> = ["MIT", "Zlib"].map(str::to_owned).into();
    let yes = ["MIT", "MIT OR GPL-3.0", "GPL-3.0/MIT", "(GPL-3.0 OR MIT) AND Zlib", "A WITH B OR MIT"];
    let no = ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR GPL-3.0", "MIT GPL-3.0", "A WITH MIT"];
    assert!(yes.iter().all(|text| is_allowed(text, &allowed)));
    assert!(!no.iter().any(|text| is_allowed(text, &allowed)));
}

#[test]
fn dependencies_comply_with_deny_toml() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("there are packages");
    let (allowed, skipped) = (listed("allow"), listed("skip"));
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut problems = Vec::new();
    for package in packages {
        let (name, version, licence) = (text(package, "name"), text(package, "version"), text(package, "license"));
        versions.entry(name).or_default().insert(version);
        if !is_allowed(licence, &allowed) {
            problems.push(format!("{name} {version} has the licence `{licence}`"));
        }
        let source = text(package, "source");
        if !source.is_empty() && source != "registry+https://github.com/rust-lang/crates.io-index" {
            problems.push(format!("{name} {version} comes from {source}"));
        }
        let is_ours = source.is_empty();
        let wild = |dependency: &&Value| text(dependency, "req") == "*" && dependency["path"].is_null();
        for dependency in package["dependencies"].as_array().into_iter().flatten().filter(|d| is_ours && wild(d)) {
            problems.push(format!("{name} takes any version of {}", text(dependency, "name")));
        }
    }
    let mut unused = skipped.clone();
    for (name, versions) in versions.iter().filter(|(_, versions)| versions.len() > 1) {
        let rest = versions.iter().filter(|version| !skipped.contains(&format!("{name}@{version}")));
        if rest.count() != 1 {
            problems.push(format!("{name} is there in versions {versions:?}: only one may not be in `skip`"));
        }
        unused.retain(|skipped| !versions.iter().any(|version| *skipped == format!("{name}@{version}")));
    }
    problems.extend(unused.iter().map(|skipped| format!("{skipped} is in `skip` and is no duplicate")));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Files or folders with unsafe code, and the interface that they call. Clippy's `undocumented_unsafe_blocks` demands a
/// reason for each block.
const UNSAFE: [(&str, &str); 12] = [
    ("capi/src/", "C"),
    ("runtime/src/vulkan/", "Vulkan"),
    ("src/main.rs", "the allocator"),
    ("tests/capi_calls.rs", "C"),
    ("tests/cli/faults/tracer.rs", "ptrace"),
    ("tests/device_faults/driver.rs", "Vulkan"),
    ("tests/embed/", "Vulkan"),
    ("tests/peer/src/dxc.rs", "DXC"),
    ("tests/planted/driver.rs", "Vulkan"),
    ("tests/planted/recorded.rs", "Vulkan"),
    ("tests/planted/waves.rs", "Vulkan"),
    ("tests/samples.rs", "the environment"),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("it can be read") {
        let path = entry.expect("it can be read").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && name != "node_modules" && !name.starts_with('.') {
            sources(&path, found);
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
}

/// Returns whether a line begins unsafe code.
fn is_unsafe(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    ["{", "fn", "impl", "extern", "trait"].iter().any(|next| {
        let words = format!("unsafe {next}");
        code.match_indices(&words).any(|(at, _)| {
            let before = code[..at].chars().next_back();
            before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '"')
        })
    })
}

#[test]
fn unsafe_code_occurs_only_in_listed_files() {
    let mut files = Vec::new();
    sources(Path::new(ROOT), &mut files);
    assert!(files.len() > 300, "{}", files.len());
    let mut used = BTreeSet::new();
    for file in files {
        let name = file.strip_prefix(ROOT).expect("it is below").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).expect("it is text");
        // This file contains the keywords in strings.
        if name == "tests/dependencies.rs" || !text.lines().any(is_unsafe) {
            continue;
        }
        let place = UNSAFE.iter().find(|(place, _)| name.starts_with(place));
        used.insert(place.unwrap_or_else(|| panic!("{name} has unsafe code, and is not in the list")).0);
    }
    let unused: Vec<_> = UNSAFE.iter().filter(|(place, _)| !used.contains(place)).collect();
    assert!(unused.is_empty(), "nothing unsafe is there any more: {unused:?}");
}

/// Only these members may have unsafe code; all others forbid it.
#[test]
fn crates_forbid_unsafe_code() {
    let metadata = metadata();
    let members = metadata["workspace_members"].as_array().expect("there are members");
    let packages = metadata["packages"].as_array().expect("there are packages");
    for package in packages.iter().filter(|package| members.contains(&package["id"])) {
        let targets = package["targets"].as_array().into_iter().flatten();
        let library = targets.filter(|target| text(target, "src_path").ends_with("src/lib.rs"));
        for target in library {
            let code = std::fs::read_to_string(text(target, "src_path")).expect("it is there");
            let attribute = match text(package, "name") {
                "wgc-runtime" | "wgc-capi" => continue,
                "wgc-peer" => "#![deny(unsafe_code)]",
                _ => "#![forbid(unsafe_code)]",
            };
            assert!(code.contains(attribute), "{} lacks {attribute}", text(package, "name"));
        }
    }
}

/// Clippy, which `./test` runs, then finds each of these calls outside tests. The others are programs that only tests run.
#[test]
fn crates_of_the_compiler_deny_panics() {
    const ATTRIBUTE: &str =
        "#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]";
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("there are packages");
    let mut checked = 0;
    for package in packages.iter().filter(|package| package["source"].is_null()) {
        let root = Path::new(text(package, "manifest_path")).parent().expect("it is in a folder");
        let below = root.strip_prefix(env!("CARGO_MANIFEST_DIR")).expect("it is in the repository");
        if below.starts_with("tests") || below.starts_with("bench") || below.ends_with("prebuilt") {
            continue;
        }
        for file in ["src/lib.rs", "src/main.rs"].map(|file| root.join(file)).iter().filter(|file| file.exists()) {
            let code = std::fs::read_to_string(file).expect("it is there");
            assert!(code.contains(ATTRIBUTE), "{} lacks {ATTRIBUTE}", file.display());
            checked += 1;
        }
    }
    assert!(checked >= 14, "only {checked} files were checked");
}

/// Longer files have a second concept, which fits a file of its own.
#[test]
fn files_have_at_most_700_lines() {
    // One table.
    const LONGER: &[&str] = &["src/cli/options/table.rs"];
    let mut files = Vec::new();
    sources(Path::new(ROOT), &mut files);
    assert!(files.len() > 500, "only {} files were found", files.len());
    for file in files {
        let name = file.strip_prefix(ROOT).expect("it is below").to_string_lossy().into_owned();
        let lines = std::fs::read_to_string(&file).expect("it is text").lines().count();
        assert_eq!(lines > 700, LONGER.contains(&name.as_str()), "{name} has {lines} lines");
    }
}

/// Returns the local packages in a lock file, each with the names of its dependencies.
fn locked(path: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let file = std::fs::read_to_string(path).expect("it is there");
    let packages = file.split("[[package]]").skip(1).filter(|package| !package.contains("\nsource = "));
    let name = |line: &str| line.split('"').nth(1).and_then(|text| text.split(' ').next()).map(str::to_owned);
    let read = |package: &str| {
        let named = package.lines().find(|line| line.starts_with("name = ")).and_then(name);
        let dependencies = package.lines().filter(|line| line.starts_with(" \"")).filter_map(name).collect();
        (named.expect("it has a name"), dependencies)
    };
    packages.map(read).collect()
}

/// `tests/fuzz/guided` is a workspace of its own, which `./test` does not build. Its lock file must have the
/// dependencies of our crates, or `tools/fuzz` refuses to build. Development dependencies are not part of it.
#[test]
fn the_lock_file_of_the_fuzzer_is_up_to_date() {
    let locked = locked(&Path::new(ROOT).join("tests/fuzz/guided/Cargo.lock"));
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("a list");
    let mut compared = 0;
    for package in packages.iter().filter(|package| package["source"].is_null()) {
        let Some(found) = locked.get(text(package, "name")) else { continue };
        let needed = package["dependencies"].as_array().expect("a list").iter();
        let needed = needed.filter(|dependency| dependency["kind"] != "dev").map(|d| text(d, "name").to_owned());
        assert_eq!(*found, needed.collect(), "{}: run `cargo update --workspace` there", text(package, "name"));
        compared += 1;
    }
    assert!(compared > 10, "{compared}");
}

/// Crates of the compiler that take files from a loader and return their results.
const WITHOUT_IO: [&str; 10] =
    ["frontend", "sema", "ir", "backend-spirv", "ide", "fmt", "json", "stdlib", "spirv-module", "device-library"];

/// Parts of paths and macros that read, write, or ask the system.
const IO: [&str; 8] =
    ["std::fs", "std::env::", "std::process", "std::net", "std::io", "println!", "eprintln!", "print!("];

#[test]
fn crates_of_the_compiler_do_no_io() {
    let mut found = Vec::new();
    for name in WITHOUT_IO {
        let mut files = Vec::new();
        sources(&Path::new(ROOT).join(name).join("src"), &mut files);
        assert!(!files.is_empty(), "{name}");
        for file in files {
            let text = std::fs::read_to_string(&file).expect("it can be read");
            // Tests are at the end of a file, or in a file of their own.
            if file.file_stem().is_some_and(|stem| stem == "tests") {
                continue;
            }
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
            let does = |line: &str| IO.iter().any(|part| line.contains(part));
            found.extend(lines.filter(|line| does(line)).map(|line| format!("{}: {}", file.display(), line.trim())));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_runtime_never_links_the_compiler() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("there are packages");
    let runtime = packages.iter().find(|package| text(package, "name") == "wgc-runtime").expect("it is a member");
    let dependencies = runtime["dependencies"].as_array().expect("there is a list");
    let own: BTreeSet<&str> = dependencies
        .iter()
        .filter(|dependency| dependency["kind"].is_null())
        .map(|dependency| text(dependency, "name"))
        .filter(|name| name.starts_with("wgc-"))
        .collect();
    assert_eq!(own, BTreeSet::from(["wgc-abi", "wgc-json", "wgc-spirv-module"]));
}
