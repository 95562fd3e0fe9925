//! The table of rules.

/// A rule of validity.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    pub id: &'static str,
    /// The section in the specification: of SPIR-V 1.6 revision 7, or of Vulkan's SPIR-V environment.
    pub spec: &'static str,
    /// The requirement.
    pub summary: &'static str,
}

macro_rules! rules {
    ($($name:ident = $id:literal, $spec:literal, $summary:literal;)*) => {
        $(pub(super) static $name: &Rule = &Rule { id: $id, spec: $spec, summary: $summary };)*
        /// Every rule, in the order of the specification.
        pub static RULES: &[&Rule] = &[$($name),*];
    };
}

rules! {
    HEADER = "core-header", "2.3", "the version is one of 1.0 to 1.6";
    ORDER = "core-order", "2.4", "instructions are in the order of the logical layout";
    DEFINED = "core-defined", "2.16.1", "every id that is used is defined, before its use where no forward reference is allowed";
    DOMINANCE = "core-dominance", "2.16.1", "a definition dominates its uses";
    VERSION = "core-version", "3", "instructions exist in the module's version";
    OPCODE = "core-opcode", "3.49", "instructions are known: those of the core, and of extensions that the verifier supports";
    ENUM = "core-enum", "3", "values of enumerations exist, and masks have known bits";
    NAME = "core-name", "3.49.2", "member names refer to members";
    CAPABILITY = "core-capability", "2.16.1, 3.31", "all used capabilities are declared";
    ENVIRONMENT = "core-environment", "Vulkan Capabilities, Addressing and Memory Models", "capabilities, addressing model and memory model are allowed in Vulkan";
    EXTENSION = "core-extension", "2.16.1", "extensions are declared for capabilities and instructions that need them";
    TYPE = "core-type", "2.8, 3.49.6", "vectors, arrays, structures and other composite types have allowed component, element and member types";
    TYPE_UNIQUE = "core-type-unique", "2.8", "types other than aggregates are declared once";
    CONSTANT = "core-constant", "3.49.7", "constants fit their types";
    ENTRY_POINT = "core-entry-point", "2.16.1, 3.49.5", "entry points are functions without parameters and result, with unique names";
    INTERFACE = "core-interface", "3.49.5 OpEntryPoint", "an entry point lists the variables that it uses, each once";
    DERIVATIVES = "core-derivatives", "3.49.16, Vulkan Compute Shader Derivatives", "derivatives and implicit levels of detail are in fragment shaders, or in workgroups with an execution mode for quads";
    STAGE = "core-stage", "3.49", "instructions for fragments, primitives and rays are in shaders of their stages";
    EXECUTION_MODE = "core-execution-mode", "3.49.5, Vulkan LocalSize", "execution modes belong to entry points and declare the size of workgroups";
    DECORATION = "core-decoration", "3.20", "decorations have allowed targets and are not repeated";
    RESOURCE = "core-resource", "Vulkan Shader Resource Interface", "resources have a descriptor set and binding, and blocks are decorated as such";
    BUILTIN = "core-builtin", "Vulkan Built-In Variables", "built-in variables have the type and storage class of the built-in";
    MESH = "core-mesh", "SPV_EXT_mesh_shader, Vulkan Mesh Shading, Built-In Variables", "mesh shaders declare the size of their mesh, and their outputs are arrays for the rasteriser and fragment shaders";
    LAYOUT = "core-layout", "2.16.2, Vulkan Offset and Stride Assignment", "types in explicit memory have aligned offsets and strides without overlap, and payloads have a size";
    NO_LAYOUT = "core-no-layout", "Vulkan VUID-StandaloneSpirv-None-10684", "types in other memory have no offsets and strides";
    VARIABLE = "core-variable", "3.49.8 OpVariable", "variables have pointer types of their storage class, and constant initialisers";
    FUNCTION = "core-function", "3.49.9", "parameters and returns fit the function's type, and no function calls itself";
    CALL = "core-call", "3.49.9 OpFunctionCall", "arguments fit the parameters";
    OPERANDS = "core-operands", "3.49", "operands and results have the types that the instruction needs";
    ACCESS_CHAIN = "core-access-chain", "3.49.8 OpAccessChain", "indexes lead through the type to the result's type";
    MEMORY_ACCESS = "core-memory-access", "3.49.8", "loads and stores fit the pointer, and write only writable memory";
    POINTER = "core-pointer", "2.16.1 Logical addressing", "no phi, selection or load gives a pointer, unless a capability of variable pointers allows it";
    PHYSICAL = "core-physical", "2.16.1 PhysicalStorageBuffer64", "physical pointers are declared, aligned and decorated as aliased or restricted";
    MEMORY_MODEL = "core-memory-model", "2.18, 3.26", "availability, visibility and coherence follow the memory model";
    SCOPE = "core-scope", "3.27, Vulkan Scope", "scopes are constants that the memory model and the instruction allow";
    SEMANTICS = "core-semantics", "3.25", "memory semantics are constants with at most one order, and with memory for it";
    ATOMIC = "core-atomic", "3.49.18", "atomics access numbers in shared memory";
    IMAGE = "core-image", "3.49.10", "image instructions fit the image";
    RAYS = "core-rays", "SPV_KHR_ray_query", "ray queries are accessed through pointers, with the types of the instruction";
    BLOCK = "core-block", "2.2.5, 2.16.1", "blocks follow their dominators, no branch targets the entry block, and variables and phis come first";
    PHI = "core-phi", "3.49.17 OpPhi", "a phi has one value for each predecessor";
    BRANCH = "core-branch", "3.49.17", "branches lead to blocks of their function, with conditions and selectors of the right type";
    MERGE = "core-merge", "2.11", "selections and loops declare their own merge block, which the header dominates";
    CONTROL = "core-control", "3.23", "a loop that must not be unrolled has no other request for unrolling";
    BACK_EDGE = "core-back-edge", "2.11", "back edges go to loop headers, one each, from the continue construct";
    NESTING = "core-nesting", "2.11", "constructs are entered only at their header, and left only by break, continue or merge";
    EXT_INST = "core-ext-inst", "GLSL.std.450", "extended instructions exist and have operands of the right types";
}
