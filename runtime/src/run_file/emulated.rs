//! Runs an emulated package for a run file, on any device.

use wgc_abi::{NodeName, Package};

use super::executor::{Dispatched, EntryInput, GraphExecutor};
use crate::device::{Device, DeviceError, ResourceBinding, Result};
use crate::emulated::{EmulatedGraph, EmulatedOptions, Input};

/// A package with the device it runs on. The package is loaded when resources are bound, because pipelines depend on
/// them.
pub struct EmulatedExecutor<D: Device> {
    device: D,
    package: Package,
    options: EmulatedOptions,
    graph: Option<EmulatedGraph>,
    push: Vec<u8>,
}

impl<D: Device> EmulatedExecutor<D> {
    pub fn new(device: D, package: Package, options: EmulatedOptions) -> Self {
        Self { device, package, options, graph: None, push: Vec::new() }
    }
}

impl<D: Device> GraphExecutor for EmulatedExecutor<D> {
    fn device(&mut self) -> &mut dyn Device {
        &mut self.device
    }

    fn bind(&mut self, resources: &[ResourceBinding], push_constants: &[u8]) -> Result<()> {
        if let Some(graph) = self.graph.take() {
            graph.destroy(&mut self.device);
        }
        let bindings = if resources.is_empty() { None } else { Some(self.device.create_bindings(resources)?) };
        let graph = EmulatedGraph::load(&mut self.device, &self.package, bindings, self.options);
        self.graph = Some(graph.map_err(|error| DeviceError::new(error.to_string()))?);
        self.push = push_constants.to_vec();
        Ok(())
    }

    fn dispatch(&mut self, inputs: &[EntryInput]) -> Result<Dispatched> {
        let Some(graph) = &mut self.graph else { return Err(DeviceError::new("a dispatch before anything is bound")) };
        let inputs: Vec<Input<'_>> = inputs
            .iter()
            .map(|input| Input {
                node: NodeName { name: input.node.clone(), index: input.index },
                data: &input.data,
                stride: input.stride,
                count: input.count,
            })
            .collect();
        let report = graph
            .dispatch(&mut self.device, &inputs, &self.push)
            .map_err(|error| DeviceError::new(error.to_string()))?;
        Ok(Dispatched { records: Some(report.records()), findings: None })
    }
}
