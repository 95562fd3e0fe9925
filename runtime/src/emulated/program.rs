//! A package as a host reads it, whatever device it runs on: its indexes are checked, its memory is computed, its status
//! is put in words.

use super::closure::{ClosureError, closure};
use super::input::Packed;
use super::report::{GraphError, InstanceReport, RunError};
use wgc_abi::device as abi;
use wgc_abi::manifest::Manifest;
use wgc_abi::tables::{QueueRow, TableHeader, Tables, prefix_pages};
use wgc_abi::{Package, tables};

/// A manifest and tables that agree with each other.
#[derive(Clone, Debug)]
pub struct Program {
    pub manifest: Manifest,
    pub tables: Tables,
    pub header: TableHeader,
}

/// How a dispatch runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Of the arena, at least.
    pub pages: u32,
    /// What the kernels must say that it needs.
    pub needed: u64,
    pub scheduled: bool,
}

/// How much of the arena a dispatch takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// The closure of its entry records, which then run in one pass; where that is above the limit, what a scheduled
    /// run does well with.
    #[default]
    Enough,
    /// So many times the fewest pages that the graph comes to its end with, in a scheduled run.
    Least(u32),
}

/// Where a dispatch finds its memory: device addresses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Places {
    pub tables: u64,
    pub queues: u64,
    pub instances: u64,
    pub pages: u64,
    pub arguments: u64,
    pub spans: u64,
    pub status: u64,
    pub trash: u64,
    pub free: u64,
    pub chunks: [u64; abi::MAX_CHUNKS],
    pub chunk_pages: u32,
    pub page_count: u32,
}

/// Memory of a scheduled run that may have as much as it likes.
const SCHEDULED_BYTES: u64 = 256 << 20;

impl Program {
    /// # Errors
    /// Tables or indexes that are damaged.
    pub fn new(package: &Package) -> Result<Self, RunError> {
        let tables = Tables::decode(&package.tables).map_err(RunError::Tables)?;
        let header = TableHeader::decode(&package.tables).unwrap_or_default();
        let program = Self { manifest: package.manifest.clone(), tables, header };
        program.check()?;
        Ok(program)
    }

    /// Every index that a host follows is in range.
    fn check(&self) -> Result<(), RunError> {
        let (manifest, tables) = (&self.manifest, &self.tables);
        let modules = manifest.modules.len();
        let instances = manifest.instances.len();
        let within = |first: u32, count: u32| u64::from(first) + u64::from(count) <= instances as u64;
        let kernels = [manifest.kernels.prep, manifest.kernels.inject, manifest.kernels.sched];
        let problem = if kernels.iter().any(|kernel| *kernel as usize >= modules) {
            "a kernel is missing"
        } else if manifest.instances.iter().any(|i| i.module as usize >= modules) {
            "a module is missing"
        } else if instances != tables.instances.len()
            || manifest.instances.iter().zip(&tables.instances).any(|(i, row)| i.queue != row.queue)
        {
            "the tables have other instances"
        } else if manifest.stages.iter().any(|s| !within(s.first_instance, s.instances)) {
            "a stage has instances that do not exist"
        } else if manifest.push_bytes < abi::USER_PUSH_OFFSET {
            "the push constants are too small"
        } else {
            return Ok(());
        };
        Err(RunError::Manifest(problem))
    }

