//! The host on a real driver, with modules assembled here word by word.
//!
//! Without a Vulkan device these tests print a notice and pass, unless `WGC_REQUIRE_VULKAN=1` is set.

use spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, Dim, ExecutionMode, ExecutionModel, FunctionControl,
    ImageFormat as F, MemoryModel, Op, StorageClass,
};

use super::{VulkanDevice, testing};
use crate::device::{AddressMode, Command, Device, Filter, ImageDesc, ImageFormat, ResourceBinding, Resources};

/// Runs `test` on the default device, if there is one or if one is demanded.
fn on_device(test: impl FnOnce(&mut VulkanDevice)) {
    if let Some(mut device) = testing::device() {
        test(&mut device);
    }
}

/// Names result ids 1, 2, 3, ... and the bound above them.
macro_rules! ids {
    ($($name:ident)*) => {
        #[allow(clippy::upper_case_acronyms, non_camel_case_types, reason = "the names are those of Vulkan")]
        enum Id { _NONE, $($name,)* BOUND }
        $(const $name: u32 = Id::$name as u32;)*
        const BOUND: u32 = Id::BOUND as u32;
    };
}

/// The words of a module under construction.
struct Words(Vec<u32>);

impl Words {
    fn new(bound: u32) -> Self {
        Self(vec![spirv::MAGIC_NUMBER, 0x0001_0500, 0, bound, 0])
    }

    fn op(&mut self, op: Op, operands: &[u32]) -> &mut Self {
        self.0.push(((operands.len() as u32 + 1) << 16) | op as u32);
        self.0.extend_from_slice(operands);
        self
    }

    /// Adds `OpEntryPoint GLCompute function "main" interface...`
    fn entry(&mut self, function: u32, interface: &[u32]) -> &mut Self {
        let mut operands = vec![ExecutionModel::GLCompute as u32, function, u32::from_le_bytes(*b"main"), 0];
        operands.extend_from_slice(interface);
        self.op(Op::EntryPoint, &operands)
    }
}

/// Builds `void main() { out.data[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x * 3 + push.value; }` with 4
/// threads per workgroup; `out` is a storage buffer at set 0, binding 0.
pub(super) fn fill_module() -> Vec<u32> {
    ids!(VOID FN UINT UINT3 ARRAY BLOCK BLOCK_PTR OUT PUSH PUSH_PTR PUSHED IN_PTR GID UINT_OUT UINT_PUSH ZERO THREE MAIN LABEL ID X PRODUCT FROM VALUE SUM TO);
    let mut w = Words::new(BOUND);
    w.op(Op::Capability, &[Capability::Shader as u32])
        .op(Op::MemoryModel, &[AddressingModel::Logical as u32, MemoryModel::GLSL450 as u32])
        .entry(MAIN, &[GID, OUT, PUSHED])
        .op(Op::ExecutionMode, &[MAIN, ExecutionMode::LocalSize as u32, 4, 1, 1])
        .op(Op::Decorate, &[GID, Decoration::BuiltIn as u32, BuiltIn::GlobalInvocationId as u32])
        .op(Op::Decorate, &[ARRAY, Decoration::ArrayStride as u32, 4])
        .op(Op::Decorate, &[BLOCK, Decoration::Block as u32])
        .op(Op::MemberDecorate, &[BLOCK, 0, Decoration::Offset as u32, 0])
        .op(Op::Decorate, &[OUT, Decoration::DescriptorSet as u32, 0])
        .op(Op::Decorate, &[OUT, Decoration::Binding as u32, 0])
        .op(Op::Decorate, &[PUSH, Decoration::Block as u32])
        .op(Op::MemberDecorate, &[PUSH, 0, Decoration::Offset as u32, 0])
        .op(Op::TypeVoid, &[VOID])
        .op(Op::TypeFunction, &[FN, VOID])
        .op(Op::TypeInt, &[UINT, 32, 0])
        .op(Op::TypeVector, &[UINT3, UINT, 3])
        .op(Op::TypeRuntimeArray, &[ARRAY, UINT])
        .op(Op::TypeStruct, &[BLOCK, ARRAY])
        .op(Op::TypePointer, &[BLOCK_PTR, StorageClass::StorageBuffer as u32, BLOCK])
        .op(Op::TypeStruct, &[PUSH, UINT])
        .op(Op::TypePointer, &[PUSH_PTR, StorageClass::PushConstant as u32, PUSH])
        .op(Op::TypePointer, &[IN_PTR, StorageClass::Input as u32, UINT3])
        .op(Op::TypePointer, &[UINT_OUT, StorageClass::StorageBuffer as u32, UINT])
        .op(Op::TypePointer, &[UINT_PUSH, StorageClass::PushConstant as u32, UINT])
        .op(Op::Constant, &[UINT, ZERO, 0])
        .op(Op::Constant, &[UINT, THREE, 3])
        .op(Op::Variable, &[BLOCK_PTR, OUT, StorageClass::StorageBuffer as u32])
        .op(Op::Variable, &[PUSH_PTR, PUSHED, StorageClass::PushConstant as u32])
        .op(Op::Variable, &[IN_PTR, GID, StorageClass::Input as u32])
        .op(Op::Function, &[VOID, MAIN, FunctionControl::NONE.bits(), FN])
        .op(Op::Label, &[LABEL])
        .op(Op::Load, &[UINT3, ID, GID])
        .op(Op::CompositeExtract, &[UINT, X, ID, 0])
        .op(Op::IMul, &[UINT, PRODUCT, X, THREE])
        .op(Op::AccessChain, &[UINT_PUSH, FROM, PUSHED, ZERO])
        .op(Op::Load, &[UINT, VALUE, FROM])
        .op(Op::IAdd, &[UINT, SUM, PRODUCT, VALUE])
        .op(Op::AccessChain, &[UINT_OUT, TO, OUT, ZERO, X])
        .op(Op::Store, &[TO, SUM])
        .op(Op::Return, &[])
        .op(Op::FunctionEnd, &[]);
    w.0
}

