//! Sizes of dispatch grids that a module fixes or bounds. Specialisation may move them beyond the device's limits.

use rustc_hash::FxHashSet;
use spirv::{ExecutionMode, Op};
use wgc_spirv_module::Module;
use wgc_spirv_module::module::{EntryPoint, Id};

/// `maxExecutionGraphWorkgroupCount`: the least value that the extension allows a device.
const ALONG_AN_AXIS: u32 = 65_535;
/// `maxExecutionGraphWorkgroups`, as above.
const IN_ALL: u64 = 16_777_215;

/// The most instructions that a search for the constants of a number visits.
const MAX_STEPS: usize = 1024;

/// Refuses a grid of an execution mode that is too large.
pub fn check(module: &Module, entry: &EntryPoint, mode: ExecutionMode, grid: [u32; 3]) -> Result<(), String> {
    let total: u64 = grid.iter().fold(1, |all, size| all.saturating_mul(u64::from(*size)));
    if grid.iter().all(|size| *size <= ALONG_AN_AXIS) && total <= IN_ALL {
        return Ok(());
    }
    let says = describe(module, entry, mode, grid);
    Err(format!("{says}, but a grid is limited to {ALONG_AN_AXIS} workgroups along an axis and {IN_ALL} in total"))
}

/// Describes the mode with its numbers, and the values of the specialisation constants that these come from.
pub fn describe(module: &Module, entry: &EntryPoint, mode: ExecutionMode, [x, y, z]: [u32; 3]) -> String {
    let mut text = format!("{mode:?} is {x}, {y}, {z}");
    let operands = module.execution_mode(entry.function, mode).map_or(&[][..], |m| &m.operands);
    let after = specialised(module, operands);
    if !after.is_empty() {
        text += &format!(" (specialised: {})", after.join(", "));
    }
    text
}

/// Returns the specialisation constants that numbers are computed from.
fn specialised(module: &Module, ids: &[Id]) -> Vec<String> {
    let mut found: Vec<(u32, u64)> = Vec::new();
    let (mut seen, mut work) = (FxHashSet::default(), ids.to_vec());
    while let Some(id) = work.pop() {
        let Some(constant) = module.constants.get(&id).filter(|k| k.spec) else { continue };
        if !seen.insert(id) || seen.len() > MAX_STEPS {
            continue;
        }
        match (constant.spec_id, module.constant_u64(id)) {
            (Some(number), Some(value)) => found.push((number, value)),
            _ => {
                let inst = module.declarations.iter().find(|inst| inst.result == id);
                let inst = inst.filter(|inst| inst.op() == Some(Op::SpecConstantOp));
                work.extend(inst.map_or(&[][..], |inst| module.operands(inst)).iter().skip(1));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|(number, value)| format!("SpecId {number} is {value}")).collect()
}
