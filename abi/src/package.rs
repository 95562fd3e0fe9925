//! An emulated package as a value: manifest, tables and modules. On disk it is a directory, or the same files packed
//! into one tar archive. Reading either is the only I/O here, and only the caller starts it.

use crate::file::{self, Content};
use crate::manifest::{Manifest, VERSION};
use indexmap::IndexMap;
use std::borrow::Cow;
use std::fmt;
use std::io::Read;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_128;

/// Name of the manifest in a package.
pub const MANIFEST: &str = "manifest.json";
/// Name of the tables in a package.
pub const TABLES: &str = "tables.bin";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    pub manifest: Manifest,
    /// `tables.bin`: see [`crate::tables`].
    pub tables: Vec<u8>,
    /// SPIR-V words by file name relative to the package (`nodes/x.spv`, `sched/prep.spv`).
    pub modules: IndexMap<String, Vec<u32>>,
}

/// A reason that a directory or a file is not a package.
#[derive(Debug)]
pub enum PackageError {
    Io {
        file: String,
        error: std::io::Error,
    },
    /// A file that is not a tar archive.
    NotArchive,
    /// The archive is damaged.
    Archive {
        error: std::io::Error,
    },
    Manifest {
        error: serde_json::Error,
    },
    Version {
        found: u64,
    },
    /// The value found instead of a version, if any.
    NoVersion {
        found: Option<String>,
    },
    /// A module's size is not a multiple of four bytes, or its name leaves the package.
    Module {
        file: String,
    },
    /// A module or the tables do not match the hash in the manifest.
    Hash {
        file: String,
    },
    /// A structure that does not contain its members, or that exceeds the size limit.
    Layout {
        name: String,
    },
}

impl fmt::Display for PackageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { file, error } => write!(f, "cannot read {file}: {error}"),
            Self::NotArchive => f.write_str("it is not a packed package: it is not a tar archive"),
            Self::Archive { error } => write!(f, "the archive is damaged: {error}"),
            Self::Manifest { error } => write!(f, "{MANIFEST} is not a valid manifest: {error}"),
            Self::Version { found } => {
                let remedy =
                    if *found > u64::from(VERSION) { "update this program" } else { "compile the graph again" };
                write!(f, "{MANIFEST} has version {found}, but this program reads {VERSION}: {remedy}")
            }
            Self::NoVersion { found: Some(found) } => {
                write!(f, "{MANIFEST} has the version {found}, which is not a number: it is not a manifest of wgc")
            }
            Self::NoVersion { found: None } => {
                write!(f, "{MANIFEST} has no version: it is not a manifest of wgc")
            }
            Self::Module { file } => write!(f, "{file} is not a SPIR-V module of this package"),
            Self::Hash { file } => {
                write!(f, "{file} does not match its hash in {MANIFEST}")
            }
            Self::Layout { name } => write!(f, "{MANIFEST} has an invalid layout of `{name}`"),
        }
    }
}

impl std::error::Error for PackageError {}

/// Returns the hash that distinguishes modules: XXH3 of 128 bits over the words in little-endian bytes, as 32
/// hexadecimal digits.
pub fn content_hash(words: &[u32]) -> String {
    hash_of(&bytes_of(words))
}

/// Instructions for readers and debuggers only: OpSourceContinued, OpSource, OpSourceExtension, OpName, OpMemberName,
/// OpLine, OpNoLine and OpModuleProcessed.
const FOR_DEBUGGERS: [u32; 8] = [2, 3, 4, 5, 6, 8, 317, 330];
const SOURCE: u32 = 3;
const STRING: u32 = 7;
const LINE: u32 = 8;
/// Words of a module's header.
const HEADER: usize = 5;

