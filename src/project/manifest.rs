//! `wgc.json`: the programs of a project by name. The schema is in docs/wgc-json.md.
//!
//! A program is converted to the equivalent command line, so that both mean the same.

use super::confined::{confine, include_roots, move_to};
use super::formatting::Format;
use super::{Defines, Scalar, in_folder_of, parsed, read, upward};
use crate::cli::options::{Command, Opt};
use crate::cli::parse::{self, Invocation, Request};
use crate::loader::{is_outside, outside};
use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use std::fmt;
use std::path::{Path, PathBuf};

const NAME: &str = "wgc.json";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `programs`")]
struct File {
    programs: IndexMap<String, Program>,
    #[serde(default)]
    format: Format,
    #[serde(rename = "$schema")]
    _schema: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `files`")]
struct Program {
    #[serde(deserialize_with = "units")]
    files: Vec<Unit>,
    #[serde(default)]
    include: Vec<String>,
    #[serde(default)]
    include_roots: Vec<String>,
    #[serde(default)]
    defines: Defines,
    /// Options as on the command line.
    #[serde(default)]
    options: Vec<String>,
    host: Option<String>,
}

/// A file with its own settings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a path, or an object with a `file`")]
struct Unit {
    file: String,
    #[serde(default)]
    defines: Defines,
    /// Values by ID.
    #[serde(default)]
    spec_constants: IndexMap<u32, Scalar>,
}

/// Reads files as paths, or as objects with their own settings.
fn units<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Unit>, D::Error> {
    struct Read;
    impl<'de> Visitor<'de> for Read {
        type Value = Unit;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a path, or an object with a `file`")
        }

        fn visit_str<E: de::Error>(self, path: &str) -> Result<Unit, E> {
            Ok(Unit { file: path.to_owned(), defines: Defines::default(), spec_constants: IndexMap::new() })
        }

        fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Unit, M::Error> {
            Unit::deserialize(MapAccessDeserializer::new(map))
        }
    }
    /// One file.
    struct Source(Unit);
    impl<'de> Deserialize<'de> for Source {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Source, D::Error> {
            from.deserialize_any(Read).map(Source)
        }
    }
    Ok(Vec::<Source>::deserialize(from)?.into_iter().map(|source| source.0).collect())
}

/// The programs that a `wgc.json` names.
#[derive(Debug)]
pub struct Manifest {
    path: PathBuf,
    file: File,
}

impl Manifest {
    /// Finds the manifest of the current directory or its nearest parent for a command line.
    ///
    /// # Errors
    /// A message about an invalid file, or one outside of the folders of `--include-root`.
    pub fn find(given: &Invocation) -> Result<Option<Manifest>, String> {
        let Some(path) = Manifest::path_for(Path::new("")) else { return Ok(None) };
        let name = path.to_string_lossy();
        match is_outside(&name, &include_roots(given)?) {
            true => Err(outside(&name)),
            false => Manifest::read(path).map(Some),
        }
    }

    fn path_for(folder: &Path) -> Option<PathBuf> {
        upward(folder, NAME).into_iter().next()
    }

    fn read(path: PathBuf) -> Result<Manifest, String> {
        Ok(Manifest { file: read(&path)?, path })
    }

    /// Finds the manifest of a folder or its nearest parent.
    ///
    /// # Errors
    /// Those of [`Manifest::find`].
    pub fn of(folder: &Path) -> Result<Option<Manifest>, String> {
        Manifest::path_for(folder).map(Manifest::read).transpose()
    }

    /// Parses a manifest that was read.
    ///
    /// # Errors
    /// Those of [`Manifest::find`].
    pub fn of_bytes(path: &Path, bytes: Vec<u8>) -> Result<Manifest, String> {
        Ok(Manifest { path: path.to_owned(), file: parsed(path, bytes)? })
    }

    /// Returns the path of the manifest.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the format of the project's files.
    pub fn format(&self) -> Format {
        self.file.format.clone()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.file.programs.keys().map(String::as_str)
    }

    /// Returns the command line of a program: `given` plus the program's files and, before the given options, the
    /// program's own.
    ///
    /// # Errors
    /// A message about an unknown name or invalid options.
    pub fn invocation(&self, name: &str, given: &Invocation) -> Result<Invocation, String> {
        let shown = self.path.display();
        let Some(program) = self.file.programs.get(name) else {
            let known: Vec<&str> = self.names().collect();
            let known = if known.is_empty() { "no programs".to_owned() } else { known.join(", ") };
            return Err(format!("{shown} has no program `{name}`; it has {known}"));
        };
        let wrong = |what: String| format!("{shown}: program `{name}`: {what}");
        if program.files.is_empty() {
            return Err(wrong("it has no files".into()));
        }
        let mut out = self.options(program, given.command).map_err(wrong)?;
        for unit in &program.files {
            out.files.push(in_folder_of(&self.path, &unit.file));
            let constants = unit.spec_constants.iter().map(|(id, value)| format!("{id}={}", value.text()));
            let constants = constants.map(|given| (Opt::Specialise, given));
            out.own.push(defines(&unit.defines).into_iter().chain(constants).collect());
        }
        out.options.extend(program.include.iter().map(|dir| (Opt::Include, in_folder_of(&self.path, dir))));
        let roots = program.include_roots.iter().map(|dir| (Opt::IncludeRoot, in_folder_of(&self.path, dir)));
        out.options.extend(roots);
        out.options.extend(defines(&program.defines));
        out.options.extend(program.host.iter().map(|host| (Opt::Host, in_folder_of(&self.path, host))));
        confine(&mut out, given).map_err(wrong)?;
        let roots = include_roots(given).map_err(wrong)?;
        if let Some(file) = out.files.iter().find(|file| is_outside(file, &roots)) {
            return Err(wrong(outside(file)));
        }
        for (unit, path) in program.files.iter().zip(&out.files) {
            // The path of the current directory is empty. A package is a directory too.
            let path = Path::new(path);
            if (path.as_os_str().is_empty() || path.is_dir()) && !wgc_abi::package::is_package(path) {
                return Err(wrong(format!("`files` has the directory `{}`; name source files", unit.file)));
            }
        }
        out.of_project = out.options.len();
        out.options.extend(given.options.iter().cloned());
        out.has_given_host = given.has(Opt::Host);
        out.program = Some(name.to_owned());
        Ok(out)
    }

    fn options(&self, program: &Program, command: Command) -> Result<Invocation, String> {
        let word = match command {
            Command::Compile => None,
            other => Some(parse::command_name(other).to_owned()),
        };
        let args: Vec<String> = word.into_iter().chain(program.options.iter().cloned()).collect();
        if args.is_empty() {
            return Ok(Invocation { command, ..Invocation::default() });
        }
        match parse::parse(&args) {
            Ok(Request::Run(mut invocation)) if invocation.files.is_empty() => {
                if invocation.has(Opt::Program) {
                    return Err("`options` cannot name another program".into());
                }
                move_to(self.path.parent().unwrap_or(Path::new("")), &mut invocation);
                Ok(invocation)
            }
            Ok(Request::Run(_)) => Err("`options` can contain only options; `files` lists the sources".into()),
            Ok(_) => Err("`options` cannot ask for help or the version".into()),
            Err(e) => Err(e.0),
        }
    }
}

fn defines(defines: &Defines) -> Vec<(Opt, String)> {
    defines.iter().map(|(name, value)| (Opt::Define, format!("{name}={}", value.text()))).collect()
}
