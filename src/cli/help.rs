//! Help texts, with options from the table and examples from here.

use super::dxc::{self, Effect, OptionShape};
use super::options::{ALL, Command, GROUPS, Group, OPTIONS, Opt, Spec};
use std::fmt::Write;
use wgc_sema::tables::binding_options::{BindingOption, OPTIONS as BINDING_OPTIONS};

const GENERAL: &str = "\
wgc compiles HLSL work graphs to SPIR-V, checks the whole graph, and runs it.

Usage:
  wgc SHADER... [OPTIONS]              compile
  wgc check [SHADER...] [OPTIONS]      check only
  wgc run [SHADER...] --inputs FILE [OPTIONS]
                                       run a graph and check the results
  wgc devices                          list the devices for `wgc run`
  wgc explain [CODE...]                explain diagnostics, with examples
  wgc verify MODULE... [OPTIONS]       validate any SPIR-V modules
  wgc fmt FILE... [OPTIONS]            format files
  wgc lsp                              serve an editor
  wgc help COMMAND|GROUP               show help for a command or option group

Examples:
  wgc graph.hlsl                       write graph.wgcpkg for Vulkan 1.2
  wgc graph.hlsl --target spirv-amdx   write graph.spv: AMDX shader enqueue
  wgc graph.hlsl --emit asm -D Q=2     print SPIR-V text
  wgc cull.hlsl -D SIDE=0 draw.hlsl -D SIDE=1 draw.hlsl
                                       compile three units to one graph
  wgc run --inputs graph.run.json      run on the built-in CPU device

Several files form one graph. Each is a translation unit with its own names and
macros. A file can be -, standard input.

Exit status: 0 success, 1 errors in the source or a failed expectation,
2 wrong usage or unreadable input, 101 a bug in wgc.
";

const CHECK: &str = "\
Checks the files as one graph and reports errors and warnings; writes nothing.

Usage: wgc check [SHADER...] [OPTIONS]

Without SHADER, it checks every program of wgc.json.

Examples:
  wgc check graph.hlsl
  wgc check --program terrain
  wgc check graph.hlsl --target spirv-amdx       with the limits of this target
  wgc check materials.hlsl --library             a part of a graph
  wgc check graph.hlsl --host host.json          with settings of the host
  wgc check graph.hlsl --budget                  and the budget of each node
  wgc check graph.hlsl --fusion                  and which edges are fused
";

const RUN: &str = "\
Compiles a graph, runs it with the inputs of a run file, and compares the
results with the expected ones (docs/run-files.md).

Usage: wgc run [SHADER...] --inputs FILE.run.json [OPTIONS]

Without SHADER, the run file names the files. The default device is the built-in
CPU device.

Examples:
  wgc run --inputs examples/hello.run.json
  wgc run --inputs examples/carpet.run.json --device vulkan --out pictures
  wgc run --inputs graph.run.json --target spirv-amdx --order random:7
";

const DEVICES: &str = "\
Lists the devices for `wgc run`, and the features that a Vulkan device lacks for
emulated and native graphs.

Usage: wgc devices

Example:
  wgc devices
";

const EXPLAIN: &str = "\
Explains diagnostics, findings of the CPU device, and rules of wgc verify.
docs/diagnostics.md has the same texts.

Usage: wgc explain [CODE...]

Without CODE it lists all. A code may be a name; case does not matter.

Examples:
  wgc explain WG0401
  wgc explain missing-max-records
  wgc explain WG4012 AMDX-12
";

const VERIFY: &str = "\
Validates SPIR-V modules of any compiler: the rules of SPIR-V, of Vulkan, and of
SPV_AMDX_shader_enqueue (docs/amdx-rules.md).

Usage: wgc verify MODULE... [OPTIONS]

Each file is checked alone, as a part of a graph; with --graph they form one
whole graph. A message names the rule, the word offset in the module and, if
known, the source line. Broken rules are errors; undefined behaviour is a
warning. A file can be -, standard input.

