//! Compiles with wgc, in this process.

use crate::isolate::caught;
use wgc_abi::Package;
use wgc_abi::interface::Interface;
use wgc_backend_spirv::{DebugInfo, EmitOptions, SpirvModule};
use wgc_compiler::{Failure, Session};
use wgc_ir::passes::OptLevel;
use wgc_sema::db::Options;
use wgc_sema::tables::codes::Severity;

/// The reason for a missing module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The first error of the source: its code, and the message with its line.
    Source { code: String, message: String },
    /// The target does not support the program.
    Target(String),
    /// An error of wgc: an internal error or a panic.
    Broken(String),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Source { code, message } => write!(f, "{code}: {message}"),
            Refusal::Target(message) => f.write_str(message),
            Refusal::Broken(message) => write!(f, "internal error: {message}"),
        }
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        match failure {
            Failure::Target(message) => Refusal::Target(message),
            Failure::Source(error) => Refusal::Source { code: error.code.to_string(), message: error.message },
            Failure::Internal(error) => Refusal::Broken(error.0),
        }
    }
}

/// A compiler that reuses the built-in declarations for all programs.
pub struct Ours {
    session: Option<Session>,
    level: OptLevel,
    debug: DebugInfo,
}

impl Default for Ours {
    fn default() -> Ours {
        let EmitOptions { level, debug, .. } = EmitOptions::default();
        Ours { session: None, level, debug }
    }
}

impl Ours {
    /// Creates a compiler with a level of optimisation.
    pub fn at(level: OptLevel) -> Ours {
        Ours { level, ..Ours::default() }
    }

    /// Creates one that also emits all debug information.
    pub fn debugging(level: OptLevel) -> Ours {
        Ours { debug: DebugInfo::FULL, ..Ours::at(level) }
    }

    /// Passes a program of one file, without errors, to `read`.
    ///
    /// # Errors
    /// wgc refuses the program, or is broken.
    pub fn program<T>(
        &mut self,
        file: &str,
        options: Options,
        read: impl FnOnce(&Session) -> Result<T, Failure>,
    ) -> Result<T, Refusal> {
        let before = self.session.take();
        let emit = EmitOptions { level: self.level, debug: self.debug, ..EmitOptions::default() };
        let done = caught(move || {
            let session = match before {
                Some(session) => session.another(&[file], options),
                None => Session::new(&[file], options),
            };
            let session = session.emitting(emit);
            let diagnostics = session.diagnostics();
            let error = diagnostics.iter().find(|d| d.severity == Severity::Error);
            let result = match error {
                Some(error) => {
                    let text = session.text(file);
                    let start = error.labels.first().map_or(0, |label| label.range.lo as usize);
                    let line = text.iter().take(start).filter(|byte| **byte == b'\n').count() + 1;
                    let message = format!("line {line}: {}", error.message);
                    Err(Refusal::Source { code: error.code.to_string(), message })
                }
                None => read(&session).map_err(Refusal::from),
            };
            (session, result)
        });
        // A panic leaves an inconsistent database.
        let (session, result) = done.map_err(Refusal::Broken)?;
        self.session = Some(session);
        result
    }

    /// Returns the module of compute shaders, and the host's bindings.
    ///
    /// # Errors
    /// See [`Ours::program`].
    pub fn compute(&mut self, file: &str, options: Options) -> Result<(SpirvModule, Interface), Refusal> {
        self.program(file, options, |session| Ok((session.compute()?, session.interface()?)))
    }

    /// Returns the graph for both targets: the native module, and the package.
    ///
    /// # Errors
    /// See [`Ours::program`].
    pub fn graph(&mut self, file: &str, options: Options) -> Result<(SpirvModule, Package), Refusal> {
        self.program(file, options, |session| Ok((session.native()?, session.emulated(&session.emulated_options())?)))
    }
}
