//! The rules of fusion, and the reasons against it, as tables.

use super::FusionMode;
use std::fmt;

/// A kind of edge that is fused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Each thread sends at most one record to a thread node.
    OneRecord,
    /// Each thread sends a few records to a thread node.
    FewRecords,
    /// Each thread sends a few empty records to a thread node.
    EmptyRecords,
    /// The group sends records to a thread node, whose threads are those of the group.
    GroupRecords,
    /// The group sends records to a broadcasting node with few groups, which run one after the other.
    GroupGrids,
    /// The group sends records to a coalescing node, whose groups run one after the other.
    GroupBatches,
    /// Each thread sends at most one record to its own node. It becomes a loop over the levels.
    Loop,
    /// Each thread sends a few records to an array of thread nodes, which differ in constants alone.
    OneCode,
    /// Records for an array of thread nodes with several codes, which a switch on the element selects.
    Switch,
}

macro_rules! reasons {
    ($($reason:ident $code:literal $text:literal,)*) => {
        /// Why an edge is not fused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Reason { $(#[doc = $text] $reason,)* }

        impl Reason {
            pub const ALL: &[Reason] = &[$(Reason::$reason,)*];

            /// Returns the code in reports.
            pub fn code(self) -> &'static str {
                match self { $(Reason::$reason => $code,)* }
            }

            /// Returns the reason as a sentence without a period.
            pub fn text(self) -> &'static str {
                match self { $(Reason::$reason => $text,)* }
            }
        }
    };
}

reasons! {
    Off "off" "fusion is off",
    Chosen "chosen" "`--no-fuse` keeps the edge",
    Missing "missing" "the target does not exist",
    Array "array" "the output is an array without a size",
    ElementCode "element-code" "the nodes of the array have too many different codes",
    Lanes "lanes" "the consumer runs in threads and uses wave operations, which would see other threads",
    SharedInput "shared-input" "several nodes share the input",
    Mesh "mesh" "a mesh node is drawn, not run",
    Recursion "recursion" "the producer or the consumer targets itself",
    NeedsGroup "needs-group" "the consumer runs in groups, and the producer in threads",
    GroupArray "group-array" "the output is an array of nodes that run in groups",
    Grid "grid" "the consumer's grid is in the record, or has more than four groups",
    GroupSize "group-size" "the `NumThreads` of the consumer do not fit those of the producer",
    GroupMemory "groupshared" "groupshared variables and records take too much memory of a group",
    CoalescingFill "coalescing-fill" "records of other groups would fill the consumer's groups",
    MixedRequests "mixed-requests" "both single threads and the whole group request records",
    RecordType "record-type" "the types of the records differ",
    WaveSize "wave-size" "the consumer needs another size of waves",
    LocalRoots "local-roots" "one of the nodes has local root arguments",
    Handles "handles" "a handle has several origins",
    RecordUse "record-use" "an operation on the record needs it in memory",
    Unbounded "unbounded" "the number of records of a thread, or of a group, has no small bound, or may exceed MaxRecords",
    RecordSize "record-size" "the records take too much memory of a thread",
    Budget "budget" "the consumer may request more than its MaxRecords",
    GroupBudget "group-budget" "the threads of the producer's group may together request more than its MaxRecords",
    OutputGrowth "output-growth" "the records that one workgroup may send take too much memory",
    Statics "static-variables" "the consumer uses a large static variable that changes",
    MemoryOrder "memory-order" "the consumer and its producer, or a node between them, access the same memory, and one of them writes it",
    InlineSpirv "inline-spirv" "the consumer has inline SPIR-V or `printf`",
    Barrier "barrier" "the consumer has a barrier for its group",
    OtherSources "other-sources" "the consumer is an entry, or has edges that are kept",
    StageOrder "stage-order" "a later node would no longer wait for another one that uses the same memory",
    CodeSize "code-size" "the fused code is too large, or its blocks nest too deep",
}

impl Rule {
    pub const ALL: &[Rule] = &[
        Rule::OneRecord,
        Rule::FewRecords,
        Rule::EmptyRecords,
        Rule::GroupRecords,
        Rule::GroupGrids,
        Rule::GroupBatches,
        Rule::Loop,
        Rule::OneCode,
        Rule::Switch,
    ];

    /// Returns the code in reports.
    pub fn code(self) -> &'static str {
        match self {
            Rule::OneRecord => "one-record",
            Rule::FewRecords => "few-records",
            Rule::EmptyRecords => "empty-records",
            Rule::GroupRecords => "group-records",
            Rule::GroupGrids => "group-grids",
            Rule::GroupBatches => "group-batches",
            Rule::Loop => "loop",
            Rule::OneCode => "one-code",
            Rule::Switch => "switch",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code(), self.text())
    }
}

/// The most records of one thread that are kept in locals.
pub(super) const MAX_SLOTS: u64 = 8;
/// The most empty records of one thread.
pub(super) const MAX_EMPTY: u64 = 64;
/// The most groups of a guest that one group of the carrier runs, one after the other.
pub(super) const MAX_GUEST_GROUPS: u64 = 4;
/// The most records of a group for each of its threads, for a thread node.
pub(super) const MAX_RECORDS_FOR_THREAD: u64 = 4;
/// The most bytes of groupshared records of one edge.
pub(super) const MAX_MAILBOX_BYTES: u64 = 8 << 10;
/// The most bytes of groupshared memory of a fused node.
pub(super) const MAX_GROUP_BYTES: u64 = 32 << 10;
/// The most bytes of records of one thread that are kept in locals.
pub(super) const MAX_SLOT_BYTES: u64 = 256;
/// The most scalars of a static variable that a fused node sets to its initial value for each guest.
pub(super) const MAX_STATIC_SCALARS: usize = 64;
/// The limits of a mode.
pub(super) struct Limits {
    pub mode: FusionMode,
    /// The most operations of a guest that runs once in a thread.
    pub one_record: usize,
    /// The most operations of another guest, times the records of a thread.
    pub several_records: usize,
    /// The most codes of an array.
    pub bodies: usize,
}

impl Limits {
    pub fn of(mode: FusionMode) -> Limits {
        match mode {
            // Without a profile, this cannot lose much.
            FusionMode::Safe => Limits { mode, one_record: 4_000, several_records: 1_024, bodies: 8 },
            FusionMode::Off | FusionMode::Full => {
                Limits { mode, one_record: 16_000, several_records: 16_000, bodies: 32 }
            }
        }
    }
}

/// The most operations of a fused function.
pub(super) const MAX_FUSED_OPERATIONS: usize = 16_000;
/// The bytes that a workgroup may always send.
pub(super) const FREE_OUTPUT_BYTES: u64 = 64 << 10;
/// The most that a fused node may send, divided by the bytes of its largest part.
pub(super) const MAX_OUTPUT_GROWTH: u64 = 4;