/// Builds `void main() { *push.address = *push.address * 2 + 1; }` with a 64-bit address.
fn address_module() -> Vec<u32> {
    ids!(VOID FN UINT ULONG PUSH PUSH_PTR PUSHED ULONG_PUSH ZERO TWO ONE TARGET MAIN LABEL FROM ADDRESS POINTER OLD PRODUCT SUM);
    let aligned = spirv::MemoryAccess::ALIGNED.bits();
    let mut w = Words::new(BOUND);
    w.op(Op::Capability, &[Capability::Shader as u32])
        .op(Op::Capability, &[Capability::Int64 as u32])
        .op(Op::Capability, &[Capability::PhysicalStorageBufferAddresses as u32])
        .op(Op::MemoryModel, &[AddressingModel::PhysicalStorageBuffer64 as u32, MemoryModel::GLSL450 as u32])
        .entry(MAIN, &[PUSHED])
        .op(Op::ExecutionMode, &[MAIN, ExecutionMode::LocalSize as u32, 1, 1, 1])
        .op(Op::Decorate, &[PUSH, Decoration::Block as u32])
        .op(Op::MemberDecorate, &[PUSH, 0, Decoration::Offset as u32, 0])
        .op(Op::TypeVoid, &[VOID])
        .op(Op::TypeFunction, &[FN, VOID])
        .op(Op::TypeInt, &[UINT, 32, 0])
        .op(Op::TypeInt, &[ULONG, 64, 0])
        .op(Op::TypeStruct, &[PUSH, ULONG])
        .op(Op::TypePointer, &[PUSH_PTR, StorageClass::PushConstant as u32, PUSH])
        .op(Op::TypePointer, &[ULONG_PUSH, StorageClass::PushConstant as u32, ULONG])
        .op(Op::TypePointer, &[TARGET, StorageClass::PhysicalStorageBuffer as u32, UINT])
        .op(Op::Constant, &[UINT, ZERO, 0])
        .op(Op::Constant, &[UINT, ONE, 1])
        .op(Op::Constant, &[UINT, TWO, 2])
        .op(Op::Variable, &[PUSH_PTR, PUSHED, StorageClass::PushConstant as u32])
        .op(Op::Function, &[VOID, MAIN, FunctionControl::NONE.bits(), FN])
        .op(Op::Label, &[LABEL])
        .op(Op::AccessChain, &[ULONG_PUSH, FROM, PUSHED, ZERO])
        .op(Op::Load, &[ULONG, ADDRESS, FROM])
        .op(Op::ConvertUToPtr, &[TARGET, POINTER, ADDRESS])
        .op(Op::Load, &[UINT, OLD, POINTER, aligned, 4])
        .op(Op::IMul, &[UINT, PRODUCT, OLD, TWO])
        .op(Op::IAdd, &[UINT, SUM, PRODUCT, ONE])
        .op(Op::Store, &[POINTER, SUM, aligned, 4])
        .op(Op::Return, &[])
        .op(Op::FunctionEnd, &[]);
    w.0
}

