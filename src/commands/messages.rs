//! Output of a command's diagnostics, in the requested format.
//!
//! Text for people goes to standard error. Machine-readable text goes to standard output of `wgc check` and
//! `wgc verify`, which write nothing else there. Other commands may write a module there, so they use standard error. A
//! document with the findings of several programs is written when the command ends.

use super::{Stop, complain, print};
use crate::cli::options::{Command, Opt};
use crate::cli::parse::Invocation;
use crate::described::warnings;
use crate::internal_error::InternalError;
use crate::report::{self, ERROR_LIMIT, Format, Log, TextOf, WriteError};
use codespan_reporting::term::termcolor::{BufferedStandardStream, ColorChoice, NoColor};
use std::io::{IsTerminal, Write};
use wgc_sema::db::diagnostic::Rendered;
use wgc_sema::tables::codes::Severity;

/// Findings that are not written yet.
#[derive(Debug, Default)]
pub(super) struct Messages {
    log: Option<(Command, Log)>,
}

impl Messages {
    /// Writes the diagnostics of a program; an error among them stops the command.
    pub fn write(
        &mut self,
        invocation: &Invocation,
        mut diagnostics: Vec<Rendered>,
        text_of: TextOf<'_>,
    ) -> Result<(), Stop> {
        warnings(invocation)?.apply(&mut diagnostics);
        let format = format(invocation);
        // A long list confuses people, but programs want all of it.
        let most = if format.is_for_machines() { 0 } else { ERROR_LIMIT };
        let limit = invocation.number(Opt::ErrorLimit)?.map_or(most, |n| n as usize);
        let written = match format {
            Format::Sarif => {
                self.log(invocation).add(report::limited(&diagnostics, limit).0, &[], text_of);
                Ok(())
            }
            Format::Json => {
                let mut out = NoColor::new(Vec::new());
                let written = report::write(&mut out, &diagnostics, format, limit, text_of);
                written.and_then(|()| Ok(stream(invocation.command).write_all(&out.into_inner())?))
            }
            Format::Human | Format::Short => {
                let mut out = BufferedStandardStream::stderr(color(invocation));
                let written = report::write(&mut out, &diagnostics, format, limit, text_of);
                written.and_then(|()| Ok(out.flush()?))
            }
        };
        match written {
            // Nobody reads the output: the exit status still reports the result.
            Ok(()) | Err(WriteError::Io(_)) => {}
            Err(WriteError::LineRange(e)) => {
                return Err(Stop::Internal(InternalError(format!("a diagnostic points outside its file: {e}"))));
            }
        }
        if report::errors(&diagnostics) > 0 { Err(Stop::Reported) } else { Ok(()) }
    }

    /// Writes warnings without a location; fails if they are errors.
    pub fn warn(&mut self, invocation: &Invocation, texts: Vec<String>) -> Result<(), Stop> {
        let Some(is_error) = warnings(invocation)?.without_code().filter(|_| !texts.is_empty()) else { return Ok(()) };
        let severity = if is_error { Severity::Error } else { Severity::Warning };
        match format(invocation) {
            Format::Sarif => {
                let texts: Vec<_> = texts.into_iter().map(|text| (severity, text)).collect();
                self.log(invocation).add(&[], &texts, &|_| [].into());
            }
            Format::Json => {
                for text in texts {
                    let _ = writeln!(stream(invocation.command), "{}", report::plain(severity, &text));
                }
            }
            Format::Human | Format::Short => texts.iter().for_each(|text| complain(&format!("{severity}: {text}"))),
        }
        if is_error { Err(Stop::Reported) } else { Ok(()) }
    }

    /// Writes the reason why a command stopped, without a location.
    pub fn fail(&mut self, invocation: &Invocation, text: String) {
        match format(invocation) {
            Format::Sarif => self.log(invocation).add(&[], &[(Severity::Error, text)], &|_| [].into()),
            Format::Json => {
                let _ = writeln!(stream(invocation.command), "{}", report::plain(Severity::Error, &text));
            }
            Format::Human | Format::Short => complain(&text),
        }
    }

    pub(super) fn log(&mut self, invocation: &Invocation) -> &mut Log {
        &mut self.log.get_or_insert_with(|| (invocation.command, Log::default())).1
    }

    /// Writes the pending document.
    pub fn end(self) -> Result<(), Stop> {
        match self.log {
            Some((Command::Check | Command::Verify, log)) => print(&log.text()),
            Some((_, log)) => {
                let _ = std::io::stderr().write_all(log.text().as_bytes());
                Ok(())
            }
            None => Ok(()),
        }
    }
}

/// Returns the stream for machine-readable formats.
pub(super) fn stream(command: Command) -> Box<dyn Write> {
    if matches!(command, Command::Check | Command::Verify) {
        Box::new(std::io::stdout())
    } else {
        Box::new(std::io::stderr())
    }
}

pub(super) fn format(invocation: &Invocation) -> Format {
    invocation.value(Opt::MessageFormat).and_then(Format::find).unwrap_or(Format::Human)
}

fn color(invocation: &Invocation) -> ColorChoice {
    match invocation.value(Opt::Color) {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ if std::env::var_os("NO_COLOR").is_some() => ColorChoice::Never,
        _ if std::io::stderr().is_terminal() => ColorChoice::Auto,
        _ => ColorChoice::Never,
    }
}
