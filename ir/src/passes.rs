//! Transformations of valid modules. A pass takes a module or a function that `verify` accepts. It leaves one that
//! `verify` accepts, or returns an error with the reason.
//!
//! The order in which each target runs them, with the reasons, is in `pipeline.rs` of `wgc-backend-spirv`. [`inline`]
//! calls [`early_returns`] where all threads must reach a barrier. The front end calls [`mark_all`] for `-Gis`; its
//! flow checks call [`inline`], [`fold_table_loads`] and [`split`]. [`optimise`] runs the passes of each level.

mod associated_globals;
mod call_constants;
mod case_labels;
mod chains;
mod const_eval;
mod copy;
mod counters;
mod dead;
mod demote;
mod early;
mod float_atomics;
mod fold;
mod forward;
mod gvn;
mod hoist;
mod ifs;
mod inline;
mod localise;
mod loops;
mod markers;
mod mesh;
mod nest;
mod offsets;
mod optimise;
mod pack;
mod precise;
mod promote;
mod quads;
mod resource_selection;
pub(crate) mod scalar;
mod scale;
mod specialise;
mod split;
mod sroa;
mod ssa;
mod thread_requests;
mod unroll;
mod vector;
mod wide_atomics;

pub use call_constants::call_constants;
pub use case_labels::case_labels;
pub use chains::chains;
pub(crate) use const_eval::stored_once;
pub use const_eval::{fold_conditions, fold_table_loads};
pub use counters::{CounterError, counters};
pub use dead::{Accesses, dead};
pub use demote::demote;
use demote::demote_all;
pub use early::early_returns;
pub use float_atomics::{FloatAtomicError, float_atomics};
pub use fold::{DenormalFlush, fold, fold_floats};
pub use forward::forward;
pub use gvn::gvn;
pub use hoist::hoist;
pub use ifs::ifs;
pub use inline::{Inline, InlineError, inline};
pub use localise::{localise, own_globals};
pub use loops::loops;
pub use markers::strip;
pub use mesh::{MeshError, mesh};
pub use nest::nest;
pub use offsets::{OffsetError, offsets};
pub use optimise::{OptLevel, Plan, STEPS, Step, optimise};
pub use pack::pack;
pub use precise::{mark_all, precise};
pub use promote::{PromoteError, promote};
pub use quads::{QuadError, quads};
pub use resource_selection::{SelectionError, UntraceableReason, resource_selection};
pub use scale::scale;
pub use specialise::fix_constants;
pub use split::{SplitError, split};
pub use sroa::sroa;
pub use ssa::{Unset, ssa};
pub use thread_requests::thread_requests;
pub use unroll::{peel, peel_decided, unroll};
pub use wide_atomics::{WideAtomicError, wide_atomics};
