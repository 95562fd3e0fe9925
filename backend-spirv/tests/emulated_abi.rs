//! Tests that compare the structures of `stdlib/emulated/abi.hlsl` with those of the crate `wgc-abi`: fields, offsets
//! and numbers. A small parser here reads the text, so that a wrong front end cannot agree with itself. The tables of
//! `docs/emulation-abi.md` are compared too.

use std::collections::BTreeMap;
use wgc_abi::{device, tables};

type Fields = Vec<(String, usize, usize)>;

fn text() -> &'static str {
    let files = wgc_stdlib::EMULATED;
    files.iter().find(|f| f.0 == "abi.hlsl").expect("abi.hlsl is part of the library").1
}

/// Returns name, offset and size of each field by scalar layout; structures by name.
fn structures() -> BTreeMap<String, Fields> {
    let mut all = BTreeMap::new();
    let mut rest = text();
    while let Some(at) = rest.find("\nstruct ") {
        rest = &rest[at + 8..];
        let (name, body) = rest.split_once('{').unwrap();
        let (body, _) = body.split_once("};").unwrap();
        let mut fields: Fields = Vec::new();
        let mut end = 0usize;
        let body: String = body.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for field in body.split(';').map(str::trim).filter(|f| !f.is_empty()) {
            let (ty, name) = field.split_once(' ').unwrap();
            let word = match ty {
                "uint" => 4,
                "uint64_t" => 8,
                other => panic!("unknown type {other}"),
            };
            let (name, count) = match name.split_once('[') {
                Some((name, count)) => (name, count.trim_end_matches(']').parse().unwrap()),
                None => (name, 1),
            };
            let offset = end.next_multiple_of(word);
            end = offset + word * count;
            fields.push((name.to_owned(), offset, word * count));
        }
        all.insert(name.trim().to_owned(), fields);
    }
    all
}

fn constants() -> BTreeMap<String, u64> {
    let lines = text().lines().filter_map(|l| l.strip_prefix("static const uint "));
    lines
        .map(|line| {
            let (name, value) = line.trim_end_matches(';').split_once(" = ").unwrap();
            let value = value.trim_end_matches('u');
            let number = match value.strip_prefix("0x") {
                Some(hex) => u64::from_str_radix(hex, 16),
                None => value.parse(),
            };
            (name.to_owned(), number.unwrap())
        })
        .collect()
}

/// Returns the fields of a row from `first` on, up to the one named `end`, moved to offset 0.
fn part(fields: &[(&str, usize, usize)], first: &str, end: &str) -> Fields {
    let from = fields.iter().position(|f| f.0 == first).expect(first);
    let to = fields.iter().position(|f| f.0 == end).unwrap_or(fields.len());
    let base = fields[from].1;
    fields[from..to].iter().map(|&(name, offset, size)| (name.to_owned(), offset - base, size)).collect()
}

fn offset(fields: &[(&str, usize, usize)], name: &str) -> u64 {
    fields.iter().find(|f| f.0 == name).expect(name).1 as u64
}

#[test]
fn structures_agree() {
    let hlsl = structures();
    let whole = |fields: &[(&str, usize, usize)]| part(fields, fields[0].0, "");
    let expected = [
        ("WgPush", whole(device::Push::FIELDS)),
        ("WgAddresses", part(device::Context::FIELDS, "tables", "page_count")),
        ("WgSettings", part(device::Context::FIELDS, "page_count", "inputs")),
        ("WgLocalRoots", part(device::Context::FIELDS, "local_roots", "")),
        ("WgTableHeader", whole(tables::TableHeader::FIELDS)),
        ("WgStageRow", whole(tables::StageRow::FIELDS)),
        ("WgQueueRow", whole(tables::QueueRow::FIELDS)),
        ("WgInstanceRow", whole(tables::InstanceRow::FIELDS)),
        ("WgEdgeRow", whole(tables::EdgeRow::FIELDS)),
        ("WgTargetRow", whole(tables::TargetRow::FIELDS)),
        ("WgSpillRow", whole(tables::SpillRow::FIELDS)),
        ("WgChargeRow", whole(tables::ChargeRow::FIELDS)),
        ("WgOutputRow", whole(tables::OutputRow::FIELDS)),
        ("WgRunRow", whole(tables::RunRow::FIELDS)),
        ("WgQueueState", part(device::QueueState::FIELDS, "capacity", "")),
        ("WgSpillState", part(device::SpillState::FIELDS, "capacity", "")),
        ("WgInstanceState", part(device::InstanceState::FIELDS, "queue", "")),
        ("WgPart", part(device::InstanceState::FIELDS, "first_group", "pad1")),
        ("WgArguments", whole(device::Arguments::FIELDS)),
        ("WgSpan", whole(device::Span::FIELDS)),
        ("WgInputList", whole(device::InputList::FIELDS)),
        ("WgNodeInput", whole(device::NodeInput::FIELDS)),
        ("WgStatus", whole(device::Status::FIELDS)),
    ];
    assert_eq!(hlsl.len(), expected.len(), "{:?}", hlsl.keys());
    for (name, fields) in expected {
        assert_eq!(hlsl.get(name), Some(&fields), "{name}");
    }
}

