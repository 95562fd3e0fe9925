//! The errors in a dispatch's status, by node.
//!
//! The kernels list each error once, in any order. Here they have the order of the instances, and so of the stages:
//! causes come before their effects.

use super::program::Program;
use super::report::{CutGrid, GraphError, GuardError, Reports, RunError};
use wgc_abi::device as abi;
use wgc_abi::device::Report;
use wgc_abi::tables;

impl Program {
    /// Returns all reports.
    pub fn reports(&self, status: &abi::Status) -> Reports {
        if status.magic != abi::STATUS_MAGIC {
            return Reports::default();
        }
        let mut listed: Vec<Report> = status.reported().collect();
        listed.sort_unstable();
        let mut reports = Reports {
            count: status.error_count,
            unlisted: status.flags & abi::FLAG_UNLISTED != 0,
            ..Reports::default()
        };
        for report in listed {
            let instance = self.manifest.instances.get(report.instance as usize);
            match (report.code, instance) {
                (abi::NOTE_GRID_CLAMPED, Some(i)) => {
                    reports.cut_grids.push(CutGrid { node: i.node.clone(), level: i.level });
                }
                _ => reports.errors.push(self.run_error(report, 1)),
            }
        }
        reports
    }

    /// Returns the first error, with the number of errors.
    pub fn first_error(&self, status: &abi::Status) -> RunError {
        let (code, instance, output) = (status.error, status.error_instance, status.error_output);
        self.run_error(Report { code, instance, output }, status.error_count)
    }

    /// Returns an error in terms of the graph.
    pub fn run_error(&self, report: Report, count: u32) -> RunError {
        match report.code {
            abi::ERROR_INPUT => RunError::CountedInput { input: report.output, count },
            abi::ERROR_STALE | abi::ERROR_OVERRUN => self.guard_error(report, count),
            _ => self.graph_error(report, count),
        }
    }

    fn graph_error(&self, report: Report, count: u32) -> RunError {
        let Report { code, instance, output } = report;
        match self.manifest.instances.get(instance as usize) {
            Some(i) => {
                let names_records = code >= abi::ERROR_MAX_RECORDS && output != tables::ABSENT;
                let end = self.manifest.end(&i.node, output).filter(|_| names_records);
                let mut past_recursion = code == abi::ERROR_ABSENT && self.recurs(instance, output);
                let (mut node, mut level, mut output) = (i.node.clone(), i.level, output);
                if let Some(end) = end {
                    past_recursion |= code == abi::ERROR_ABSENT && end.target.as_ref() == Some(&end.node);
                    level = if end.node == node { level } else { 0 };
                    (node, output) = (end.node.clone(), end.output.unwrap_or(tables::ABSENT));
                }
                RunError::Graph(GraphError { code, node, level, output, past_recursion, count })
            }
            None => RunError::Manifest("the status names an instance that does not exist"),
        }
    }

    /// Returns the name of the nodes that an output leads to, one name for an array; `None` if it leads to none that
    /// exists.
    pub fn target_name(&self, error: &GraphError) -> Option<&str> {
        let mut ends = self.manifest.carriers.iter().flat_map(|carrier| &carrier.ends);
        let end = ends.find(|end| end.node == error.node && end.output == Some(error.output));
        if let Some(target) = end.and_then(|end| end.target.as_ref()) {
            return Some(&target.name);
        }
        let (names, rows) = (&self.manifest.instances, &self.tables.instances);
        let is_of = |name: &wgc_abi::manifest::Instance| name.node == error.node && name.level == error.level;
        let (_, row) = names.iter().zip(rows).find(|(name, _)| is_of(name))?;
        let at = row.first_output.checked_add(error.output).filter(|_| error.output < row.output_count)?;
        let queue = self.tables.some_target(self.tables.outputs.get(at as usize)?)?;
        let target = names.iter().find(|name| name.queue == queue)?;
        Some(&target.node.name)
    }

    fn guard_error(&self, report: Report, count: u32) -> RunError {
        let node = self.manifest.instances.get(report.instance as usize);
        let target = self.manifest.instances.iter().find(|instance| instance.queue == report.output);
        match node.zip(target) {
            Some((node, target)) => RunError::Guard(GuardError {
                overrun: report.code == abi::ERROR_OVERRUN,
                node: node.node.clone(),
                level: node.level,
                queue: report.output,
                target: target.node.clone(),
                count,
            }),
            None => RunError::Manifest("the status names an instance that does not exist"),
        }
    }

    /// Returns whether an output leads to the next recursion level of its own node, and this instance is the last one.
    /// The same output of the level before leads here.
    fn recurs(&self, instance: u32, output: u32) -> bool {
        let (names, rows) = (&self.manifest.instances, &self.tables.instances);
        let Some((this, row)) = names.get(instance as usize).zip(rows.get(instance as usize)) else { return false };
        let leads_here = |before: &tables::InstanceRow| {
            let at = before.first_output.checked_add(output).filter(|_| output < before.output_count);
            let Some(output) = at.and_then(|at| self.tables.outputs.get(at as usize)) else { return false };
            // For an array, another element may have been meant.
            output.count == 1
                && [0, this.node.index].iter().any(|index| self.tables.target(output, *index) == Some(row.queue))
        };
        // Scheduled by depth there are several of the level before.
        let is_before = |name: &wgc_abi::manifest::Instance| {
            name.node == this.node && name.level.checked_add(1) == Some(this.level)
        };
        row.remaining_levels == 0 && names.iter().zip(rows).any(|(name, row)| is_before(name) && leads_here(row))
    }
}
