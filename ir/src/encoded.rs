//! A compact binary form of a module without nodes and of its source map, for a reader of the same build.
//!
//! The device library of the emulated target is the same for every program. A build script compiles and encodes it, so
//! that a process only decodes it. The form has no version and is no file format: the crate that reads the bytes was
//! built with the one that wrote them.
//!
//! Two tables come first: the short symbols, then the types. A type names the types in it by their indexes in the table.
//! The rest refers to both tables by index, so equal types share their memory after decoding. Integers are LEB128. The
//! parts of a function are described by tables (`parts`), so the compiler reports a field or variant that they lack.

mod bytes;
mod containers;
mod parts;
mod sources;

use crate::module::Module;
use crate::position::SourceMap;
use bytes::{Decoder, Encoder};
use std::fmt;

/// The reason why a module has no binary form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// The module has nodes.
    Nodes,
    /// The source map has declarations for debuggers.
    Declarations,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EncodeError::Nodes => "a module with nodes has no binary form",
            EncodeError::Declarations => "a source map with declarations has no binary form",
        })
    }
}

impl std::error::Error for EncodeError {}

/// A part with a binary form.
trait Encoded: Sized {
    fn put(&self, to: &mut Encoder);
    /// Returns `None` for bytes that [`Encoded::put`] does not write.
    fn take(from: &mut Decoder<'_>) -> Option<Self>;
}

/// Returns the binary form of a module and of its source map. Equal arguments have equal forms.
///
/// # Errors
/// The module has nodes, or the source map has declarations.
pub fn encode(module: &Module, sources: &SourceMap) -> Result<Vec<u8>, EncodeError> {
    let Module { functions, globals, graph, entries } = module;
    if !graph.nodes.is_empty() {
        return Err(EncodeError::Nodes);
    }
    if !sources.declarations.is_empty() {
        return Err(EncodeError::Declarations);
    }
    let mut to = Encoder::default();
    functions.put(&mut to);
    globals.put(&mut to);
    entries.put(&mut to);
    sources.put(&mut to);
    Ok(to.finish())
}

/// Returns the module and the source map that bytes of [`encode`] stand for, and `None` for most other bytes. Others give
/// a module that is possibly invalid: `verify` decides. Like passes, decoding recurses over blocks.
pub fn decode(bytes: &[u8]) -> Option<(Module, SourceMap)> {
    let mut from = Decoder::new(bytes)?;
    let functions = Encoded::take(&mut from)?;
    let globals = Encoded::take(&mut from)?;
    let entries = Encoded::take(&mut from)?;
    let sources = Encoded::take(&mut from)?;
    let module = Module { functions, globals, graph: Default::default(), entries };
    from.is_empty().then_some((module, sources))
}
