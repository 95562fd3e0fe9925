//! Help texts, with options from the table and examples from here.

use super::dxc::{self, Effect, Shape};
use super::options::{ALL, Command, OPTIONS};
use std::fmt::Write;

const GENERAL: &str = "\
wgc compiles HLSL work graphs to SPIR-V, checks the whole graph, and runs it.

Usage:
  wgc SHADER... [OPTIONS]           compile
  wgc check [SHADER...] [OPTIONS]   check only; without SHADER every program of wgc.json
  wgc run [SHADER...] --inputs FILE [OPTIONS]
                                    execute on a device and compare with expected results
  wgc devices                       list the devices that `wgc run` can use
  wgc explain [CODE...]             what a diagnostic means, with examples; without CODE a list of all
  wgc verify MODULE...              what is wrong with SPIR-V modules, those of other compilers too
  wgc fmt FILE... [--check]         format files
  wgc help COMMAND

Several files form one graph, each a translation unit: names and macros of one are unknown in another. -D or --spec
between two files holds for the second alone; elsewhere options hold for all. - is standard input, and what is made of
it is called out. --program NAME takes files and options from wgc.json, here or in a folder above; shadertoolsconfig.json
beside a file or above it gives macros and include directories.

Examples:
  wgc graph.hlsl                                 writes graph.wgcpkg: compute shaders for Vulkan 1.2
  wgc graph.hlsl --target spirv-amdx             writes graph.spv for VK_AMDX_shader_enqueue
  wgc graph.hlsl --emit asm -D QUALITY=2         prints SPIR-V text
  wgc cull.hlsl -D SIDE=0 draw.hlsl -D SIDE=1 draw.hlsl
                                                 three translation units, one graph
  wgc run --inputs graph.run.json                runs it on the built-in CPU device

Exit status: 0 success, 1 errors in the source or a failed expectation, 2 wrong usage or unreadable input,
101 a bug in wgc (WGC_SIMULATE_INTERNAL_ERROR=1 in the environment shows what that looks like).
";

const CHECK: &str = "\
Checks the files as one graph and reports what is wrong with it; writes nothing.

Usage: wgc check [SHADER...] [OPTIONS]

Without SHADER it checks every program of wgc.json.

Examples:
  wgc check graph.hlsl
  wgc check --program terrain
  wgc check graph.hlsl --target spirv-amdx       what this target cannot express is an error too
  wgc check materials.hlsl --library             a part of a graph: its targets may be elsewhere
  wgc check graph.hlsl --host host.json          with what the host decides (docs/host-json.md)
  wgc check graph.hlsl --budget                  also prints what each node takes of each limit
";

const RUN: &str = "\
Compiles a graph, runs it as a run file says, and compares the results with the expected ones.

Usage: wgc run [SHADER...] --inputs FILE.run.json [OPTIONS]

Without SHADER the run file names it. The device is the built-in one unless --device says otherwise.

Examples:
  wgc run --inputs examples/hello.run.json
  wgc run --inputs examples/carpet.run.json --device vulkan --out pictures
  wgc run --inputs graph.run.json --target spirv-amdx --batching single --order random:7
";

const DEVICES: &str = "\
Lists the devices that `wgc run` can use, and what keeps a Vulkan device from running emulated and native graphs.

Usage: wgc devices

Example:
  wgc devices
";

const EXPLAIN: &str = "\
Says what diagnostics mean and how they are mended. The same texts are in docs/diagnostics.md.

Usage: wgc explain [CODE...]

Without CODE it lists all. Codes are not case-sensitive, and names do as well.

Examples:
  wgc explain WG0401
  wgc explain missing-max-records
";

const VERIFY: &str = "\
Checks SPIR-V modules, whoever wrote them: the rules of SPIR-V and of Vulkan's environment for it, and those of
SPV_AMDX_shader_enqueue (docs/amdx-rules.md lists them with what the texts say). Each file is checked by itself, as a part
of a graph; with --graph they are all modules of one.

Usage: wgc verify MODULE... [OPTIONS]

- is standard input. A message has the rule, the word of the module and, where the module tells, the line of the source.
Broken rules are errors; a warning is for what the extension calls undefined.

