//! `wgc SHADER...` and `wgc check`.

use super::messages::Messages;
use super::{
    CompiledKind, FAILED, OK, Stop, budget, fusion, open, plain, print, refused, report, report_all, report_emitter,
    report_for_module,
};
use crate::cli::options::Opt;
use crate::cli::parse::Invocation;
use crate::described::{lists_edges, named_target, quiet_bindings, target};
use crate::loader::STANDARD_INPUT;
use crate::option_effects::{check_outputs, check_program};
use crate::output::{self, Outputs};
use crate::{Failure, Session, Target};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use wgc_abi::stream::Stream;
use wgc_backend_spirv::{EmitWarning, SpirvModule};
use wgc_sema::db::Options;
use wgc_sema::tables::codes::Code;

/// Keeps a session until the process ends. Freeing its memory would take a tenth of the time of a small program.
fn kept(session: Session) -> &'static Session {
    Box::leak(Box::new(session))
}

pub(super) fn check(invocation: &Invocation, messages: &mut Messages) -> Result<u8, Stop> {
    let session = open(invocation, files(invocation)?, Options::default())?;
    let result = check_session(invocation, &session, messages);
    // Several programs must not all stay in memory.
    if invocation.program.is_none() {
        kept(session);
    }
    result
}

fn check_session(invocation: &Invocation, session: &Session, messages: &mut Messages) -> Result<u8, Stop> {
    if invocation.has(Opt::Budget) {
        let table = match invocation.value(Opt::MessageFormat) {
            Some("json") => budget::json_lines,
            Some("sarif") => {
                return Err(Stop::Usage("--budget prints a table or JSON lines: SARIF is for diagnostics only".into()));
            }
            _ => budget::table,
        };
        print(&table(session, invocation.program.as_deref()))?;
    }
    let lists_edges = lists_edges(invocation);
    if lists_edges && target(invocation) == Target::Amdx {
        return Err(Stop::Usage("check --fusion needs --target spirv-emulated: only that target fuses edges".into()));
    }
    if named_target(invocation).is_none() && !lists_edges {
        let mut diagnostics = session.diagnostics();
        if !invocation.has(Opt::Binding) {
            quiet_bindings(&mut diagnostics);
        }
        // An incomplete program cannot become a module.
        let is_part = invocation.has(Opt::Library) || diagnostics.iter().any(|d| d.code == Code::NoNodes);
        report_all(invocation, session, diagnostics, messages)?;
        if !is_part {
            // Refuses the options that the compilation refuses.
            product(invocation, session)?;
            let checked = session.check(target(invocation));
            checked.map_err(|e| refused(invocation, session, e, messages))?;
        }
    } else {
        report_for_module(invocation, session, messages)?;
        if lists_edges {
            let (format, program) = (invocation.value(Opt::MessageFormat), invocation.program.as_deref());
            print(&fusion::print_edges(session, format, program)?)?;
            // A library may lack the part of the graph that the target needs.
            if invocation.has(Opt::Library) && named_target(invocation).is_none() {
                return Ok(OK);
            }
        }
        let checked = match product(invocation, session)? {
            Product::Nodes => session.native_nodes().map(warnings_of_nodes),
            Product::Module(_) | Product::Package => session.check(target(invocation)),
        };
        let warnings = checked.map_err(|e| refused(invocation, session, e, messages))?;
        report_emitter(invocation, session, &warnings, messages)?;
    }
    Ok(OK)
}