    /// Words of a module and the name of its entry point, by index in the manifest.
    pub fn module<'p>(&'p self, package: &'p Package, module: usize) -> Result<(&'p [u32], &'p str), RunError> {
        let module = self.manifest.modules.get(module).ok_or(RunError::Manifest("a module is missing"))?;
        let words = package.modules.get(&module.file).ok_or(RunError::Manifest("a module is missing"))?;
        Ok((words, &module.entry))
    }

    /// Bytes of the states of all queues, of all instances, and of the arguments, none of them 0.
    pub fn state_bytes(&self) -> [u64; 3] {
        let sized = |count: usize, bytes: usize| (count.max(1) * bytes) as u64;
        let instances = self.tables.instances.len();
        [
            sized(self.tables.queues.len(), abi::QueueState::SIZE),
            sized(instances, abi::InstanceState::SIZE),
            sized(instances + 1, abi::Arguments::SIZE),
        ]
    }

    /// One pass or a scheduled run of these inputs, on a device that allows `group_limit` workgroups on X and on Y.
    ///
    /// # Errors
    /// More than `most` pages are needed.
    pub fn plan(&self, packed: &Packed, memory: Memory, most: u64, group_limit: u32) -> Result<Run, RunError> {
        let least = self.tables.min_pages;
        let scheduled = |pages: u64| match u32::try_from(pages) {
            Ok(pages) if u64::from(pages) <= most => Ok(Run { pages, needed: u64::from(least), scheduled: true }),
            _ => Err(self.too_small(pages, most)),
        };
        if let Memory::Least(times) = memory {
            return scheduled(u64::from(least) * u64::from(times.max(1)));
        }
        match closure(&self.tables, &packed.entries, group_limit) {
            Ok(closure) if closure.pages <= most => {
                Ok(Run { pages: closure.pages as u32, needed: closure.pages, scheduled: false })
            }
            _ => scheduled((SCHEDULED_BYTES / u64::from(self.tables.page_bytes)).min(most).max(u64::from(least))),
        }
    }

    /// Why these inputs do not run in one pass in `most` pages.
    pub fn one_pass_error(&self, packed: &Packed, most: u64, group_limit: u32) -> RunError {
        match closure(&self.tables, &packed.entries, group_limit) {
            Ok(closure) => self.too_small(closure.pages, most),
            Err(error) => {
                let (code, instance) = match error {
                    ClosureError::Records { instance } => (abi::ERROR_RECORDS, instance),
                    ClosureError::Groups { instance } => (abi::ERROR_GROUPS, instance),
                };
                self.graph_error(code, instance, 0, 1)
            }
        }
    }

    /// So many pages are more than the limit.
    pub fn too_small(&self, pages: u64, most: u64) -> RunError {
        let bytes = u64::from(self.tables.page_bytes);
        RunError::Arena { needed: pages.saturating_mul(bytes), limit: most.saturating_mul(bytes) }
    }

    /// Entries of the page table: a scheduled queue has as many as it may ever have pages, at places that do not move.
    pub fn page_table(&self, run: &Run) -> u64 {
        if !run.scheduled {
            return u64::from(run.pages);
        }
        let pages = u64::from(run.pages);
        let of_queue = |queue: &QueueRow| {
            let records = u64::from(queue.max_records);
            let prefix = prefix_pages(records, self.tables.page_bytes).min(pages);
            queue.record_pages(records).min(pages) + prefix * u64::from(queue.dynamic_count)
        };
        self.tables.queues.iter().map(of_queue).sum()
    }

    /// The context of a dispatch.
    pub fn context(&self, places: &Places, packed: &Packed, group_limit: u32, dispatch_id: u32) -> abi::Context {
        abi::Context {
            tables: places.tables,
            queues: places.queues,
            instances: places.instances,
            pages: places.pages,
            arguments: places.arguments,
            spans: places.spans,
            status: places.status,
            trash: places.trash,
            outputs: places.tables + u64::from(self.header.outputs),
            maps: places.tables + u64::from(self.header.maps),
            page_count: places.page_count,
            chunk_pages: places.chunk_pages,
            span_count: packed.spans.len() as u32,
            span_threads: packed.threads,
            group_limit,
            dispatch_id,
            admit: abi::ADMIT_ALL,
            pad0: 0,
            free: places.free,
            pad1: 0,
            chunks: places.chunks,
        }
    }

    // ---- afterwards

    /// Whether the kernels ran this dispatch, and to a good end.
    ///
    /// # Errors
    /// What prep or a shader reported.
    pub fn judge(&self, status: &abi::Status, dispatch_id: u32, needed: u64) -> Result<(), RunError> {
        if status.magic != abi::STATUS_MAGIC || status.dispatch_id != dispatch_id || status.pages_needed != needed {
            return Err(RunError::Disagreement { host: needed, device: status.pages_needed });
        }
        match status.error_count {
            0 => Ok(()),
            count => Err(self.graph_error(status.error, status.error_instance, status.error_output, count)),
        }
    }

    fn graph_error(&self, code: u32, instance: u32, output: u32, count: u32) -> RunError {
        match self.manifest.instances.get(instance as usize) {
            Some(i) => {
                let past_recursion = code == abi::ERROR_ABSENT && self.recurs(instance, output);
                RunError::Graph(GraphError {
                    code,
                    node: i.node.clone(),
                    level: i.level,
                    output,
                    past_recursion,
                    count,
                })
            }
            None => RunError::Manifest("the status names an instance that does not exist"),
        }
    }

    /// Whether an output leads to the next recursion level of its own node, and this instance is the last one: the same
    /// output of the level before leads here.
    fn recurs(&self, instance: u32, output: u32) -> bool {
        let (names, rows) = (&self.manifest.instances, &self.tables.instances);
        let Some((this, row)) = names.get(instance as usize).zip(rows.get(instance as usize)) else { return false };
        let before = |(name, _): &(&wgc_abi::manifest::Instance, &tables::InstanceRow)| {
            name.node == this.node && name.level.checked_add(1) == Some(this.level)
        };
        let Some((_, before)) = names.iter().zip(rows).find(before).filter(|_| row.remaining_levels == 0) else {
            return false;
        };
        let at = before.first_output.checked_add(output).filter(|_| output < before.output_count);
        let Some(output) = at.and_then(|at| self.tables.outputs.get(at as usize)) else { return false };
        // Of an array, another element may have been meant.
        output.count == 1
            && [0, this.node.index].iter().any(|index| self.tables.target(output, *index) == Some(row.queue))
    }

    /// What each instance found in its queue, from the states of all queues.
    pub fn consumed(&self, queues: &[u8]) -> Vec<InstanceReport> {
        let records: Vec<u64> = queues
            .chunks_exact(abi::QueueState::SIZE)
            .map(|b| abi::QueueState::decode(b).map_or(0, |q| q.passed + u64::from(q.tail.min(q.capacity))))
            .collect();
        let instances = self.manifest.instances.iter();
        instances
            .map(|i| InstanceReport {
                node: i.node.clone(),
                level: i.level,
                records: records.get(i.queue as usize).copied().unwrap_or(0),
            })
            .collect()
    }
}
