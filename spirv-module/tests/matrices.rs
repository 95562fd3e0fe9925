//! Tests of sizes in linear algebra, and of the layout of matrices in blocks.

use wgc_spirv_module::{Module, asm, verify};

const FRAME: &str = "OpCapability Shader
%glsl = OpExtInstImport \"GLSL.std.450\"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\" %block
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %block DescriptorSet 0
OpDecorate %block Binding 0
OpDecorate %holder Block
OpMemberDecorate %holder 0 Offset 0
OpMemberDecorate %holder 0 RowMajor
OpMemberDecorate %holder 0 MatrixStride 12
%void = OpTypeVoid
%ft = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%f2 = OpTypeVector %float 2
%f3 = OpTypeVector %float 3
%m23 = OpTypeMatrix %f3 2
%m32 = OpTypeMatrix %f2 3
%m22 = OpTypeMatrix %f2 2
%m33 = OpTypeMatrix %f3 3
%holder = OpTypeStruct %m32
%pointer = OpTypePointer StorageBuffer %holder
%block = OpVariable %pointer StorageBuffer
%one = OpConstant %float 1
%v2 = OpConstantComposite %f2 %one %one
%v3 = OpConstantComposite %f3 %one %one %one
%a = OpConstantComposite %m23 %v3 %v3
%b = OpConstantComposite %m32 %v2 %v2 %v2
%main = OpFunction %void None %ft
%entry = OpLabel
%scaled = OpMatrixTimesScalar %m23 %a %one
%mv = OpMatrixTimesVector %f3 %a %v2
%vm = OpVectorTimesMatrix %f2 %v3 %a
%mm = OpMatrixTimesMatrix %m33 %a %b
%turned = OpTranspose %m32 %a
%outer = OpOuterProduct %m23 %v3 %v2
%det = OpExtInst %float %glsl Determinant %mm
%inverse = OpExtInst %m33 %glsl MatrixInverse %mm
OpReturn
OpFunctionEnd
";

fn found(text: &str) -> Vec<&'static str> {
    let words = asm::assemble(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let module = Module::load(&words).unwrap_or_else(|e| panic!("{e}\n{text}"));
    verify(&module).iter().map(|v| v.rule).collect()
}

#[test]
fn base_module_is_valid() {
    assert_eq!(found(FRAME), [""; 0]);
}

#[test]
fn each_wrong_size_is_found() {
    let cases = [
        ("core-operands", "OpMatrixTimesVector %f3 %a %v2", "OpMatrixTimesVector %f3 %a %v3"),
        ("core-operands", "OpMatrixTimesVector %f3 %a %v2", "OpMatrixTimesVector %f2 %a %v2"),
        ("core-operands", "OpVectorTimesMatrix %f2 %v3 %a", "OpVectorTimesMatrix %f2 %v2 %a"),
        ("core-operands", "OpMatrixTimesScalar %m23 %a %one", "OpMatrixTimesScalar %m23 %a %v2"),
        ("core-operands", "OpMatrixTimesMatrix %m33 %a %b", "OpMatrixTimesMatrix %m33 %b %a"),
        ("core-operands", "OpTranspose %m32 %a", "OpTranspose %m23 %a"),
        ("core-operands", "OpOuterProduct %m23 %v3 %v2", "OpOuterProduct %m23 %v2 %v3"),
        ("core-ext-inst", "Determinant %mm", "Determinant %a"),
        ("core-ext-inst", "MatrixInverse %mm", "MatrixInverse %outer"),
        ("core-layout", "MatrixStride 12", "MatrixStride 8"),
        ("core-layout", "MatrixStride 12", "MatrixStride 14"),
    ];
    for (rule, from, to) in cases {
        assert!(FRAME.contains(from), "{from}");
        let rules = found(&FRAME.replace(from, to));
        assert!(!rules.is_empty() && rules.iter().all(|r| *r == rule), "{from} -> {to}: {rules:?}");
    }
    // Columns of two floats: RowMajor needs room for three, ColMajor for two.
    assert_eq!(found(&FRAME.replace("RowMajor", "ColMajor").replace("MatrixStride 12", "MatrixStride 8")), [""; 0]);
}
