//! Faults that are planted in packages, and that the CPU device finds with its checks: barriers that are left out, entries of
//! the page table that are wrong, and indexes that nobody keeps in range. Without the fault nothing is found, here as in all
//! programs of the other tests, which run with the same checks. Beside them: manifests
//! that a host refuses ([`manifests`]), and what else wants a Vulkan driver with properties of our choice ([`waves`]).

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
