//! Transformations of valid modules. A pass takes a module or a function that `verify` accepts. It leaves one that
//! `verify` accepts, or returns an error with the reason.
//!
//! The order in which each target runs them, with the reasons, is in `pipeline.rs` of `wgc-backend-spirv`. [`inline`] calls
//! [`early_returns`] where all threads must reach a barrier. The front end calls [`mark_all`] for `-Gis`; its flow checks
//! call [`inline`], [`tables`] and [`split`]. Only tests call [`dead`].

mod alone;
mod beside;
mod bits;
mod choices;
mod counters;
mod dead;
mod early;
mod fold;
mod inline;
mod known;
mod localise;
mod markers;
mod mesh;
mod offsets;
mod precise;
mod promote;
mod quads;
pub(crate) mod scalar;
mod specialise;
mod split;
mod unroll;
mod wide;

pub use alone::alone;
pub use bits::{BitsError, bits};
pub use choices::{ChoiceError, Unknown, choices};
pub use counters::{CounterError, counters};
pub use dead::dead;
pub use early::early_returns;
pub use fold::fold;
pub use inline::{Inline, InlineError, inline};
pub(crate) use known::stored_once;
pub use known::{settle, tables};
pub use localise::localise;
pub use mesh::{MeshError, mesh};
pub use offsets::{OffsetError, offsets};
pub use precise::{mark_all, precise};
pub use promote::{PromoteError, promote};
pub use quads::{QuadError, quads};
pub use specialise::fix_constants;
pub use split::{SplitError, split};
pub use unroll::{peel, peel_decided, unroll};
pub use wide::{WideError, wide};
