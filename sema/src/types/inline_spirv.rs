//! Inline SPIR-V, as DXC spells it: functions that are instructions, and their requirements of the module.
//!
//! ```hlsl
//! [[vk::ext_capability(5055)]] [[vk::ext_extension("SPV_KHR_shader_clock")]]
//! [[vk::ext_instruction(5056)]] uint64_t read_clock(uint scope);
//! ```
//!
//! Numbers in these attributes are constant expressions, of template parameters too. Parameters say how an argument
//! travels: `[[vk::ext_reference]]` as a pointer to the place, `[[vk::ext_literal]]` as a word of the instruction, others
//! as the id of a value.
//!
//! `[[vk::ext_builtin_input(n)]] static const uint3 name;` is a system value.

use crate::tables::codes::Code;
use crate::types::attributes::{is_vulkan, unquote};
use crate::types::cx::Cx;
use wgc_frontend::ast::{Attribute, ExprId, ExprKind};
use wgc_ir::Builtin;
use wgc_ir::spirv::Needs;

/// The instruction that a call becomes, from `[[vk::ext_instruction(opcode, "set")]]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExtInstruction {
    pub opcode: u32,
    /// The name of its extended instruction set.
    pub set: Option<String>,
}

/// Returns the instruction of a function. Errors in the attribute are reported.
pub(crate) fn instruction<'db>(cx: &mut Cx<'_, 'db>, attributes: &[&Attribute]) -> Option<ExtInstruction> {
    let attribute = attributes.iter().find(|a| is_vulkan(a, "ext_instruction"))?;
    let (opcode, set) = match attribute.args.as_deref().unwrap_or_default() {
        [opcode] => (*opcode, None),
        [opcode, set] => (*opcode, Some(*set)),
        _ => {
            let message = "`vk::ext_instruction` expects an opcode and, optionally, the name of an instruction set";
            cx.error(Code::AttributeArguments, attribute.span, message);
            return None;
        }
    };
    let opcode = number(cx, opcode)?;
    let set = match set {
        Some(set) => Some(text(cx, set)?),
        None => None,
    };
    Some(ExtInstruction { opcode, set: set.filter(|set| !set.is_empty()) })
}

/// Returns the capabilities and extensions that attributes require.
pub(crate) fn needs<'db>(cx: &mut Cx<'_, 'db>, attributes: &[&Attribute]) -> Needs {
    let mut needs = Needs::default();
    for attribute in attributes {
        let arg = match attribute.args.as_deref() {
            Some([arg]) => Some(*arg),
            _ => None,
        };
        if is_vulkan(attribute, "ext_capability") {
            match arg {
                Some(arg) => needs.capabilities.extend(number(cx, arg)),
                None => cx.error(Code::AttributeArguments, attribute.span, "`vk::ext_capability` expects one number"),
            }
        } else if is_vulkan(attribute, "ext_extension") {
            match arg {
                Some(arg) => needs.extensions.extend(text(cx, arg).map(|name| name.as_str().into())),
                None => cx.error(Code::AttributeArguments, attribute.span, "`vk::ext_extension` expects one name"),
            }
        }
    }
    needs
}

/// The system values of `[[vk::ext_builtin_input(n)]]`, by SPIR-V's number of the built-in variable.
const INPUTS: &[(u32, Builtin)] = &[
    (24, Builtin::NumWorkgroups),
    (26, Builtin::GroupId),
    (27, Builtin::GroupThreadId),
    (28, Builtin::DispatchThreadId),
    (29, Builtin::GroupIndex),
    (36, Builtin::SubgroupSize),
    (41, Builtin::SubgroupLane),
];

/// Returns the system value with this number; `None` if compute shaders do not have it.
pub(crate) fn input(number: u32) -> Option<Builtin> {
    INPUTS.iter().find(|(n, _)| *n == number).map(|(_, builtin)| *builtin)
}

/// Reads a number of SPIR-V: an instruction or a capability.
fn number<'db>(cx: &mut Cx<'_, 'db>, expr: ExprId) -> Option<u32> {
    let value = cx.int(expr)?;
    let number = u32::try_from(value).ok();
    if number.is_none() {
        let span = cx.ast.exprs[expr].span;
        cx.error(Code::AttributeArguments, span, format!("{value} does not fit into an unsigned 32-bit integer"));
    }
    number
}

fn text<'db>(cx: &mut Cx<'_, 'db>, expr: ExprId) -> Option<String> {
    let node = &cx.ast.exprs[expr];
    match &node.kind {
        ExprKind::Str(parts) => Some(unquote(parts)),
        ExprKind::Error => None,
        _ => {
            cx.error(Code::AttributeArguments, node.span, "expected a string");
            None
        }
    }
}
