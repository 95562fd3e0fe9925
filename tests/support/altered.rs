//! Packages of programs with an altered device library, which lacks some checks.

use wgc_abi::Package;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_backend_spirv::emulated::{self, EmulatedOptions};
use wgc_compiler::Session;
use wgc_ir::{Module, Symbol};
use wgc_sema::Compiler;
use wgc_sema::db::{FileLoader, Options};
use wgc_sema::link::link;

/// File, a text that occurs in it once, and its replacement.
pub type Plant = [String; 3];

const BUILT_IN: &str = "wgc:emulated/";

/// Returns the texts of the device library, some of them changed.
fn texts(plants: &[Plant]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> =
        wgc_stdlib::EMULATED.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    for [file, find, plant] in plants {
        let (_, text) = all.iter_mut().find(|(name, _)| name == file).unwrap_or_else(|| panic!("there is no {file}"));
        let (before, after) = text.split_once(find).unwrap_or_else(|| panic!("{file}: no {find}"));
        assert!(!after.contains(find), "{file}: {find} is there twice");
        *text = format!("{before}{plant}{after}");
    }
    all
}

struct Loader(Vec<(String, String)>);

impl FileLoader for Loader {
    fn load(&self, path: &str) -> Option<Vec<u8>> {
        let name = path.strip_prefix(BUILT_IN)?;
        self.0.iter().find(|(file, _)| file == name).map(|(_, text)| text.clone().into_bytes())
    }
}

/// Returns the compiled library.
pub fn library(plants: &[Plant]) -> Module {
    let mut db = Compiler::new(Box::new(Loader(texts(plants))));
    let roots: Vec<String> = wgc_stdlib::EMULATED_ROOTS.iter().map(|name| format!("{BUILT_IN}{name}")).collect();
    let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
    let program = db.add_program(&roots, Options { internal: true, library: true, ..Options::default() });
    let module = link(&db, program).module.clone().expect("it compiles with the fault");
    // Programs may have functions of these names.
    let others = module.functions.keys().filter(|name| !name.starts_with("wgc_"));
    let renamed = others.map(|name| (name.clone(), Symbol::from(format!("wgc.{name}")))).collect();
    wgc_ir::merge::rename_functions(module, &renamed)
}

/// Returns the package of a program with another library.
pub fn package(session: &Session, library: &Module, plan: Settings) -> Package {
    let module = session.module().expect("it compiled");
    let options = EmulatedOptions { plan, ..EmulatedOptions::default() };
    let rewritten =
        wgc_backend_spirv::emulated_graph(&module, library, Vec::new(), &options).expect("it has helpers and kernels");
    let emitted = rewritten.shaders.iter().map(|shader| {
        let module = shader.emit(&options.emit).expect("it can be emitted");
        (shader.file.clone(), module.words)
    });
    emulated::package(&module, &rewritten, emitted.collect()).expect("the modules are there")
}
