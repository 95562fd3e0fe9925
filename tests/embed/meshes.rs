//! Mesh nodes of a graph, drawn into a picture by the engine's own pipelines.
//!
//! The picture consists of tiles of four by four pixels. A tile is two triangles without a common pixel: one on and
//! above the diagonal, one below it.

use crate::canvas::{Canvas, Source, pixel_shader};
use crate::engine::{Engine, take};
use crate::{bytes, compile, input_of};
use vulkanalia::prelude::v1_2::*;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_runtime::emulated::{Data, RunError};
use wgc_runtime::vulkan::embed::{
    Completion, Dispatch, Draws, Graph, GraphMemory, Host, Inputs, Recorded, Resume, Sizes, Timestamps,
};
use wgc_runtime::vulkan::{VulkanDevice, testing};

const PAGE: u64 = 1 << 10;
/// Width and height of the picture, in tiles.
const SIDE: u32 = 64;
/// Pixels of a tile on each axis.
const TILE: u32 = 4;

/// Each record of a row is a tile; or one record is a strip of tiles, with a workgroup for each.
const TILES: &str = r#"
RWStructuredBuffer<uint> Result;
struct Row { uint x; uint y; uint count; };
struct Tile { uint x; uint y; float shade; };
struct Strip { uint tiles : SV_DispatchGrid; uint x; uint y; float shade; };
struct Corner { float4 position : SV_Position; float shade : SHADE; };
struct Face { float part : PART; };

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Rows(ThreadNodeInputRecord<Row> input, [MaxRecords(7)] NodeOutput<Tile> Single,
          [MaxRecords(1)] NodeOutput<Strip> Several)
{
    Row row = input.Get();
    float shade = (row.x + row.y) / 255.0;
    ThreadNodeOutputRecords<Tile> tiles = Single.GetThreadNodeOutputRecords(row.count);
    for (uint i = 0; i < row.count; i++)
    {
        tiles.Get(i).x = row.x + i;
        tiles.Get(i).y = row.y;
        tiles.Get(i).shade = shade;
    }
    tiles.OutputComplete();
    ThreadNodeOutputRecords<Strip> strip = Several.GetThreadNodeOutputRecords(1);
    strip.Get().tiles = row.count;
    strip.Get().x = row.x + 8;
    strip.Get().y = row.y;
    strip.Get().shade = shade;
    strip.OutputComplete();
}

float4 place(uint2 tile, float2 inside)
{
    float2 pixel = tile * 4 + inside;
    return float4(pixel.x / 128 - 1, 1 - pixel.y / 128, 0, 1);
}

// Two triangles, of three corners each.
float2 corner(uint n)
{
    switch (n)
    {
        case 0: return float2(0, 0);
        case 1: return float2(4.4, 0);
        case 2: return float2(0, 4.4);
        case 3: return float2(4, 4);
        case 4: return float2(0.6, 4);
        default: return float2(4, 0.6);
    }
}

[Shader("node")] [NodeLaunch("mesh")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(6, 1, 1)] [OutputTopology("triangle")]
void Single(DispatchNodeInputRecord<Tile> input, uint thread : SV_GroupIndex, out vertices Corner corners[6],
            out indices uint3 triangles[2], out primitives Face faces[2])
{
    SetMeshOutputCounts(6, 2);
    corners[thread].position = place(uint2(input.Get().x, input.Get().y), corner(thread));
    corners[thread].shade = input.Get().shade;
    if (thread < 2)
    {
        triangles[thread] = uint3(0, 1, 2) + 3 * thread;
        faces[thread].part = thread;
    }
    if (thread == 0) InterlockedAdd(Result[0], 1);
}

[Shader("node")] [NodeLaunch("mesh")] [NodeMaxDispatchGrid(8, 1, 1)] [NumThreads(6, 1, 1)] [OutputTopology("triangle")]
void Several(DispatchNodeInputRecord<Strip> input, uint group : SV_GroupID, uint thread : SV_GroupIndex,
             out vertices Corner corners[6], out indices uint3 triangles[2], out primitives Face faces[2])
{
    SetMeshOutputCounts(6, 2);
    corners[thread].position = place(uint2(input.Get().x + group, input.Get().y), corner(thread));
    corners[thread].shade = input.Get().shade;
    if (thread < 2)
    {
        triangles[thread] = uint3(0, 1, 2) + 3 * thread;
        faces[thread].part = thread;
    }
    if (thread == 0) InterlockedAdd(Result[1], 1);
}
"#;

/// Returns four records for each row of tiles: their start, and their number of tiles.
fn rows() -> Vec<[u32; 3]> {
    (0..4 * SIDE).map(|i| [16 * (i % 4), i / 4, (i * 5) % 8]).collect()
}

