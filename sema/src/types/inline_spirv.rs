//! Inline SPIR-V, as DXC spells it: functions that stand for an instruction, and what a function asks the module to declare.
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

/// The instruction that a call becomes: what `[[vk::ext_instruction(opcode, "set")]]` says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExtInstruction {
    pub opcode: u32,
    /// Of the extended set with this name.
    pub set: Option<String>,
}

/// The instruction that a function stands for. What is wrong with the attribute is reported.
pub(crate) fn instruction<'db>(cx: &mut Cx<'_, 'db>, attributes: &[&Attribute]) -> Option<ExtInstruction> {
    let attribute = attributes.iter().find(|a| is_vulkan(a, "ext_instruction"))?;
    let (opcode, set) = match attribute.args.as_deref().unwrap_or_default() {
        [opcode] => (*opcode, None),
        [opcode, set] => (*opcode, Some(*set)),
        _ => {
            let message = "`vk::ext_instruction` takes the number of the instruction, and the name of its set";
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

/// Capabilities and extensions that attributes ask for.
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
                None => cx.error(Code::AttributeArguments, attribute.span, "`vk::ext_capability` takes one number"),
            }
        } else if is_vulkan(attribute, "ext_extension") {
            match arg {
                Some(arg) => needs.extensions.extend(text(cx, arg).map(|name| name.as_str().into())),
                None => cx.error(Code::AttributeArguments, attribute.span, "`vk::ext_extension` takes one name"),
            }
        }
    }
    needs
}

/// What `[[vk::ext_builtin_input(n)]]` names, by SPIR-V's number of the built-in variable.
const INPUTS: &[(u32, Builtin)] = &[
    (24, Builtin::NumWorkgroups),
    (26, Builtin::GroupId),
    (27, Builtin::GroupThreadId),
    (28, Builtin::DispatchThreadId),
    (29, Builtin::GroupIndex),
    (36, Builtin::SubgroupSize),
    (41, Builtin::SubgroupLane),
];

/// The system value with this number; `None` for what compute shaders have not.
pub(crate) fn input(number: u32) -> Option<Builtin> {
    INPUTS.iter().find(|(n, _)| *n == number).map(|(_, builtin)| *builtin)
}

/// A number of SPIR-V: an instruction, a capability.
fn number<'db>(cx: &mut Cx<'_, 'db>, expr: ExprId) -> Option<u32> {
    let value = cx.int(expr)?;
    let number = u32::try_from(value).ok();
    if number.is_none() {
        let span = cx.ast.exprs[expr].span;
        cx.error(Code::AttributeArguments, span, format!("{value} is no number of SPIR-V: they have 32 bits"));
    }
    number
}

fn text<'db>(cx: &mut Cx<'_, 'db>, expr: ExprId) -> Option<String> {
    let node = &cx.ast.exprs[expr];
    match &node.kind {
        ExprKind::Str(parts) => Some(unquote(parts)),
        ExprKind::Error => None,
        _ => {
            cx.error(Code::AttributeArguments, node.span, "a name is written as a string here");
            None
        }
    }
}
