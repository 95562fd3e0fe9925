//! SPV_AMDX_shader_enqueue: payload types, and the instructions that allocate, enqueue and query.

use super::{Result, Stride, Translator, Value};
use crate::cpu::program::{Input, Ins, Output};
use spirv::{Decoration, Op, Scope};
use wgc_abi::layout::StructLayout;
use wgc_spirv_module::module::{Global, Inst};
use wgc_spirv_module::{Id, Type};

/// The most bytes of a record that a node sends: drivers report half of it as their limit.
const MAX_SENT: u32 = 64 << 10;
/// The most bytes of a record that a node accepts: those from outside the graph have no limit of their own.
const MAX_TAKEN: u32 = StructLayout::MAX_BYTES;

impl Translator<'_> {
    fn payload_of(&self, array: Id) -> Result<Id> {
        match self.ty(array)? {
            Type::NodePayloadArray { payload } => Ok(*payload),
            _ => Err("a payload variable is not an OpTypeNodePayloadArrayAMDX".into()),
        }
    }

    /// Returns the constant of an OpDecorateId.
    fn decorated_constant(&self, ty: Id, kind: Decoration) -> Result<Option<u32>> {
        match self.m.decoration_word(ty, None, kind) {
            Some(id) => Ok(Some(self.constant_u32(id)?)),
            None => Ok(None),
        }
    }

    /// Returns the bytes from record to record.
    fn record_stride(&mut self, ty: Id, most: u32) -> Result<u32> {
        match self.layouts.array_stride(ty, Stride::Natural)? {
            stride if stride <= most => Ok(stride),
            stride => Err(format!("records of {stride} bytes are larger than {most}")),
        }
    }

    /// Translates the input payload variable.
    pub(super) fn input_payload(&mut self, global: &Global, ty: Id) -> Result<()> {
        if self.program.input.is_some() {
            return Err(
                "its interface lists more than one payload variable, but an entry point can have only one input".into(),
            );
        }
        let payload = self.payload_of(ty)?;
        let stride = self.record_stride(ty, MAX_TAKEN)?;
        let max_payloads = self
            .decorated_constant(ty, Decoration::NodeMaxPayloadsAMDX)?
            .ok_or_else(|| format!("its input payload type %{ty} lacks NodeMaxPayloadsAMDX"))?;
        let row = self.rows(1)?;
        let tracks_finish = self.m.decoration(payload, None, Decoration::TrackFinishWritingAMDX).is_some();
        let grid = self.dispatch_grid(payload, 0, &mut 4096)?;
        self.program.input = Some(Input { row, stride, max_payloads, tracks_finish, grid });
        self.values.insert(global.id, Value { row, n: 1 });
        Ok(())
    }

    /// Returns offset, components and bytes of the member with PayloadDispatchIndirectAMDX, in nested structures too.
    fn dispatch_grid(&mut self, ty: Id, at: u32, budget: &mut u32) -> Result<Option<(u32, u32, u32)>> {
        let Type::Struct { members } = self.ty(ty)?.clone() else { return Ok(None) };
        // Records are small; nested empty structures could be visited forever.
        *budget = budget.checked_sub(1).ok_or("a record nests too deeply")?;
        for (index, member) in members.iter().enumerate() {
            let offset =
                self.layouts.member_offset(ty, index as u32)?.checked_add(at).ok_or("a record is too large")?;
            if self.m.decoration(ty, Some(index as u32), Decoration::PayloadDispatchIndirectAMDX).is_some() {
                let n = self.count(*member)?;
                // A vector as the extension requires, or an array as some compilers write.
                let scalar = match self.ty(*member)? {
                    Type::Array { element, .. } => *element,
                    _ => *member,
                };
                let bytes = self.width(scalar)?.0 / 8;
                if !(1..=3).contains(&n) || !matches!(bytes, 2 | 4) {
                    return Err("PayloadDispatchIndirectAMDX decorates a member that cannot be a dispatch grid".into());
                }
                return Ok(Some((offset, n, bytes)));
            }
            if let Some(grid) = self.dispatch_grid(*member, offset, budget)? {
                return Ok(Some(grid));
            }
        }
        Ok(None)
    }

    /// Returns the number of a program's output, by its payload array type.
    fn output(&mut self, ty: Id) -> Result<u32> {
        if let Some(index) = self.outputs.get(&ty) {
            return Ok(*index);
        }
        self.payload_of(ty)?;
        let name = self.m.decoration_word(ty, None, Decoration::PayloadNodeNameAMDX);
        let node = name
            .and_then(|id| self.m.string(id))
            .ok_or_else(|| format!("payload type %{ty} lacks PayloadNodeNameAMDX"))?
            .to_string();
        let max_payloads = self
            .decorated_constant(ty, Decoration::NodeMaxPayloadsAMDX)?
            .ok_or_else(|| format!("payload type %{ty} for node {node} lacks NodeMaxPayloadsAMDX"))?;
        let array_size = self.decorated_constant(ty, Decoration::PayloadNodeArraySizeAMDX)?;
        let base_index = self.decorated_constant(ty, Decoration::PayloadNodeBaseIndexAMDX)?.unwrap_or(0);
        let sparse = self.m.decoration(ty, None, Decoration::PayloadNodeSparseArrayAMDX).is_some();
        let stride = self.record_stride(ty, MAX_SENT)?;
        let index = self.program.outputs.len() as u32;
        self.outputs.insert(ty, index);
        self.program.outputs.push(Output {
            node,
            base_index,
            array_size,
            sparse,
            max_payloads,
            limit_of: index,
            stride,
        });
        if let Some(with) = self.m.decoration_word(ty, None, Decoration::NodeSharesPayloadLimitsWithAMDX)
            && with != ty
        {
            let limit_of = self.output(with)?;
            if let Some(output) = self.program.outputs.get_mut(index as usize) {
                output.limit_of = limit_of;
            }
        }
        Ok(index)
    }

    pub(super) fn payloads(&mut self, op: Op, inst: &Inst, w: &[u32]) -> Result<bool> {
        let operand = |i: usize| w.get(i).copied().unwrap_or(0);
        match op {
            Op::AllocateNodePayloadsAMDX => {
                let Type::Pointer { pointee, .. } = *self.ty(inst.ty)? else {
                    return Err("OpAllocateNodePayloadsAMDX has no pointer type".into());
                };
                let output = self.output(pointee)?;
                let group = match self.constant_u32(operand(0))? {
                    s if s == Scope::Workgroup as u32 => true,
                    s if s == Scope::Invocation as u32 => false,
                    other => return Err(format!("payloads cannot be allocated with scope {other}")),
                };
                let (count, index) = (self.scalar(operand(1))?, self.scalar(operand(2))?);
                let dst = self.rows(1)?;
                self.emit(Ins::AllocatePayloads { dst, output, group, count, index });
                self.define(inst, dst, 1);
            }
            Op::EnqueueNodePayloadsAMDX => {
                if self.locals.contains_key(&operand(0)) {
                    return Err(
                        "OpEnqueueNodePayloadsAMDX of a local variable: the node would fill a copy, and no record would be sent"
                            .into(),
                    );
                }
                let payloads = self.scalar(operand(0))?;
                self.emit(Ins::EnqueuePayloads { payloads });
            }
            Op::NodePayloadArrayLengthAMDX => {
                let payloads = self.scalar(operand(0))?;
                let input = self.program.input.as_ref().is_some_and(|i| i.row == payloads);
                let dst = self.rows(1)?;
                self.emit(Ins::PayloadLength { dst, payloads, input });
                self.define(inst, dst, 1);
            }
            Op::IsNodePayloadValidAMDX => {
                // The extension requires the payload array type; some tools expect a value of it, or a pointer.
                let ty = match self.m.ty(operand(0)) {
                    Some(_) => operand(0),
                    None => match self.ty(self.m.type_of(operand(0)))? {
                        Type::Pointer { pointee, .. } => *pointee,
                        _ => self.m.type_of(operand(0)),
                    },
                };
                let output = self.output(ty)?;
                let index = self.scalar(operand(1))?;
                let dst = self.rows(1)?;
                self.emit(Ins::PayloadValid { dst, output, index });
                self.define(inst, dst, 1);
            }
            Op::FinishWritingNodePayloadAMDX => {
                if self.m.globals.get(&operand(0)).is_none() {
                    return Err("OpFinishWritingNodePayloadAMDX of something other than the input variable".into());
                }
                self.program.cooperates = true;
                let dst = self.rows(1)?;
                self.emit(Ins::FinishWriting { dst });
                self.define(inst, dst, 1);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
