//! Real shaders: the table of facts about compute shaders of public repositories, and their sources on this machine.
//!
//! `real/shaders.tsv` has a line for each shader, `real/repositories.tsv` the commit of each repository. The sources
//! are not part of this project: `WGC_REAL_SHADERS` names their directory. `judge` compiles and runs one shader,
//! `inputs` generates its inputs, and `compare` compares its outputs.

pub mod compare;
pub mod graphs;
pub mod inputs;
pub mod judge;

use std::path::{Path, PathBuf};
use wgc_sema::db::Options;

/// The committed table of shaders.
pub const SHADERS: &str = include_str!("../real/shaders.tsv");
/// Commits of repositories.
pub const REPOSITORIES: &str = include_str!("../real/repositories.tsv");

/// The only flag of wgc: the file is a part of a graph.
pub const LIBRARY: &str = "--library";

/// The kind of DXC's output for a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    Spirv,
    /// DXC has no SPIR-V for it: descriptor heaps, or work graphs.
    Dxil,
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shader {
    /// Relative to the directory of sources; begins with `owner+name/`.
    pub path: String,
    /// Empty for libraries.
    pub entry: String,
    pub profile: String,
    pub peer: Peer,
    pub defines: Vec<String>,
    /// Relative to the directory of sources.
    pub include_dirs: Vec<String>,
    pub flags: Vec<String>,
    /// `ok`, or the code of the error.
    pub wgc: String,
    /// The result of running it: see `real/README.md`.
    pub run: String,
}

impl Shader {
    /// Reads a line.
    ///
    /// # Errors
    /// The line has another form.
    pub fn parse(line: &str) -> Result<Shader, String> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [path, entry, profile, peer, defines, include_dirs, flags, wgc, run] = columns[..] else {
            return Err(format!("{} columns in place of 9: {line}", columns.len()));
        };
        let list = |text: &str, by: char| text.split(by).filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let peer = match peer {
            "spirv" => Peer::Spirv,
            "dxil" => Peer::Dxil,
            other => return Err(format!("DXC makes no {other}: {line}")),
        };
        Ok(Shader {
            path: path.to_owned(),
            entry: entry.to_owned(),
            profile: profile.to_owned(),
            peer,
            defines: list(defines, ' '),
            include_dirs: list(include_dirs, ';'),
            flags: list(flags, ' '),
            wgc: wgc.to_owned(),
            run: run.to_owned(),
        })
    }

    /// Returns the line of this shader.
    pub fn line(&self) -> String {
        let peer = if self.peer == Peer::Spirv { "spirv" } else { "dxil" };
        let (defines, flags) = (self.defines.join(" "), self.flags.join(" "));
        let columns = [
            &*self.path,
            &self.entry,
            &self.profile,
            peer,
            &defines,
            &self.include_dirs.join(";"),
            &flags,
            &self.wgc,
            &self.run,
        ];
        columns.join("\t")
    }

    /// Returns the folder of the repository.
    pub fn repository(&self) -> &str {
        self.path.split('/').next().unwrap_or_default()
    }

    pub fn is_library(&self) -> bool {
        self.profile.starts_with("lib_")
    }

    pub fn file(&self, sources: &Path) -> String {
        sources.join(&self.path).to_string_lossy().into_owned()
    }

    /// Returns options of DXC's command line, without those about bindings.
    pub fn dxc_arguments(&self, sources: &Path) -> Vec<String> {
        let mut arguments = vec!["-T".to_owned(), self.profile.clone()];
        if !self.is_library() {
            arguments.extend(["-E".to_owned(), self.entry.clone()]);
        }
        if self.peer == Peer::Spirv {
            arguments.extend(["-spirv".to_owned(), "-fspv-target-env=vulkan1.3".to_owned()]);
        }
        arguments.extend(self.flags.iter().filter(|flag| *flag != LIBRARY).cloned());
        for define in &self.defines {
            arguments.extend(["-D".to_owned(), define.clone()]);
        }
        for dir in &self.include_dirs {
            arguments.extend(["-I".to_owned(), sources.join(dir).to_string_lossy().into_owned()]);
        }
        arguments
    }

    /// Returns the options for wgc.
    ///
    /// # Errors
    /// A flag is unknown here.
    pub fn options(&self, sources: &Path) -> Result<Options, String> {
        let mut options = Options {
            include_dirs: self
                .include_dirs
                .iter()
                .map(|dir| sources.join(dir).to_string_lossy().into_owned())
                .collect(),
            shader_model: self.profile.rsplit_once('_').and_then(|(left, minor)| {
                let (_, major) = left.rsplit_once('_')?;
                Some((major.parse().ok()?, minor.parse().ok()?))
            }),
            spirv_version: Some((1, 6)),
            ..Options::default()
        };
        if !self.is_library() {
            options.compute_entry = Some(self.entry.clone());
        }
        for define in &self.defines {
            let (name, value) = define.split_once('=').unwrap_or((define, "1"));
            options.defines.push((name.to_owned(), value.to_owned()));
        }
        let mut flags = self.flags.iter().map(String::as_str);
        while let Some(flag) = flags.next() {
            match flag {
                "-enable-16bit-types" => options.enable_16bit_types = true,
                LIBRARY => options.library = true,
                "-Zpr" => options.row_major = true,
                "-HV" => options.hlsl_version = flags.next().and_then(|year| year.parse().ok()),
                other => return Err(format!("the flag {other} is unknown here")),
            }
        }
        Ok(options)
    }
}

/// Parses all lines of a table except comments.
///
/// # Errors
/// A line is malformed.
pub fn shaders(table: &str) -> Result<Vec<Shader>, String> {
    table.lines().filter(|line| !line.starts_with('#')).map(Shader::parse).collect()
}

/// Returns the directory of sources from the environment.
pub fn sources() -> Option<PathBuf> {
    std::env::var_os("WGC_REAL_SHADERS").filter(|path| !path.is_empty()).map(PathBuf::from)
}
