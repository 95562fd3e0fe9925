//! Packages: the data that a host reads before there is a graph, such as the layouts of descriptor sets for loading it.

use crate::error::{self, guard, guard_value};
use crate::handles::{HandleKind, Held, Object, Table};
use crate::{VkDescriptorType, VkShaderStageFlags, WgcBinding, WgcResult, destroy, keep, name, write};
use std::ffi::{CString, c_char, c_void};
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;
use wgc_abi::manifest::Manifest;
use wgc_abi::package::{PackageError, manifest_json};
use wgc_abi::{Package, package};
use wgc_runtime::vulkan::embed::{descriptor_type, stages};

/// A package in memory. It belongs to no device, and graphs do not need it after loading.
pub struct WgcPackage {
    package: Arc<Package>,
    manifest: CString,
    /// Names of the bindings, in their order.
    bindings: Vec<CString>,
    features: Vec<CString>,
}

impl Object for WgcPackage {
    const KIND: HandleKind = HandleKind::Package;

    fn table() -> &'static Table<Self> {
        static PACKAGES: Table<WgcPackage> = Table::new();
        &PACKAGES
    }
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

/// Reads a package like wgc_package_read, from the bytes of a packed package, which are not needed afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_unpack(
    bytes: *const c_void,
    size: usize,
    package: *mut *mut WgcPackage,
) -> WgcResult {
    guard(|| {
        let bytes = NonNull::new(bytes.cast::<u8>().cast_mut()).ok_or(error::Failure::argument("bytes"))?;
        if isize::try_from(size).is_err() {
            return Err(error::Failure::argument("size"));
        }
        // SAFETY: the caller guarantees this many bytes.
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
        package: Arc::new(package),
    };
    // SAFETY: as the caller promises.
    unsafe { keep(made, out, "package") }
}

/// Destroys a package. NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_destroy(package: *mut WgcPackage) {
    destroy(package, "package");
}

/// Returns the text of manifest.json (docs/emulation-abi.md, section 11), valid while the package lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_manifest(package: *const WgcPackage) -> *const c_char {
    guard_value(std::ptr::null(), || {
        let p = package_of(package)?;
        Ok(p.manifest.as_ptr())
    })
}

/// Returns the stages that see the bindings and the push constants, like wgc_graph_stages for a graph.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_stages(package: *const WgcPackage) -> VkShaderStageFlags {
    guard_value(0, || {
        let p = package_of(package)?;
        Ok(stages(&p.package.manifest).bits())
    })
}

/// Returns the bytes of the user's push constants; 0 if there are none. WgcBindings describes them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_push_bytes(package: *const WgcPackage) -> u32 {
    guard_value(0, || {
        let p = package_of(package)?;
        Ok(p.package.manifest.push_constants.as_ref().map_or(0, |pushed| pushed.block.size))
    })
}

/// Returns the number of bindings in the shaders.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_binding_count(package: *const WgcPackage) -> u32 {
    guard_value(0, || {
        let p = package_of(package)?;
        Ok(p.bindings.len() as u32)
    })
}

/// Gets a binding of the shaders.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_binding(
    package: *const WgcPackage,
    number: u32,
    binding: *mut WgcBinding,
) -> WgcResult {
    guard(|| {
        let package = package_of(package)?;
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

/// Returns the number of features that the device must have enabled, beyond the required features of docs/emulation-abi.md, section
/// 2, and beyond those of the modules' OpCapability.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_feature_count(package: *const WgcPackage) -> u32 {
    guard_value(0, || {
        let p = package_of(package)?;
        Ok(p.features.len() as u32)
    })
}

/// Returns the name of such a feature, as a member of Vulkan's structures; valid while the package lives. NULL: the
/// number is too large.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_package_feature(package: *const WgcPackage, number: u32) -> *const c_char {
    guard_value(std::ptr::null(), || {
        let p = package_of(package)?;
        let found = p.features.get(number as usize).ok_or(error::Failure::argument("number"))?;
        Ok(found.as_ptr())
    })
}

/// Returns the package of a handle, for one call.
fn package_of(package: *const WgcPackage) -> Result<Held<WgcPackage>, error::Failure> {
    WgcPackage::table().get(package, "package")
}

/// Returns the package alone: creating pipelines takes time, in which other calls may use the handle.
pub(crate) fn read(package: *const WgcPackage) -> Result<Arc<Package>, error::Failure> {
    Ok(package_of(package)?.package.clone())
}