/// Returns the expected picture: red is the shade, green the part of the tile, blue the pipeline's.
fn picture() -> Vec<[u8; 4]> {
    let width = SIDE * TILE;
    let mut pixels = vec![[0; 4]; (width * width) as usize];
    for [x, y, count] in rows() {
        for (first, blue) in [(x, 51), (x + 8, 204)] {
            for tile in first..first + count {
                for (i, j) in (0..TILE).flat_map(|j| (0..TILE).map(move |i| (i, j))) {
                    let part = if i + j < TILE { 0 } else { 255 };
                    let at = (y * TILE + j) * width + tile * TILE + i;
                    pixels[at as usize] = [(x + y) as u8, part, blue, 255];
                }
            }
        }
    }
    pixels
}

struct Scene {
    engine: Engine,
    graph: Graph,
    canvas: Canvas,
    pipelines: Vec<vk::Pipeline>,
    /// Timestamps of the draws.
    timestamps: Option<Timestamps>,
}

impl Scene {
    /// Opens with an arena of `pages` pages, or of the minimum for `None`. Returns `None` without a suitable device.
    fn open(pages: Option<u64>) -> Option<Self> {
        VulkanDevice::open(None).map_err(|error| testing::left_out(&error)).ok()?;
        let engine = Engine::open();
        if !engine.meshes {
            testing::left_out(&"the device has no mesh shaders");
            return None;
        }
        let host = unsafe {
            Host::new(engine.get_instance_proc_addr, engine.instance.handle(), engine.physical, engine.device.handle())
        };
        let package = compile(TILES, Settings { page_bytes: PAGE as u32, ..Settings::default() });
        let layouts = [engine.set_layout];
        let mut graph = unsafe { Graph::load(host.unwrap(), &package, &layouts, vk::PipelineCache::null()) }.unwrap();
        let pages = pages.unwrap_or(u64::from(graph.manifest().min_pages));
        let sizes = Sizes { arena_bytes: pages * PAGE, inputs: 1, record_bytes: 1 << 16 };
        let needs = graph.requirements(&sizes);
        let memory = GraphMemory {
            state: engine.buffer(needs.state_bytes).block,
            exchange: engine.buffer(needs.exchange_bytes),
            arena: vec![engine.buffer(pages * PAGE).block],
        };
        unsafe { graph.bind(sizes, memory) }.unwrap();
        let upload = engine.record(|commands| unsafe { graph.record_upload(commands) }.unwrap());
        engine.submit(upload);
        let canvas = Canvas::new(&engine, [SIDE * TILE; 2]);
        // Locations are consecutive: SHADE, then PART.
        let pixel = pixel_shader([Source::Vertex(0), Source::Primitive(1), Source::Constant(0), Source::Constant(1)]);
        let nodes = graph.mesh_nodes();
        assert_eq!(nodes.iter().map(|node| node.node.name.as_str()).collect::<Vec<_>>(), ["Single", "Several"]);
        let blue = [0.2, 0.8];
        let pipelines = nodes.iter().zip(blue).map(|(node, blue)| {
            assert_eq!((node.size.vertices, node.size.primitives), (6, 2));
            canvas.pipeline(&engine, graph.layout(), node, &pixel, &[blue, 1.0])
        });
        let pipelines = pipelines.collect();
        Some(Self { engine, graph, canvas, pipelines, timestamps: None })
    }

    fn record(&mut self, commands: vk::CommandBuffer, completion: Completion) -> Result<Recorded, RunError> {
        let data = bytes(&rows().concat());
        let inputs = [input_of("Rows", Data::Bytes(&data), 12, rows().len() as u32)];
        let sets = [self.engine.set];
        let dispatch = Dispatch {
            inputs: Inputs::Host(&inputs),
            push: &[],
            sets: &sets,
            completion,
            local_roots: None,
            timestamps: None,
        };
        unsafe { self.graph.record(commands, &dispatch) }
    }

    fn draw(&self, commands: vk::CommandBuffer, clears: bool) {
        let sets = [self.engine.set];
        let draws = Draws { pipelines: &self.pipelines, push: &[], sets: &sets, timestamps: self.timestamps };
        let draw = || unsafe { self.graph.record_draws(commands, &draws) }.unwrap();
        self.canvas.draw(&self.engine, commands, clears, draw);
    }

    /// Records one more sweep after the recorded ones.
    fn resume(&mut self, commands: vk::CommandBuffer) {
        let resume = Resume { push: &[], sets: &[self.engine.set], sweeps: 1, deepest: 0, timestamps: None };
        unsafe { self.graph.resume(commands, &resume) }.unwrap();
        self.draw(commands, false);
    }

    /// Checks that the picture is complete, and no workgroup ran twice.
    fn check(&self) {
        let tiles: u32 = rows().iter().map(|row| row[2]).sum();
        assert_eq!(take(&self.engine.result, 2), [tiles, tiles]);
        let (found, expected) = (self.canvas.read(&self.engine), picture());
        if let Some(at) = (0..expected.len()).find(|&at| found[at] != expected[at]) {
            let (x, y) = (at as u32 % (SIDE * TILE), at as u32 / (SIDE * TILE));
            panic!("pixel {x} {y} is {:?} and not {:?}", found[at], expected[at]);
        }
    }
}

