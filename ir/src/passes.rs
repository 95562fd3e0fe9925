//! Transformations of valid modules. A pass is one file with one entry point. It takes a module that `verify` accepts,
//! and leaves one that `verify` accepts or returns an error with the reason.
//!
//! [`precise`](precise()) comes first. An order that suits both targets starts with [`inline`], [`localise`], [`split`]
//! and [`promote`] for each function. Then come [`counters`], [`bits`], [`wide`], [`fold`], [`dead`]. Peeling
//! ([`peel`]) handles loops that choose resources; [`choices`] handles choices at run time. Thread-launch nodes need
//! [`alone`], mesh nodes need [`mesh`](mesh()). Sample offsets become constant in [`settle`] and [`unroll`], and
//! [`offsets`] checks them. Devices that require every invocation to reach a barrier need [`early_returns`]. [`quads`]
//! comes last, since it changes the numbering of threads.

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
pub use dead::{dead, remove_unreachable};
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