Examples:
  wgc verify graph.spv
  wgc verify build/*.spv --message-format short
  wgc verify --graph graph.Entry.spv graph.Draw.spv
  wgc graph.hlsl --target spirv-amdx -o - | wgc verify -

Exit status: 0 no errors, 1 a broken rule or a damaged module, 2 wrong usage or a file that is no SPIR-V.
";

const FMT: &str = "\
Formats files: lays their white space out anew, and changes no token and no comment. What it does to them, and what of it
wgc.json can choose, is in docs/formatter.md. Any file can be formatted, half-typed ones too.

Usage: wgc fmt FILE... [OPTIONS]

- is standard input, and what is made of it goes to standard output. `// wgc-fmt off` and `// wgc-fmt on` (or those of
clang-format) keep what is between them as it is.

Examples:
  wgc fmt shaders/*.hlsl
  wgc fmt --check shaders/*.hlsl                 for checks before commits
  wgc fmt --braces next-line --columns 100 graph.hlsl

Exit status: 0 success, 1 with --check if a file would change, 2 wrong usage or a file that cannot be read or written.
";

const LSP: &str = "\
wgc lsp

Serves an editor by the Language Server Protocol on standard input and output; editors start it. What it does, and how
editors are set up: docs/editors.md.

Exit status: 0 the editor said goodbye, 1 it left without, 2 wrong usage.
";

/// Returns the whole text for a command, or the general text with all compile options.
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
    let mut out = format!("{head}\nOptions:\n");
    for spec in OPTIONS.iter().filter(|s| s.commands.contains(&command)) {
        let mut left = spec.names.join(", ");
        left += &spec.value_text();
        if left.len() > 24 {
            out += &format!("  {left}\n  {:24}  {}\n", "", spec.help);
        } else {
            out += &format!("  {left:24}  {}\n", spec.help);
        }
    }
    out
}

const DOCUMENT: &str = "\
# Command line

Written from the tables in `src/cli/` (`WGC_UPDATE_DOCS=1 cargo test -p wgc-compiler --lib document`).

Spellings of DXC work where they make sense: `/T` is `-T`, values join (`-DN=4`, `-Tcs_6_6`, `-E=main`) or stand apart,
`@FILE` stands for the arguments in a file. An option that is in neither table is an error that names the nearest one.

A file on the command line may be a pipe: `-` and `/dev/stdin` are standard input, and `<(command)` and FIFOs work too. Files that
sources, run files, packages or `wgc.json` name are regular files. Each file is opened once, and read up to a size for its kind
([limits.md](limits.md)). The names in a run file that comes through a pipe start in the current directory.

Files are written beside their place and renamed: each has the old contents or the new ones at any time
([robustness.md](robustness.md)). That holds for `--records-json FILE` too, which is there when the run has ended; `-` shows
records as they come.

`--include-root DIR` is for sources of strangers. `#include` and `__has_include` find files in DIR alone, with links resolved,
along `-I` too; other files cannot be found, and no message shows their contents. Given several times, it allows several folders.
Without it nothing is confined. On the command line it takes the place of the folders that `wgc.json` allows.

```
wgc check stranger/a.hlsl -I lib --include-root stranger --include-root lib
```

`-E NAME` beside a library profile is accepted and has no effect, as in DXC: all nodes, or all compute shaders, are compiled.

";

/// Returns the text of `docs/command-line.md`.
pub fn document() -> String {
    let mut out = DOCUMENT.to_string();
    let cell = |text: &str| text.replace('|', "\\|");
    out += "## Options\n\n| option | commands | |\n|---|---|---|\n";
    for spec in OPTIONS {
        let value = spec.value_text();
        let names: Vec<String> = spec.names.iter().map(|n| format!("`{n}{value}`")).collect();
        let commands: Vec<&str> = spec.commands.iter().map(|c| command_word(*c)).collect();
        let commands = if commands.len() == ALL.len() { "all".to_string() } else { commands.join(", ") };
        let choices = match spec.choices {
            [] => String::new(),
            choices => format!(" ({})", choices.join(", ")),
        };
        let _ = writeln!(out, "| {} | {commands} | {}{} |", cell(&names.join(", ")), cell(spec.help), cell(&choices));
    }
    let rows = |wanted: fn(&Effect) -> Option<&'static str>| {
        let mut out = String::from("| option | |\n|---|---|\n");
        for row in dxc::TABLE {
            let Some(why) = wanted(&row.effect) else { continue };
            let value = match row.shape {
                Shape::Flag => "",
                Shape::Joined => "..",
                Shape::Value | Shape::Words(1) => " ..",
                Shape::Words(_) => " .. ..",
            };
            let _ = writeln!(out, "| `-{}{value}` | {why} |", row.name);
        }
        out
    };
    out += "\n## Warnings of DXC\n\nBehind `-W`, these names of DXC stand for ours; `everything` is all, and others change nothing.\n\n";
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
    #[test]
    fn the_document_is_what_the_tables_say() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/command-line.md");
        let wanted = super::document();
        if std::env::var_os("WGC_UPDATE_DOCS").is_some() {
            std::fs::write(path, &wanted).expect("it can be written");
        }
        let found = std::fs::read_to_string(path).unwrap_or_default();
        assert!(found == wanted, "docs/command-line.md is old; run this test with WGC_UPDATE_DOCS=1");
    }
}