/// Returns the hash of [`content_hash`] without debug instructions and the file names that they refer to. So code that
/// only moves to another line or is renamed keeps its hash. Other strings are included, since `printf` prints them.
pub fn code_hash(words: &[u32]) -> String {
    let (header, body) = words.split_at(HEADER.min(words.len()));
    let files: Vec<u32> = instructions(body)
        .filter_map(|instruction| match instruction[0] & 0xffff {
            LINE => instruction.get(1).copied(),
            SOURCE => instruction.get(3).copied(),
            _ => None,
        })
        .collect();
    let is_code = |instruction: &&[u32]| match instruction[0] & 0xffff {
        STRING => instruction.get(1).is_none_or(|id| !files.contains(id)),
        code => !FOR_DEBUGGERS.contains(&code),
    };
    content_hash(&[header, &instructions(body).filter(is_code).collect::<Vec<_>>().concat()].concat())
}

/// Iterates over the instructions of a module after its header. None is empty; the last may be truncated.
fn instructions(mut words: &[u32]) -> impl Iterator<Item = &[u32]> {
    std::iter::from_fn(move || {
        let length = ((words.first()? >> 16) as usize).clamp(1, words.len());
        let (instruction, behind) = words.split_at(length);
        words = behind;
        Some(instruction)
    })
}

/// Returns the hash of a file's bytes, as the manifest stores it.
pub fn hash_of(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// Returns whether a path looks like a package that is a directory: it has a manifest.
pub fn is_package(path: &Path) -> bool {
    path.join(MANIFEST).is_file()
}

/// Returns whether bytes look like a packed package, which begins with the manifest.
pub fn is_packed(bytes: &[u8]) -> bool {
    bytes.strip_prefix(MANIFEST.as_bytes()).is_some_and(|rest| rest.first() == Some(&0))
}

/// Returns whether bytes begin as every tar archive since POSIX does.
fn is_archive(bytes: &[u8]) -> bool {
    const MAGIC: &[u8] = b"ustar";
    const AT: usize = 257;
    bytes.get(AT..).is_some_and(|rest| rest.starts_with(MAGIC))
}

/// Returns the text of manifest.json.
pub fn manifest_json(manifest: &Manifest) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(manifest)?;
    text.push('\n');
    Ok(text)
}

/// A file of a package, as the manifest describes it.
#[derive(Clone, Copy)]
enum PackagePart {
    Manifest,
    /// The tables, with their size.
    Tables(u64),
    Module,
}

impl PackagePart {
    /// Checks that a file of an archive has the expected size.
    fn fits(self, bytes: u64) -> std::io::Result<()> {
        match self {
            PackagePart::Tables(wanted) => file::has_size(bytes, wanted),
            PackagePart::Manifest | PackagePart::Module => Ok(()),
        }
    }
}

/// Returns the contents of a file of a package.
type Reader<'f, 'r> = &'r dyn Fn(&str, PackagePart) -> Result<Cow<'f, [u8]>, PackageError>;

/// Reads a file of a package that is a directory. Rejects links out of the package.
fn read_inside(folder: &Path, name: &str, part: PackagePart) -> std::io::Result<Vec<u8>> {
    let (folder, path) = (folder.canonicalize()?, folder.join(name).canonicalize()?);
    if !path.starts_with(&folder) {
        return Err(std::io::Error::new(
            std::io::ErrorKind::InvalidInput,
            "it is a link that leads out of the package",
        ));
    }
    match part {
        PackagePart::Manifest => file::read(&path, Content::Manifest),
        PackagePart::Tables(bytes) => file::read_sized(&path, Content::Tables, bytes),
        PackagePart::Module => file::read(&path, Content::Module),
    }
}

impl Package {
    /// Returns the files of the package in the order in which to write them: name relative to the package and contents.
    pub fn files(&self) -> Result<Vec<(String, Vec<u8>)>, serde_json::Error> {
        let manifest = manifest_json(&self.manifest)?;
        let mut files = vec![(MANIFEST.to_owned(), manifest.into_bytes()), (TABLES.to_owned(), self.tables.clone())];
        for (name, words) in &self.modules {
            files.push((name.clone(), bytes_of(words)));
        }
        Ok(files)
    }

    /// Packs the files into one tar archive, with the same bytes for the same package.
    pub fn packed(&self) -> std::io::Result<Vec<u8>> {
        let mut archive = tar::Builder::new(Vec::new());
        for (name, bytes) in self.files()? {
            let mut header = tar::Header::new_ustar();
            header.set_size(bytes.len() as u64);
            // All other fields of a header (owner, time) stay 0.
            header.set_mode(0o644);
            archive.append_data(&mut header, name, bytes.as_slice())?;
        }
        archive.into_inner()
    }