pub(super) fn compile(invocation: &Invocation, messages: &mut Messages) -> Result<u8, Stop> {
    let files = files(invocation)?;
    let session = kept(open(invocation, files, Options::default())?);
    check_outputs(invocation)?;
    let output = invocation.value(Opt::Output).map(Path::new);
    let emit = invocation.value(Opt::Emit);
    match emit {
        Some("tokens") => return show(&session.tokens(), output, invocation, session, messages),
        Some("svg") => return show(&session.picture(), output, invocation, session, messages),
        Some("ast") => return show(&session.syntax_tree(), output, invocation, session, messages),
        _ => {}
    }
    if invocation.has(Opt::Preprocess) {
        if files.len() > 1 {
            return Err(Stop::Usage("-P preprocesses only one file".into()));
        }
        return preprocess(invocation, session, messages);
    }
    if invocation.has(Opt::Dependencies) {
        let made = output_of(invocation, session)?;
        let to = invocation.value(Opt::DependenciesTo).map(Path::new);
        let text = rule(&made, &session.files());
        let found = session.preprocessor_diagnostics();
        return write_shown(&text, to, report_all(invocation, session, found, messages).is_err());
    }
    if emit == Some("ir") {
        report(invocation, session, messages)?;
        let module = session.module().map_err(|e| refused(invocation, session, e, messages))?;
        write_text(&wgc_ir::print(&module), output)?;
        return Ok(OK);
    }
    report_for_module(invocation, session, messages)?;
    if emit == Some("reflection") {
        let reflection = session.reflection().map_err(|e| refused(invocation, session, e, messages))?;
        let text = serde_json::to_string_pretty(&reflection);
        let text = text.map_err(|e| Stop::Failed(format!("cannot write the reflection: {e}")))?;
        write_text(&(text + "\n"), output)?;
        return Ok(OK);
    }
    if emit == Some("header") {
        let text = session.c_header(target(invocation)).map_err(|e| refused(invocation, session, e, messages))?;
        write_text(&text, output)?;
        return Ok(OK);
    }
    let product = product(invocation, session)?;
    if emit == Some("asm") {
        let text = assembly(session, product).map_err(|e| refused(invocation, session, e, messages))?;
        write_text(&text, output)?;
        return Ok(OK);
    }
    let path = output_of(invocation, session)?;
    let mut outputs = Outputs::default();
    // The rule is also committed first, so that no build sees a complete module without it.
    if let Some(file) = dependencies_of(invocation, &path)? {
        outputs.file(&file, rule(&path, &session.files()).as_bytes()).map_err(cannot_write)?;
    }
    match product {
        Product::Module(kind) => {
            let module = kind(session).map_err(|e| refused(invocation, session, e, messages))?;
            report_emitter(invocation, session, &module.warnings, messages)?;
            outputs.file(&path, &module.bytes()).map_err(cannot_write)?;
        }
        Product::Nodes => {
            if Stream::named(&path).is_some() {
                let name = path.display();
                return Err(Stop::Usage(format!(
                    "-o {name}: --split-nodes writes several files; give the common beginning of their names"
                )));
            }
            let nodes = session.native_nodes().map_err(|e| refused(invocation, session, e, messages))?;
            let files: Vec<_> = nodes.iter().map(|(name, module)| (of_node(&path, name), module.bytes())).collect();
            report_emitter(invocation, session, &warnings_of_nodes(nodes), messages)?;
            for (file, bytes) in files {
                outputs.file(&file, &bytes).map_err(cannot_write)?;
            }
        }
        Product::Package => {
            let packed = invocation.has(Opt::Pack);
            if Stream::named(&path).is_some() && !packed {
                let name = path.display();
                return Err(Stop::Usage(format!(
                    "-o {name}: a package is a directory; name it, or use --pack or --emit asm"
                )));
            }
            let package =
                session.emulated(&session.emulated_options()).map_err(|e| refused(invocation, session, e, messages))?;
            let unwritten = |e: String| Stop::Failed(format!("cannot write the manifest: {e}"));
            if packed {
                let bytes = package.packed().map_err(|e| unwritten(e.to_string()))?;
                outputs.packed(&path, &bytes).map_err(cannot_write)?;
            } else {
                let files = package.files().map_err(|e| unwritten(e.to_string()))?;
                let files = files.iter().map(|f| (f.0.as_str(), f.1.as_slice()));
                outputs.package(&path, files).map_err(cannot_write)?;
            }
        }
    }
    if let Some(listing) = invocation.value(Opt::Listing) {
        outputs.file(Path::new(listing), assembly(session, product)?.as_bytes()).map_err(cannot_write)?;
    }
    outputs.commit().map_err(cannot_write)?;
    Ok(OK)
}

/// Returns the file of the rule for make, if one is requested.
fn dependencies_of(invocation: &Invocation, made: &Path) -> Result<Option<PathBuf>, Stop> {
    match invocation.value(Opt::DependenciesTo) {
        Some(file) => Ok(Some(PathBuf::from(file))),
        None if !invocation.has(Opt::WriteDependencies) => Ok(None),
        None if Stream::named(made).is_some() => {
            Err(Stop::Usage(format!("-MD names the rule like the output, which is {}: add -MF FILE", made.display())))
        }
        None => Ok(Some(made.with_extension("d"))),
    }
}

/// Returns the name of the module or package: from `-o`, or from the program or the first input, in the current
/// directory.
fn output_of(invocation: &Invocation, session: &Session) -> Result<PathBuf, Stop> {
    if let Some(output) = invocation.value(Opt::Output) {
        return Ok(PathBuf::from(output));
    }
    let extension = match product(invocation, session)? {
        Product::Module(_) | Product::Nodes => CompiledKind::Module.extension(),
        Product::Package => CompiledKind::Package.extension(),
    };
    let mut path = match &invocation.program {
        // The name is any text, such as `../terrain` or `v1.2`.
        Some(name) => Path::new(name).file_name().map_or_else(|| PathBuf::from("out"), PathBuf::from),
        None => stem(&files(invocation)?[0]),
    };
    path.as_mut_os_string().push(format!(".{extension}"));
    // A link in a folder of strangers may lead anywhere.
    if invocation.has(Opt::IncludeRoot) && path.is_symlink() {
        let name = path.display();
        return Err(Stop::Usage(format!("{name} is a link: with --include-root, name the output with -o")));
    }
    Ok(path)
}