/// Compares the tables of `docs/emulation-abi.md`: a heading `### Name`, then rows `| offset | type | name | meaning
/// |`.
#[test]
fn the_documentation_lists_every_field() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/emulation-abi.md");
    let page = std::fs::read_to_string(path).expect("the page can be read");
    let documented = |heading: &str| -> Fields {
        let (_, rest) = page.split_once(&format!("\n### {heading}\n")).expect(heading);
        let section = rest.split("\n#").next().unwrap_or(rest);
        let cells = section.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
        cells
            .filter_map(|cells| match cells.as_slice() {
                ["", offset, ty, name, ..] => Some((name.to_string(), offset.parse().ok()?, bytes(ty))),
                _ => None,
            })
            .collect()
    };
    for version in [
        format!("\n| `version` | {} |\n", wgc_abi::manifest::VERSION),
        format!("| u32 | version | {} |\n", tables::TABLES_VERSION),
    ] {
        assert!(page.contains(&version), "{version}");
    }
    for (heading, fields) in [
        ("TableHeader", tables::TableHeader::FIELDS),
        ("StageRow", tables::StageRow::FIELDS),
        ("QueueRow", tables::QueueRow::FIELDS),
        ("InstanceRow", tables::InstanceRow::FIELDS),
        ("EdgeRow", tables::EdgeRow::FIELDS),
        ("TargetRow", tables::TargetRow::FIELDS),
        ("SpillRow", tables::SpillRow::FIELDS),
        ("ChargeRow", tables::ChargeRow::FIELDS),
        ("OutputRow", tables::OutputRow::FIELDS),
        ("RunRow", tables::RunRow::FIELDS),
        ("Context", device::Context::FIELDS),
        ("QueueState", device::QueueState::FIELDS),
        ("SpillState", device::SpillState::FIELDS),
        ("InstanceState", device::InstanceState::FIELDS),
        ("Span", device::Span::FIELDS),
        ("InputList", device::InputList::FIELDS),
        ("NodeInput", device::NodeInput::FIELDS),
        ("Status", device::Status::FIELDS),
    ] {
        assert_eq!(documented(heading), part(fields, fields[0].0, ""), "{heading}");
    }
}

/// Returns the bytes of `u32`, `u64` and `u32[6]`.
fn bytes(ty: &str) -> usize {
    let (word, count) = ty.trim_end_matches(']').split_once('[').unwrap_or((ty, "1"));
    let word = if word == "u64" { 8 } else { 4 };
    word * count.parse::<usize>().expect("a count")
}

