//! Compiles the device library, and its kernels for the options in `src/options.rs`.

#[path = "src/options.rs"]
mod options;

use options::options;
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use wgc_ir::passes::OptLevel;

/// The optimisation levels of kernels: of compilations, and of runs on the CPU device.
const LEVELS: [OptLevel; 2] = [OptLevel::O1, OptLevel::O2];

/// The compiler recurses over blocks and expressions, and some systems give a main thread one megabyte.
const STACK: usize = 64 << 20;

/// Cargo also runs the script after a change of the crates that it uses, which contain the library's texts.
fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/options.rs");
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(write)?;
    thread.join().unwrap_or_else(|_| Err("the compiler panicked".into()))
}

fn write() -> Result<(), Box<dyn Error + Send + Sync>> {
    let folder = PathBuf::from(std::env::var("OUT_DIR")?);
    let (module, sources) = wgc_device_library::compile(false)?;
    let bytes = wgc_ir::encode(&module, &sources)?;
    let (decoded, mapped) = wgc_ir::decode(&bytes).ok_or("the encoded device library is not decoded")?;
    if decoded != module || mapped != sources {
        return Err("the encoded device library is another one".into());
    }
    std::fs::write(folder.join("library"), bytes)?;

    let sources = Arc::new(sources);
    let mut table = String::from("&[\n");
    for level in LEVELS {
        for (name, kernel) in wgc_device_library::kernels(&module, &sources, &options(level))? {
            let file = format!("{name}.{level:?}.spv");
            std::fs::write(folder.join(&file), kernel.bytes())?;
            writeln!(
                table,
                "({name:?}, OptLevel::{level:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{file}\"))),"
            )?;
        }
    }
    table.push(']');
    std::fs::write(folder.join("kernels.rs"), table)?;
    Ok(())
}