/// Handles `-P`: writes text that can be compiled again, even if it has errors.
fn preprocess(invocation: &Invocation, session: &Session, messages: &mut Messages) -> Result<u8, Stop> {
    let to = invocation.value(Opt::PreprocessTo).or(invocation.value(Opt::Output)).unwrap_or("-");
    let failed = report_all(invocation, session, session.preprocessor_diagnostics(), messages).is_err();
    write_shown(&session.preprocessed(), Some(Path::new(to)), failed)
}

/// Returns a rule for make: the output depends on every file that was read, except standard input and pipes.
fn rule(output: &Path, files: &[String]) -> String {
    let escaped = |path: &str| path.replace('$', "$$").replace('#', "\\#").replace(' ', "\\ ");
    let mut text = format!("{}:", escaped(&output.to_string_lossy()));
    let is_named = |file: &&String| *file != STANDARD_INPUT && !wgc_abi::stream::is_stream(Path::new(file));
    for file in files.iter().filter(is_named) {
        let _ = write!(text, " \\\n  {}", escaped(file));
    }
    text + "\n"
}

/// Writes the text of `--emit` to the file of `-o`, or else to standard output.
fn write_text(text: &str, output: Option<&Path>) -> Result<(), Stop> {
    match output.filter(|path| *path != Path::new("-")) {
        Some(path) => output::write_file(path, text.as_bytes()).map_err(cannot_write),
        None => print(text),
    }
}

/// Writes a text, even if the source has errors; a file stays as it is then.
fn write_shown(text: &str, output: Option<&Path>, failed: bool) -> Result<u8, Stop> {
    if !failed || output.is_none_or(|path| path == Path::new("-")) {
        write_text(text, output)?;
    }
    Ok(if failed { FAILED } else { OK })
}

/// Writes the result of a front-end stage like [`write_shown`].
fn show(
    text: &str,
    output: Option<&Path>,
    invocation: &Invocation,
    session: &Session,
    messages: &mut Messages,
) -> Result<u8, Stop> {
    write_shown(text, output, report(invocation, session, messages).is_err())
}

/// The kind of output that a command line requests.
#[derive(Clone, Copy)]
enum Product {
    /// One SPIR-V module.
    Module(fn(&Session) -> Result<SpirvModule, Failure>),
    /// A SPIR-V module for each node.
    Nodes,
    Package,
}

/// Returns the kind of output. A program without nodes becomes the same module for both targets.
fn product(invocation: &Invocation, session: &Session) -> Result<Product, Stop> {
    let target = target(invocation);
    check_program(invocation, target, session.is_compute())?;
    if session.is_compute() {
        return Ok(Product::Module(Session::compute));
    }
    Ok(match target {
        Target::Amdx if invocation.has(Opt::SplitNodes) => Product::Nodes,
        Target::Amdx => Product::Module(Session::native),
        Target::Emulated => Product::Package,
    })
}

/// Returns the file of one node: `out/graph.Draw.spv` for the node `Draw` of `out/graph.spv`.
fn of_node(path: &Path, node: &str) -> PathBuf {
    let extension = path.extension().map_or_else(|| "spv".into(), |e| e.to_string_lossy());
    path.with_extension(format!("{node}.{extension}"))
}

fn warnings_of_nodes(nodes: Vec<(String, SpirvModule)>) -> Vec<EmitWarning> {
    nodes.into_iter().flat_map(|(_, module)| module.warnings).collect()
}

fn assembly(session: &Session, product: Product) -> Result<String, Failure> {
    match product {
        Product::Module(kind) => Ok(kind(session)?.disassemble() + "\n"),
        Product::Nodes => {
            let mut text = String::new();
            for (name, module) in session.native_nodes()? {
                let _ = writeln!(text, "; ---- {name}\n{}\n", module.disassemble());
            }
            Ok(text)
        }
        Product::Package => {
            let mut text = String::new();
            for (name, assembly) in session.emulated_assembly(&session.emulated_options())? {
                let _ = writeln!(text, "; ---- {name}\n{assembly}\n");
            }
            Ok(text)
        }
    }
}

fn files(invocation: &Invocation) -> Result<&[String], Stop> {
    if invocation.files.is_empty() {
        return Err(Stop::Usage(
            "no input file; `wgc --help` shows the usage, `--program NAME` uses the files in wgc.json".into(),
        ));
    }
    Ok(&invocation.files)
}

/// Returns the name of the output without its extension: that of the first input, in the current directory.
fn stem(file: &str) -> PathBuf {
    // Standard input has no name.
    if file == "-" {
        return PathBuf::from("out");
    }
    Path::new(file).file_stem().map_or_else(|| PathBuf::from("out"), PathBuf::from)
}

fn cannot_write((path, e): output::Failed) -> Stop {
    Stop::Usage(format!("cannot write {}: {}", path.display(), plain(&e)))
}
