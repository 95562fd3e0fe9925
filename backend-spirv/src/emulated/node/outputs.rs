//! Outputs of a node: allocation, completion, counting and the end of sharing.

use super::super::error::EmuError;
use super::super::library;
use super::{Lowering, SHARED, SHARED_BARRIER, SHARED_LONG, Target};
use wgc_ir::{
    AllocScope, Barrier, Block, Launch, MemoryFlags, Op, OutputArray, OutputId, Record, RecordsType, Scope, Space,
    Stmt, Symbol, Type, ValueId, walk,
};

/// A flag in the output number of a handle: its shortage of records is already reported (`WG_TOLD`).
const TOLD: u32 = 1 << 31;

/// The most targets that are loaded early: each occupies registers from there on.
const EARLY_TARGETS: usize = 2;

impl Lowering<'_> {
    /// Returns the record type of an output and its budget.
    fn output(&self, output: OutputId) -> Result<(Option<&Record>, u32), EmuError> {
        let found = self.node.outputs.get(output as usize).ok_or_else(|| self.misplaced("output"))?;
        Ok((found.record.as_ref(), self.node.budget(output as usize).1))
    }

    fn handle(&self, records: ValueId) -> Result<RecordsType, EmuError> {
        self.handles.get(&records).cloned().ok_or_else(|| self.misplaced("record handle"))
    }

    /// Returns stride and slots of a handle's records.
    fn handle_layout(&self, handle: &RecordsType) -> Result<[u32; 2], EmuError> {
        // Tracking belongs to the record's declaration, so all outputs of one record type agree on it.
        let records = self.node.outputs.iter().filter_map(|o| o.record.as_ref());
        let record = records.into_iter().find(|r| r.ty == *handle.record);
        self.stride_and_slots(Some(record.ok_or_else(|| self.misplaced("record handle"))?))
    }

    /// Returns the place of the 32-bit or 64-bit groupshared word.
    fn shared_place(&mut self, long: bool) -> ValueId {
        self.shared[usize::from(long)] = true;
        let (name, ty) = if long { (SHARED_LONG, Type::U64) } else { (SHARED, Type::U32) };
        self.b.global_as(name, Type::reference(Space::Workgroup, ty))
    }

    /// Returns whether records of an output, or of a handle, may go to a spill.
    fn spills(&self, record: Option<&Type>) -> bool {
        record.is_some_and(|record| self.context.spilling.contains(&record))
    }

    /// Runs `f` in the first thread of the group. All threads get its value, of 32 or 64 bits.
    pub(super) fn in_one_thread(
        &mut self,
        long: bool,
        f: impl FnOnce(&mut Self) -> Result<ValueId, EmuError>,
    ) -> Result<ValueId, EmuError> {
        let Some(thread) = self.thread else { return f(self) };
        let shared = self.shared_place(long);
        let zero = self.b.const_u32(0);
        let first = self.b.eq(thread, zero);
        self.b.begin_block();
        let value = f(self);
        let then = match value {
            Ok(value) => {
                self.b.store(shared, value);
                self.b.end_block()
            }
            Err(error) => {
                self.b.end_block();
                return Err(error);
            }
        };
        self.b.push(Stmt::if_(first, then, Vec::new()));
        self.b.barrier(SHARED_BARRIER);
        let value = self.b.load(shared);
        // The word may be used again, so no thread may write before all have read it.
        self.b.barrier(SHARED_BARRIER);
        Ok(value)
    }

    /// Returns the scope of a request; a thread node has groups of one thread, so its threads allocate alone.
    pub(super) fn asking(&self, scope: AllocScope) -> AllocScope {
        if self.node.launch == Launch::Thread { AllocScope::Thread } else { scope }
    }

    /// Loads the targets of the outputs that the code fills, before the code waits for any other load.
    pub(super) fn early_targets(&mut self, body: &Block) -> Result<(), EmuError> {
        let mut filled: Vec<OutputId> = Vec::new();
        walk::statements(body, &mut |stmt| {
            let output = match stmt {
                Stmt::IncrementCount { output, .. } => Some(*output),
                Stmt::Let(id) => match self.b.function().value(*id).map(|v| &v.op) {
                    Some(Op::Allocate { output, .. }) => Some(*output),
                    _ => None,
                },
                _ => None,
            };
            filled.extend(output.filter(|output| !filled.contains(output)));
        });
        for output in filled.into_iter().take(EARLY_TARGETS) {
            let target = self.known_target(output)?;
            if let Some(early) = self.targets.get_mut(output as usize) {
                *early = target;
            }
        }
        Ok(())
    }

    /// Returns the target of an output if only one node is possible.
    fn known_target(&mut self, output: OutputId) -> Result<Option<ValueId>, EmuError> {
        let targets = self.context.fixed.map(|instance| &instance.targets);
        let Some(Some(Target { queue, row, consumer })) = targets.and_then(|t| t.get(output as usize)) else {
            return Ok(None);
        };
        let instances = [row.first_instance, row.instance_count];
        let args = [&[*queue, row.trailer], &instances[..], &[consumer.launch, consumer.unit, consumer.grid_groups]];
        let args = self.with_constants(&args.concat());
        Ok(Some(self.call(library::TARGET, args)?))
    }

    /// Returns the target of element `index` of an output.
    fn target(&mut self, output: OutputId, index: ValueId) -> Result<ValueId, EmuError> {
        let early = self.targets.get(output as usize).copied().flatten();
        if let Some(target) = early.map_or_else(|| self.known_target(output), |early| Ok(Some(early)))? {
            return Ok(target);
        }
        let number = self.b.const_u32(output);
        self.call(library::FIND_TARGET, vec![self.enter, number, index])
    }

    /// Returns whether all threads that allocate together have the same target.
    fn has_one_target(&mut self, output: OutputId) -> ValueId {
        let output = self.node.outputs.get(output as usize);
        let one = output.is_some_and(|o| o.array == OutputArray::Single);
        self.b.const_bool(one)
    }

    pub(super) fn allocate(
        &mut self,
        id: ValueId,
        scope: AllocScope,
        output: OutputId,
        index: ValueId,
        count: ValueId,
    ) -> Result<(), EmuError> {
        let (record, max_records) = self.output(output)?;
        let layout = self.stride_and_slots(record)?;
        let spills = self.spills(record.map(|r| &r.ty));
        let (index, asked) = (self.word(index), self.word(count));
        let count = self.granted(scope, output, asked)?;
        let target = self.target(output, index)?;
        let mut number = self.b.const_u32(output);
        if count != asked {
            // The shortage of records is already reported.
            let (reported, cut) = (self.b.const_u32(output | TOLD), self.b.lt(count, asked));
            number = self.b.select(cut, reported, number);
        }
        let max_records = self.b.const_u32(max_records);
        let mut args = vec![self.enter, target, number, count, max_records];
        match self.asking(scope) {
            AllocScope::Thread if !spills && self.grouped.has_allocation(id) => {
                args.extend(self.group_arguments()?);
                args.extend(self.constants(&layout));
                self.call_as(id, library::ALLOCATE_GROUPED, args)
            }
            AllocScope::Thread => {
                args.push(self.has_one_target(output));
                args.extend(self.constants(&layout));
                let allocate = if spills { library::ALLOCATE_THREAD_SPILL } else { library::ALLOCATE_THREAD };
                self.call_as(id, allocate, args)
            }
            AllocScope::Group => {
                // Every thread opens the output, which has no side effects except error reports; one thread allocates.
                let opened = self.call(library::OPEN, args)?;
                if spills {
                    let taken = self.in_one_thread(true, |s| {
                        let mut args = vec![s.enter, target, number, opened];
                        args.extend(s.constants(&layout));
                        s.call(library::TAKE_SPILL, args)
                    })?;
                    return self.call_as(id, library::TAKEN_SPILL, vec![opened, taken]);
                }
                let base = self.context.library.field(library::OPEN, "base")?;
                let rank = self.in_one_thread(false, |s| {
                    let mut args = vec![s.enter, target, number, opened];
                    args.extend(s.constants(&layout));
                    s.call(library::TAKE, args)
                })?;
                let ty = self.context.library.records.clone();
                self.replace(id, ty, Op::Insert { base: opened, index: base, value: rank });
                Ok(())
            }
        }
    }

    /// Returns the address of record `id`, with this index in a handle, and whether other threads may access it.
    pub(super) fn output_address(
        &mut self,
        id: ValueId,
        records: ValueId,
        index: ValueId,
    ) -> Result<(ValueId, bool), EmuError> {
        let handle = self.handle(records)?;
        let layout = self.handle_layout(&handle)?;
        let spills = self.spills(Some(&*handle.record));
        let coherent = self.asking(handle.scope) == AllocScope::Group;
        let index = self.word(index);
        let helper = match (self.is_given(id), spills) {
            (true, false) => library::GIVEN_RECORD,
            (true, true) => library::GIVEN_RECORD_SPILL,
            (false, false) => library::OUTPUT_RECORD,
            (false, true) => library::OUTPUT_RECORD_SPILL,
        };
        let mut args = vec![self.enter, records, index];
        args.extend(self.constants(&layout));
        Ok((self.call(helper, args)?, coherent))
    }

    /// Returns whether record `id` is in range of its allocation, if that allocates all requested records or none.
    fn is_given(&self, id: ValueId) -> bool {
        let Some((output, count)) = self.bounds.asked(id) else { return false };
        // A counted request may be cut, except that a request for one record gets one or none.
        count <= self.node.budget(output as usize).1
            && (count == 1 || !self.is_counted(output))
            && self.bounds.within(id, count)
    }

    pub(super) fn complete(&mut self, records: ValueId) -> Result<(), EmuError> {
        let handle = self.handle(records)?;
        // Consumers start after a barrier between dispatches, so only grids need to be launched.
        if !self.context.dynamic.contains(&&*handle.record) {
            return Ok(());
        }
        let layout = self.handle_layout(&handle)?;
        let spills = self.spills(Some(&*handle.record));
        let (helper, mut args) = match (handle.scope, self.thread) {
            (AllocScope::Group, Some(thread)) => {
                // The threads publish records that other threads wrote.
                let memory = MemoryFlags { uav: true, ..MemoryFlags::default() };
                self.b.barrier(Barrier { memory, group_sync: true, scope: Some(Scope::Workgroup), records: None });
                let threads = self.b.const_u32(self.threads);
                (
                    if spills { library::COMPLETE_GROUP_SPILL } else { library::COMPLETE_GROUP },
                    vec![self.enter, records, thread, threads],
                )
            }
            _ if spills => (library::COMPLETE_THREAD_SPILL, vec![self.enter, records]),
            _ => (library::COMPLETE_THREAD, vec![self.enter, records]),
        };
        args.extend(self.constants(&layout));
        self.b.call_void(Symbol::const_new(helper.name), args);
        Ok(())
    }

    pub(super) fn increment(
        &mut self,
        scope: AllocScope,
        output: OutputId,
        index: ValueId,
        count: ValueId,
    ) -> Result<(), EmuError> {
        let (_, max_records) = self.output(output)?;
        let is_grouped = self.grouped.has_increment(output, index, count);
        let (index, count) = (self.word(index), self.word(count));
        let count = self.granted(scope, output, count)?;
        let target = self.target(output, index)?;
        let number = self.b.const_u32(output);
        let max_records = self.b.const_u32(max_records);
        let mut args = vec![self.enter, target, number, count, max_records];
        match (self.asking(scope), self.thread) {
            (AllocScope::Group, Some(thread)) => {
                let zero = self.b.const_u32(0);
                let first = self.b.eq(thread, zero);
                self.b.if_then(first, |b| b.call_void(Symbol::const_new(library::INCREMENT.name), args));
            }
            (AllocScope::Group, None) => self.b.call_void(Symbol::const_new(library::INCREMENT.name), args),
            (AllocScope::Thread, _) if is_grouped => {
                args.extend(self.group_arguments()?);
                self.b.call_void(Symbol::const_new(library::INCREMENT_GROUPED.name), args);
            }
            (AllocScope::Thread, _) => {
                args.push(self.has_one_target(output));
                self.b.call_void(Symbol::const_new(library::INCREMENT_THREAD.name), args);
            }
        }
        Ok(())
    }

    /// Lowers `FinishedCrossGroupSharing()`: the group's last access to the record, counted once for all its threads.
    pub(super) fn finished_sharing(&mut self, id: ValueId) -> Result<(), EmuError> {
        let layout = super::RecordLayout::of(self.input_record_type(), self.context.guarded);
        let trailer = layout.and_then(|l| l.trailer).ok_or_else(|| self.misplaced("FinishedCrossGroupSharing"))?;
        let record = self.record.ok_or_else(|| self.misplaced("FinishedCrossGroupSharing"))?;
        if self.thread.is_some() {
            let memory = MemoryFlags { uav: true, ..MemoryFlags::default() };
            self.b.barrier(Barrier { memory, group_sync: true, scope: Some(Scope::Device), records: None });
        }
        let groups = self.input_field("grid_groups")?;
        let last = self.in_one_thread(false, |s| {
            let trailer = s.b.const_u32(trailer);
            let last = s.call(library::FINISH_SHARING, vec![record, trailer, groups])?;
            Ok(s.b.convert(last, Type::U32))
        })?;
        let zero = self.b.const_u32(0);
        self.replace(id, Type::BOOL, Op::Binary { op: wgc_ir::BinaryOp::Ne, lhs: last, rhs: zero });
        Ok(())
    }
}
