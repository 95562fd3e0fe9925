//! The expected values of the run files, computed again by plain sequential code.
//!
//! Nothing here uses wgc: these functions compute the intended results in ordinary Rust. So a run file cannot just
//! repeat the output of the program that it tests.

use serde_json::Value;
use std::path::Path;

fn run_file(path: &str) -> Value {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("the run file is there");
    serde_json::from_str(&text).expect("it is JSON")
}

/// Returns the records of the only input.
fn records(file: &Value) -> Vec<&Value> {
    file["dispatch"][0]["inputs"][0]["records"].as_array().expect("records").iter().collect()
}

fn number(value: &Value) -> u32 {
    u32::try_from(value.as_u64().expect("a number")).expect("32 bits")
}

fn numbers(value: &Value) -> Vec<u32> {
    value.as_array().expect("an array").iter().map(number).collect()
}

#[test]
fn hello_sums_squares() {
    let file = run_file("examples/hello.run.json");
    let numbers_in: Vec<u32> =
        records(&file).iter().flat_map(|r| number(&r["first"])..number(&r["first"]) + number(&r["count"])).collect();
    let squares: Vec<u32> = numbers_in.iter().map(|n| n * n).collect();
    let expected =
        [squares.iter().sum(), squares.len() as u32, *squares.iter().max().expect("there are some numbers"), 0];
    assert_eq!(numbers(&file["expect"]["Result"]["u32"]), expected);
    assert_eq!(number(&file["expect_records"]["Collect"]) as usize, squares.len());
}

#[test]
fn carpet_is_a_sierpinski_carpet() {
    let file = run_file("examples/carpet.run.json");
    let size = number(&records(&file)[0]["size"]);
    let png = std::fs::File::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/carpet.png")).expect("there");
    let mut reader = png::Decoder::new(std::io::BufReader::new(png)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("it has a size")];
    reader.next_frame(&mut pixels).expect("a whole image");
    assert_eq!(pixels.len() as u32, size * size * 4);
    for (i, pixel) in pixels.chunks(4).enumerate() {
        let (x, y) = (i as u32 % size, i as u32 / size);
        assert_eq!(pixel, carpet_pixel(x, y, size), "at {x}, {y}");
    }
    // Every square has one hole, eight smaller squares, down to three pixels.
    let squares: u32 = (0..=size.ilog(3) - 1).map(|level| 8u32.pow(level)).sum();
    assert_eq!(number(&file["expect_records"]["Carpet"]), squares);
    assert_eq!(number(&file["expect_records"]["Fill"]), squares);
}

/// Returns the colour of a pixel. It is in a hole if some digit of x and y at one position in base three are both 1.
/// The most significant such position selects the colour.
fn carpet_pixel(x: u32, y: u32, size: u32) -> [u8; 4] {
    const COLOURS: [[u8; 4]; 4] = [[255, 204, 51, 255], [204, 102, 51, 255], [153, 51, 102, 255], [51, 51, 153, 255]];
    (0..size.ilog(3))
        .rev()
        .find(|place| x / 3u32.pow(*place) % 3 == 1 && y / 3u32.pow(*place) % 3 == 1)
        .map_or([0; 4], |place| COLOURS[place as usize])
}

#[test]
fn classify_processes_each_kind() {
    let file = run_file("examples/classify.run.json");
    let items = numbers(&file["resources"]["Items"]["u32"]);
    let mut covered = vec![0; items.len()];
    for batch in records(&file) {
        let (first, count) = (number(&batch["first"]) as usize, number(&batch["count"]) as usize);
        covered[first..first + count].iter_mut().for_each(|n| *n += 1);
    }
    assert!(covered.iter().all(|n| *n == 1), "every item is in one batch");
    let result = |word: &u32| {
        let value = word >> 2;
        match word & 3 {
            0 => value * 2,
            1 => value * value,
            2 => (0..32).fold(0, |r, bit| r | ((value >> bit) & 1) << (31 - bit)),
            _ => collatz(value),
        }
    };
    assert_eq!(numbers(&file["expect"]["Results"]["u32"]), items.iter().map(result).collect::<Vec<_>>());
    let count = |kind| items.iter().filter(|w| *w & 3 == kind).count() as u32;
    assert_eq!(numbers(&file["expect"]["CountOfKind"]["u32"]), (0..4).map(count).collect::<Vec<_>>());
}

fn collatz(mut value: u32) -> u32 {
    let mut steps = 0;
    while value > 1 {
        value = if value.is_multiple_of(2) { value / 2 } else { 3 * value + 1 };
        steps += 1;
    }
    steps
}

#[test]
fn hello_work_graphs_adds_up_its_grids() {
    let file = run_file("examples/hello_work_graphs.run.json");
    let mut uav = [0u32; 8];
    let mut threads = 0;
    for record in records(&file) {
        let (grid, index) = (number(&record["gridSize"]), number(&record["recordIndex"]) as usize);
        for dispatch_thread in 0..2 * grid {
            uav[index] += dispatch_thread * 2 + dispatch_thread % 2 + 1;
            uav[4 + index] += 1;
            threads += 1;
        }
    }
    assert_eq!(numbers(&file["expect"]["UAV"]["u32"]), uav);
    assert_eq!(number(&file["expect_records"]["thirdNode"]), threads);
}

#[test]
fn slang_hello_reaches_its_child() {
    let file = run_file("examples/slang_hello.run.json");
    // One record with the proposal's value; a grid of one workgroup of 8 x 8 threads.
    assert_eq!(numbers(&file["expect"]["Sum"]["i32"]), [123_456, 8 * 8]);
}
