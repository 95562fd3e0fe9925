//! The rules of fusion, and the reasons against it, as tables.

use std::fmt;

/// A kind of edge that is fused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Each thread sends at most one record to a thread node.
    OneRecord,
    /// Each thread sends a few records to a thread node.
    FewRecords,
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
    Missing "missing" "no node is the target",
    Array "array" "the output is an array",
    SharedInput "shared-input" "several nodes share the input",
    Mesh "mesh" "a mesh node is drawn, not run",
    Recursion "recursion" "the producer or the consumer targets itself",
    GroupConsumer "group-consumer" "the consumer runs in groups",
    GroupRequest "group-request" "the producer's group requests the records together",
    Empty "empty" "the records are empty",
    RecordType "record-type" "the types of the records differ",
    WaveSize "wave-size" "the consumer needs another size of waves",
    LocalRoots "local-roots" "one of the nodes has local root arguments",
    Handles "handles" "a handle has several origins",
    RecordUse "record-use" "an operation on the record needs it in memory",
    Unbounded "unbounded" "the number of records of a thread has no small bound",
    RecordSize "record-size" "the records take too much memory of a thread",
    Budget "budget" "the consumer may request more than its MaxRecords",
    OutputGrowth "output-growth" "the records that one workgroup may send take too much memory",
    Statics "static-variables" "the consumer uses static variables that change",
    MemoryOrder "memory-order" "both nodes access the same memory, and one of them writes it",
    InlineSpirv "inline-spirv" "the consumer has inline SPIR-V",
    Barrier "barrier" "the consumer has a barrier for its group",
    CodeSize "code-size" "the fused code is too large",
}

impl Rule {
    pub const ALL: &[Rule] = &[Rule::OneRecord, Rule::FewRecords];

    /// Returns the code in reports.
    pub fn code(self) -> &'static str {
        match self {
            Rule::OneRecord => "one-record",
            Rule::FewRecords => "few-records",
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
pub(super) const MOST_SLOTS: u64 = 8;
/// The most bytes of records of one thread that are kept in locals.
pub(super) const MOST_SLOT_BYTES: u64 = 256;
/// The most operations of a guest, times the records of a thread.
pub(super) const MOST_GUEST_OPERATIONS: usize = 16_000;
/// The most operations of a fused function.
pub(super) const MOST_FUSED_OPERATIONS: usize = 16_000;
/// The bytes that a workgroup may always send.
pub(super) const FREE_OUTPUT_BYTES: u64 = 64 << 10;
/// The most that a fused node may send, divided by the bytes of its largest part.
pub(super) const MOST_OUTPUT_GROWTH: u64 = 4;
