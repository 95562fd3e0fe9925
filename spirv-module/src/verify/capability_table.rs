//! The data of the capability rules, from the machine-readable grammar of the Khronos registry. The rules are in
//! [`super::capabilities`]. Tests compare every row with rspirv's copy of the grammar.

mod declared;
mod enumerants;
mod instructions;

pub(super) use declared::CAPABILITIES;
pub(super) use enumerants::ENUMERANTS;
pub(super) use instructions::INSTRUCTIONS;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::EnumKind;
    use rspirv::dr::Operand as O;
    use rspirv::grammar::INSTRUCTION_TABLE;
    use spirv::Capability as C;

    /// Vendors with capabilities that the supported modules never declare. Rows that require only those are left out.
    const LEFT_OUT: &[&str] = &["INTEL", "ALTERA", "NV", "ARM", "QCOM", "AMD"];

    fn names(list: &[C]) -> Vec<String> {
        list.iter().map(|c| format!("{c:?}")).collect()
    }

    fn expected(list: Vec<C>) -> Vec<String> {
        let mut names = names(&list);
        let mut seen = std::collections::HashSet::new();
        names.retain(|n| seen.insert(n.clone()));
        if names.iter().all(|n| LEFT_OUT.iter().any(|v| n.ends_with(v))) { Vec::new() } else { names }
    }

    #[test]
    fn instruction_capabilities_match_the_grammar() {
        for inst in INSTRUCTION_TABLE.iter().filter(|i| crate::grammar::pattern(i.opcode as u16).is_some()) {
            let row = INSTRUCTIONS.iter().find(|(_, ops)| ops.contains(&inst.opcode));
            let found = row.map(|r| names(r.0)).unwrap_or_default();
            assert_eq!(found, expected(inst.capabilities.to_vec()), "{}", inst.opname);
        }
    }

    #[test]
    fn enumerant_capabilities_match_the_grammar() {
        let check = |kind: EnumKind, value: u32, operand: O| {
            let row = ENUMERANTS.iter().find(|r| r.0 == kind && r.2.contains(&value));
            let found = row.map(|r| names(r.1)).unwrap_or_default();
            assert_eq!(found, expected(operand.required_capabilities()), "{kind:?} {value}");
        };
        macro_rules! values {
            ($($kind:ident)*) => {$(
                for value in 0..8000 {
                    if let Some(x) = spirv::$kind::from_u32(value) {
                        check(EnumKind::$kind, value, O::$kind(x));
                    }
                }
            )*};
        }
        values!(ExecutionModel AddressingModel MemoryModel ExecutionMode StorageClass Dim ImageFormat Decoration BuiltIn
            GroupOperation);
        for bit in (0..32).map(|b| 1u32 << b) {
            if let Some(x) = spirv::MemoryAccess::from_bits(bit) {
                check(EnumKind::MemoryAccess, bit, O::MemoryAccess(x));
            }
            if let Some(x) = spirv::ImageOperands::from_bits(bit) {
                check(EnumKind::ImageOperands, bit, O::ImageOperands(x));
            }
        }
    }

    #[test]
    fn implied_capabilities_match_the_grammar() {
        for row in CAPABILITIES {
            let operand = O::Capability(row.capability);
            assert_eq!(names(row.implies), names(&operand.required_capabilities()), "{:?}", row.capability);
            // `Groups` is core; the grammar names an extension that may provide it too.
            let extensions = operand.required_extensions();
            assert!(row.capability == C::Groups || row.extensions == extensions, "{:?}", row.capability);
            assert_eq!(row.core_since == 0, row.extensions.is_empty(), "{:?}", row.capability);
        }
    }
}