/// Builds `void main() { imageStore(target, gl_WorkGroupID.xy, uvec4(gl_WorkGroupID.x + 10 * gl_WorkGroupID.y)); }` on
/// an r32ui image at set 1, binding 2.
fn image_module() -> Vec<u32> {
    ids!(VOID FN UINT UINT2 UINT3 UINT4 IMAGE IMAGE_PTR TARGET IN_PTR GROUP TEN MAIN LABEL ID AT X Y PRODUCT SUM TEXEL LOADED);
    let mut w = Words::new(BOUND);
    w.op(Op::Capability, &[Capability::Shader as u32])
        .op(Op::MemoryModel, &[AddressingModel::Logical as u32, MemoryModel::GLSL450 as u32])
        .entry(MAIN, &[GROUP, TARGET])
        .op(Op::ExecutionMode, &[MAIN, ExecutionMode::LocalSize as u32, 1, 1, 1])
        .op(Op::Decorate, &[GROUP, Decoration::BuiltIn as u32, BuiltIn::WorkgroupId as u32])
        .op(Op::Decorate, &[TARGET, Decoration::DescriptorSet as u32, 1])
        .op(Op::Decorate, &[TARGET, Decoration::Binding as u32, 2])
        .op(Op::TypeVoid, &[VOID])
        .op(Op::TypeFunction, &[FN, VOID])
        .op(Op::TypeInt, &[UINT, 32, 0])
        .op(Op::TypeVector, &[UINT2, UINT, 2])
        .op(Op::TypeVector, &[UINT3, UINT, 3])
        .op(Op::TypeVector, &[UINT4, UINT, 4])
        .op(Op::TypeImage, &[IMAGE, UINT, Dim::Dim2D as u32, 0, 0, 0, 2, F::R32ui as u32])
        .op(Op::TypePointer, &[IMAGE_PTR, StorageClass::UniformConstant as u32, IMAGE])
        .op(Op::TypePointer, &[IN_PTR, StorageClass::Input as u32, UINT3])
        .op(Op::Constant, &[UINT, TEN, 10])
        .op(Op::Variable, &[IMAGE_PTR, TARGET, StorageClass::UniformConstant as u32])
        .op(Op::Variable, &[IN_PTR, GROUP, StorageClass::Input as u32])
        .op(Op::Function, &[VOID, MAIN, FunctionControl::NONE.bits(), FN])
        .op(Op::Label, &[LABEL])
        .op(Op::Load, &[UINT3, ID, GROUP])
        .op(Op::VectorShuffle, &[UINT2, AT, ID, ID, 0, 1])
        .op(Op::CompositeExtract, &[UINT, X, ID, 0])
        .op(Op::CompositeExtract, &[UINT, Y, ID, 1])
        .op(Op::IMul, &[UINT, PRODUCT, Y, TEN])
        .op(Op::IAdd, &[UINT, SUM, X, PRODUCT])
        .op(Op::CompositeConstruct, &[UINT4, TEXEL, SUM, SUM, SUM, SUM])
        .op(Op::Load, &[IMAGE, LOADED, TARGET])
        .op(Op::ImageWrite, &[LOADED, AT, TEXEL])
        .op(Op::Return, &[])
        .op(Op::FunctionEnd, &[]);
    w.0
}

