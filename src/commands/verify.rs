//! `wgc verify`: validates any SPIR-V module.

use super::messages::{Messages, format, stream};
use super::{FAILED, NamedBy, OK, Stop, is_module, named, read_file};
use crate::cli::options::{Command, Opt};
use crate::cli::parse::Invocation;
use crate::report::{self, Format, Visible};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write;
use wgc_abi::file::Content;
use wgc_sema::tables::codes::Severity;
use wgc_spirv_module::verify::summary;
use wgc_spirv_module::{Extent, LoadError, Module, NodeName, Part, Violation, node_names, verify_set, words};

/// Checks each file alone, or with `--graph` all of them as the modules of one graph.
pub(super) fn verify(invocation: &Invocation, to: &mut Messages) -> Result<u8, Stop> {
    if invocation.files.is_empty() {
        return Err(Stop::Usage("`wgc verify` needs SPIR-V modules".into()));
    }
    // Read all files first: after a wrong name, a partial list of findings would look complete.
    let modules = invocation.files.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>()?;
    let mut status = OK;
    for (file, found) in invocation.files.iter().zip(findings(&modules, invocation.has(Opt::WholeGraph))) {
        if found.iter().any(|f| f.severity == Severity::Error) {
            status = FAILED;
        }
        let name = named(file);
        match format(invocation) {
            Format::Sarif => {
                let (rules, results) = sarif(name, &found);
                to.log(invocation).add_run(rules, results);
            }
            Format::Json => {
                write_to(&mut stream(Command::Verify), found.iter().map(|f| format!("{}\n", object(name, f))))
            }
            Format::Short => write_to(&mut Visible(std::io::stderr()), found.iter().map(|f| short(name, f))),
            Format::Human => write_to(
                &mut Visible(std::io::stderr()),
                found.iter().map(|f| human(name, f)).chain(count(name, &found)),
            ),
        }
    }
    Ok(status)
}

/// A reader may close the pipe early: the exit status still reports the result.
fn write_to(out: &mut dyn Write, texts: impl Iterator<Item = String>) {
    let all: String = texts.collect();
    let _ = out.write_all(all.as_bytes()).and_then(|()| out.flush());
}

fn read(file: &str) -> Result<Vec<u8>, Stop> {
    let bytes = read_file(file, Content::Module, NamedBy::User)?;
    if !is_module(&bytes) {
        return Err(Stop::Usage(format!("{file} is not a SPIR-V module")));
    }
    Ok(bytes)
}

/// A violation or a load error.
struct Finding {
    severity: Severity,
    /// The ID of the rule and its reference in the specification; `None` for a file that cannot be loaded.
    rule: Option<(&'static str, &'static str)>,
    message: String,
    help: String,
    word: usize,
    line: Option<(String, u32, u32)>,
}

/// Returns the findings of each file. With `whole`, the files form one graph.
fn findings(files: &[Vec<u8>], whole: bool) -> Vec<Vec<Finding>> {
    let load = |bytes: &Vec<u8>| words::from_bytes(bytes).and_then(|words| Module::load(&words));
    let loaded: Vec<Result<Module, LoadError>> = files.iter().map(load).collect();
    let modules: Vec<&Module> = loaded.iter().flatten().collect();
    let names = |module: &&Module| {
        let alone = [*module];
        node_names(module, if whole { &modules } else { &alone })
    };
    let names: Vec<Vec<NodeName>> = modules.iter().map(names).collect();
    let parts: Vec<Part> = modules.iter().zip(&names).map(|(module, names)| Part { module, names }).collect();
    // An unreadable file may contain producers for the nodes of others.
    let extent = if parts.len() == loaded.len() { Extent::All } else { Extent::Some };
    let found = match whole {
        true => verify_set(&parts, extent),
        false => parts.iter().flat_map(|part| verify_set(&[*part], Extent::Some)).collect(),
    };
    let mut found = found.into_iter();
    let of_file = |loaded: &Result<Module, LoadError>| match loaded {
        Ok(_) => found.next().unwrap_or_default().into_iter().map(of_violation).collect(),
        Err(LoadError { word, message }) => {
            let (word, message) = (*word, message.clone());
            vec![Finding { severity: Severity::Error, rule: None, message, help: String::new(), word, line: None }]
        }
    };
    loaded.iter().map(of_file).collect()
}

