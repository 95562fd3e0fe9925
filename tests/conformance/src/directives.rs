//! RUN lines: the commands that a test runs, their flags, and whether DXC must refuse the source.
//!
//! A run is one command that reads the test itself. A refusal is marked in three ways: `not` before the command,
//! `-verify` with expected errors in the text, and checks of the output (`FileCheck`) that expect a line with `error:`.

/// One command of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Relevant flags, with `-` for `/`, and values separated from their flags.
    pub flags: Vec<String>,
    /// DXC must refuse the source.
    pub refused: bool,
    /// `-verify`: the text lists the errors and their lines.
    pub verify: bool,
}

impl Run {
    /// Returns the value of a flag.
    pub fn value(&self, flag: &str) -> Option<&str> {
        let at = self.flags.iter().position(|f| f == flag)?;
        self.flags.get(at + 1).map(String::as_str)
    }

    /// Returns whether the command compiles a shader of a stage other than node and compute. It ignores nodes in the
    /// file.
    pub fn is_of_other_stage(&self) -> bool {
        self.value("-T").is_some_and(|profile| !profile.starts_with("lib_") && !profile.starts_with("cs_"))
    }
}

/// Programs that compile or rewrite their input, and therefore parse it.
const COMPILERS: &[&str] = &["%dxc", "%dxr", "%dxl"];

/// Flags with a value; true for flags that change the meaning of the source or the resulting module.
const VALUED: &[(&str, bool)] = &[
    ("-T", true),
    ("-E", true),
    ("-D", true),
    ("-I", true),
    ("-HV", true),
    ("-auto-binding-space", true),
    ("-exports", true),
    ("-default-linkage", true),
    ("-rootsig-define", true),
    ("-force-rootsig-ver", true),
    ("-validator-version", false),
    ("-Fo", false),
    ("-Fc", false),
    ("-Fd", false),
    ("-Fe", false),
    ("-Fi", false),
    ("-Fh", false),
    ("-Fre", false),
    ("-Frs", false),
    ("-Vn", false),
    ("-Oconfig", false),
    ("-opt-disable", false),
    ("-opt-enable", false),
    ("-opt-select", false),
    ("-select-validator", false),
    ("-entry-point", true),
    ("-target-profile", true),
    ("-setprivate", false),
    ("-setrootsignature", false),
];

/// Flags of the Vulkan target with several values.
const VULKAN: &[(&str, usize)] = &[
    ("-fvk-b-shift", 2),
    ("-fvk-t-shift", 2),
    ("-fvk-s-shift", 2),
    ("-fvk-u-shift", 2),
    ("-fvk-bind-register", 4),
    ("-fvk-bind-globals", 2),
    ("-fvk-bind-resource-heap", 2),
    ("-fvk-bind-sampler-heap", 2),
    ("-fvk-bind-counter-heap", 2),
    ("-fspv-max-id", 1),
];

/// Flags for optimisation, printing, warnings and checks. They change neither the syntax nor the validity of the
/// module.
const WITHOUT_EFFECT: &[&str] = &[
    "-spirv",
    "-fcgl",
    "-Od",
    "-O0",
    "-O1",
    "-O2",
    "-O3",
    "-O4",
    "-Vd",
    "-Zi",
    "-Zs",
    "-Zss",
    "-Zsb",
    "-Qembed_debug",
    "-Qstrip_debug",
    "-Qstrip_reflect",
    "-Qstrip_priv",
    "-Qstrip_rootsignature",
    "-Qpdb_in_private",
    "-nologo",
    "-Ni",
    "-No",
    "-Nx",
    "-Lx",
    "-Cc",
    "-WX",
    "-no-warnings",
    "-verify",
    "-ast-dump",
    "-ast-dump-implicit",
    "-Gis",
    "-Gec",
    "-Ges",
    "-Gfa",
    "-Gfp",
    "-Gpp",
    "-Gdp",
    "-all-resources-bound",
    "-all_resources_bound",
    "-print-after-all",
    "-print-before-all",
    "-ftime-report",
    "-fdisable-loc-tracking",
    "-ffinite-math-only",
    "-fno-finite-math-only",
    "-keep-user-macro",
    "-line-directive",
    "-extract-entry-uniforms",
    "-remove-unused-globals",
    "-remove-unused-functions",
    "-decl-global-cb",
    "-enable-templates",
    "-enable-operator-overloading",
    "-enable-bitfields",
    "-strict-udt-casting",
    "-disable-payload-qualifiers",
    "-enable-payload-qualifiers",
    "-enable-short-circuit",
    "-unchanged",
    "-skip-fn-body",
    "-skip-static",
    "-global-extern-by-default",
    "-",
];

