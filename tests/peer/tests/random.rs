//! Programs made at random, compiled by wgc and by DXC and run beside each other.

#![allow(clippy::print_stdout, reason = "this is the test's report")]

use std::process::ExitCode;
use wgc_peer::dxc::{Dxc, required};
use wgc_peer::execute::{Launch, Resource, run};
use wgc_peer::ours::Ours;
use wgc_runtime::cpu::{CpuDevice, CpuSettings};
use wgc_sema::db::Options;

fn main() -> ExitCode {
    let Some(library) = required("random programs beside DXC's") else { return ExitCode::SUCCESS };
    let file = std::env::args().nth(1).unwrap_or_default();
    let dxc = Dxc::load(&library).unwrap();
    let source = std::fs::read(&file).unwrap();
    let mut ours = Ours::default();
    for _ in 0..3 {
        let t = std::time::Instant::now();
        let theirs = dxc
            .compile(&file, &source, &["-T", "cs_6_6", "-E", "main", "-spirv", "-fspv-target-env=vulkan1.3", "-enable-16bit-types"])
            .unwrap();
        println!("dxc {:?} {}", t.elapsed(), theirs.messages);
        let t = std::time::Instant::now();
        let options = Options { enable_16bit_types: true, compute_entry: Some("main".into()), shader_model: Some((6, 6)), ..Options::default() };
        let (module, _) = ours.compute(&file, options).unwrap();
        println!("wgc {:?}", t.elapsed());
        let resources = [Resource::storage(0, vec![0; 256])];
        let t = std::time::Instant::now();
        let mut cpu = CpuDevice::new(CpuSettings::default());
        println!("{:?}", run(&mut cpu, &module.words, &Launch::new("main", [1, 1, 1]), &resources));
        println!("cpu {:?}", t.elapsed());
        let t = std::time::Instant::now();
        let mut vk = wgc_runtime::vulkan::testing::device().unwrap();
        println!("open {:?}", t.elapsed());
        println!("{:?}", run(&mut vk, &module.words, &Launch::new("main", [1, 1, 1]), &resources));
        println!("vk {:?}", t.elapsed());
    }
    ExitCode::SUCCESS
}