/// Builds `buffers[1].data[0] = constants.value; buffers[0].data[0] = floatBitsToUint(textureLod(picture, (0.5, 0.5),
/// 0).r);` with an array of two storage buffers at binding 0, a uniform buffer at 1, a texture at 2 and a sampler at 3
/// of set 0.
fn sampling_module() -> Vec<u32> {
    ids!(VOID FN UINT FLOAT FLOAT2 FLOAT4 ARRAY BLOCK BLOCKS BLOCKS_PTR BUFFERS UNIFORM UNIFORM_PTR CONSTANTS UINT_OUT
        UINT_UNIFORM IMAGE IMAGE_PTR PICTURE SAMPLER SAMPLER_PTR FILTER SAMPLED ZERO ONE TWO HALF LOD CENTRE MAIN LABEL
        FROM VALUE TO LOADED_IMAGE LOADED_SAMPLER BOTH COLOUR RED BITS RESULT);
    let mut w = Words::new(BOUND);
    w.op(Op::Capability, &[Capability::Shader as u32])
        .op(Op::MemoryModel, &[AddressingModel::Logical as u32, MemoryModel::GLSL450 as u32])
        .entry(MAIN, &[BUFFERS, CONSTANTS, PICTURE, FILTER])
        .op(Op::ExecutionMode, &[MAIN, ExecutionMode::LocalSize as u32, 1, 1, 1])
        .op(Op::Decorate, &[ARRAY, Decoration::ArrayStride as u32, 4])
        .op(Op::Decorate, &[BLOCK, Decoration::Block as u32])
        .op(Op::MemberDecorate, &[BLOCK, 0, Decoration::Offset as u32, 0])
        .op(Op::Decorate, &[UNIFORM, Decoration::Block as u32])
        .op(Op::MemberDecorate, &[UNIFORM, 0, Decoration::Offset as u32, 0]);
    for (binding, variable) in [BUFFERS, CONSTANTS, PICTURE, FILTER].into_iter().enumerate() {
        w.op(Op::Decorate, &[variable, Decoration::DescriptorSet as u32, 0])
            .op(Op::Decorate, &[variable, Decoration::Binding as u32, binding as u32]);
    }
    w.op(Op::TypeVoid, &[VOID])
        .op(Op::TypeFunction, &[FN, VOID])
        .op(Op::TypeInt, &[UINT, 32, 0])
        .op(Op::TypeFloat, &[FLOAT, 32])
        .op(Op::TypeVector, &[FLOAT2, FLOAT, 2])
        .op(Op::TypeVector, &[FLOAT4, FLOAT, 4])
        .op(Op::Constant, &[UINT, ZERO, 0])
        .op(Op::Constant, &[UINT, ONE, 1])
        .op(Op::Constant, &[UINT, TWO, 2])
        .op(Op::Constant, &[FLOAT, HALF, 0.5f32.to_bits()])
        .op(Op::Constant, &[FLOAT, LOD, 0])
        .op(Op::ConstantComposite, &[FLOAT2, CENTRE, HALF, HALF])
        .op(Op::TypeRuntimeArray, &[ARRAY, UINT])
        .op(Op::TypeStruct, &[BLOCK, ARRAY])
        .op(Op::TypeArray, &[BLOCKS, BLOCK, TWO])
        .op(Op::TypePointer, &[BLOCKS_PTR, StorageClass::StorageBuffer as u32, BLOCKS])
        .op(Op::TypeStruct, &[UNIFORM, UINT])
        .op(Op::TypePointer, &[UNIFORM_PTR, StorageClass::Uniform as u32, UNIFORM])
        .op(Op::TypePointer, &[UINT_OUT, StorageClass::StorageBuffer as u32, UINT])
        .op(Op::TypePointer, &[UINT_UNIFORM, StorageClass::Uniform as u32, UINT])
        .op(Op::TypeImage, &[IMAGE, FLOAT, Dim::Dim2D as u32, 0, 0, 0, 1, F::Unknown as u32])
        .op(Op::TypePointer, &[IMAGE_PTR, StorageClass::UniformConstant as u32, IMAGE])
        .op(Op::TypeSampler, &[SAMPLER])
        .op(Op::TypePointer, &[SAMPLER_PTR, StorageClass::UniformConstant as u32, SAMPLER])
        .op(Op::TypeSampledImage, &[SAMPLED, IMAGE])
        .op(Op::Variable, &[BLOCKS_PTR, BUFFERS, StorageClass::StorageBuffer as u32])
        .op(Op::Variable, &[UNIFORM_PTR, CONSTANTS, StorageClass::Uniform as u32])
        .op(Op::Variable, &[IMAGE_PTR, PICTURE, StorageClass::UniformConstant as u32])
        .op(Op::Variable, &[SAMPLER_PTR, FILTER, StorageClass::UniformConstant as u32])
        .op(Op::Function, &[VOID, MAIN, FunctionControl::NONE.bits(), FN])
        .op(Op::Label, &[LABEL])
        .op(Op::AccessChain, &[UINT_UNIFORM, FROM, CONSTANTS, ZERO])
        .op(Op::Load, &[UINT, VALUE, FROM])
        .op(Op::AccessChain, &[UINT_OUT, TO, BUFFERS, ONE, ZERO, ZERO])
        .op(Op::Store, &[TO, VALUE])
        .op(Op::Load, &[IMAGE, LOADED_IMAGE, PICTURE])
        .op(Op::Load, &[SAMPLER, LOADED_SAMPLER, FILTER])
        .op(Op::SampledImage, &[SAMPLED, BOTH, LOADED_IMAGE, LOADED_SAMPLER])
        .op(Op::ImageSampleExplicitLod, &[FLOAT4, COLOUR, BOTH, CENTRE, spirv::ImageOperands::LOD.bits(), LOD])
        .op(Op::CompositeExtract, &[FLOAT, RED, COLOUR, 0])
        .op(Op::Bitcast, &[UINT, BITS, RED])
        .op(Op::AccessChain, &[UINT_OUT, RESULT, BUFFERS, ZERO, ZERO, ZERO])
        .op(Op::Store, &[RESULT, BITS])
        .op(Op::Return, &[])
        .op(Op::FunctionEnd, &[]);
    w.0
}

