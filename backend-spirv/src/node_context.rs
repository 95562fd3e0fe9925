//! The interface of the node under emission. `amdx` declares it, and the emitter hands it to the function of the node,
//! whose graph operations need it.

use crate::types::LayoutId;
use rspirv::spirv::Word;
use wgc_ir::Node;

/// A node's interface, declared in the module.
pub(crate) struct NodeContext<'m> {
    pub node: &'m Node,
    pub input: Option<InputPayload>,
    pub outputs: Vec<OutputPayload>,
}

pub(crate) struct InputPayload {
    pub variable: Word,
    pub record: LayoutId,
}

pub(crate) struct OutputPayload {
    /// OpTypeNodePayloadArrayAMDX
    pub array: Word,
    pub record: LayoutId,
}

impl NodeContext<'_> {
    /// Returns the input's variable.
    pub fn input_variable(&self) -> Option<Word> {
        self.input.as_ref().map(|input| input.variable)
    }
}
