//! Tests of the consistency checks of tables.

use super::*;

fn small() -> Tables {
    Tables {
        page_bytes: 1 << 16,
        stages: vec![StageRow { queue_count: 1, instance_count: 1, segment: 1, run_count: 1, ..StageRow::default() }],
        queues: vec![QueueRow { stride: 12, slots: 5461, instance_count: 1, ..QueueRow::default() }],
        spills: vec![SpillRow { stride: 24, slots: 2730, member_count: 1, ..SpillRow::default() }],
        members: vec![0],
        charges: vec![ChargeRow { spill: 0, max_records: 7 }],
        entries: vec![0],
        instances: vec![InstanceRow {
            unit: 64,
            grid_groups: 1,
            output_count: 2,
            target_count: 1,
            joint: 1,
            ..InstanceRow::default()
        }],
        edges: vec![EdgeRow { instance: 0, max_records: 7 }],
        targets: vec![TargetRow { queue: 0, max_records: 7 }],
        entry_pages: 1,
        min_pages: 2,
        outputs: vec![
            OutputRow { map: 0, count: 3, kind: MAP_DENSE, max_records: 7 },
            OutputRow { map: 3, count: 2, kind: MAP_SORTED, max_records: 1 },
        ],
        maps: vec![ABSENT, 0, ABSENT, 5, 0, 4_000_000_000, 0],
        mesh_stage: Some(0),
        runs: vec![RunRow { first_instance: 0, instance_count: 1, stage: 0 }],
    }
}

/// Gives the consumer a grid at this offset, in records of ten bytes.
fn grid(tables: &mut Tables, scalar: u32, offset: u32, components: u32) {
    (tables.queues[0].record_bytes, tables.queues[0].dynamic_count) = (10, 1);
    let row = &mut tables.instances[0];
    row.launch = LAUNCH_DYNAMIC;
    (row.grid_scalar, row.grid_offset, row.grid_components) = (scalar, offset, components);
}

#[test]
fn rows_follow_a_header() {
    let bytes = small().encode();
    assert_eq!(bytes.len(), 120 + 40 + 52 + 80 + 8 + 2 * 16 + 7 * 4 + 8 + 28 + 4 + 8 + 4 + 12);
    assert_eq!(&bytes[..4], b"WGCT");
    // The stride of queue 0 follows the header and one stage row.
    assert_eq!(&bytes[160..164], &[12, 0, 0, 0]);
    assert_eq!(Tables::decode(&bytes), Ok(small()));
    let plain = Tables { mesh_stage: None, ..small() };
    assert_eq!(Tables::decode(&plain.encode()), Ok(plain));
}

#[test]
fn damaged_tables_are_refused() {
    let good = small().encode();
    assert_eq!(Tables::decode(&good[..good.len() - 1]), Err(TablesError::Bounds));
    let mut version = good.clone();
    version[4] = TABLES_VERSION as u8 + 1;
    assert_eq!(Tables::decode(&version), Err(TablesError::Header));
    let mut edge = small();
    edge.edges[0].instance = 1;
    assert_eq!(Tables::decode(&edge.encode()), Err(TablesError::Reference));
    let mut target = small();
    target.targets[0].queue = 1;
    assert_eq!(Tables::decode(&target.encode()), Err(TablesError::Reference));
    let mut entry = small();
    entry.entries[0] = 1;
    assert_eq!(Tables::decode(&entry.encode()), Err(TablesError::Reference));
    let mut stage = small();
    stage.queues[0].stage = 1;
    assert_eq!(Tables::decode(&stage.encode()), Err(TablesError::Reference));
    let spoiled: [fn(&mut Tables); 28] = [
        |t| t.stages[0].segment = 0,
        |t| t.stages[0].segment = 2,
        |t| t.queues[0].spill = 1,
        |t| t.queues[0].member = 1,
        |t| t.queues[0].spill = ABSENT,
        |t| t.members[0] = 1,
        |t| t.charges[0].spill = 1,
        |t| t.spills[0].stride = 16,
        |t| t.instances[0].charge_count = 2,
        |t| t.mesh_stage = Some(1),
        |t| t.instances[0].joint = 0,
        |t| t.queues[0].instance_count = 0,
        |t| t.stages[0].run_count = 0,
        |t| t.stages[0].run_count = 2,
        |t| t.stages[0].first_run = 1,
        |t| t.runs[0].instance_count = 0,
        |t| t.runs[0].instance_count = 2,
        |t| t.runs[0].first_instance = u32::MAX,
        |t| t.runs[0].stage = 1,
        |t| t.instances[0].launch = LAUNCH_DYNAMIC,
        |t| t.instances[0].launch = LAUNCH_DYNAMIC + 1,
        |t| t.queues[0].dynamic_count = 1,
        |t| t.queues[0].record_bytes = 16,
        |t| t.queues[0].trailer = 9,
        |t| t.queues[0].trailer = u32::MAX - 1,
        |t| grid(t, 2, 8, 2),
        |t| grid(t, 3, 0, 3),
        |t| t.queues.extend_from_within(..1),
    ];
    // A sound table: the last component ends with the record.
    let mut sound = small();
    grid(&mut sound, 2, 4, 3);
    assert_eq!(Tables::decode(&sound.encode()), Ok(sound));
    for spoil in spoiled {
        let mut tables = small();
        spoil(&mut tables);
        assert_eq!(Tables::decode(&tables.encode()), Err(TablesError::Reference), "{tables:?}");
    }
    let mut map = small();
    map.outputs[1].count = 3;
    assert_eq!(Tables::decode(&map.encode()), Err(TablesError::Reference));
}

#[test]
fn dense_and_sorted_maps_find_the_target() {
    let t = small();
    let dense: Vec<_> = (0..4).map(|i| t.target(&t.outputs[0], i)).collect();
    assert_eq!(dense, [None, Some(0), None, None]);
    let sorted: Vec<_> = [0, 5, 6, 4_000_000_000].iter().map(|&i| t.target(&t.outputs[1], i)).collect();
    assert_eq!(sorted, [None, Some(0), None, Some(0)]);
}
