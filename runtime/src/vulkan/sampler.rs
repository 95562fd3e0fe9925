//! Samplers.

use std::rc::Rc;

use vulkanalia::prelude::v1_2::*;

use super::gpu::Gpu;
use super::instance::failed;
use crate::device::{AddressMode, CompareOp, DeviceError, Filter, Result, SamplerDesc};

pub(super) struct Sampler {
    gpu: Rc<Gpu>,
    pub handle: vk::Sampler,
}

impl Sampler {
    pub fn new(gpu: &Rc<Gpu>, desc: SamplerDesc) -> Result<Self> {
        let filter = |filter| match filter {
            Filter::Nearest => vk::Filter::NEAREST,
            Filter::Linear => vk::Filter::LINEAR,
        };
        let address = |address| match address {
            AddressMode::Wrap => Ok(vk::SamplerAddressMode::REPEAT),
            AddressMode::Mirror => Ok(vk::SamplerAddressMode::MIRRORED_REPEAT),
            AddressMode::Clamp => Ok(vk::SamplerAddressMode::CLAMP_TO_EDGE),
            AddressMode::Border => Ok(vk::SamplerAddressMode::CLAMP_TO_BORDER),
            AddressMode::MirrorOnce if gpu.mirrors_once => Ok(vk::SamplerAddressMode::MIRROR_CLAMP_TO_EDGE),
            AddressMode::MirrorOnce => Err(DeviceError::new("the device lacks samplerMirrorClampToEdge")),
        };
        let border = match desc.border {
            [false, false, false, false] => vk::BorderColor::FLOAT_TRANSPARENT_BLACK,
            [false, false, false, true] => vk::BorderColor::FLOAT_OPAQUE_BLACK,
            [true, true, true, true] => vk::BorderColor::FLOAT_OPAQUE_WHITE,
            other => return Err(DeviceError::new(format!("no device supports the border {other:?}"))),
        };
        let compare = match desc.compare.unwrap_or(CompareOp::Never) {
            CompareOp::Never => vk::CompareOp::NEVER,
            CompareOp::Less => vk::CompareOp::LESS,
            CompareOp::Equal => vk::CompareOp::EQUAL,
            CompareOp::LessEqual => vk::CompareOp::LESS_OR_EQUAL,
            CompareOp::Greater => vk::CompareOp::GREATER,
            CompareOp::NotEqual => vk::CompareOp::NOT_EQUAL,
            CompareOp::GreaterEqual => vk::CompareOp::GREATER_OR_EQUAL,
            CompareOp::Always => vk::CompareOp::ALWAYS,
        };
        let info = vk::SamplerCreateInfo::builder()
            .mag_filter(filter(desc.magnify))
            .min_filter(filter(desc.minify))
            .mipmap_mode(match desc.mips {
                Filter::Nearest => vk::SamplerMipmapMode::NEAREST,
                Filter::Linear => vk::SamplerMipmapMode::LINEAR,
            })
            .address_mode_u(address(desc.address[0])?)
            .address_mode_v(address(desc.address[1])?)
            .address_mode_w(address(desc.address[2])?)
            .border_color(border)
            .compare_enable(desc.compare.is_some())
            .compare_op(compare)
            .mip_lod_bias(desc.bias)
            .min_lod(desc.min_lod)
            .max_lod(desc.max_lod);
        // SAFETY: the structure asks for core features only.
        let handle = unsafe { gpu.device.create_sampler(&info, None) }.map_err(failed("create a sampler"))?;
        Ok(Self { gpu: gpu.clone(), handle })
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        // SAFETY: submissions are waited for.
        unsafe { self.gpu.device.destroy_sampler(self.handle, None) };
    }
}
