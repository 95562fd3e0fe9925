//! The inside of emulated graphs: the shown state is correct, on the CPU device and on Vulkan.
//!
//! Expected records come from `tests/inside/expected.py`.

#[path = "../support/altered.rs"]
mod altered;
mod order;
mod planted;
mod poison;
mod records;
mod trace;
#[path = "../support/unchecked.rs"]
mod unchecked;
#[path = "../support/wrapper.rs"]
mod wrapper;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use wgc_abi::{Interface, Package};
use wgc_backend_spirv::emulated::EmulatedOptions as CompilerOptions;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_compiler::Session;
use wgc_runtime::cpu::{CpuDevice, CpuSettings, Order};
use wgc_sema::db::Options;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inside")
}

fn compile(shader: &Path, plan: Settings) -> (Interface, Package) {
    let session = Session::new(&[&shader.to_string_lossy()], Options::default());
    let errors: Vec<String> = session.diagnostics().iter().map(|d| d.message.clone()).collect();
    let options = CompilerOptions { plan, ..CompilerOptions::default() };
    let package = session.emulated(&options).unwrap_or_else(|e| panic!("{}: {e:?} {errors:?}", shader.display()));
    (session.interface().expect("the program compiled"), package)
}

fn cpu(order: Order) -> CpuDevice {
    CpuDevice::new(CpuSettings { order, ..CpuSettings::default() })
}

/// The written bytes, shared by all clones.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no writer has failed").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Written {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("no writer has failed").clone()).expect("it is text")
    }
}