    /// Reads a `.wgcpkg`: a directory, or a file created by [`Package::packed`].
    ///
    /// # Errors
    /// The package does not exist, is damaged, or has another version.
    pub fn read(path: &Path) -> Result<Package, PackageError> {
        let of = |name: &str, result: std::io::Result<Vec<u8>>| {
            result.map_err(|error| PackageError::Io { file: name.to_owned(), error })
        };
        if path.is_file() {
            return Package::unpacked(&of(&path.to_string_lossy(), file::read(path, Content::Packed))?);
        }
        Package::of_files(&|name, part| of(name, read_inside(path, name, part)).map(Cow::Owned))
    }

    /// Reads a packed package from memory.
    ///
    /// # Errors
    /// Fails like [`Package::read`].
    pub fn unpacked(bytes: &[u8]) -> Result<Package, PackageError> {
        if !is_archive(bytes) {
            return Err(PackageError::NotArchive);
        }
        let damaged = |error| PackageError::Archive { error };
        let mut files = IndexMap::new();
        for entry in tar::Archive::new(bytes).entries().map_err(damaged)? {
            let mut entry = entry.map_err(damaged)?;
            // Skip directories of repacked archives, and entries that only claim to be large.
            if !entry.header().entry_type().is_file() {
                continue;
            }
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let mut contents = Vec::new();
            entry.read_to_end(&mut contents).map_err(damaged)?;
            files.insert(name, contents);
        }
        let missing =
            |name: &str| PackageError::Io { file: name.to_owned(), error: std::io::ErrorKind::NotFound.into() };
        let file = |name: &str| files.get(name).map(|contents: &Vec<u8>| Cow::Borrowed(contents.as_slice()));
        Package::of_files(&|name, part| {
            let contents = file(name).ok_or_else(|| missing(name))?;
            part.fits(contents.len() as u64).map_err(|error| PackageError::Io { file: name.to_owned(), error })?;
            Ok(contents)
        })
    }

    fn of_files<'f>(file: Reader<'f, '_>) -> Result<Package, PackageError> {
        let manifest: serde_json::Value = serde_json::from_slice(&file(MANIFEST, PackagePart::Manifest)?)
            .map_err(|error| PackageError::Manifest { error })?;
        // The version comes first: another version's manifest should be reported as such and not fail on some field.
        let version = manifest.get("version");
        match version.and_then(serde_json::Value::as_u64) {
            Some(found) if found == u64::from(VERSION) => {}
            Some(found) => return Err(PackageError::Version { found }),
            // Limit the length of the message.
            None => {
                let found = version.map(|found| found.to_string().chars().take(40).collect());
                return Err(PackageError::NoVersion { found });
            }
        }
        let manifest: Manifest = serde_json::from_value(manifest).map_err(|error| PackageError::Manifest { error })?;
        if let Some(layout) = manifest.layouts().find(|layout| !layout.is_sound()) {
            return Err(PackageError::Layout { name: layout.name.clone() });
        }
        let tables = file(TABLES, PackagePart::Tables(manifest.buffers.tables_bytes.into()))?.into_owned();
        if manifest.tables_hash.as_ref().is_some_and(|hash| *hash != hash_of(&tables)) {
            return Err(PackageError::Hash { file: TABLES.to_owned() });
        }
        let mut modules = IndexMap::new();
        for module in &manifest.modules {
            let inside = module.file.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
            if !inside || module.file.contains('\\') || module.file.contains(':') {
                return Err(PackageError::Module { file: module.file.clone() });
            }
            let bytes = file(&module.file, PackagePart::Module)?;
            let (words, rest) = bytes.as_chunks::<4>();
            if !rest.is_empty() {
                return Err(PackageError::Module { file: module.file.clone() });
            }
            if hash_of(&bytes) != module.hash {
                return Err(PackageError::Hash { file: module.file.clone() });
            }
            modules.insert(module.file.clone(), words.iter().map(|w| u32::from_le_bytes(*w)).collect());
        }
        Ok(Package { tables, manifest, modules })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::*;