#[test]
fn mesh_nodes_are_drawn_in_one_pass() {
    let Some(mut scene) = Scene::open(Some(64)) else { return };
    let commands = scene.engine.begin();
    let recorded = scene.record(commands, Completion::Either(1)).unwrap();
    assert!(!recorded.scheduled);
    scene.draw(commands, true);
    scene.engine.end(commands);
    // Each submission draws it again.
    for _ in 0..2 {
        scene.engine.submit(commands);
        let status = scene.graph.status().unwrap();
        assert_eq!((status.pending, status.error), (false, None));
        scene.check();
    }
}

#[test]
fn pending_meshes_are_drawn_by_later_sweeps() {
    let Some(mut scene) = Scene::open(None) else { return };
    let commands = scene.engine.begin();
    // Several sweeps in one go are impossible: each has its draws after it.
    assert!(scene.record(commands, Completion::Either(9)).unwrap().scheduled);
    scene.draw(commands, true);
    scene.engine.end(commands);
    scene.engine.submit(commands);
    let mut frames = 1;
    while scene.graph.status().unwrap().pending {
        let commands = scene.engine.begin();
        scene.resume(commands);
        scene.engine.end(commands);
        scene.engine.submit(commands);
        frames += 1;
    }
    let status = scene.graph.status().unwrap();
    assert!(frames > 3 && status.sweeps == frames, "{} sweeps in {frames} frames", status.sweeps);
    scene.check();
}

/// A host that does not want to wait records the worst-case number of sweeps: those after the end draw nothing.
#[test]
fn sweeps_after_completion_draw_nothing() {
    let Some(mut scene) = Scene::open(None) else { return };
    let commands = scene.engine.begin();
    scene.record(commands, Completion::Sweeps(1)).unwrap();
    scene.draw(commands, true);
    for _ in 0..40 {
        scene.resume(commands);
    }
    scene.engine.end(commands);
    for _ in 0..2 {
        scene.engine.submit(commands);
        let status = scene.graph.status().unwrap();
        assert!(!status.pending && status.sweeps < 40, "{} sweeps", status.sweeps);
        scene.check();
    }
}

#[test]
fn draws_without_a_dispatch_or_a_pipeline_are_refused() {
    let Some(mut scene) = Scene::open(Some(64)) else { return };
    let commands = scene.engine.begin();
    let refused = |scene: &Scene, pipelines: &[vk::Pipeline]| {
        let sets = [scene.engine.set];
        let draws = Draws { pipelines, push: &[], sets: &sets, timestamps: scene.timestamps };
        unsafe { scene.graph.record_draws(commands, &draws) }.unwrap_err().to_string()
    };
    let both = scene.pipelines.clone();
    assert!(refused(&scene, &both).contains("no dispatch was recorded"));
    scene.record(commands, Completion::Either(1)).unwrap();
    assert!(refused(&scene, &both[..1]).contains("1 pipelines for 2 mesh nodes"));
    scene.timestamps = Some(scene.engine.queries(2));
    assert_eq!(refused(&scene, &both), "3 timestamps are needed, but there are only 2 queries");
    scene.engine.end(commands);
}

#[test]
fn draws_have_timestamps_of_their_own() {
    let Some(mut scene) = Scene::open(Some(64)) else { return };
    let timestamps = scene.engine.queries(3);
    let commands = scene.engine.begin();
    scene.record(commands, Completion::Single).unwrap();
    // A render pass cannot reset queries.
    unsafe { scene.engine.device.cmd_reset_query_pool(commands, timestamps.pool, 0, 3) };
    scene.timestamps = Some(timestamps);
    scene.draw(commands, true);
    scene.engine.end(commands);
    scene.engine.submit(commands);
    let ticks = scene.engine.ticks(timestamps, 3);
    assert!(ticks.is_sorted() && ticks[0] < ticks[2], "{ticks:?}");
    scene.check();
}

/// The module of a mesh node shows an engine whether its own pipeline is still valid.
#[test]
fn reload_reuses_unchanged_mesh_shader_modules() {
    let Some(scene) = Scene::open(Some(64)) else { return };
    let modules = |graph: &Graph| graph.mesh_nodes().iter().map(|node| node.module).collect::<Vec<_>>();
    let before = modules(&scene.graph);
    let reload = |source: &str| {
        let package = compile(source, Settings { page_bytes: PAGE as u32, ..Settings::default() });
        unsafe { scene.graph.reload(&package, &[scene.engine.set_layout], vk::PipelineCache::null()) }.unwrap()
    };
    let same = reload(&format!("// A line more.\n{TILES}"));
    assert_eq!((same.pipelines_made(), modules(&same)), (0, before.clone()));
    let other = reload(&TILES.replacen("Result[1], 1", "Result[1], 2", 1));
    let after = modules(&other);
    let changed = before.iter().zip(&after).filter(|(before, after)| before != after).count();
    assert_eq!((other.pipelines_made(), changed), (1, 1), "{before:?} {after:?}");
}