Examples:
  wgc verify graph.spv
  wgc verify build/*.spv --message-format short
  wgc verify --graph graph.Entry.spv graph.Draw.spv
  wgc graph.hlsl --target spirv-amdx -o - | wgc verify -

Exit status: 0 no errors, 1 a broken rule or a damaged module, 2 wrong usage or
a file that is not SPIR-V.
";

const FMT: &str = "\
Formats files: changes white space, never tokens or comments. It accepts any
text, half-typed files too (docs/formatter.md).

Usage: wgc fmt FILE... [OPTIONS]

With - it formats standard input to standard output. `// wgc-fmt off` and
`// wgc-fmt on`, or those of clang-format, protect the text between them.

Examples:
  wgc fmt shaders/*.hlsl
  wgc fmt --check shaders/*.hlsl                 check before a commit
  wgc fmt --braces next-line --columns 100 graph.hlsl

Exit status: 0 success, 1 with --check if a file would change, 2 wrong usage or
a file that cannot be read or written.
";

const LSP: &str = "\
Serves an editor by the Language Server Protocol on standard input and output.
Editors start it: docs/editors.md.

Usage: wgc lsp

Exit status: 0 after the requests shutdown and exit, 1 without shutdown,
2 wrong usage.
";

/// Groups that the help of a command leaves to `wgc help GROUP`.
fn is_left_out(command: Command, group: Group) -> bool {
    match command {
        Command::Run => !matches!(group, Group::Input | Group::Running | Group::Inspection | Group::General),
        _ => matches!(group, Group::Bindings | Group::Inspection | Group::Emulation),
    }
}

/// Returns the help for a command, or the general help: usage, examples, and one line for each common option.
pub fn text(command: Option<Command>) -> String {
    let head = match command {
        None | Some(Command::Compile) => GENERAL,
        Some(Command::Check) => CHECK,
        Some(Command::Run) => RUN,
        Some(Command::Devices) => DEVICES,
        Some(Command::Explain) => EXPLAIN,
        Some(Command::Verify) => VERIFY,
        Some(Command::Fmt) => FMT,
        Some(Command::Lsp) => LSP,
    };
    let command = command.unwrap_or(Command::Compile);
    let mut out = head.to_owned();
    let mut left_out = Vec::new();
    for (group, word, heading) in GROUPS {
        let mut options = of_group(*group).filter(|spec| spec.commands.contains(&command)).peekable();
        if options.peek().is_none() {
            continue;
        }
        if is_left_out(command, *group) {
            left_out.push(*word);
            continue;
        }
        let _ = writeln!(out, "\n{heading}:");
        for spec in options {
            let left = usage_of(spec);
            match left.len() <= LEFT {
                true => _ = writeln!(out, "  {left:LEFT$}  {}", spec.short),
                false => _ = writeln!(out, "  {left}\n  {:LEFT$}  {}", "", spec.short),
            }
        }
    }
    if !left_out.is_empty() {
        out.push('\n');
        out += &wrapped(&format!("More options: wgc help GROUP, where GROUP is {}.", left_out.join(", ")), 0);
        out += "wgc --help-all shows every option with its full description.\n";
    }
    out
}

/// Columns of the names in help.
const LEFT: usize = 24;

/// Columns of a line of help.
const WIDTH: usize = 80;

fn of_group(group: Group) -> impl Iterator<Item = &'static Spec> {
    OPTIONS.iter().filter(move |spec| spec.group == group)
}

/// Returns the names of an option with its value.
fn usage_of(spec: &Spec) -> String {
    spec.names.join(", ") + &spec.value_text()
}

/// Returns the valid values of an option as a sentence, unless its description lists them all.
fn choices_of(spec: &Spec) -> String {
    match spec.choices.iter().all(|choice| spec.help.contains(&format!("`{choice}`"))) {
        true => String::new(),
        false => format!(". Values: {}", spec.choices.join(", ")),
    }
}

/// Returns the names of an option with the text of its value and its description. The options of bindings have different
/// values, so each has an entry of its own.
fn entries(spec: &Spec) -> Vec<(&[&str], String, String)> {
    if spec.opt != Opt::Binding {
        return vec![(spec.names, spec.value_text(), spec.help.to_owned() + &choices_of(spec))];
    }
    let rows = spec.names.chunks(1).zip(BINDING_OPTIONS);
    let of_row = |(name, (_, values, help)): (_, &BindingOption)| {
        let value = if values.is_empty() { String::new() } else { format!(" {values}") };
        (name, value, (*help).to_owned())
    };
    rows.map(of_row).collect()
}

/// Returns the whole descriptions of the options in a group.
pub fn group_text(group: Group) -> String {
    let heading = GROUPS.iter().find(|row| row.0 == group).map_or("", |row| row.2);
    let mut out = format!("{heading}:\n");
    for spec in of_group(group) {
        for (names, value, help) in entries(spec) {
            out += &wrapped(&(names.join(", ") + &value), 2);
            out += &wrapped(&help.replace('`', ""), 6);
        }
    }
    out
}

/// Returns the general help with the whole descriptions of all options.
pub fn all_text() -> String {
    let groups = GROUPS.iter().map(|(group, ..)| format!("\n{}", group_text(*group)));
    GENERAL.to_owned() + &groups.collect::<String>()
}

/// Breaks a text between words, with so many columns before each line.
fn wrapped(text: &str, indent: usize) -> String {
    let mut out = String::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && indent + line.len() + 1 + word.len() > WIDTH {
            let _ = writeln!(out, "{:indent$}{line}", "");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    let _ = writeln!(out, "{:indent$}{line}", "");
    out
}

const DOCUMENT: &str = "\
# Command line

Written from the tables in `src/cli/` (`WGC_UPDATE_DOCS=1 cargo test -p wgc-compiler --lib page`).

`wgc --help` shows the common options, `wgc help GROUP` one group of options, and `wgc --help-all` all options.

## Spelling

- DXC's spellings work: `/T` is the same as `-T`. A value may follow directly (`-DN=4`, `-Tcs_6_6`, `-E=main`) or as the next argument.
- `@FILE` is replaced by the arguments in FILE.
- An unknown option is an error. The message names a similar one, if there is one.
- `-E NAME` with `-T lib_*` has no effect, as in DXC: all nodes, or all compute shaders, are compiled. Without `-T`, it is an error.

## Files

- A file on the command line may be a pipe. `-` and `/dev/stdin` are standard input; `<(command)` and FIFOs work too.
- Files that sources, run files, packages or `wgc.json` name are regular files.
- Each file is opened once and read up to a limit for its kind ([limits.md](limits.md)).
- If a run file comes through a pipe, file names in it are relative to the current directory.
- At any time, an output file has its old or its complete new contents ([robustness.md](robustness.md)). The file of `--records-json`
  appears when the run has ended. `--records-json -` prints each record during the run.
- Only `wgc fmt` overwrites a file that it reads. Two outputs cannot be the same file.
- `wgc.json`, in the current directory or above, has the files and options of `--program NAME`. `shadertoolsconfig.json`, next to a source
  or above it, has macros and directories of included files.
- With `WGC_SIMULATE_INTERNAL_ERROR=1` in the environment, wgc shows the message for an internal error.

## Untrusted sources

Use `--include-root DIR` for sources that you do not trust:

- `#include` and `__has_include` only find files inside DIR, after links are resolved. Without the option, wgc reads files in all
  directories.
- Directories of `-I`, and files that `wgc.json` and run files name, must be inside DIR too.
- No message shows the contents of other files.
- The option replaces `include_roots` of `wgc.json`, and `--include-root` in its `options` and in `args` of a run file.
- `options` of `wgc.json` and `args` of a run file cannot have options that write files.

```sh
wgc check stranger/a.hlsl -I lib --include-root stranger --include-root lib
```

";

/// Returns the text of `docs/command-line.md`.
pub fn document() -> String {
    let mut out = DOCUMENT.to_string();
    let cell = |text: &str| text.replace('|', "\\|");
    for (group, _, heading) in GROUPS {
        let _ = writeln!(out, "## {heading}\n\n| option | commands | description |\n|---|---|---|");
        for spec in of_group(*group) {
            let commands: Vec<&str> = spec.commands.iter().map(|c| command_word(*c)).collect();
            let commands = if commands.len() == ALL.len() { "all".to_string() } else { commands.join(", ") };
            for (names, value, help) in entries(spec) {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}{value}`")).collect();
                let _ = writeln!(out, "| {} | {commands} | {} |", cell(&names.join(", ")), cell(&help));
            }
        }
        out.push('\n');
    }
    let rows = |wanted: fn(&Effect) -> Option<&'static str>| {
        let mut out = String::from("| option | |\n|---|---|\n");
        for row in dxc::TABLE {
            let Some(why) = wanted(&row.effect) else { continue };
            let value = match row.shape {
                OptionShape::Flag => "",
                OptionShape::Joined => "..",
                OptionShape::Value | OptionShape::Words(1) => " ..",
                OptionShape::Words(_) => " .. ..",
            };
            let _ = writeln!(out, "| `-{}{value}` | {why} |", row.name);
        }
        out
    };
    out += "## Warnings of DXC\n\nAfter `-W`, these names of DXC select warnings of wgc. `everything` selects all warnings. Other names of DXC have no effect. A name that is probably misspelt gets a warning.\n\n";
    out += "| name | |\n|---|---|\n";
    for (group, codes) in super::warnings::GROUPS {
        let codes: Vec<String> = codes.iter().map(|c| format!("{} `{}`", c.row().code, c.row().name)).collect();
        let _ = writeln!(out, "| `{group}` | {} |", codes.join(", "));
    }
    out += "\n## Options of DXC that are accepted and change nothing\n\n";
    out += &rows(|effect| if let Effect::None(why) = effect { Some(why) } else { None });
    out += "\n## Options of DXC that are refused\n\n";
    out += &rows(|effect| if let Effect::Refused(why) = effect { Some(why) } else { None });
    out
}

fn command_word(command: Command) -> &'static str {
    match command {
        Command::Compile => "compile",
        Command::Check => "check",
        Command::Run => "run",
        Command::Devices => "devices",
        Command::Explain => "explain",
        Command::Verify => "verify",
        Command::Fmt => "fmt",
        Command::Lsp => "lsp",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_fits_a_terminal_and_names_every_option() {
        for command in ALL.iter().map(|command| Some(*command)).chain([None]) {
            let text = text(command);
            let wide = text.lines().find(|line| line.chars().count() > WIDTH);
            assert!(wide.is_none(), "{command:?}: {wide:?}");
            assert!(text.lines().count() <= 110, "{command:?} has {} lines", text.lines().count());
        }
        let all = all_text();
        let missing = OPTIONS.iter().flat_map(|spec| spec.names).find(|name| !all.contains(*name));
        assert!(missing.is_none(), "{missing:?}");
        assert!(all.lines().all(|line| line.chars().count() <= WIDTH || !line.trim().contains(' ')));
        let groups: Vec<Group> = GROUPS.iter().map(|row| row.0).collect();
        assert!(OPTIONS.iter().all(|spec| groups.contains(&spec.group)));
    }

    #[test]
    fn command_line_page_matches_the_option_tables() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/command-line.md");
        let wanted = document();
        if std::env::var_os("WGC_UPDATE_DOCS").is_some() {
            std::fs::write(path, &wanted).expect("it can be written");
        }
        let found = std::fs::read_to_string(path).unwrap_or_default();
        assert!(found == wanted, "docs/command-line.md is old; run this test with WGC_UPDATE_DOCS=1");
    }
}
