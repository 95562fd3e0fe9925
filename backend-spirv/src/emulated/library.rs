//! The functions of the device library (`stdlib/emulated`) that lowered nodes call, and their structures.

use super::error::EmuError;
use wgc_ir::{Function, GlobalKind, Module, StructType, Symbol, Type};

/// A library function; its symbol is its name in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Helper {
    pub name: &'static str,
    pub params: usize,
}

macro_rules! helpers {
    ($($id:ident = $name:literal ($($param:ident),*);)*) => {
        $(pub const $id: Helper = Helper { name: $name, params: <[&str]>::len(&[$(stringify!($param)),*]) };)*
        /// Every helper that a lowered node may call.
        pub const HELPERS: &[Helper] = &[$($id),*];
    };
}

// The parameter names are those of the library, for readers; the compiler checks their number.
helpers! {
    ENTER = "wgc_enter" ();
    ENTER_AT = "wgc_enter_at" (instance, queue, instances);
    ENTER_JOINT = "wgc_enter_joint" ();
    RESIDENT_RECORDS = "wgc_resident_records" (queue);
    RESIDENT_GROUPS = "wgc_resident_groups" (instance);
    LOCAL_ROOT = "wgc_local_root" ();
    LOCAL_ROOT_JOINT = "wgc_local_root_joint" ();
    INPUT_THREAD = "wgc_input_thread" (node, thread, unit);
    IS_FULL = "wgc_is_full" (node, unit);
    INPUT_COALESCING = "wgc_input_coalescing" (node, max_records);
    INPUT_FIXED = "wgc_input_fixed" (node, x, y, z);
    INPUT_DYNAMIC = "wgc_input_dynamic" (node, offset, scalar, components, max_x, max_y, max_z, stride, slots);
    INPUT_DYNAMIC_RESIDENT = "wgc_input_dynamic_resident"
        (node, offset, scalar, components, max_x, max_y, max_z, stride, slots);
    INPUT_RECORD = "wgc_input_record" (node, rank, stride, slots);
    INPUT_RANK = "wgc_input_rank" (node, first, count, index);
    GIVEN_RECORD = "wgc_given_record" (node, records, index, stride, slots);
    OUTPUT_RECORD = "wgc_output_record" (node, records, index, stride, slots);
    ELEMENT = "wgc_element" (node, index, count, output);
    TARGET = "wgc_target" (node, queue, trailer, first_instance, instance_count, launch, unit, grid_groups);
    FIND_TARGET = "wgc_find_target" (node, output, index);
    GRANT = "wgc_grant" (node, output, count, left);
    OPEN = "wgc_open" (node, target, output, count, max_records);
    TAKE = "wgc_take" (node, target, output, records, stride, slots);
    ALLOCATE_THREAD = "wgc_allocate_thread" (node, target, output, count, max_records, one, stride, slots);
    ALLOCATE_GROUPED = "wgc_allocate_grouped"
        (node, target, output, count, max_records, all, thread, stride, slots);
    INCREMENT = "wgc_increment" (node, target, output, count, max_records);
    INCREMENT_THREAD = "wgc_increment_thread" (node, target, output, count, max_records, one);
    INCREMENT_GROUPED = "wgc_increment_grouped" (node, target, output, count, max_records, all, thread);
    COMPLETE_THREAD = "wgc_complete_thread" (node, records, stride, slots);
    COMPLETE_GROUP = "wgc_complete_group" (node, records, thread, threads, stride, slots);
    OUTPUT_VALID = "wgc_output_valid" (node, output, index);
    RECORD_SPILL = "wgc_record_spill" (node, queue, rank, stride, slots);
    INPUT_DYNAMIC_SPILL = "wgc_input_dynamic_spill"
        (node, offset, scalar, components, max_x, max_y, max_z, stride, slots);
    GIVEN_RECORD_SPILL = "wgc_given_record_spill" (node, records, index, stride, slots);
    OUTPUT_RECORD_SPILL = "wgc_output_record_spill" (node, records, index, stride, slots);
    TAKE_SPILL = "wgc_take_spill" (node, target, output, records, stride, slots);
    TAKEN_SPILL = "wgc_taken_spill" (records, taken);
    ALLOCATE_THREAD_SPILL = "wgc_allocate_thread_spill"
        (node, target, output, count, max_records, one, stride, slots);
    COMPLETE_THREAD_SPILL = "wgc_complete_thread_spill" (node, records, stride, slots);
    COMPLETE_GROUP_SPILL = "wgc_complete_group_spill" (node, records, thread, threads, stride, slots);
    REPORT = "wgc_report" (node, error, output);
    FINISH_SHARING = "wgc_finish_sharing" (record, trailer, grid_groups);
}

