// Structures and numbers that the kernels, the host and the compiler share. The Rust side is the crate `wgc-abi`; a test
// compares the two field by field. Scalar layout throughout.
//
// The first 64 bytes of the state of a queue, a spill or an instance are a counter on its own cache line. The structures
// WgQueueState, WgSpillState and WgInstanceState below are the 64 bytes after it.

struct WgPush
{
    uint64_t context;
    uint instance;
    uint flags;
};

[[vk::push_constant]] WgPush wg_push;

static const uint WG_PUSH_SUBGROUP_ALLOCATOR = 1u;
static const uint WG_PUSH_SCHEDULED = 2u;
static const uint WG_PUSH_RUN_SHIFT = 8u;

static const uint WG_SCHED_OPEN_COUNTED = 0xfffffffcu;
static const uint WG_SCHED_OPEN = 0xfffffffdu;
static const uint WG_SCHED_BEGIN = 0xfffffffeu;
static const uint WG_SCHED_END = 0xffffffffu;

// The addresses at the start of the context.
struct WgAddresses
{
    uint64_t tables;
    uint64_t queues;
    uint64_t instances;
    uint64_t pages;
    uint64_t arguments;
    uint64_t spans;
    uint64_t status;
    uint64_t trash;
    uint64_t outputs;
    uint64_t maps;
};

// Settings that follow the addresses.
struct WgSettings
{
    uint page_count;
    uint chunk_pages;
    uint span_count;
    uint span_threads;
    uint group_limit;
    uint dispatch_id;
    uint admit;
    uint direct;
    uint64_t free;
};

static const uint WG_SETTINGS = 80u;
static const uint WG_SETTINGS_SPAN_COUNT = 88u;
static const uint WG_SETTINGS_SPAN_THREADS = 92u;
static const uint WG_SETTINGS_DISPATCH_ID = 100u;
static const uint WG_INPUTS = 120u;
static const uint WG_ADMIT_ALL = 0u;
static const uint WG_ADMIT_ONE = 1u;
static const uint WG_DIRECT_ALL = 0u;
static const uint WG_DIRECT_NONE = 1u;
static const uint WG_CHUNKS = 128u;

// Fields that follow the chunks.
struct WgLocalRoots
{
    uint64_t local_roots;
    uint64_t rows;
    uint local_root_stride;
    uint most_pages;
};

static const uint WG_LOCAL_ROOTS = 256u;
static const uint WG_MOST_PAGES = 276u;

struct WgTableHeader
{
    uint magic;
    uint version;
    uint stage_count;
    uint queue_count;
    uint instance_count;
    uint edge_count;
    uint output_count;
    uint map_words;
    uint stages;
    uint queues;
    uint instances;
    uint edges;
    uint outputs;
    uint maps;
    uint page_bytes;
    uint targets;
    uint target_count;
    uint entry_pages;
    uint min_pages;
    uint spills;
    uint spill_count;
    uint members;
    uint member_count;
    uint charges;
    uint charge_count;
    uint entries;
    uint entry_count;
    uint mesh_stage;
    uint runs;
    uint run_count;
};

struct WgStageRow
{
    uint first_queue;
    uint queue_count;
    uint first_instance;
    uint instance_count;
    uint reserve;
    uint first_spill;
    uint spill_count;
    uint segment;
    uint first_run;
    uint run_count;
};

struct WgQueueRow
{
    uint stride;
    uint slots;
    uint record_bytes;
    uint trailer;
    uint first_instance;
    uint instance_count;
    uint first_edge;
    uint edge_count;
    uint dynamic_count;
    uint stage;
    uint max_records;
    uint spill;
    uint member;
};

struct WgInstanceRow
{
    uint queue;
    uint launch;
    uint unit;
    uint grid_groups;
    uint grid_offset;
    uint grid_scalar;
    uint grid_components;
    uint grid_x;
    uint grid_y;
    uint grid_z;
    uint first_output;
    uint output_count;
    uint remaining_levels;
    uint level;
    uint first_target;
    uint target_count;
    uint first_charge;
    uint charge_count;
    uint local_root;
    uint joint;
};

struct WgRunRow
{
    uint first_instance;
    uint instance_count;
    uint stage;
};

