//! A picture that an engine draws meshes into, with its pixel shaders. Their SPIR-V is built here, because wgc compiles
//! no pixel shaders.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "one proof for all: the engine is these tests', handles come from it and live to the end of the process, and each \
              submission is waited for"
)]

use crate::engine::{Engine, memory_type};
use rspirv::binary::Assemble;
use rspirv::dr;
use rspirv::spirv;
use vulkanalia::prelude::v1_2::*;
use wgc_runtime::vulkan::embed::{Mapped, MeshNode};

const FORMAT: vk::Format = vk::Format::R8G8B8A8_UNORM;

pub struct Canvas {
    size: [u32; 2],
    image: vk::Image,
    /// The first pass clears the picture to zeros; the second loads its contents.
    passes: [vk::RenderPass; 2],
    frame: vk::Framebuffer,
    pixels: Mapped,
}

impl Canvas {
    pub fn new(engine: &Engine, size: [u32; 2]) -> Self {
        let [width, height] = size;
        let device = &engine.device;
        unsafe {
            let info = vk::ImageCreateInfo::builder()
                .image_type(vk::ImageType::_2D)
                .format(FORMAT)
                .extent(vk::Extent3D { width, height, depth: 1 })
                .mip_levels(1)
                .array_layers(1)
                .samples(vk::SampleCountFlags::_1)
                .usage(vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC);
            let image = device.create_image(&info, None).unwrap();
            let needs = device.get_image_memory_requirements(image);
            let place = memory_type(engine, needs.memory_type_bits, vk::MemoryPropertyFlags::empty());
            let info = vk::MemoryAllocateInfo::builder().allocation_size(needs.size).memory_type_index(place);
            device.bind_image_memory(image, device.allocate_memory(&info, None).unwrap(), 0).unwrap();
            let range = vk::ImageSubresourceRange {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                level_count: 1,
                layer_count: 1,
                ..Default::default()
            };
            let info = vk::ImageViewCreateInfo::builder()
                .image(image)
                .view_type(vk::ImageViewType::_2D)
                .format(FORMAT)
                .subresource_range(range);
            let views = [device.create_image_view(&info, None).unwrap()];
            let passes = [true, false].map(|clears| pass(device, clears));
            let info = vk::FramebufferCreateInfo::builder()
                .render_pass(passes[0])
                .attachments(&views)
                .width(width)
                .height(height)
                .layers(1);
            let frame = device.create_framebuffer(&info, None).unwrap();
            Self { size, image, passes, frame, pixels: engine.buffer(u64::from(width * height * 4)) }
        }
    }