fn of_violation(v: Violation) -> Finding {
    let severity = if v.is_error() { Severity::Error } else { Severity::Warning };
    Finding { severity, rule: Some((v.rule, v.spec_ref)), message: v.message, help: v.help, word: v.word, line: v.line }
}

/// Describes a rule with its reference.
fn rule_text((id, spec): (&'static str, &'static str)) -> String {
    format!("{} ({spec})", summary(id))
}

fn human(file: &str, f: &Finding) -> String {
    let mut out = f.severity.to_string();
    if let Some((id, _)) = f.rule {
        let _ = write!(out, "[{id}]");
    }
    let _ = write!(out, ": {}\n  --> {file}, word {}", f.message, f.word);
    if let Some((source, line, column)) = &f.line {
        let _ = write!(out, ", from {source}:{line}:{column}");
    }
    out.push('\n');
    if !f.help.is_empty() {
        let _ = writeln!(out, "  = help: {}", f.help);
    }
    if let Some(rule) = f.rule {
        let _ = writeln!(out, "  = rule: {}", rule_text(rule));
    }
    out.push('\n');
    out
}

fn count(file: &str, found: &[Finding]) -> Option<String> {
    let of = |severity, what: &str| match found.iter().filter(|f| f.severity == severity).count() {
        0 => None,
        1 => Some(format!("1 {what}")),
        n => Some(format!("{n} {what}s")),
    };
    let parts: Vec<String> =
        [of(Severity::Error, "error"), of(Severity::Warning, "warning")].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("{file}: {}\n", parts.join(", ")))
}

fn short(file: &str, f: &Finding) -> String {
    let place =
        f.line.as_ref().map_or_else(String::new, |(source, line, column)| format!(" ({source}:{line}:{column})"));
    let rule = f.rule.map_or_else(String::new, |(id, _)| format!("[{id}]"));
    format!("{file}:word {}: {}{rule}: {}{place}\n", f.word, f.severity, f.message)
}

/// Formats a finding like other commands' messages, plus the module and word, but without an end position.
fn object(file: &str, f: &Finding) -> Value {
    let mut object = report::plain(f.severity, &f.message);
    object["module"] = file.into();
    object["word"] = f.word.into();
    if let Some(rule) = f.rule {
        object["code"] = rule.0.into();
        object["name"] = summary(rule.0).into();
    }
    if let Some((source, line, column)) = &f.line {
        object["file"] = source.as_str().into();
        object["line"] = (*line).into();
        object["column"] = (*column).into();
    }
    object["notes"] = notes(f).into();
    object
}

fn notes(f: &Finding) -> Vec<String> {
    let help = Some(f.help.clone()).filter(|text| !text.is_empty());
    help.into_iter().chain(f.rule.map(rule_text)).collect()
}

/// Returns the rules and results of a run.
fn sarif(file: &str, found: &[Finding]) -> (Vec<Value>, Vec<Value>) {
    let mut ids: Vec<&str> = found.iter().filter_map(|f| Some(f.rule?.0)).collect();
    ids.sort_unstable();
    ids.dedup();
    let rules = ids.iter().map(|id| json!({ "id": id, "shortDescription": { "text": summary(id) } })).collect();
    let results = found.iter().map(|f| {
        let mut text = format!("{} (word {})", f.message, f.word);
        for note in notes(f) {
            let _ = write!(text, "\n{note}");
        }
        let place = match &f.line {
            Some((source, line, column)) => json!({
                "artifactLocation": report::artifact(source), "region": { "startLine": line, "startColumn": column },
            }),
            None => json!({ "artifactLocation": report::artifact(file) }),
        };
        let mut result = json!({
            "level": if f.severity == Severity::Error { "error" } else { "warning" },
            "message": { "text": text },
            "locations": [{ "physicalLocation": place }],
        });
        if let Some((id, _)) = f.rule {
            result["ruleId"] = id.into();
            result["ruleIndex"] = ids.binary_search(&id).unwrap_or_default().into();
        }
        result
    });
    (rules, results.collect())
}