/// Prefixes of flags without effect: warnings, options of the optimiser and of debug information.
const WITHOUT_EFFECT_PREFIX: &[&str] = &[
    "-W",
    "-Vi",
    "-opt-",
    "-fspv-debug",
    "-fspv-print",
    "-O",
    "-hlsl-",
    "-mllvm",
    "-fdiagnostics",
    "-ftime",
    "-Fo",
    "-Fc",
];

/// Returns the runs of a test, from its RUN lines.
pub fn runs(text: &str) -> Vec<Run> {
    let mut lines: Vec<String> = Vec::new();
    let mut continues = false;
    for line in text.lines() {
        let Some((_, rest)) = line.split_once("RUN:") else { continue };
        let (rest, more) = match rest.trim_end().strip_suffix('\\') {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        match lines.last_mut().filter(|_| continues) {
            Some(last) => last.push_str(rest),
            None => lines.push(rest.to_owned()),
        }
        continues = more;
    }
    lines.iter().flat_map(|line| runs_of_line(line, text)).collect()
}

/// Returns whether DXC itself fails the test.
pub fn is_xfail(text: &str) -> bool {
    text.lines().any(|line| line.contains("XFAIL:"))
}

fn runs_of_line(line: &str, text: &str) -> Vec<Run> {
    let line = line.replace("2>&1", " ");
    let mut runs = Vec::new();
    for command in line.split("&&").flat_map(|c| c.split(';')) {
        let mut stages = command.split('|').map(words);
        let Some(words) = stages.find(|w| w.iter().any(|w| COMPILERS.contains(&w.as_str()))) else { continue };
        // A command that reads another's output or another file does not test this text.
        if !words.iter().any(|w| w == "%s") {
            continue;
        }
        // `-P` only preprocesses: its output need not be a program.
        if words.iter().any(|w| w == "-P" || w == "/P") {
            continue;
        }
        let at = words.iter().position(|w| COMPILERS.contains(&w.as_str())).unwrap_or(0);
        let verify = words.iter().any(|w| w == "-verify" || w == "/verify");
        let prefixes: Vec<String> = stages.flat_map(|w| check_prefixes(&w)).collect();
        let refused = words[..at].iter().any(|w| w == "not")
            || verify && text.contains("expected-error")
            || prefixes.iter().any(|p| expects_error(text, p));
        runs.push(Run { flags: flags(&words[at + 1..]), refused, verify });
    }
    runs
}

/// Splits a command into words, without quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut any = false;
    for c in command.chars() {
        match (c, quote) {
            (c, Some(q)) if c == q => quote = None,
            ('"' | '\'', None) => (quote, any) = (Some(c), true),
            (c, None) if c.is_whitespace() => {
                if any || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            (c, _) => word.push(c),
        }
    }
    if any || !word.is_empty() {
        words.push(word);
    }
    words
}

fn check_prefixes(words: &[String]) -> Vec<String> {
    if words.first().is_none_or(|w| w != "FileCheck" && w != "%FileCheck") {
        return Vec::new();
    }
    let mut prefixes = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let name = word.trim_start_matches('-');
        if let Some(list) = name.strip_prefix("check-prefix=").or_else(|| name.strip_prefix("check-prefixes=")) {
            prefixes.extend(list.split(',').map(String::from));
        } else if name == "check-prefix" || name == "check-prefixes" {
            prefixes.extend(rest.next().into_iter().flat_map(|l| l.split(',')).map(String::from));
        }
    }
    if prefixes.is_empty() {
        prefixes.push("CHECK".into());
    }
    prefixes
}

/// Returns whether a check with that prefix, other than `-NOT`, expects a line with `error:`.
fn expects_error(text: &str, prefix: &str) -> bool {
    text.lines().any(|line| {
        let Some((before, rest)) = line.split_once(prefix) else { return false };
        let starts = before.chars().all(|c| !c.is_alphanumeric() && c != '_' && c != '-');
        let Some((suffix, pattern)) = rest.split_once(':') else { return false };
        let suffix_ok = suffix.is_empty()
            || suffix.starts_with('-')
                && !suffix.contains("NOT")
                && suffix[1..].chars().all(|c| c.is_ascii_uppercase());
        starts && suffix_ok && (pattern.contains("error:") || pattern.contains("Validation failed"))
    })
}