struct WgSpillRow
{
    uint stage;
    uint stride;
    uint slots;
    uint first_member;
    uint member_count;
    uint first_edge;
    uint edge_count;
};

struct WgEdgeRow
{
    uint instance;
    uint max_records;
};

struct WgTargetRow
{
    uint queue;
    uint max_records;
};

struct WgChargeRow
{
    uint spill;
    uint max_records;
};

struct WgOutputRow
{
    uint map;
    uint count;
    uint kind;
    uint max_records;
};

static const uint WG_STAGE_ROW = 40u;
static const uint WG_QUEUE_ROW = 52u;
static const uint WG_INSTANCE_ROW = 80u;
static const uint WG_INSTANCE_LOCAL_ROOT = 72u;
static const uint WG_SPILL_ROW = 28u;
static const uint WG_EDGE_ROW = 8u;
static const uint WG_TARGET_ROW = 8u;
static const uint WG_CHARGE_ROW = 8u;
static const uint WG_OUTPUT_ROW = 16u;
static const uint WG_RUN_ROW = 12u;

static const uint WG_ABSENT = 0xffffffffu;
static const uint WG_THREAD_GROUP = 64u;

// The specialisation constant of wgc_group_append.
static const uint WG_CONSTANT_GROUP_APPEND = 0x77676301u;

static const uint WG_LAUNCH_THREAD = 0u;
static const uint WG_LAUNCH_COALESCING = 1u;
static const uint WG_LAUNCH_FIXED = 2u;
static const uint WG_LAUNCH_DYNAMIC = 3u;

static const uint WG_MAP_DENSE = 0u;
static const uint WG_MAP_SORTED = 1u;

struct WgQueueState
{
    uint capacity;
    uint first_page;
    uint page_count;
    uint prefix_pages;
    uint first_instance;
    uint instance_count;
    uint dynamic_count;
    uint trailer;
    uint64_t entries;
    uint direct;
    uint spill;
    uint base;
    uint member;
    uint peak;
    uint predicted;
};

struct WgSpillState
{
    uint capacity;
    uint first_page;
    uint page_count;
    uint index_page;
    uint index_pages;
    uint stride;
    uint slots;
    uint index_slots;
    uint arguments;
    uint scattered;
    uint pad1[6];
};

static const uint WG_SPILL_HEADER = 8u;
static const uint WG_SCATTER_RECORDS = 512u;

struct WgInstanceState
{
    uint queue;
    uint launch;
    uint unit;
    uint grid_groups;
    uint follows;
    uint prefix_page;
    uint prefix_slots;
    uint first_output;
    uint remaining_levels;
    uint window_record;
    uint64_t emitters;
    uint64_t window_first;
    uint window_local;
    uint window_groups;
};

// The part of a joint dispatch that the kernel joint assigns to an instance.
struct WgPart
{
    uint64_t first_group;
    uint group_count;
};

static const uint WG_STATE = 128u;
// Offset of the states of the queues from the start of the context.
static const uint WG_QUEUE_STATES = 384u;
// Offsets in a state: of the structures above, of the fields before them, and of some of their fields.
static const uint WG_STATE_FIELDS = 64u;
static const uint WG_STATE_LINEAR = 32u;
static const uint WG_STATE_PART = 40u;
static const uint WG_QUEUE_ENTRIES = 96u;
static const uint WG_QUEUE_DIRECT = 104u;
static const uint WG_QUEUE_BASE = 112u;
static const uint WG_QUEUE_PEAK = 120u;
static const uint WG_QUEUE_PREDICTED = 124u;
static const uint WG_SPILL_SCATTERED = 100u;
static const uint WG_QUEUE_RETURNED = 4u;
static const uint WG_QUEUE_PASSED = 8u;
// In a queue or a spill: the number of records that the kernel guard has checked.
static const uint WG_GUARDED = 16u;
static const uint WG_INSTANCE_CURSOR = 8u;
static const uint WG_INSTANCE_LISTED = 16u;
static const uint WG_INSTANCE_EMITTERS = 104u;

struct WgArguments
{
    uint x;
    uint y;
    uint z;
    uint pad;
};

static const uint WG_ARGUMENTS = 16u;