fn read_u32(device: &mut VulkanDevice, buffer: crate::device::BufferId, count: usize) -> Vec<u32> {
    let mut bytes = vec![0; count * 4];
    device.read_buffer(buffer, 0, &mut bytes).unwrap();
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

#[test]
fn dispatch_writes_a_storage_buffer() {
    on_device(|device| {
        let out = device.create_buffer(48).unwrap();
        assert_eq!(read_u32(device, out, 12), [0; 12], "a new buffer is zero");
        let bindings = [ResourceBinding { set: 0, binding: 0, resources: Resources::StorageBuffers(vec![out]) }];
        let bindings = device.create_bindings(&bindings).unwrap();
        let pipeline = device.create_pipeline(&fill_module(), "main", Some(bindings), 4, None).unwrap();
        let dispatch = Command::Dispatch {
            pipeline,
            bindings: Some(bindings),
            push: 100u32.to_le_bytes().to_vec(),
            groups: [2, 1, 1],
            label: "fill".to_owned(),
        };
        device.submit(&[dispatch]).unwrap();
        // 8 threads ran; the last four words are untouched.
        assert_eq!(read_u32(device, out, 12), [100, 103, 106, 109, 112, 115, 118, 121, 0, 0, 0, 0]);
    });
}

#[test]
fn indirect_arguments_are_read_when_the_command_runs() {
    on_device(|device| {
        let out = device.create_buffer(4096).unwrap();
        let args = device.create_buffer(16).unwrap();
        device.write_buffer(args, 4, &[3u32, 1, 1].map(u32::to_le_bytes).concat()).unwrap();
        let bindings = [ResourceBinding { set: 0, binding: 0, resources: Resources::StorageBuffers(vec![out]) }];
        let bindings = device.create_bindings(&bindings).unwrap();
        let pipeline = device.create_pipeline(&fill_module(), "main", Some(bindings), 4, None).unwrap();
        let indirect = |args, offset| Command::DispatchIndirect {
            pipeline,
            bindings: Some(bindings),
            push: 1u32.to_le_bytes().to_vec(),
            args,
            offset,
            label: "indirect".to_owned(),
        };
        device.submit(&[indirect(args, 4)]).unwrap();
        let expected: Vec<u32> = (0..12).map(|i| i * 3 + 1).collect();
        assert_eq!(read_u32(device, out, 12), expected);
        assert_eq!(read_u32(device, out, 13)[12], 0);
        // The direct dispatch writes {5, 8, 11, 14}: the device itself writes the arguments 5 x 8 x 11.
        let first = Command::Dispatch {
            pipeline,
            bindings: Some(bindings),
            push: 5u32.to_le_bytes().to_vec(),
            groups: [1, 1, 1],
            label: String::new(),
        };
        device.submit(&[first, Command::Barrier, indirect(out, 0)]).unwrap();
        // Five workgroups along x reach word 19; the arguments of before the dispatch, one workgroup, word 3.
        let expected: Vec<u32> = (0..20).map(|i| i * 3 + 1).collect();
        assert_eq!(read_u32(device, out, 21), [expected, vec![0]].concat());
    });
}

#[test]
fn barriers_order_writes_through_buffer_addresses() {
    on_device(|device| {
        let spare = device.create_buffer(3).unwrap();
        let buffer = device.create_buffer(12).unwrap();
        for id in [spare, buffer] {
            let address = device.buffer_address(id);
            assert!(address != 0 && address % 256 == 0, "{address:#x}");
        }
        device.write_buffer(buffer, 8, &3u32.to_le_bytes()).unwrap();
        let pipeline = device.create_pipeline(&address_module(), "main", None, 8, None).unwrap();
        let step = Command::Dispatch {
            pipeline,
            bindings: None,
            push: (device.buffer_address(buffer) + 8).to_le_bytes().to_vec(),
            groups: [1, 1, 1],
            label: "step".to_owned(),
        };
        device.submit(&[step.clone(), Command::Barrier, step.clone(), Command::Barrier, step]).unwrap();
        // 3 -> 7 -> 15 -> 31
        assert_eq!(read_u32(device, buffer, 3), [0, 0, 31]);
        device.destroy_buffer(buffer);
        assert_eq!(device.buffer_address(buffer), 0);
        assert!(device.read_buffer(buffer, 0, &mut [0; 4]).is_err());
    });
}

#[test]
fn reads_through_a_copy() {
    on_device(|device| {
        let bytes: Vec<u8> = (0..300u32).map(|i| (i * 7 % 256) as u8).collect();
        let buffer = device.create_buffer(300).unwrap();
        device.write_buffer(buffer, 0, &bytes).unwrap();
        let mut read = vec![0; 101];
        device.read_by_copy(buffer, 199, &mut read).unwrap();
        assert_eq!(read, bytes[199..]);
        assert!(device.read_by_copy(buffer, 200, &mut read).is_err());
    });
}

#[test]
fn images_are_stored_to_and_copied() {
    on_device(|device| {
        let image = device.create_image(ImageDesc::new(ImageFormat::R32Uint, &[3, 2])).unwrap();
        assert_eq!(device.read_image(image).unwrap(), [0; 24], "a new image is zero");
        let texels: Vec<u8> = (1..=24).collect();
        device.write_image(image, &texels).unwrap();
        assert_eq!(device.read_image(image).unwrap(), texels);
        assert!(device.write_image(image, &texels[1..]).is_err());

        let bindings = [ResourceBinding { set: 1, binding: 2, resources: Resources::StorageImages(vec![image]) }];
        let bindings = device.create_bindings(&bindings).unwrap();
        let pipeline = device.create_pipeline(&image_module(), "main", Some(bindings), 0, None).unwrap();
        let dispatch = |groups| Command::Dispatch {
            pipeline,
            bindings: Some(bindings),
            push: Vec::new(),
            groups,
            label: "draw".to_owned(),
        };
        device.submit(&[dispatch([3, 2, 1])]).unwrap();
        let expected: Vec<u8> = [0u32, 1, 2, 10, 11, 12].iter().flat_map(|v| v.to_le_bytes()).collect();
        assert_eq!(device.read_image(image).unwrap(), expected);
    });
}

#[test]
fn every_kind_of_resource_is_bound() {
    on_device(|device| {
        let [first, second, constants] = [16, 16, 16].map(|bytes| device.create_buffer(bytes).unwrap());
        device.write_buffer(constants, 0, &77u32.to_le_bytes()).unwrap();
        let picture = device.create_image(ImageDesc::new(ImageFormat::R8Unorm, &[2, 1])).unwrap();
        device.write_image(picture, &[0, 255]).unwrap();
        // In the middle between a black and a white texel: their mean, or the right one.
        for (filter, expected) in [(Filter::Linear, 0.5), (Filter::Nearest, 1.0)] {
            let sampler = device.create_sampler(crate::device::SamplerDesc::new(filter, AddressMode::Clamp)).unwrap();
            let resources = [
                Resources::StorageBuffers(vec![first, second]),
                Resources::UniformBuffers(vec![constants]),
                Resources::SampledImages(vec![picture]),
                Resources::Samplers(vec![sampler]),
            ];
            let bindings: Vec<_> = (0..)
                .zip(resources)
                .map(|(binding, resources)| ResourceBinding { set: 0, binding, resources })
                .collect();
            let bindings = device.create_bindings(&bindings).unwrap();
            let pipeline = device.create_pipeline(&sampling_module(), "main", Some(bindings), 0, None).unwrap();
            let dispatch = Command::Dispatch {
                pipeline,
                bindings: Some(bindings),
                push: Vec::new(),
                groups: [1, 1, 1],
                label: "sample".to_owned(),
            };
            device.submit(&[dispatch]).unwrap();
            assert_eq!(read_u32(device, second, 2), [77, 0]);
            let red = f32::from_bits(read_u32(device, first, 1)[0]);
            assert!((red - expected).abs() < 0.005, "{filter:?}: {red}");
        }
    });
}

#[test]
fn every_image_format_can_be_created() {
    on_device(|device| {
        for &(format, name, _, _) in ImageFormat::ALL {
            // Vulkan guarantees nothing for 64-bit texels.
            if name.starts_with("r64") {
                continue;
            }
            let bytes = format.texel_bytes();
            let desc = ImageDesc::new(format, &[5, 3]);
            let image = device.create_image(desc).unwrap_or_else(|e| panic!("{name}: {e}"));
            let texels: Vec<u8> = (0..15 * bytes).map(|i| (i % 60) as u8).collect();
            device.write_image(image, &texels).unwrap();
            assert_eq!(device.read_image(image).unwrap(), texels, "{name}");
        }
    });
}

#[test]
fn misuse_is_an_error() {
    on_device(|device| {
        let buffer = device.create_buffer(16).unwrap();
        let message = device.write_buffer(buffer, 14, &[0; 4]).unwrap_err().message;
        assert_eq!(message, "4 bytes at offset 14 exceed a buffer of 16 bytes");
        assert!(device.read_buffer(buffer, u64::MAX, &mut [0; 4]).is_err());
        let image = |size, dimensions| ImageDesc { size, ..ImageDesc::new(ImageFormat::R8Unorm, &vec![1; dimensions]) };
        for desc in [image([1, 1, 2], 2), image([0, 1, 1], 2), image([1 << 20, 1, 1], 1), image([1, 1, 1], 4)] {
            assert!(device.create_image(desc).is_err(), "{desc:?}");
        }
        let binding = |set| ResourceBinding { set, binding: 0, resources: Resources::StorageBuffers(vec![buffer]) };
        assert!(device.create_bindings(&[binding(0), binding(0)]).unwrap_err().message.contains("the same binding"));
        assert!(device.create_bindings(&[binding(1 << 20)]).unwrap_err().message.contains("descriptor sets"));
        let unknown = Resources::StorageBuffers(vec![crate::device::BufferId(99)]);
        assert!(device.create_bindings(&[ResourceBinding { set: 0, binding: 0, resources: unknown }]).is_err());

        assert!(device.create_pipeline(&fill_module(), "other", None, 4, None).unwrap_err().message.contains("other"));
        assert!(device.create_pipeline(&[1, 2, 3], "main", None, 4, None).is_err());
        let mut huge = fill_module();
        let at = huge.windows(3).position(|w| w == [17, 4, 1]).expect("LocalSize 4 1 1");
        huge[at + 1] = 1 << 20;
        let message = device.create_pipeline(&huge, "main", None, 4, None).unwrap_err().message;
        assert!(message.contains("1048576 x 1 x 1"), "{message}");

        let bindings = device.create_bindings(&[binding(0)]).unwrap();
        let pipeline = device.create_pipeline(&fill_module(), "main", Some(bindings), 4, None).unwrap();
        let dispatch = |push: Vec<u8>, groups| Command::Dispatch {
            pipeline,
            bindings: Some(bindings),
            push,
            groups,
            label: "bad".to_owned(),
        };
        let message = device.submit(&[dispatch(vec![0; 8], [1, 1, 1])]).unwrap_err().message;
        assert_eq!(message, "bad: 8 bytes of push constants, but the pipeline has 4");
        assert!(device.submit(&[dispatch(vec![0; 4], [1, u32::MAX, 1])]).unwrap_err().message.contains("workgroups"));
        let indirect = Command::DispatchIndirect {
            pipeline,
            bindings: Some(bindings),
            push: vec![0; 4],
            args: buffer,
            offset: 8,
            label: "args".to_owned(),
        };
        assert!(device.submit(&[indirect]).unwrap_err().message.contains("offset 8 of a buffer of 16 bytes"));
        // After all these errors the device still works.
        device.submit(&[dispatch(vec![0; 4], [1, 1, 1])]).unwrap();
        assert_eq!(read_u32(device, buffer, 4), [0, 3, 6, 9]);
    });
}

#[test]
fn unknown_device_names_are_reported() {
    on_device(|_| {
        let message = VulkanDevice::open(Some("no such device")).err().expect("an error").message;
        assert!(message.starts_with("no Vulkan device has \"no such device\" in its name; available: "), "{message}");
    });
}