fn flags(words: &[String]) -> Vec<String> {
    let mut flags = Vec::new();
    let mut rest = words.iter().peekable();
    while let Some(word) = rest.next() {
        let word = match word.strip_prefix('/') {
            Some(name) => format!("-{name}"),
            None => word.clone(),
        };
        if !word.starts_with('-') {
            // The file, a redirection, an output name.
            if word == ">" || word == "<" {
                rest.next();
            }
            continue;
        }
        if let Some((_, values)) = VULKAN.iter().find(|f| f.0 == word) {
            flags.push(word);
            flags.extend(rest.by_ref().take(*values).cloned());
        } else if let Some((_, matters)) = VALUED.iter().find(|f| f.0 == word) {
            let value = rest.next().cloned().unwrap_or_default();
            if *matters {
                flags.extend([word, value]);
            }
        } else if WITHOUT_EFFECT.contains(&word.as_str()) {
        } else if let Some((name, value)) = joined(&word) {
            flags.extend([name.to_owned(), value.to_owned()]);
        } else if !WITHOUT_EFFECT_PREFIX.iter().any(|p| word.starts_with(p)) {
            flags.push(word);
        }
    }
    flags
}

/// Splits `-Tcs_6_0`, `-DX=1`, `-Emain`: a flag of one letter with its value attached.
fn joined(word: &str) -> Option<(&str, &str)> {
    const PROFILES: &[&str] = &["ps_", "vs_", "gs_", "hs_", "ds_", "cs_", "ms_", "as_", "lib_"];
    let (name, value) = word.split_at_checked(2)?;
    let value = value.strip_prefix('=').unwrap_or(value);
    let fits = match name {
        "-T" => PROFILES.iter().any(|p| value.starts_with(p)),
        // A text with a dash before its `=` is a separate flag.
        "-D" | "-E" => value.split('=').next().is_some_and(|name| !name.is_empty() && !name.contains('-')),
        "-I" => !value.is_empty(),
        _ => false,
    };
    fits.then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Run {
        let mut all = runs(text);
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0)
    }

    #[test]
    fn relevant_dxc_flags_are_kept() {
        let run = only("// RUN: %dxc -T cs_6_0 -E main -fcgl -DN=2 /HV 2021 -fvk-t-shift 1 0 %s -spirv | FileCheck %s");
        assert_eq!(run.flags, ["-T", "cs_6_0", "-E", "main", "-D", "N=2", "-HV", "2021", "-fvk-t-shift", "1", "0"]);
        assert!(!run.refused && !run.verify);
        assert_eq!(run.value("-T"), Some("cs_6_0"));
        let run = only("// RUN: %dxc -Tcs_6_0 -DX=-1 -EC -Od %s");
        assert_eq!(run.flags, ["-T", "cs_6_0", "-D", "X=-1", "-E", "C"]);
        let run = only("// RUN: %dxilver 1.8 | %dxc -Tlib_6_8 /Emain -DNAME=\"a b\" %s");
        assert_eq!(run.flags, ["-T", "lib_6_8", "-E", "main", "-D", "NAME=a b"]);
    }

    #[test]
    fn expected_rejections_are_read_from_directives() {
        assert!(only("// RUN: not %dxc -T ps_6_0 %s 2>&1 | FileCheck %s").refused);
        assert!(only("// RUN: %dxc -T ps_6_0 %s | FileCheck %s\n// CHECK: error: no").refused);
        assert!(only("// RUN: %dxc -T ps_6_0 %s | FileCheck %s\n// CHECK-NEXT: x.hlsl:1:2: error: no").refused);
        assert!(!only("// RUN: %dxc -T ps_6_0 %s | FileCheck %s\n// CHECK-NOT: error: no").refused);
        assert!(!only("// RUN: %dxc -T ps_6_0 %s | FileCheck %s\n// OTHER: error: no").refused);
        assert!(only("// RUN: %dxc -T ps_6_0 -verify %s\nint a; // expected-error {{no}}").refused);
        assert!(!only("// RUN: %dxc -T ps_6_0 -verify %s\n// expected-no-diagnostics").refused);
    }

    #[test]
    fn check_prefixes_are_evaluated_per_run() {
        let all = runs(
            "// RUN: %dxc -T cs_6_0 %s | FileCheck %s -check-prefix=GOOD\n\
             // RUN: %dxc -T cs_6_0 -DBAD \\\n// RUN:   %s | FileCheck %s --check-prefix=BAD\n\
             // BAD: error: this\n",
        );
        assert_eq!(all.iter().map(|r| r.refused).collect::<Vec<_>>(), [false, true]);
        assert_eq!(all[1].flags, ["-T", "cs_6_0", "-D", "BAD"]);
    }

    #[test]
    fn run_lines_that_compile_no_source_are_ignored() {
        assert_eq!(runs("// RUN: %dxc -dumpbin %t | FileCheck %s"), []);
        assert_eq!(runs("// RUN: %dxv %s"), []);
        assert_eq!(runs("// RUN: %dxc -T ps_6_0 -P %s | FileCheck %s"), []);
    }
}