    fn package() -> Package {
        let modules = [("sched/prep.spv".to_owned(), vec![0x0723_0203, 5]), ("nodes/a.spv".to_owned(), vec![7])];
        let module = |(file, words): &(String, Vec<u32>)| ModuleRef {
            file: file.clone(),
            entry: "main".to_owned(),
            group_size: [64, 1, 1],
            hash: content_hash(words),
            code: code_hash(words),
            subgroup_size: None,
            mesh: None,
        };
        let manifest = Manifest {
            version: VERSION,
            min_pages: 1,
            arena: ArenaBytes { least: 65536, recommended: 1 << 28, single: 65536 },
            features: vec![],
            limits: Limits { group_threads: 64, mesh_threads: 0 },
            modules: modules.iter().map(module).collect(),
            resident: None,
            kernels: Kernels {
                prep: 0,
                inject: 0,
                sched: 0,
                gather: 0,
                scatter: None,
                guard: None,
                joint: None,
                scan: None,
            },
            instances: vec![],
            stages: vec![],
            runs: Vec::new(),
            carriers: vec![],
            entrypoints: vec![EntryPoint {
                node: crate::NodeName { name: "a".to_owned(), index: 3 },
                queue: 0,
                record: None,
                closure_bytes: Some(8),
            }],
            records: vec![],
            bindings: vec![],
            local_roots: None,
            push_constants: None,
            spec_constants: Vec::new(),
            root_signatures: Vec::new(),
            push_bytes: 16,
            tables_hash: Some(hash_of(&[1, 2, 3])),
            buffers: Buffers {
                context_bytes: 280,
                tables_bytes: 3,
                queue_state_bytes: 128,
                instance_state_bytes: 128,
                arguments_bytes: 16,
                status_bytes: 328,
                span_bytes: 32,
                page_entry_bytes: 8,
                page_bytes: 65536,
            },
        };
        Package { manifest, tables: vec![1, 2, 3], modules: modules.into() }
    }

