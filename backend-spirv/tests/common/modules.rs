//! Parts of modules for tests that build the IR directly.

use wgc_ir::{Binding, ComputeEntry, Global, GlobalKind, Module, Type};

/// Adds a writable buffer with the next free binding of set 0.
pub fn buffer(module: &mut Module, element: Type, stride: u32) -> Global {
    let n = module.globals.len() as u32;
    let binding = Binding { set: 0, binding: n, count: wgc_ir::Count::One, register: None, heap: None };
    let kind = GlobalKind::Buffer { element, stride, writable: true, coherent: false, counter: None, binding };
    let global = Global { name: format!("buffer{n}").into(), kind };
    module.add_global(global.clone());
    global
}

/// Makes the function `main` an entry point with one thread.
pub fn enter_main(module: &mut Module) {
    module.entries.push(ComputeEntry {
        name: "main".into(),
        function: "main".into(),
        workgroup_size: [1, 1, 1],
        wave_size: None,
        mesh: None,
        specialised: Vec::new(),
    });
}
