//! Conversion of root signatures from the front end to a package's manifest.

use wgc_abi::root_signature::{RegisterRange, RootParameter, RootScope, RootSignature};
use wgc_sema::contracts::root_signatures::Declared;
use wgc_sema::tables::root_signature::{Parameter, Range};

pub(crate) fn reported(declared: Vec<Declared>) -> Vec<RootSignature> {
    declared.into_iter().map(signature).collect()
}

fn signature(declared: Declared) -> RootSignature {
    RootSignature {
        name: declared.name,
        scope: if declared.is_local { RootScope::Local } else { RootScope::Global },
        exports: declared.exports,
        flags: declared.signature.flags,
        parameters: declared.signature.parameters.into_iter().map(parameter).collect(),
    }
}

fn parameter(parameter: Parameter) -> RootParameter {
    let settings = parameter.settings.into_iter().map(|(name, value)| (name.to_owned(), value));
    RootParameter {
        clause: parameter.clause.to_owned(),
        ranges: parameter.ranges.iter().map(range).collect(),
        settings: settings.collect(),
    }
}

fn range(range: &Range) -> RegisterRange {
    let count = (range.last != u32::MAX).then(|| range.last - range.first + 1);
    RegisterRange { class: range.class, first: range.first, count, space: range.space }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgc_sema::Compiler;
    use wgc_sema::db::Options;

    #[test]
    fn declared_root_signatures_are_reported() {
        let text = r#"
            GlobalRootSignature Whole = { "RootFlags(CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED), UAV(u1, space = 2), DescriptorTable(SRV(t3, numDescriptors = 4), CBV(b0, numDescriptors = unbounded), visibility = shader_visibility_all)" };
            LocalRootSignature Own = { "RootConstants(num32BitConstants = 4, b7), StaticSampler(s0, filter = FILTER_MIN_MAG_MIP_POINT)" };
            SubobjectToExportsAssociation Link = { "Own", "A; B" };
            [Shader("node")] [NodeLaunch("thread")] void A() { }
            [Shader("node")] [NodeLaunch("thread")] void B() { }
            [Shader("compute")] [NumThreads(1, 1, 1)] [RootSignature("SRV(t0)")] void C() { }
        "#;
        let mut db = Compiler::new(Box::new(crate::loader::Disk));
        db.set_text("signatures.hlsl", Some(text.as_bytes()));
        let program = db.add_program(&["signatures.hlsl"], Options::default());
        let range = |class, first, count, space| RegisterRange { class, first, count, space };
        let parameter = |clause: &str, ranges: &[RegisterRange], settings: &[(&str, &str)]| RootParameter {
            clause: clause.to_owned(),
            ranges: ranges.to_vec(),
            settings: settings.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
        };
        let expected = [
            RootSignature {
                name: "Whole".into(),
                scope: RootScope::Global,
                exports: Vec::new(),
                flags: vec!["CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED".into()],
                parameters: vec![
                    parameter("UAV", &[range('u', 1, Some(1), 2)], &[("space", "2")]),
                    parameter(
                        "DescriptorTable",
                        &[range('t', 3, Some(4), 0), range('b', 0, None, 0)],
                        &[("visibility", "SHADER_VISIBILITY_ALL")],
                    ),
                ],
            },
            RootSignature {
                name: "Own".into(),
                scope: RootScope::Local,
                exports: vec!["A".into(), "B".into()],
                flags: Vec::new(),
                parameters: vec![
                    parameter("RootConstants", &[range('b', 7, Some(1), 0)], &[("num32BitConstants", "4")]),
                    parameter("StaticSampler", &[range('s', 0, Some(1), 0)], &[("filter", "FILTER_MIN_MAG_MIP_POINT")]),
                ],
            },
            RootSignature {
                name: "C".into(),
                scope: RootScope::Global,
                exports: vec!["C".into()],
                flags: Vec::new(),
                parameters: vec![parameter("SRV", &[range('t', 0, Some(1), 0)], &[])],
            },
        ];
        assert_eq!(reported(wgc_sema::contracts::root_signatures::declared(&db, program)), expected);
    }
}