    /// Creates a pipeline of a mesh node and a pixel shader, with these values of its specialisation constants.
    pub fn pipeline(
        &self,
        engine: &Engine,
        layout: vk::PipelineLayout,
        node: &MeshNode,
        pixel: &[u32],
        constants: &[f32],
    ) -> vk::Pipeline {
        let [width, height] = self.size;
        unsafe {
            let info = vk::ShaderModuleCreateInfo::builder().code_size(pixel.len() * 4).code(pixel);
            let pixel = engine.device.create_shader_module(&info, None).unwrap();
            let entries: Vec<_> = (0..constants.len() as u32)
                .map(|n| vk::SpecializationMapEntry { constant_id: n, offset: 4 * n, size: 4 })
                .collect();
            let bytes: Vec<u8> = constants.iter().flat_map(|value| value.to_le_bytes()).collect();
            let constants = vk::SpecializationInfo::builder().map_entries(&entries).data(&bytes);
            let stages = [
                vk::PipelineShaderStageCreateInfo::builder()
                    .stage(vk::ShaderStageFlags::MESH_EXT)
                    .module(node.module)
                    .name(node.entry.as_bytes_with_nul()),
                vk::PipelineShaderStageCreateInfo::builder()
                    .stage(vk::ShaderStageFlags::FRAGMENT)
                    .module(pixel)
                    .name(b"main\0")
                    .specialization_info(&constants),
            ];
            // Y points up, as in Direct3D.
            let (width, height) = (width as f32, height as f32);
            let viewports =
                [vk::Viewport { x: 0.0, y: height, width, height: -height, min_depth: 0.0, max_depth: 1.0 }];
            let scissors = [self.area()];
            let view = vk::PipelineViewportStateCreateInfo::builder().viewports(&viewports).scissors(&scissors);
            let raster = vk::PipelineRasterizationStateCreateInfo::builder().line_width(1.0);
            let samples =
                vk::PipelineMultisampleStateCreateInfo::builder().rasterization_samples(vk::SampleCountFlags::_1);
            let attachments =
                [vk::PipelineColorBlendAttachmentState::builder().color_write_mask(vk::ColorComponentFlags::all())];
            let blend = vk::PipelineColorBlendStateCreateInfo::builder().attachments(&attachments);
            let info = vk::GraphicsPipelineCreateInfo::builder()
                .stages(&stages)
                .viewport_state(&view)
                .rasterization_state(&raster)
                .multisample_state(&samples)
                .color_blend_state(&blend)
                .layout(layout)
                .render_pass(self.passes[0]);
            engine.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None).unwrap().0[0]
        }
    }

    fn area(&self) -> vk::Rect2D {
        let [width, height] = self.size;
        vk::Rect2D { extent: vk::Extent2D { width, height }, ..Default::default() }
    }

    /// Records a render pass around draws, on a cleared picture or on its contents.
    pub fn draw(&self, engine: &Engine, commands: vk::CommandBuffer, clears: bool, draws: impl FnOnce()) {
        let values = [vk::ClearValue::default()];
        let begin = vk::RenderPassBeginInfo::builder()
            .render_pass(self.passes[usize::from(!clears)])
            .framebuffer(self.frame)
            .render_area(self.area())
            .clear_values(&values);
        unsafe {
            engine.device.cmd_begin_render_pass(commands, &begin, vk::SubpassContents::INLINE);
            draws();
            engine.device.cmd_end_render_pass(commands);
        }
    }

    /// Returns the pixels row by row, from the top.
    pub fn read(&self, engine: &Engine) -> Vec<[u8; 4]> {
        let [width, height] = self.size;
        let copy = engine.record(|commands| unsafe {
            let region = vk::BufferImageCopy {
                image_subresource: vk::ImageSubresourceLayers {
                    aspect_mask: vk::ImageAspectFlags::COLOR,
                    layer_count: 1,
                    ..Default::default()
                },
                image_extent: vk::Extent3D { width, height, depth: 1 },
                ..Default::default()
            };
            let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
            engine.device.cmd_copy_image_to_buffer(commands, self.image, layout, self.pixels.block.buffer, &[region]);
        });
        engine.submit(copy);
        let count = (width * height) as usize;
        unsafe { std::slice::from_raw_parts(self.pixels.pointer.as_ptr().cast::<[u8; 4]>(), count) }.to_vec()
    }
}