/// The start of all names in the device library.
pub const PREFIX: &str = "wg";

/// Names of the kernels' entry points.
pub const PREP: &str = "wgc_prep";
pub const INJECT: &str = "wgc_inject";
/// Replaces [`INJECT`] in graphs with dynamic grids.
pub const INJECT_GRIDS: &str = "wgc_inject_grids";
/// Replaces [`INJECT_GRIDS`] if the library has no 64-bit atomics.
pub const INJECT_LISTED: &str = "wgc_inject_listed";
pub const SCHED: &str = "wgc_sched";
/// For graphs with spills.
pub const SCATTER: &str = "wgc_scatter";
pub const GATHER: &str = "wgc_gather";
/// For packages with guarded records.
pub const GUARD: &str = "wgc_guard";
/// For graphs with joint dispatches.
pub const JOINT: &str = "wgc_joint";
/// For graphs with dynamic grids on devices without 64-bit atomics.
pub const SCAN: &str = "wgc_scan";
/// The function that places grids in records with such an atomic, and its replacement.
const PLACE_GRID: &str = "wgc_place_grid";
const LIST_GRID: &str = "wgc_list_grid";

/// Returns the library without 64-bit atomics: grids in records are listed, and the kernel [`SCAN`] places them.
pub fn without_atomics64(module: &Module) -> Result<Module, EmuError> {
    let missing = |function| EmuError::Library { function };
    let mut module = module.clone();
    let listed = module.functions.get(&Symbol::const_new(LIST_GRID)).ok_or(missing(LIST_GRID))?.clone();
    let place = module.functions.get_mut(&Symbol::const_new(PLACE_GRID)).ok_or(missing(PLACE_GRID))?;
    **place = Function { name: place.name.clone(), ..listed.into_function() };
    Ok(module)
}

/// The checked library.
#[derive(Clone, Copy, Debug)]
pub struct Library<'a> {
    pub module: &'a Module,
    /// `WgRecords`: the lowered type of a record handle.
    pub records: &'a Type,
}

impl<'a> Library<'a> {
    /// Checks that every helper exists with the expected parameters.
    pub fn new(module: &'a Module) -> Result<Self, EmuError> {
        let library = Library { module, records: &Type::Void };
        for helper in HELPERS {
            library.function(*helper)?;
        }
        if !module.globals.values().any(|g| matches!(g.kind, GlobalKind::PushConstant { .. })) {
            return Err(EmuError::Library { function: "wg_push" });
        }
        let records = &library.function(ALLOCATE_THREAD)?.ret;
        Ok(Library { module, records })
    }

    pub fn function(&self, helper: Helper) -> Result<&'a Function, EmuError> {
        let found = self.module.functions.get(&Symbol::const_new(helper.name));
        found
            .map(|f| &**f)
            .filter(|f| f.params.len() == helper.params)
            .ok_or(EmuError::Library { function: helper.name })
    }

    /// Returns the index of a field in a helper's result.
    pub fn field(&self, helper: Helper, name: &str) -> Result<u32, EmuError> {
        let index = match &self.function(helper)?.ret {
            Type::Struct(s) => field_index(s, name),
            _ => None,
        };
        index.ok_or(EmuError::Library { function: helper.name })
    }
}

fn field_index(s: &StructType, name: &str) -> Option<u32> {
    s.fields.iter().position(|f| f.name == name).map(|i| i as u32)
}
