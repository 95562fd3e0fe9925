//! Modules that break one rule of the extension each: `graph.spvasm` with some lines changed.

/// The rule, the replacements, and a part of the message.
pub type Broken = (&'static str, &'static [(&'static str, &'static str)], &'static str);

pub const BROKEN: &[Broken] = &[
    // ---- core rules that the texts require too
    ("core-extension", &[("OpExtension \"SPV_AMDX_shader_enqueue\"\n", "")], "ShaderEnqueueAMDX"),
    ("core-interface", &[("\"c\" %in_c", "\"c\"")], "%in_c"),
    (
        "core-variable",
        &[(
            "%in_c = OpVariable %pt_c NodePayloadAMDX",
            "%none = OpUndef %uint\n%in_c = OpVariable %pt_c NodePayloadAMDX %none",
        )],
        "",
    ),
    ("core-layout", &[("OpMemberDecorate %tracked 0 Offset 0\n", "")], "of a payload: member 0 without Offset"),
    ("core-layout", &[("OpMemberDecorate %rec 1 Offset 4", "OpMemberDecorate %rec 1 Offset 6")], "not aligned"),
    (
        "core-layout",
        &[
            (
                "%rec = OpTypeStruct %uint %uint",
                "%many = OpTypeRuntimeArray %uint\n%rec = OpTypeStruct %uint %uint %many",
            ),
            (
                "OpMemberDecorate %rec 1 Offset 4",
                "OpMemberDecorate %rec 1 Offset 4\nOpMemberDecorate %rec 2 Offset 8\nOpDecorate %many ArrayStride 4",
            ),
        ],
        "%many has no length",
    ),
    (
        "core-execution-mode",
        &[(
            "OpExecutionModeId %c MaxNumWorkgroupsAMDX %u4 %u4 %u1",
            "OpExecutionModeId %c MaxNumWorkgroupsAMDX %u4 %u4",
        )],
        ": MaxNumWorkgroupsAMDX needs 3 ids",
    ),
    (
        "core-execution-mode",
        &[("OpExecutionMode %a CoalescingAMDX", "OpExecutionModeId %a CoalescingAMDX")],
        ": CoalescingAMDX must be set with OpExecutionMode",
    ),
    (
        "core-decoration",
        &[("OpDecorateId %t_a NodeMaxPayloadsAMDX %u1", "OpDecorateId %t_a NodeMaxPayloadsAMDX %u1 %u1")],
        "2 operands, expected 1",
    ),
    (
        "core-decoration",
        &[("OpDecorate %tracked TrackFinishWritingAMDX", "OpDecorate %tracked TrackFinishWritingAMDX 1")],
        "1 operands, expected 0",
    ),
    (
        "core-type",
        &[
            ("OpDecorateId %t_a NodeMax", "OpDecorateId %odd NodeMaxPayloadsAMDX %u1\nOpDecorateId %t_a NodeMax"),
            ("%ft = ", "%odd = OpTypeNodePayloadArrayAMDX %bool\n%ft = "),
        ],
        "%bool cannot be the type of a payload",
    ),
    (
        "core-execution-mode",
        &[(
            "OpExecutionModeId %b ShaderIndexAMDX %u1",
            "OpExecutionModeId %b ShaderIndexAMDX %u1\nOpExecutionModeId %b ShaderIndexAMDX %u1",
        )],
        ": ShaderIndexAMDX is repeated",
    ),
    (
        "core-decoration",
        &[("OpDecorateId %t_b NodeMaxPayloadsAMDX %u1", "OpDecorate %t_b NodeMaxPayloadsAMDX 1")],
        "OpDecorateId",
    ),
    (
        "core-builtin",
        &[
            ("%pin = OpTypePointer Input %uint", "%pin = OpTypePointer Input %float"),
            ("%more = OpLoad %uint", "%more = OpLoad %float"),
        ],
        "RemainingRecursionLevelsAMDX",
    ),
    (
        "core-pointer",
        &[(
            "OpEnqueueNodePayloadsAMDX %c_new",
            "%one = OpSelect %po_c %true %c_new %c_new\nOpEnqueueNodePayloadsAMDX %one",
        )],
        "a pointer into NodePayloadAMDX",
    ),
    (
        "core-pointer",
        &[(
            "OpEnqueueNodePayloadsAMDX %c_new",
            "OpBranch %a_n\n%a_n = OpLabel\n%one = OpPhi %po_c %c_new %a_l\nOpEnqueueNodePayloadsAMDX %one",
        )],
        "a pointer into NodePayloadAMDX",
    ),
    // ---- inputs and payload arrays
    (
        "AMDX-02",
        &[
            (
                "%in_a = OpVariable %pt_a NodePayloadAMDX",
                "%pr = OpTypePointer NodePayloadAMDX %rec\n%in_a = OpVariable %pr NodePayloadAMDX",
            ),
            ("%a_p = OpAccessChain %pu %in_a %u0 %u0", "%a_p = OpAccessChain %pu %in_a %u0"),
        ],
        "of node `a` holds",
    ),
    ("AMDX-03", &[("\"c\" %in_c", "\"c\" %in_c %in_b")], "node `c` lists 2 payload variables"),
    (
        "AMDX-04",
        &[
            ("%ft = ", "%pf = OpTypePointer Function %o_b\n%ft = "),
            ("%a_l = OpLabel", "%a_l = OpLabel\n%copy = OpVariable %pf Function"),
        ],
        "node `a`: the Function variable %copy contains the payload array type %o_b",
    ),
    (
        "AMDX-04",
        &[("%ft = ", "%pf = OpTypePointer Private %o_b\n%copy = OpVariable %pf Private\n%ft = ")],
        "the Private variable",
    ),
    ("AMDX-04", &[("%ft = ", "%two = OpTypeStruct %o_b %uint\n%ft = ")], "the type %two contains"),
    ("AMDX-05", &[("%more = ", "%copy = OpLoad %t_a %in_a\n%more = ")], "node `a`: OpLoad uses"),
    ("AMDX-05", &[("%ft = ", "%copy = OpUndef %t_a\n%ft = ")], "OpUndef"),
    // ---- execution modes
    (
        "AMDX-06",
        &[
            ("OpCapability ShaderEnqueueAMDX", "OpCapability ShaderEnqueueAMDX\nOpCapability MeshShadingEXT"),
            ("OpExtension \"SPV", "OpExtension \"SPV_EXT_mesh_shader\"\nOpExtension \"SPV"),
            ("OpEntryPoint GLCompute %a", "OpEntryPoint MeshEXT %a"),
            (
                "OpExecutionMode %a LocalSize 1 1 1",
                "OpExecutionMode %a LocalSize 1 1 1\nOpExecutionMode %a OutputVertices 3\nOpExecutionMode %a OutputPrimitivesEXT 1\nOpExecutionMode %a OutputTrianglesEXT",
            ),
        ],
        "node `a` is of MeshEXT",
    ),
    (
        "AMDX-07",
        &[(
            "OpExecutionMode %a CoalescingAMDX",
            "OpExecutionMode %a CoalescingAMDX\nOpExecutionModeId %a StaticNumWorkgroupsAMDX %u1 %u1 %u1",
        )],
        "node `a` has both CoalescingAMDX and StaticNumWorkgroupsAMDX",
    ),
    (
        "AMDX-07",
        &[(
            "OpExecutionMode %a CoalescingAMDX",
            "OpExecutionMode %a CoalescingAMDX\nOpExecutionModeId %a MaxNumWorkgroupsAMDX %u1 %u1 %u1",
        )],
        "and MaxNumWorkgroupsAMDX",
    ),
    (
        "AMDX-08",
        &[(
            "OpExecutionModeId %b ShaderIndexAMDX",
            "OpExecutionModeId %b MaxNumWorkgroupsAMDX %u4 %u4 %u4\nOpExecutionModeId %b ShaderIndexAMDX",
        )],
        "node `b`[1] has both StaticNumWorkgroupsAMDX and",
    ),
    ("AMDX-09", &FRAGMENT, "`shade` is of Fragment but has ShaderIndexAMDX"),
    ("AMDX-10", &[("IsApiEntryAMDX %true", "IsApiEntryAMDX %u1")], "the constant %u1 is not a boolean"),
    ("AMDX-11", &[("MaxNodeRecursionAMDX %u3", "MaxNodeRecursionAMDX %true")], "MaxNodeRecursionAMDX of node `a`"),
    ("AMDX-11", &[("MaxNumWorkgroupsAMDX %u4 %u4 %u1", "MaxNumWorkgroupsAMDX %u4 %f1 %u1")], "the constant %f1"),
    (
        "AMDX-11",
        &[("OpExecutionModeId %c Max", "OpExecutionModeId %c ShaderIndexAMDX %f1\nOpExecutionModeId %c Max")],
        "ShaderIndexAMDX",
    ),
    ("AMDX-11", &[("SharesInputWithAMDX %s_c %u0", "SharesInputWithAMDX %s_c %f1")], "SharesInputWithAMDX of node `d`"),
    (
        "AMDX-10",
        &[("%a IsApiEntryAMDX %true", "%a IsApiEntryAMDX %unset"), ("%s_a = ", "%unset = OpUndef %bool\n%s_a = ")],
        "the undefined value %unset is not a boolean constant",
    ),
    (
        "AMDX-11",
        &[
            ("%a MaxNodeRecursionAMDX %u3", "%a MaxNodeRecursionAMDX %unset"),
            ("%s_a = ", "%unset = OpUndef %uint\n%s_a = "),
        ],
        "the undefined value %unset is not a 32-bit",
    ),
    ("AMDX-12", &[("SharesInputWithAMDX %s_c %u0", "SharesInputWithAMDX %u1 %u0")], "the constant %u1 is not a string"),
    ("AMDX-13", &[("OpExecutionModeId %d IsApiEntryAMDX %false\n", "")], "has no IsApiEntryAMDX"),
    ("AMDX-13", &[("%d IsApiEntryAMDX %false", "%d IsApiEntryAMDX %true")], "sets IsApiEntryAMDX to true"),
    ("AMDX-14", &[("SharesInputWithAMDX %s_c", "SharesInputWithAMDX %s_d")], "node `d` shares the input of node `d`"),
    (
        "AMDX-16",
        &[("OpMemberDecorate %fixed 1 NonWritable\n", "")],
        "member 1 of its payload %fixed is not NonWritable",
    ),
    (
        "AMDX-17",
        &[
            ("\"c\" %in_c", "\"c\" %in_c %groups"),
            ("OpDecorate %left", "OpDecorate %groups BuiltIn NumWorkgroups\nOpDecorate %left"),
            ("%ft = ", "%pv3 = OpTypePointer Input %v3\n%groups = OpVariable %pv3 Input\n%ft = "),
        ],
        "node `c` uses NumWorkgroups",
    ),
    (
        "AMDX-18",
        &[
            ("OpMemberDecorate %grid 1 PayloadDispatchIndirectAMDX\n", ""),
            ("OpMemberDecorate %fixed 1 PayloadDispatchIndirectAMDX\n", ""),
        ],
        "node `c` has neither",
    ),
    ("AMDX-19", &[("OpExecutionModeId %a MaxNodeRecursionAMDX %u3\n", "")], "has no MaxNodeRecursionAMDX"),
    ("AMDX-19", &[("MaxNodeRecursionAMDX %u3", "MaxNodeRecursionAMDX %u0")], "a MaxNodeRecursionAMDX of 0"),
    (
        "AMDX-20",
        &[(
            "OpDecorateId %o_a PayloadNodeArraySizeAMDX %u1",
            "OpDecorateId %o_a PayloadNodeArraySizeAMDX %u4\nOpDecorateId %o_a PayloadNodeBaseIndexAMDX %u3",
        )],
        "node `a` allocates payloads for `a`[3]",
    ),
    // ---- decorations
    (
        "AMDX-21",
        &[("OpDecorate %left", "OpDecorateId %rec NodeMaxPayloadsAMDX %u1\nOpDecorate %left")],
        "NodeMaxPayloadsAMDX cannot decorate the type %rec",
    ),
    (
        "AMDX-21",
        &[("OpDecorate %left", "OpDecorateId %rec NodeSharesPayloadLimitsWithAMDX %o_c\nOpDecorate %left")],
        "NodeSharesPayload",
    ),
    (
        "AMDX-21",
        &[("OpDecorate %left", "OpDecorateId %in_a PayloadNodeNameAMDX %s_a\nOpDecorate %left")],
        "the input variable %in_a",
    ),
    (
        "AMDX-21",
        &[("OpDecorate %left", "OpDecorateId %rec PayloadNodeBaseIndexAMDX %u1\nOpDecorate %left")],
        "PayloadNodeBaseIndexAMDX",
    ),
    (
        "AMDX-21",
        &[("OpDecorate %left", "OpDecorate %rec PayloadNodeSparseArrayAMDX\nOpDecorate %left")],
        "PayloadNodeSparseArrayAMDX",
    ),
    (
        "AMDX-21",
        &[("OpDecorate %left", "OpDecorateId %rec PayloadNodeArraySizeAMDX %u1\nOpDecorate %left")],
        "PayloadNodeArraySizeAMDX",
    ),
    (
        "AMDX-22",
        &[("OpDecorateId %t_c NodeMaxPayloadsAMDX %u1\n", "")],
        "of the input of node `c` has no NodeMaxPayloadsAMDX",
    ),
    ("AMDX-22", &[("OpDecorateId %o_a NodeMaxPayloadsAMDX %u1\n", "")], "for `a` has no NodeMaxPayloadsAMDX"),
    (
        "AMDX-23",
        &[("OpDecorateId %t_c NodeMaxPayloadsAMDX %u1", "OpDecorateId %t_c NodeMaxPayloadsAMDX %f1")],
        "%f1 is not an integer",
    ),
    (
        "AMDX-23",
        &[
            ("OpDecorateId %t_c NodeMaxPayloadsAMDX %u1", "OpDecorateId %t_c NodeMaxPayloadsAMDX %unset"),
            ("%s_a = ", "%unset = OpUndef %uint\n%s_a = "),
        ],
        "the undefined value %unset is not an integer",
    ),
    ("AMDX-23", &[("PayloadNodeBaseIndexAMDX %u1", "PayloadNodeBaseIndexAMDX %true")], "PayloadNodeBaseIndexAMDX of"),
    (
        "AMDX-23",
        &[("%o_a PayloadNodeArraySizeAMDX %u1", "%o_a PayloadNodeArraySizeAMDX %s_a")],
        "PayloadNodeArraySizeAMDX of",
    ),
    (
        "AMDX-24",
        &[("NodeSharesPayloadLimitsWithAMDX %o_c", "NodeSharesPayloadLimitsWithAMDX %rec")],
        "the type %rec, which is not a",
    ),
    ("AMDX-24", &[("NodeSharesPayloadLimitsWithAMDX %o_c", "NodeSharesPayloadLimitsWithAMDX %o_c2")], "names itself"),
    (
        "AMDX-25",
        &[("OpDecorate %left", "OpDecorateId %o_c NodeSharesPayloadLimitsWithAMDX %o_b\nOpDecorate %left")],
        "which itself shares limits",
    ),
    ("AMDX-26", &[("PayloadNodeNameAMDX %s_s", "PayloadNodeNameAMDX %u1")], "the constant %u1 is not a string"),
    ("AMDX-27", &[("OpDecorateId %o_s PayloadNodeNameAMDX %s_s\n", "")], "has no PayloadNodeNameAMDX"),
    ("AMDX-28", &[("OpDecorate %o_s PayloadNodeSparseArrayAMDX\n", "")], "for `somewhere` has neither"),
    ("AMDX-28", &[("OpDecorateId %o_b PayloadNodeArraySizeAMDX %u2\n", "")], "for `b` has neither"),
    (
        "AMDX-29",
        &[("OpDecorate %left", "OpDecorate %t_b TrackFinishWritingAMDX\nOpDecorate %left")],
        "cannot decorate the type %t_b",
    ),
    (
        "AMDX-29",
        &[("OpDecorate %left", "OpMemberDecorate %rec 0 TrackFinishWritingAMDX\nOpDecorate %left")],
        "member 0 of %rec",
    ),
    (
        "AMDX-30",
        &[("OpDecorate %left", "OpDecorate %grid PayloadDispatchIndirectAMDX\nOpDecorate %left")],
        "cannot decorate the type %grid",
    ),
    ("AMDX-31", &[("%v3 = OpTypeVector %uint 3", "%v3 = OpTypeVector %int 3")], "a vector of 3 int32"),
    (
        "AMDX-31",
        &[
            ("OpDecorate %left", "OpDecorate %v3 ArrayStride 4\nOpDecorate %left"),
            ("%v3 = OpTypeVector %uint 3\n", ""),
            ("%f1 = ", "%v3 = OpTypeArray %uint %u3\n%f1 = "),
        ],
        "an array of uint32",
    ),
    (
        "AMDX-31",
        &[("%v3 = OpTypeVector %uint 3", "%v3 = OpTypeVector %uint 4"), ("%v4 = OpTypeVector %uint 4\n", "")],
        "a vector of 4",
    ),
    // ---- instructions
    (
        "AMDX-32",
        &[
            ("%po_b = OpTypePointer NodePayloadAMDX", "%po_b = OpTypePointer StorageBuffer"),
            ("%b_p = OpAccessChain %pu", "%b_p = OpAccessChain %pb"),
            ("%ft = ", "%pb = OpTypePointer StorageBuffer %uint\n%ft = "),
        ],
        "OpAllocateNodePayloadsAMDX in node `a` returns a pointer to StorageBuffer memory",
    ),
    ("AMDX-33", &[("%po_b %u4 %u2 %u0", "%po_b %u1 %u2 %u0")], "for `b` in node `a` is visible to Device"),
    ("AMDX-34", &[("%po_b %u4 %u2 %u0", "%po_b %u4 %true %u0")], "Payload Count"),
    ("AMDX-34", &[("%po_b %u4 %u2 %u0", "%po_b %u4 %u2 %f1")], "Node Index of OpAllocate"),
    ("AMDX-34", &[("%bool %o_s %u3", "%bool %o_s %f1")], "Node Index of OpIsNodePayloadValidAMDX"),
    ("AMDX-35", &[("%po_b %u4 %u2 %u0", "%po_b %u4 %u3 %u0")], "requests 3 payloads; the limit is 2"),
    ("AMDX-36", &[("%po_b %u4 %u2 %u0", "%po_b %u4 %u2 %u1")], "uses the node index 2"),
    ("AMDX-36", &[("%o_b PayloadNodeArraySizeAMDX %u2", "%o_b PayloadNodeArraySizeAMDX %u1")], "uses the node index 1"),
    // The index is not a constant, and any index exceeds the size with this base.
    (
        "AMDX-36",
        &[
            ("OpDecorateId %o_b PayloadNodeBaseIndexAMDX %u1", "OpDecorateId %o_b PayloadNodeBaseIndexAMDX %u2"),
            ("%po_b %u4 %u2 %u0", "%po_b %u4 %u2 %a_x"),
        ],
        "uses the node index 2 or higher",
    ),
    (
        "AMDX-37",
        &[
            ("OpDecorate %left", "OpDecorateId %o_s PayloadNodeArraySizeAMDX %u4\nOpDecorate %left"),
            ("%bool %o_s %u3", "%bool %o_s %u4"),
        ],
        "tests the index 4",
    ),
    // Every allocation is enqueued too, since another rule would report it otherwise.
    ("AMDX-38", &[("OpNoLine", "OpEnqueueNodePayloadsAMDX %in_a\nOpNoLine")], "the input variable %in_a"),
    ("AMDX-38", &[("OpNoLine", "OpEnqueueNodePayloadsAMDX %a_x\nOpNoLine")], "a result of OpLoad"),
    ("AMDX-38", &[("OpNoLine", "OpEnqueueNodePayloadsAMDX %b_p\nOpNoLine")], "the pointer into an array %b_p"),
    (
        "AMDX-39",
        &[("OpEnqueueNodePayloadsAMDX %c_new\n", "")],
        "the payloads %c_new for `c` are allocated but never enqueued",
    ),
    (
        "AMDX-40",
        &[("OpNoLine", "OpStore %b_p %a_x\nOpNoLine")],
        "OpStore writes payloads after OpEnqueueNodePayloadsAMDX sent them",
    ),
    ("AMDX-40", &[("%a_m = OpLabel", "%a_m = OpLabel\n%late = OpLoad %uint %b_p")], "OpLoad reads"),
    // A copy of the pointer is the same array.
    (
        "AMDX-40",
        &[
            (
                "OpEnqueueNodePayloadsAMDX %b_new",
                "%b_copy = OpCopyObject %po_b %b_new\nOpEnqueueNodePayloadsAMDX %b_copy",
            ),
            ("OpNoLine", "OpStore %b_p %a_x\nOpNoLine"),
        ],
        "OpStore writes payloads after OpEnqueueNodePayloadsAMDX sent them",
    ),
    (
        "AMDX-40",
        &[(
            "OpNoLine",
            "%b_copy = OpCopyObject %po_b %b_new\n%b_again = OpAccessChain %pu %b_copy %u1 %u0\nOpStore %b_again %a_x\nOpNoLine",
        )],
        "OpStore writes payloads after OpEnqueueNodePayloadsAMDX sent them",
    ),
    (
        "AMDX-40",
        &[("OpNoLine", "%b_copy = OpCopyObject %po_b %b_new\nOpEnqueueNodePayloadsAMDX %b_copy\nOpNoLine")],
        "OpEnqueueNodePayloadsAMDX sends again payloads after OpEnqueueNodePayloadsAMDX sent them",
    ),
    (
        "AMDX-40",
        &[("OpNoLine", "OpEnqueueNodePayloadsAMDX %b_new\nOpNoLine")],
        "OpEnqueueNodePayloadsAMDX sends again payloads after OpEnqueueNodePayloadsAMDX sent them",
    ),
    (
        "AMDX-41",
        &[
            ("%c_n = OpNodePayloadArrayLengthAMDX %uint %in_c", "%c_n = OpNodePayloadArrayLengthAMDX %uint %c_m"),
            ("%c_l = OpLabel", "%c_l = OpLabel\n%c_m = OpAccessChain %pu %in_c %u0 %u0"),
        ],
        "the pointer into an array",
    ),
    (
        "AMDX-41",
        &[
            ("\"c\" %in_c", "\"c\" %in_c %ssbo"),
            (
                "OpDecorate %left",
                "OpDecorate %blk Block\nOpMemberDecorate %blk 0 Offset 0\nOpDecorate %ssbo DescriptorSet 0\nOpDecorate %ssbo Binding 0\nOpDecorate %left",
            ),
            (
                "%ft = ",
                "%blk = OpTypeStruct %uint\n%pblk = OpTypePointer StorageBuffer %blk\n%ssbo = OpVariable %pblk StorageBuffer\n%ft = ",
            ),
            ("%uint %in_c\n", "%uint %ssbo\n"),
        ],
        "the StorageBuffer variable %ssbo",
    ),
    (
        "AMDX-42",
        &[("%c_n = OpNodePayloadArrayLengthAMDX %uint", "%c_n = OpNodePayloadArrayLengthAMDX %int")],
        "not an unsigned 32-bit",
    ),
    (
        "AMDX-43",
        &[(
            "%last = OpFinishWritingNodePayloadAMDX %bool %in_b",
            "%last_n = OpFinishWritingNodePayloadAMDX %uint %in_b\n%last = OpIEqual %bool %last_n %u1",
        )],
        "OpFinishWritingNodePayloadAMDX in node `b` returns %uint",
    ),
    (
        "AMDX-43",
        &[(
            "%can = OpIsNodePayloadValidAMDX %bool %o_s %u3",
            "%can_n = OpIsNodePayloadValidAMDX %uint %o_s %u3\n%can = OpIEqual %bool %can_n %u1",
        )],
        "OpIsNodePayloadValidAMDX",
    ),
    ("AMDX-44", &[("%bool %o_s %u3", "%bool %b_new %u0")], "the allocation %b_new"),
    ("AMDX-44", &[("%bool %o_s %u3", "%bool %rec %u3")], "the type %rec"),
    (
        "AMDX-44",
        &[("%bool %o_s %u3", "%bool %value %u3"), ("%ft = ", "%value = OpUndef %o_s\n%ft = ")],
        "the undefined value %value",
    ),
    (
        "AMDX-45",
        &[("OpFinishWritingNodePayloadAMDX %bool %in_b", "OpFinishWritingNodePayloadAMDX %bool %b_q")],
        "the pointer into an array %b_q",
    ),
    (
        "AMDX-46",
        &[("OpDecorate %tracked TrackFinishWritingAMDX\n", "")],
        "its payload %tracked lacks TrackFinishWritingAMDX",
    ),
    (
        "AMDX-47",
        &[("OpExecutionModeId %b StaticNumWorkgroupsAMDX %u4 %u1 %u1", "OpExecutionMode %b CoalescingAMDX")],
        "runs in node `b`[1], which has CoalescingAMDX",
    ),
    (
        "AMDX-56",
        &[("%d_x = OpLoad %uint %d_p", "OpStore %d_p %u1")],
        "OpStore writes member 0 of %fixed in the input %in_d",
    ),
    ("AMDX-48", &[("%b_x = OpLoad %uint %b_q", "OpStore %b_q %u1")], "OpStore writes the input after"),
    // ---- two nodes
    (
        "AMDX-49",
        &[
            (
                "%o_b = OpTypeNodePayloadArrayAMDX %tracked",
                "%nothing = OpTypeStruct\n%o_b = OpTypeNodePayloadArrayAMDX %nothing",
            ),
            ("%b_p = OpAccessChain %pu %b_new %u1 %u0\nOpStore %b_p %a_x\n", ""),
        ],
        "node `b`[1] consumes payloads of 4 bytes, but those of",
    ),
    (
        "AMDX-49",
        &[
            ("\"c\" %in_c", "\"c\""),
            (
                "%c_n = OpNodePayloadArrayLengthAMDX %uint %in_c\n%c_p = OpAccessChain %pu %in_c %u0 %u0\n%c_x = OpLoad %uint %c_p\n",
                "",
            ),
            ("%o_c = OpTypeNodePayloadArrayAMDX %grid", "%o_c = OpTypeNodePayloadArrayAMDX %rec"),
            ("\"d\" %in_d", "\"d\""),
            ("%d_p = OpAccessChain %pu %in_d %u0 %u0\n%d_x = OpLoad %uint %d_p\n", ""),
        ],
        "node `c` consumes payloads of 12 bytes",
    ),
    // Payloads for `c` go to `d` too.
    (
        "AMDX-49",
        &[
            ("%fixed = OpTypeStruct %uint %v3", "%fixed = OpTypeStruct %uint %v3 %uint"),
            (
                "OpMemberDecorate %fixed 1 NonWritable",
                "OpMemberDecorate %fixed 1 NonWritable\nOpMemberDecorate %fixed 2 NonWritable\nOpMemberDecorate %fixed 2 Offset 16",
            ),
        ],
        "node `d` consumes payloads of 20 bytes, but those of the payload array type %o_c2 for `c` have 16",
    ),
    (
        "AMDX-50",
        &[("OpMemberDecorate %fixed 1 PayloadDispatchIndirectAMDX\n", "")],
        "and the payload of node `d` differ in PayloadDispatchIndirectAMDX of the member at byte 4",
    ),
    (
        "AMDX-50",
        &[
            ("%fixed = OpTypeStruct %uint %v3", "%fixed = OpTypeStruct %v3 %uint"),
            ("OpMemberDecorate %fixed 1 Offset 4", "OpMemberDecorate %fixed 1 Offset 12"),
            ("%fixed 1 PayloadDispatchIndirectAMDX", "%fixed 0 PayloadDispatchIndirectAMDX"),
            ("OpAccessChain %pu %in_d %u0 %u0", "OpAccessChain %pu %in_d %u0 %u1"),
        ],
        "and the payload of node `d` differ in PayloadDispatchIndirectAMDX of the member at byte",
    ),
    (
        "AMDX-50",
        &[
            (
                "OpDecorate %left",
                "OpMemberDecorate %plain 0 Offset 0\nOpMemberDecorate %plain 1 Offset 4\nOpDecorate %left",
            ),
            (
                "%o_c2 = OpTypeNodePayloadArrayAMDX %grid",
                "%plain = OpTypeStruct %uint %v3\n%o_c2 = OpTypeNodePayloadArrayAMDX %plain",
            ),
        ],
        "PayloadDispatchIndirectAMDX of the member at byte 4",
    ),
    // No member is sent at the offset of `a`'s second member.
    (
        "AMDX-50",
        &[
            (
                "OpDecorate %left",
                "OpMemberDecorate %sent 0 Offset 0\nOpMemberDecorate %sent 1 Offset 8\nOpDecorate %left",
            ),
            (
                "%o_a = OpTypeNodePayloadArrayAMDX %rec",
                "%sent = OpTypeStruct %uint %uint\n%o_a = OpTypeNodePayloadArrayAMDX %sent",
            ),
        ],
        "node `a` consumes member 1 of %rec at byte 4 of its payload, but the payload array type %o_a for `a` has no member there",
    ),
    // There is no member between the elements of an array.
    (
        "AMDX-50",
        &[
            ("OpDecorate %left", "OpMemberDecorate %sent 0 Offset 0\nOpDecorate %two ArrayStride 8\nOpDecorate %left"),
            (
                "%o_a = OpTypeNodePayloadArrayAMDX %rec",
                "%two = OpTypeArray %uint %u2\n%sent = OpTypeStruct %two\n%o_a = OpTypeNodePayloadArrayAMDX %sent",
            ),
        ],
        "node `a` consumes member 1 of %rec at byte 4",
    ),
    // `c` receives its payload as sent, and `d` reads a gap.
    (
        "AMDX-50",
        &[
            ("OpMemberDecorate %grid 1 Offset 4", "OpMemberDecorate %grid 1 Offset 8"),
            ("%fixed = OpTypeStruct %uint %v3", "%fixed = OpTypeStruct %uint %v3 %uint"),
            (
                "OpMemberDecorate %fixed 1 Offset 4",
                "OpMemberDecorate %fixed 1 Offset 8\nOpMemberDecorate %fixed 2 Offset 4\nOpMemberDecorate %fixed 2 NonWritable",
            ),
        ],
        "node `d` consumes member 2 of %fixed at byte 4 of its payload",
    ),
    (
        "AMDX-51",
        &[
            (
                "OpDecorate %left",
                "OpDecorate %sent TrackFinishWritingAMDX\nOpMemberDecorate %sent 0 Offset 0\nOpMemberDecorate %sent 1 Offset 4\nOpDecorate %left",
            ),
            (
                "%o_a = OpTypeNodePayloadArrayAMDX %rec",
                "%sent = OpTypeStruct %uint %uint\n%o_a = OpTypeNodePayloadArrayAMDX %sent",
            ),
        ],
        "the payload %rec of node `a` does not",
    ),
    (
        "AMDX-51",
        &[(
            "OpDecorate %tracked TrackFinishWritingAMDX",
            "OpDecorate %tracked TrackFinishWritingAMDX\nOpDecorate %grid TrackFinishWritingAMDX",
        )],
        "the payload %fixed of node `d` does not",
    ),
    (
        "AMDX-52",
        &[
            ("OpCapability ShaderEnqueueAMDX", "OpCapability ShaderEnqueueAMDX\nOpCapability MeshShadingEXT"),
            ("OpExtension \"SPV", "OpExtension \"SPV_EXT_mesh_shader\"\nOpExtension \"SPV"),
            ("OpEntryPoint GLCompute %c \"c\"", "OpEntryPoint MeshEXT %c \"b\""),
            (
                "OpExecutionMode %c LocalSize 4 1 1",
                "OpExecutionMode %c LocalSize 4 1 1\nOpExecutionMode %c OutputVertices 3\nOpExecutionMode %c OutputPrimitivesEXT 1\nOpExecutionMode %c OutputTrianglesEXT",
            ),
            // Nothing is sent to either, since their payloads would have to be the same.
            ("PayloadNodeNameAMDX %s_b", "PayloadNodeNameAMDX %s_s"),
        ],
        "two nodes have the name `b`, but one is of GLCompute and one of MeshEXT",
    ),
];

/// A fragment shader in addition to the nodes, with the mode of a node.
const FRAGMENT: [(&str, &str); 2] = [
    (
        "OpExecutionMode %a LocalSize 1 1 1",
        "OpEntryPoint Fragment %shade \"shade\"\nOpExecutionMode %shade OriginUpperLeft\nOpExecutionModeId %shade ShaderIndexAMDX %u1\nOpExecutionMode %a LocalSize 1 1 1",
    ),
    (
        "%d = OpFunction %void None %ft",
        "%shade = OpFunction %void None %ft\n%shade_l = OpLabel\nOpReturn\nOpFunctionEnd\n%d = OpFunction %void None %ft",
    ),
];