    /// Writes the files, damages them with `change`, and reads them back.
    fn reread(change: impl FnOnce(&Path)) -> Result<Package, PackageError> {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        for (file, bytes) in package().files().unwrap() {
            let path = dir.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        change(dir);
        Package::read(dir)
    }

    fn replace(dir: &Path, from: &str, to: &str) {
        let path = dir.join(MANIFEST);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        std::fs::write(path, text.replace(from, to)).unwrap();
    }

    #[test]
    fn written_packages_read_back_unchanged() {
        assert_eq!(reread(|_| {}).unwrap(), package());
        let packed = package().packed().unwrap();
        assert_eq!(Package::unpacked(&packed).unwrap(), package());
        assert_eq!(packed, package().packed().unwrap(), "no clock, no owner");
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.wgcpkg");
        std::fs::write(&file, &packed).unwrap();
        assert_eq!(Package::read(&file).unwrap(), package());
    }

    /// Checks a hash against the XXH3 specification's reference: 128 bits of no bytes, with seed 0.
    #[test]
    fn content_hash_matches_the_xxh3_reference() {
        assert_eq!(content_hash(&[]), "99aa06d3014798d86001c324468d497f");
        assert_ne!(content_hash(&[1, 0]), content_hash(&[0, 1]));
    }

    #[test]
    fn code_hash_ignores_debug_names_and_lines() {
        let header = [0x0723_0203, 0x0001_0500, 0, 9, 0];
        let module = |instructions: &[&[u32]]| [&header[..], &instructions.concat()].concat();
        let (name, line, no_line) = ([0x0003_0005, 4, 0x61], [0x0004_0008, 1, 7, 2], [0x0001_013d]);
        let (label, ret) = ([0x0002_00f8, 4], [0x0001_00fd]);
        let plain = code_hash(&module(&[&label, &ret]));
        assert_eq!(code_hash(&module(&[&name, &label, &line, &ret, &no_line])), plain);
        // The file of the line, and a text that no debug instruction refers to.
        let (file, text) = ([0x0003_0007, 1, 0x61], [0x0003_0007, 2, 0x61]);
        assert_eq!(code_hash(&module(&[&file, &label, &line, &ret])), plain);
        assert_ne!(code_hash(&module(&[&text, &label, &line, &ret])), plain);
        assert_ne!(code_hash(&module(&[&label])), plain);
        assert_ne!(code_hash(&module(&[&[0x0002_00f8, 5], &ret])), plain);
        // Truncated, or not a module.
        assert_ne!(code_hash(&module(&[&label, &[0x0009_00fd]])), plain);
        assert_eq!(code_hash(&header[..2]), content_hash(&header[..2]));
        assert_ne!(code_hash(&module(&[&[0]])), code_hash(&module(&[&[0], &[0]])));
    }

    #[test]
    fn package_tables_and_layouts_are_validated() {
        let says = |change: &dyn Fn(&Path)| reread(change).unwrap_err().to_string();
        let tables = says(&|dir| std::fs::write(dir.join(TABLES), [1, 2, 4, 5]).unwrap());
        assert_eq!(tables, "cannot read tables.bin: it has 4 bytes instead of 3");
        let tables = says(&|dir| std::fs::write(dir.join(TABLES), [1, 2, 4]).unwrap());
        assert_eq!(tables, "tables.bin does not match its hash in manifest.json");
        let field = |offset: u32, ty: &str| format!(r#"{{ "name": "x", "offset": {offset}, "ty": {ty} }}"#);
        let record = |size: u64, align: u64, field: &str| {
            let record = format!(r#"{{ "name": "R", "fields": [{field}], "size": {size}, "align": {align} }}"#);
            reread(|dir| replace(dir, "\"push_bytes\"", &format!("\"records\": [{record}], \"push_bytes\""))).map(drop)
        };
        let vector = |n: u64| field(4, &format!(r#"{{ "vector": {{ "scalar": "f32", "components": {n} }} }}"#));
        let array = |n: u64| {
            let element = r#"{ "scalar": "u32" }"#;
            field(0, &format!(r#"{{ "array": {{ "element": {element}, "count": {n}, "stride": 8 }} }}"#))
        };
        let largest = record(1 << 30, 32, &vector(3));
        for sound in [record(16, 4, &vector(3)), record(12, 4, &array(2)), record(0, 1, ""), largest] {
            sound.unwrap();
        }
        let wrong = [
            record(16, 4, &vector(4)),
            record(16, 4, &vector(0)),
            record(1 << 30, 4, &vector(1 << 20)),
            record(16, u64::from(u32::MAX), &vector(3)),
            record(16, 1 << 30, &vector(3)),
            record((1 << 30) + 4, 4, &vector(3)),
            record(12, 4, &array(3)),
            record(12, 4, &array(u64::from(u32::MAX))),
            record(8, 4, &field(u32::MAX, r#"{ "scalar": "u32" }"#)),
            record(8, 4, &field(0, r#"{ "bits": { "scalar": "u32", "first": 30, "width": 3 } }"#)),
        ];
        for (number, wrong) in wrong.into_iter().enumerate() {
            let says = wrong.expect_err(&number.to_string()).to_string();
            assert_eq!(says, "manifest.json has an invalid layout of `R`", "{number}");
        }
    }

    /// Files elsewhere, pipes and devices are not part of a package.
    #[test]
    #[cfg(unix)]
    fn links_out_of_a_package_are_not_followed() {
        use std::os::unix::fs::symlink;
        let outside = tempfile::tempdir().unwrap();
        let instead_of = |name: &str, by: &dyn Fn(&Path)| {
            reread(|dir| {
                std::fs::remove_file(dir.join(name)).unwrap();
                by(&dir.join(name));
            })
        };
        for (name, bytes) in package().files().unwrap() {
            let copy = outside.path().join("copy");
            std::fs::write(&copy, bytes).unwrap();
            let error = instead_of(&name, &|path| symlink(&copy, path).unwrap()).unwrap_err().to_string();
            assert_eq!(error, format!("cannot read {name}: it is a link that leads out of the package"));
            let error = instead_of(&name, &|path| {
                assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
            });
            let error = error.unwrap_err().to_string();
            assert_eq!(error, format!("cannot read {name}: it is a pipe or a device, not a file"));
            let huge = |path: &Path| std::fs::File::create(path).unwrap().set_len(3 << 30).unwrap();
            let error = instead_of(&name, &huge).unwrap_err().to_string();
            assert!(error.starts_with(&format!("cannot read {name}: it has 3221225472 bytes")), "{error}");
        }
        // Links inside the package are allowed, and the whole package may be a link.
        let inside = reread(|dir| {
            std::fs::rename(dir.join(TABLES), dir.join("other.bin")).unwrap();
            symlink("other.bin", dir.join(TABLES)).unwrap();
        });
        assert_eq!(inside.unwrap(), package());
    }

    #[test]
    fn invalid_package_archives_report_the_cause() {
        let packed = package().packed().unwrap();
        let says = |bytes: &[u8]| Package::unpacked(bytes).unwrap_err().to_string();
        for other in [&[][..], b"not an archive", &[b' '; 2048]] {
            assert_eq!(says(other), "it is not a packed package: it is not a tar archive");
        }
        let mut changed = packed.clone();
        changed[0] ^= 1;
        assert!(says(&changed).starts_with("the archive is damaged: "), "{}", says(&changed));
        // Only the zeros at the end of an archive may be missing.
        let end = packed.iter().rposition(|b| *b != 0).unwrap();
        for cut in 0..=end {
            assert!(Package::unpacked(&packed[..cut]).is_err(), "{cut}");
        }
    }

    #[test]
    fn invalid_package_directories_report_the_cause() {
        let says = |change: fn(&Path)| reread(change).unwrap_err().to_string();
        let version = says(|dir| replace(dir, "\"version\": 12", "\"version\": 13"));
        assert_eq!(version, "manifest.json has version 13, but this program reads 12: update this program");
        let old = says(|dir| replace(dir, "\"version\": 12", "\"version\": 1"));
        assert_eq!(old, "manifest.json has version 1, but this program reads 12: compile the graph again");
        let huge = says(|dir| replace(dir, "\"version\": 12", "\"version\": 18446744073709551615"));
        assert!(huge.starts_with("manifest.json has version 18446744073709551615, "), "{huge}");
        for (text, shown) in [("\"9\"", "\"9\""), ("8.5", "8.5"), ("-9", "-9"), ("null", "null"), ("[9]", "[9]")] {
            let odd = reread(|dir| replace(dir, "\"version\": 12", &format!("\"version\": {text}"))).unwrap_err();
            let expected =
                format!("manifest.json has the version {shown}, which is not a number: it is not a manifest of wgc");
            assert_eq!(odd.to_string(), expected);
        }
        let none = "manifest.json has no version: it is not a manifest of wgc";
        assert_eq!(says(|dir| replace(dir, "\"version\"", "\"versions\"")), none);
        assert_eq!(says(|dir| std::fs::write(dir.join(MANIFEST), "[]").unwrap()), none);
        let changed = says(|dir| std::fs::write(dir.join("nodes/a.spv"), [8, 0, 0, 0]).unwrap());
        let differs = "nodes/a.spv does not match its hash in manifest.json";
        assert_eq!(changed, differs);
        let escape = says(|dir| replace(dir, "nodes/a.spv", "nodes/../../a.spv"));
        assert_eq!(escape, "nodes/../../a.spv is not a SPIR-V module of this package");
        let odd = says(|dir| std::fs::write(dir.join("nodes/a.spv"), [1, 2, 3]).unwrap());
        assert_eq!(odd, "nodes/a.spv is not a SPIR-V module of this package");
        let missing = says(|dir| std::fs::remove_file(dir.join(TABLES)).unwrap());
        assert!(missing.starts_with("cannot read tables.bin: "), "{missing}");
        let field = says(|dir| replace(dir, "\"push_bytes\"", "\"push_byte\""));
        assert!(field.contains("missing field `push_bytes`"), "{field}");
    }
}
