//! Packages of programs with an altered device library, which lacks some checks.

use wgc_abi::Package;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_backend_spirv::emulated::{self, EmulatedOptions};
use wgc_compiler::Session;
use wgc_device_library::{BUILT_IN, compile_with};
use wgc_ir::Module;
use wgc_sema::db::FileLoader;

/// File, a text that occurs in it once, and its replacement.
pub type Plant = [String; 3];

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
    compile_with(Box::new(Loader(texts(plants))), false).expect("it compiles with the fault").0
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
