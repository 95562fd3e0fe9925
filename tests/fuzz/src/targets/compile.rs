//! The whole compiler: diagnostics, and modules of both targets.

use super::holds;
use crate::sessions::with_session;
use wgc_backend_spirv::SpirvModule;
use wgc_compiler::report::{Format, to_string};
use wgc_compiler::{Failure, Session, Target};
use wgc_sema::db::diagnostic::Rendered;
use wgc_sema::tables::codes::Severity;
use wgc_spirv_module::{Module, verify};

/// Runs the target `check`.
pub fn check(input: &[u8]) -> Result<bool, String> {
    with_session(input, |session, input| {
        let diagnostics = session.diagnostics();
        places(session, &diagnostics)?;
        for format in [Format::Human, Format::Short, Format::Json] {
            to_string(&diagnostics, format, &|path| session.text(path));
        }
        places(session, &session.preprocessor_diagnostics())?;
        session.syntax_tree();
        session.picture();
        session.budgets();
        session.preprocessed();
        session.declared_resources();
        holds(session.files().len() <= input.files.len(), || format!("it has the files {:?}", session.files()))?;
        Ok(diagnostics.iter().all(|d| d.severity != Severity::Error))
    })
}

/// Checks that labels and fixes are in existing texts, at character boundaries.
fn places(session: &Session, diagnostics: &[Rendered]) -> Result<(), String> {
    for diagnostic in diagnostics {
        let labels = diagnostic.labels.iter().map(|label| &label.range);
        for range in labels.chain(diagnostic.fix.iter().map(|fix| &fix.range)) {
            let text = session.text(&range.file);
            holds(range.lo <= range.hi && range.hi as usize <= text.len(), || {
                format!("{:?} is at {range:?} of {} bytes", diagnostic.message, text.len())
            })?;
        }
        holds(!diagnostic.message.is_empty(), || format!("{:?} has no message", diagnostic.code))?;
    }
    Ok(())
}

/// Modules by the names of their files.
type Modules = Vec<(String, Vec<u32>)>;

/// Compares a check with the compiled modules. A program with errors must produce none.
fn compiled(
    session: &Session,
    checked: &Result<(), Failure>,
    made: Result<Modules, Failure>,
) -> Result<Modules, String> {
    let diagnostics = session.diagnostics();
    let error = diagnostics.iter().find(|d| d.severity == Severity::Error);
    let message_of = |failure: &Failure| match failure {
        Failure::Source(diagnostic) => Ok(diagnostic.message.clone()),
        Failure::Target(message) => Ok(message.clone()),
        Failure::Internal(error) => Err(format!("an internal error: {}", error.0)),
    };
    if let Err(failure) = checked {
        message_of(failure)?;
    }
    match (error, checked, made) {
        (Some(error), _, Ok(_)) => Err(format!("it is compiled although there is an error: {}", error.message)),
        (Some(error), Ok(()), Err(_)) => Err(format!("the check accepts what has an error: {}", error.message)),
        (Some(_), Err(_), Err(failure)) => message_of(&failure).map(|_| Vec::new()),
        (None, Ok(()), Ok(modules)) => Ok(modules),
        (None, Err(refused), Ok(_)) => Err(format!("the check refuses what is compiled: {}", message_of(refused)?)),
        (None, Ok(()), Err(failure)) => Err(format!("the check accepts what is refused: {}", message_of(&failure)?)),
        (None, Err(checked), Err(failure)) => {
            let (checked, failure) = (message_of(checked)?, message_of(&failure)?);
            holds(checked == failure, || format!("the check says\n{checked}\nand the compiler\n{failure}"))?;
            Ok(Vec::new())
        }
    }
}

/// Passes modules through both verifiers.
fn valid(modules: &Modules) -> Result<(), String> {
    for (file, words) in modules {
        let module = Module::load(words).map_err(|e| format!("{file} does not load: {e}"))?;
        let broken = verify(&module).into_iter().find(wgc_spirv_module::Violation::is_error);
        holds(broken.is_none(), || format!("{file} is invalid: {broken:?}"))?;
        #[cfg(feature = "spirv-tools")]
        super::agreement::accepted(words, &module).map_err(|e| format!("SPIRV-Tools refuses {file}: {e}"))?;
    }
    Ok(())
}

fn one(module: &SpirvModule) -> Modules {
    vec![("the module".to_owned(), module.words.clone())]
}

/// Runs the target `compile-native`.
pub fn native(input: &[u8]) -> Result<bool, String> {
    with_session(input, |session, _| {
        if session.is_compute() {
            return Ok(false);
        }
        let checked = session.check(Target::Amdx).map(|_| ());
        let made = session.native().map(|module| {
            module.disassemble();
            one(&module)
        });
        let modules = compiled(session, &checked, made)?;
        if modules.is_empty() {
            return Ok(false);
        }
        valid(&modules)?;
        let nodes = session.native_nodes().map_err(|failure| format!("no module for each node: {failure:?}"))?;
        let nodes: Modules = nodes.into_iter().map(|(name, module)| (name, module.words)).collect();
        valid(&nodes)?;
        described(session)?;
        Ok(true)
    })
}

/// Runs the target `compile-emulated`.
pub fn emulated(input: &[u8]) -> Result<bool, String> {
    with_session(input, |session, _| {
        if session.is_compute() {
            return Ok(false);
        }
        let checked = session.check(Target::Emulated).map(|_| ());
        let mut package = None;
        let made = session.emulated(&session.emulated_options()).map(|made| {
            // Kernels belong to wgc and are identical for every program.
            let is_node = |file: &String| {
                made.manifest.instances.iter().any(|instance| {
                    made.manifest.modules.get(instance.module as usize).is_some_and(|module| module.file == *file)
                })
            };
            let modules = made.modules.iter().filter(|(file, _)| is_node(file));
            let modules = modules.map(|(file, words)| (file.clone(), words.clone())).collect();
            package = Some(made);
            modules
        });
        let modules = compiled(session, &checked, made)?;
        valid(&modules)?;
        let Some(package) = package else { return Ok(false) };
        let bytes = package.packed().map_err(|e| format!("the package is not packed: {e}"))?;
        let read = wgc_abi::Package::unpacked(&bytes).map_err(|e| format!("the package is not read: {e}"))?;
        holds(read.manifest == package.manifest && read.modules == package.modules, || {
            "the package is another one after it was packed".to_owned()
        })?;
        session.c_header(Target::Emulated).map_err(|failure| format!("no header: {failure:?}"))?;
        described(session)?;
        Ok(true)
    })
}

/// Checks that the descriptions of a compiled program exist.
fn described(session: &Session) -> Result<(), String> {
    session.interface().map_err(|failure| format!("no interface: {failure:?}"))?;
    session.reflection().map_err(|failure| format!("no reflection: {failure:?}"))?;
    Ok(())
}

/// Runs the target `compile-compute`.
pub fn compute(input: &[u8]) -> Result<bool, String> {
    with_session(input, |session, _| {
        if !session.is_compute() {
            return Ok(false);
        }
        let checked = session.check(Target::Amdx).map(|_| ());
        let made = session.compute().map(|module| {
            module.disassemble();
            one(&module)
        });
        let modules = compiled(session, &checked, made)?;
        if modules.is_empty() {
            return Ok(false);
        }
        valid(&modules)?;
        described(session)?;
        Ok(true)
    })
}