struct WgSpan
{
    uint64_t address;
    uint stride;
    uint count;
    uint queue;
    uint first_thread;
    uint threads;
    uint pad;
};

static const uint WG_SPAN = 32u;

struct WgInputList
{
    uint count;
    uint pad;
    uint64_t address;
    uint64_t stride;
};

struct WgNodeInput
{
    uint entry;
    uint count;
    uint64_t address;
    uint64_t stride;
};

struct WgStatus
{
    uint magic;
    uint state;
    uint error;
    uint error_instance;
    uint error_output;
    uint error_count;
    uint flags;
    uint dispatch_id;
    uint64_t pages_needed;
    uint entry_first;
    uint entry_count;
    uint pages_free;
    uint pages_least;
    uint deepest;
    uint sweeps;
    uint pages;
    uint pad;
    // Two words each: code and instance, then output (wgc_note).
    uint64_t reports[32];
};

static const uint WG_STATUS_STATE = 4u;
static const uint WG_STATUS_ERROR = 8u;
static const uint WG_STATUS_ERROR_INSTANCE = 12u;
static const uint WG_STATUS_ERROR_OUTPUT = 16u;
static const uint WG_STATUS_ERROR_COUNT = 20u;
static const uint WG_STATUS_FLAGS = 24u;
static const uint WG_STATUS_DISPATCH_ID = 28u;
static const uint WG_STATUS_PAGES_NEEDED = 32u;
static const uint WG_STATUS_ENTRY_FIRST = 40u;
static const uint WG_STATUS_ENTRY_COUNT = 44u;
static const uint WG_STATUS_PAGES_FREE = 48u;
static const uint WG_STATUS_PAGES_LEAST = 52u;
static const uint WG_STATUS_DEEPEST = 56u;
static const uint WG_STATUS_SWEEPS = 60u;
static const uint WG_STATUS_PAGES = 64u;
static const uint WG_STATUS_REPORTS = 72u;

static const uint WG_STATUS_MAGIC = 0x53434757u;
static const uint WG_STATE_READY = 1u;
static const uint WG_STATE_ERROR = 2u;
static const uint WG_STATE_PENDING = 3u;

static const uint WG_ERROR_ARENA = 1u;
static const uint WG_ERROR_GROUPS = 2u;
static const uint WG_ERROR_RECORDS = 3u;
static const uint WG_ERROR_MAX_RECORDS = 16u;
static const uint WG_ERROR_ABSENT = 17u;
static const uint WG_ERROR_FULL = 18u;
static const uint WG_ERROR_INPUT = 19u;
static const uint WG_ERROR_STALE = 20u;
static const uint WG_ERROR_OVERRUN = 21u;
static const uint WG_ERROR_RECORD = 22u;
static const uint WG_ERROR_ELEMENT = 23u;
// Reported like an error, but not counted as one.
static const uint WG_NOTE_GRID_CLAMPED = 24u;

static const uint WG_REPORTS = 32u;
// Notes use the entries from here on. So errors keep at least the first entries.
static const uint WG_FIRST_NOTE = 16u;
static const uint WG_REPORT = 8u;
static const uint WG_REPORT_CODE_SHIFT = 27u;

// The value of free pages, for the kernel guard.
static const uint WG_POISON = 0xcdcdcdcdu;

static const uint WG_FLAG_GRID_CLAMPED = 1u;
static const uint WG_FLAG_BUSY = 2u;
static const uint WG_FLAG_UNLISTED = 4u;

static const uint WG_PREFIX_GROUP_BITS = 38u;
static const uint WG_PREFIX_RECORD_BITS = 26u;
static const uint WG_MAX_DYNAMIC_RECORDS = 0x3ffffffu;
static const uint WG_MAX_RECORDS = 0xffff0000u;
static const uint WG_ROW = 64u;
static const uint WG_ROWS = 32768u;
// In a prefix entry: the limit of workgroups was exceeded, so they belong to no record. No record has this number.
static const uint WG_NO_RECORD = 0x3ffffffu;
static const uint WG_MAX_GROUPS = 0x7fff8000u;
static const uint WG_MAX_WINDOW = 0x7fffffffu;
static const uint WG_MESH_GROUPS = 0x400000u;
static const uint WG_MESH_WIDTH = 0x8000u;
