//! Planted faults that the CPU device finds with its checks: omitted barriers in packages, wrong entries of the page
//! table, and indexes out of range. Without the fault there are no findings, here as in all other tests, whose programs
//! run with the same checks. Also tests manifests that a host refuses ([`manifests`]), and other behaviour that needs a
//! Vulkan driver with chosen properties ([`waves`]).

#[path = "../support/altered.rs"]
mod altered;
mod barriers;
mod driver;
mod leftovers;
mod limits;
mod manifests;
mod packages;
mod pages;
mod recorded;
mod waves;
#[path = "../support/wrapper.rs"]
mod wrapper;