unsafe fn pass(device: &vulkanalia::Device, clears: bool) -> vk::RenderPass {
    let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
    let (load, initial) = match clears {
        true => (vk::AttachmentLoadOp::CLEAR, vk::ImageLayout::UNDEFINED),
        false => (vk::AttachmentLoadOp::LOAD, layout),
    };
    let attachments = [vk::AttachmentDescription::builder()
        .format(FORMAT)
        .samples(vk::SampleCountFlags::_1)
        .load_op(load)
        .store_op(vk::AttachmentStoreOp::STORE)
        .initial_layout(initial)
        .final_layout(layout)];
    let colours = [vk::AttachmentReference { attachment: 0, layout: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL }];
    let subpasses = [vk::SubpassDescription::builder()
        .pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)
        .color_attachments(&colours)];
    // Pictures are read, and drawn on again.
    let (drawn, others) = (vk::PipelineStageFlags::COLOR_ATTACHMENT_OUTPUT, vk::PipelineStageFlags::ALL_COMMANDS);
    let access = vk::AccessFlags::COLOR_ATTACHMENT_READ | vk::AccessFlags::COLOR_ATTACHMENT_WRITE;
    let any = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
    let dependency = |from, to| {
        vk::SubpassDependency::builder()
            .src_subpass(from)
            .dst_subpass(to)
            .src_stage_mask(if from == 0 { drawn } else { others })
            .dst_stage_mask(if to == 0 { drawn } else { others })
            .src_access_mask(if from == 0 { access } else { any })
            .dst_access_mask(if to == 0 { access } else { any })
    };
    let dependencies = [dependency(vk::SUBPASS_EXTERNAL, 0), dependency(0, vk::SUBPASS_EXTERNAL)];
    let info =
        vk::RenderPassCreateInfo::builder().attachments(&attachments).subpasses(&subpasses).dependencies(&dependencies);
    unsafe { device.create_render_pass(&info, None) }.unwrap()
}

/// The source of a pixel's component.
#[derive(Clone, Copy)]
pub enum Source {
    /// A float of the vertices, at this location.
    Vertex(u32),
    /// A float of the primitive.
    Primitive(u32),
    /// The specialisation constant of this number.
    Constant(u32),
}

/// Builds a pixel shader that outputs four components unchanged.
pub fn pixel_shader(sources: [Source; 4]) -> Vec<u32> {
    use spirv::{Capability, Decoration, ExecutionMode, ExecutionModel, StorageClass};
    let mut b = dr::Builder::new();
    b.set_version(1, 5);
    b.capability(Capability::Shader);
    b.memory_model(spirv::AddressingModel::Logical, spirv::MemoryModel::GLSL450);
    let (void, float) = (b.type_void(), b.type_float(32, None));
    let vector = b.type_vector(float, 4);
    let (input, output) =
        (b.type_pointer(None, StorageClass::Input, float), b.type_pointer(None, StorageClass::Output, vector));
    let pixel = b.variable(output, None, StorageClass::Output, None);
    b.decorate(pixel, Decoration::Location, [dr::Operand::LiteralBit32(0)]);
    let mut interface = vec![pixel];
    let words = sources.map(|source| match source {
        Source::Vertex(location) | Source::Primitive(location) => {
            let variable = b.variable(input, None, StorageClass::Input, None);
            b.decorate(variable, Decoration::Location, [dr::Operand::LiteralBit32(location)]);
            if let Source::Primitive(_) = source {
                b.capability(Capability::MeshShadingEXT);
                b.extension("SPV_EXT_mesh_shader");
                b.decorate(variable, Decoration::PerPrimitiveEXT, []);
            }
            interface.push(variable);
            variable
        }
        Source::Constant(number) => {
            let constant = b.spec_constant_bit32(float, 0);
            b.decorate(constant, Decoration::SpecId, [dr::Operand::LiteralBit32(number)]);
            constant
        }
    });
    let ty = b.type_function(void, []);
    let main = b.begin_function(void, None, spirv::FunctionControl::NONE, ty).unwrap();
    b.begin_block(None).unwrap();
    let mut parts = Vec::new();
    for (source, word) in sources.into_iter().zip(words) {
        parts.push(match source {
            Source::Constant(_) => word,
            _ => b.load(float, None, word, None, []).unwrap(),
        });
    }
    let value = b.composite_construct(vector, None, parts).unwrap();
    b.store(pixel, value, None, []).unwrap();
    b.ret().unwrap();
    b.end_function().unwrap();
    b.entry_point(ExecutionModel::Fragment, main, "main", interface);
    b.execution_mode(main, ExecutionMode::OriginUpperLeft, []);
    b.module().assemble()
}