#[test]
fn device_library_constants_match_the_abi() {
    let context = |name| offset(device::Context::FIELDS, name);
    let status = |name| offset(device::Status::FIELDS, name);
    let expected: BTreeMap<&str, u64> = [
        ("WG_PUSH_SUBGROUP_ALLOCATOR", device::PUSH_SUBGROUP_ALLOCATOR.into()),
        ("WG_PUSH_SCHEDULED", device::PUSH_SCHEDULED.into()),
        ("WG_PUSH_RUN_SHIFT", device::PUSH_RUN_SHIFT.into()),
        ("WG_SCHED_OPEN", device::SCHED_OPEN.into()),
        ("WG_SCHED_OPEN_COUNTED", device::SCHED_OPEN_COUNTED.into()),
        ("WG_SCHED_BEGIN", device::SCHED_BEGIN.into()),
        ("WG_SCHED_END", device::SCHED_END.into()),
        ("WG_ADMIT_ALL", device::ADMIT_ALL.into()),
        ("WG_ADMIT_ONE", device::ADMIT_ONE.into()),
        ("WG_DIRECT_ALL", device::DIRECT_ALL.into()),
        ("WG_DIRECT_NONE", device::DIRECT_NONE.into()),
        ("WG_SETTINGS", context("page_count")),
        ("WG_SETTINGS_SPAN_COUNT", context("span_count")),
        ("WG_SETTINGS_SPAN_THREADS", context("span_threads")),
        ("WG_SETTINGS_DISPATCH_ID", context("dispatch_id")),
        ("WG_INPUTS", context("inputs")),
        ("WG_CHUNKS", context("chunks")),
        ("WG_LOCAL_ROOTS", context("local_roots")),
        ("WG_MOST_PAGES", context("most_pages")),
        ("WG_STAGE_ROW", tables::StageRow::SIZE as u64),
        ("WG_QUEUE_ROW", tables::QueueRow::SIZE as u64),
        ("WG_INSTANCE_ROW", tables::InstanceRow::SIZE as u64),
        ("WG_INSTANCE_LOCAL_ROOT", offset(tables::InstanceRow::FIELDS, "local_root")),
        ("WG_EDGE_ROW", tables::EdgeRow::SIZE as u64),
        ("WG_TARGET_ROW", tables::TargetRow::SIZE as u64),
        ("WG_SPILL_ROW", tables::SpillRow::SIZE as u64),
        ("WG_CHARGE_ROW", tables::ChargeRow::SIZE as u64),
        ("WG_SPILL_HEADER", tables::SPILL_HEADER.into()),
        ("WG_SCATTER_RECORDS", device::SCATTER_RECORDS.into()),
        ("WG_OUTPUT_ROW", tables::OutputRow::SIZE as u64),
        ("WG_RUN_ROW", tables::RunRow::SIZE as u64),
        ("WG_ABSENT", tables::ABSENT.into()),
        ("WG_THREAD_GROUP", tables::THREAD_GROUP.into()),
        ("WG_CONSTANT_GROUP_APPEND", device::CONSTANT_GROUP_APPEND.into()),
        ("WG_LAUNCH_THREAD", tables::LAUNCH_THREAD.into()),
        ("WG_LAUNCH_COALESCING", tables::LAUNCH_COALESCING.into()),
        ("WG_LAUNCH_FIXED", tables::LAUNCH_FIXED.into()),
        ("WG_LAUNCH_DYNAMIC", tables::LAUNCH_DYNAMIC.into()),
        ("WG_MAP_DENSE", tables::MAP_DENSE.into()),
        ("WG_MAP_SORTED", tables::MAP_SORTED.into()),
        ("WG_STATE", device::QueueState::SIZE as u64),
        ("WG_QUEUE_STATES", device::QUEUE_STATES.into()),
        ("WG_STATE_FIELDS", offset(device::QueueState::FIELDS, "capacity")),
        ("WG_STATE_PART", offset(device::InstanceState::FIELDS, "first_group")),
        ("WG_STATE_LINEAR", offset(device::QueueState::FIELDS, "linear")),
        ("WG_QUEUE_ENTRIES", offset(device::QueueState::FIELDS, "entries")),
        ("WG_QUEUE_RETURNED", offset(device::QueueState::FIELDS, "returned")),
        ("WG_QUEUE_PASSED", offset(device::QueueState::FIELDS, "passed")),
        ("WG_GUARDED", offset(device::QueueState::FIELDS, "guarded")),
        ("WG_QUEUE_DIRECT", offset(device::QueueState::FIELDS, "direct")),
        ("WG_QUEUE_BASE", offset(device::QueueState::FIELDS, "base")),
        ("WG_QUEUE_PEAK", offset(device::QueueState::FIELDS, "peak")),
        ("WG_QUEUE_PREDICTED", offset(device::QueueState::FIELDS, "predicted")),
        ("WG_SPILL_SCATTERED", offset(device::SpillState::FIELDS, "scattered")),
        ("WG_INSTANCE_CURSOR", offset(device::InstanceState::FIELDS, "cursor")),
        ("WG_INSTANCE_LISTED", offset(device::InstanceState::FIELDS, "listed")),
        ("WG_INSTANCE_EMITTERS", offset(device::InstanceState::FIELDS, "emitters")),
        ("WG_ARGUMENTS", device::Arguments::SIZE as u64),
        ("WG_SPAN", device::Span::SIZE as u64),
        ("WG_STATUS_STATE", status("state")),
        ("WG_STATUS_ERROR", status("error")),
        ("WG_STATUS_ERROR_INSTANCE", status("error_instance")),
        ("WG_STATUS_ERROR_OUTPUT", status("error_output")),
        ("WG_STATUS_ERROR_COUNT", status("error_count")),
        ("WG_STATUS_FLAGS", status("flags")),
        ("WG_STATUS_DISPATCH_ID", status("dispatch_id")),
        ("WG_STATUS_PAGES_NEEDED", status("pages_needed")),
        ("WG_STATUS_ENTRY_FIRST", status("entry_first")),
        ("WG_STATUS_ENTRY_COUNT", status("entry_count")),
        ("WG_STATUS_PAGES_FREE", status("pages_free")),
        ("WG_STATUS_PAGES_LEAST", status("pages_least")),
        ("WG_STATUS_DEEPEST", status("deepest")),
        ("WG_STATUS_SWEEPS", status("sweeps")),
        ("WG_STATUS_PAGES", status("pages")),
        ("WG_STATUS_REPORTS", status("reports")),
        ("WG_STATUS_MAGIC", device::STATUS_MAGIC.into()),
        ("WG_STATE_READY", device::STATE_READY.into()),
        ("WG_STATE_PENDING", device::STATE_PENDING.into()),
        ("WG_STATE_ERROR", device::STATE_ERROR.into()),
        ("WG_ERROR_ARENA", device::ERROR_ARENA.into()),
        ("WG_ERROR_INPUT", device::ERROR_INPUT.into()),
        ("WG_ERROR_STALE", device::ERROR_STALE.into()),
        ("WG_ERROR_OVERRUN", device::ERROR_OVERRUN.into()),
        ("WG_ERROR_RECORD", device::ERROR_RECORD.into()),
        ("WG_ERROR_ELEMENT", device::ERROR_ELEMENT.into()),
        ("WG_NOTE_GRID_CLAMPED", device::NOTE_GRID_CLAMPED.into()),
        ("WG_REPORTS", device::REPORTS as u64),
        ("WG_FIRST_NOTE", device::FIRST_NOTE as u64),
        ("WG_REPORT", size_of::<u64>() as u64),
        ("WG_REPORT_CODE_SHIFT", device::REPORT_CODE_SHIFT.into()),
        ("WG_POISON", device::POISON.into()),
        ("WG_ERROR_GROUPS", device::ERROR_GROUPS.into()),
        ("WG_ERROR_RECORDS", device::ERROR_RECORDS.into()),
        ("WG_ERROR_MAX_RECORDS", device::ERROR_MAX_RECORDS.into()),
        ("WG_ERROR_ABSENT", device::ERROR_ABSENT.into()),
        ("WG_ERROR_FULL", device::ERROR_FULL.into()),
        ("WG_FLAG_GRID_CLAMPED", device::FLAG_GRID_CLAMPED.into()),
        ("WG_FLAG_BUSY", device::FLAG_BUSY.into()),
        ("WG_FLAG_UNLISTED", device::FLAG_UNLISTED.into()),
        ("WG_PREFIX_GROUP_BITS", device::PREFIX_GROUP_BITS.into()),
        ("WG_PREFIX_RECORD_BITS", device::PREFIX_RECORD_BITS.into()),
        ("WG_MAX_DYNAMIC_RECORDS", device::MAX_DYNAMIC_RECORDS),
        ("WG_MAX_RECORDS", device::MAX_RECORDS),
        ("WG_NO_RECORD", device::MAX_DYNAMIC_RECORDS),
        ("WG_ROW", device::ROW.into()),
        ("WG_ROWS", device::ROWS.into()),
        ("WG_MAX_GROUPS", device::MAX_GROUPS),
        ("WG_MAX_WINDOW", device::MAX_WINDOW),
        ("WG_MESH_GROUPS", device::MESH_GROUPS),
        ("WG_MESH_WIDTH", device::MESH_WIDTH.into()),
    ]
    .into();
    let found = constants();
    let found: BTreeMap<&str, u64> = found.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    assert_eq!(found, expected);
    // The counters are at the very start of a state, and all kinds of state have the same size.
    assert_eq!(device::QueueState::SIZE, device::InstanceState::SIZE);
    assert_eq!(device::QueueState::SIZE, device::SpillState::SIZE);
    assert_eq!(offset(device::SpillState::FIELDS, "guarded"), offset(device::QueueState::FIELDS, "guarded"));
    assert_eq!(offset(device::SpillState::FIELDS, "capacity"), 64);
    assert_eq!(offset(device::InstanceState::FIELDS, "queue"), 64);
}
