//! The entry points of the extension. The bindings' own table panics on a call to a missing function. This table is
//! filled before any call, so a missing entry point is an ordinary value.

use std::ffi::CStr;

use vulkanalia::prelude::v1_2::*;

use super::support::Missing;

macro_rules! commands {
    ($($field:ident $name:literal $type:ident;)*) => {
        /// All entry points.
        #[derive(Clone, Copy)]
        pub(in super::super) struct Commands {
            $(pub $field: vk::$type,)*
        }

        impl Commands {
            /// Loads each from `address`.
            ///
            /// # Errors
            /// The entry points that the driver lacks.
            ///
            /// # Safety
            /// `address` returns the results of `vkGetDeviceProcAddr` for a device that has the extension in revision
            /// 2.
            unsafe fn load(mut address: impl FnMut(&CStr) -> vk::PFN_vkVoidFunction) -> Result<Self, Vec<Missing>> {
                $(let $field = address($name);)*
                match ($($field,)*) {
                    ($(Some($field),)*) => Ok(Self {
                        // SAFETY: it is the function of this name, whose type the registry gives.
                        $($field: unsafe { std::mem::transmute::<unsafe extern "system" fn(), vk::$type>($field) },)*
                    }),
                    _ => {
                        let all = [$(($name, $field.is_some()),)*];
                        Err(all.into_iter().filter(|(_, there)| !there).map(|(name, _)| Missing::Command(name)).collect())
                    }
                }
            }
        }
    };
}

commands! {
    create_pipelines c"vkCreateExecutionGraphPipelinesAMDX" PFN_vkCreateExecutionGraphPipelinesAMDX;
    scratch_size c"vkGetExecutionGraphPipelineScratchSizeAMDX" PFN_vkGetExecutionGraphPipelineScratchSizeAMDX;
    node_index c"vkGetExecutionGraphPipelineNodeIndexAMDX" PFN_vkGetExecutionGraphPipelineNodeIndexAMDX;
    initialize_scratch c"vkCmdInitializeGraphScratchMemoryAMDX" PFN_vkCmdInitializeGraphScratchMemoryAMDX;
    dispatch c"vkCmdDispatchGraphAMDX" PFN_vkCmdDispatchGraphAMDX;
    dispatch_indirect c"vkCmdDispatchGraphIndirectAMDX" PFN_vkCmdDispatchGraphIndirectAMDX;
    dispatch_indirect_count c"vkCmdDispatchGraphIndirectCountAMDX" PFN_vkCmdDispatchGraphIndirectCountAMDX;
}

impl Commands {
    /// Loads the entry points of a logical device that has the extension enabled.
    ///
    /// # Errors
    /// The entry points that it lacks.
    pub fn of(instance: &vulkanalia::Instance, device: &vulkanalia::Device) -> Result<Self, Vec<Missing>> {
        // SAFETY: the device is of this instance and alive; only devices with revision 2 get so far.
        unsafe { Self::load(|name| instance.get_device_proc_addr(device.handle(), name)) }
    }
}
