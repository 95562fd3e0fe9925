//! Packages: what a host reads of one before there is a graph, such as the layouts of descriptor sets that loading it takes.

use crate::error::{self, guard};
use crate::{VkDescriptorType, VkShaderStageFlags, WgcBinding, WgcResult, name, write};
use std::ffi::{CString, c_char, c_void};
use std::path::Path;
use std::ptr::NonNull;
use wgc_abi::manifest::Manifest;
use wgc_abi::package::{PackageError, manifest_json};
use wgc_abi::{Package, package};
use wgc_runtime::vulkan::embed::{descriptor_type, stages};

/// A package in memory. It belongs to no device, and graphs do not need it once they are loaded.
pub struct WgcPackage {
    pub(crate) package: Package,
    manifest: CString,
    /// Names of the bindings, in their order.
    bindings: Vec<CString>,
    features: Vec<CString>,
}

/// Reads a package, the directory or (with --pack) the file that `wgc --target spirv-emulated` writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_read(path: *const c_char, package: *mut *mut WgcPackage) -> WgcResult {
    guard(|| {
        // SAFETY: null or valid, as the header asks of all pointers.
        let path = unsafe { name(path, "path") }?;
        // SAFETY: as above.
        unsafe { put(Package::read(Path::new(path)), package) }
    })
}

/// As wgc_package_read, from the bytes of a packed package, which are not needed afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_unpack(
    bytes: *const c_void,
    size: usize,
    package: *mut *mut WgcPackage,
) -> WgcResult {
    guard(|| {
        let bytes = NonNull::new(bytes.cast::<u8>().cast_mut()).ok_or(error::Failure::argument("bytes"))?;
        // SAFETY: so many bytes, as the caller says.
        let bytes = unsafe { std::slice::from_raw_parts(bytes.as_ptr(), size) };
        // SAFETY: null or valid.
        unsafe { put(Package::unpacked(bytes), package) }
    })
}

/// # Safety
/// `out` is null or valid.
unsafe fn put(read: Result<Package, package::PackageError>, out: *mut *mut WgcPackage) -> Result<(), error::Failure> {
    let package = read.map_err(|e| error::Failure::package(&e))?;
    let manifest = manifest_json(&package.manifest);
    let manifest = manifest.map_err(|error| error::Failure::package(&PackageError::Manifest { error }))?;
    let Manifest { bindings, features, .. } = &package.manifest;
    let text = |text: &str| CString::new(text).unwrap_or_default();
    let made = WgcPackage {
        // JSON has no NUL.
        manifest: CString::new(manifest).unwrap_or_default(),
        bindings: bindings.iter().map(|binding| text(&binding.name)).collect(),
        features: features.iter().map(|feature| text(feature)).collect(),
        package,
    };
    // SAFETY: as the caller promises.
    unsafe { write(out, Box::into_raw(Box::new(made)), "package") }
}

/// Gives a package back. NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_destroy(package: *mut WgcPackage) {
    if !package.is_null() {
        // SAFETY: made by `put`, and given back once.
        drop(unsafe { Box::from_raw(package) });
    }
}

/// The text of manifest.json (docs/emulation-abi.md, section 11), as long as the package lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_manifest(package: *const WgcPackage) -> *const c_char {
    // SAFETY: null or made by `put`, here and below.
    unsafe { package.as_ref() }.map_or(std::ptr::null(), |p| p.manifest.as_ptr())
}

/// Who sees the bindings and the push constants, as wgc_graph_stages says of a graph.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_stages(package: *const WgcPackage) -> VkShaderStageFlags {
    // SAFETY: as above.
    unsafe { package.as_ref() }.map_or(0, |p| stages(&p.package.manifest).bits())
}

/// Bytes of the user's push constants, which WgcBindings has; 0 without any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_push_bytes(package: *const WgcPackage) -> u32 {
    // SAFETY: as above.
    let pushed = unsafe { package.as_ref() }.and_then(|p| p.package.manifest.push_constants.as_ref());
    pushed.map_or(0, |pushed| pushed.block.size)
}

/// How many bindings the shaders have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_binding_count(package: *const WgcPackage) -> u32 {
    // SAFETY: as above.
    unsafe { package.as_ref() }.map_or(0, |p| p.bindings.len() as u32)
}

/// A binding of the shaders.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_binding(
    package: *const WgcPackage,
    number: u32,
    binding: *mut WgcBinding,
) -> WgcResult {
    guard(|| {
        // SAFETY: as above.
        let package = unsafe { read(package)? };
        let found = package.package.manifest.bindings.get(number as usize).zip(package.bindings.get(number as usize));
        let (found, name) = found.ok_or(error::Failure::argument("number"))?;
        let found = WgcBinding {
            name: name.as_ptr(),
            set: found.set,
            binding: found.binding,
            count: found.count,
            r#type: descriptor_type(&found.kind).as_raw() as VkDescriptorType,
        };
        // SAFETY: null or valid.
        unsafe { write(binding, found, "binding") }
    })
}

/// How many features the device has enabled beyond the floor of docs/emulation-abi.md, section 2, and those that the OpCapability of the
/// modules say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_feature_count(package: *const WgcPackage) -> u32 {
    // SAFETY: as above.
    unsafe { package.as_ref() }.map_or(0, |p| p.features.len() as u32)
}

/// The name of such a feature, as a member of Vulkan's structures is called; as long as the package lives. NULL: there are not as many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_feature(package: *const WgcPackage, number: u32) -> *const c_char {
    // SAFETY: as above.
    let found = unsafe { package.as_ref() }.and_then(|p| p.features.get(number as usize));
    found.map_or(std::ptr::null(), |name| name.as_ptr())
}

/// # Safety
/// `package` is null or made by `put`.
pub(crate) unsafe fn read<'a>(package: *const WgcPackage) -> Result<&'a WgcPackage, error::Failure> {
    // SAFETY: as the caller promises.
    unsafe { package.as_ref() }.ok_or(error::Failure::argument("package"))
}
