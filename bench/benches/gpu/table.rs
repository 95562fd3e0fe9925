//! The tables: the time of each version of each workload, and the least costs.

use crate::bounds::{Bound, Rates};
use crate::rig::{Cost, Rig, Workload, same};
use std::time::{Duration, Instant};

pub struct Table {
    rates: Rates,
    samples: usize,
    bounds: Vec<Row>,
}

/// A row of the second table.
struct Row {
    workload: String,
    cost: Cost,
    /// The steps of the graph, and of the hand-written version.
    steps: [u64; 2],
    bound: Bound,
    /// Median of the graph, in seconds.
    took: f64,
}

impl Table {
    pub fn new(rates: Rates, samples: usize) -> Self {
        Self { rates, samples, bounds: Vec::new() }
    }

    /// Runs the versions alternately; ratios are to the second, hand-written one.
    pub fn measure(&mut self, rig: &mut Rig, mut workload: Workload) {
        let mut times: Vec<Vec<Duration>> = vec![Vec::new(); workload.ways.len()];
        let mut steps = Vec::new();
        let expected = workload.results.as_ref().map(|results| (results.host)());
        let clear = |rig: &mut Rig, results: &Option<(_, Vec<u32>)>| {
            if let Some((buffer, zeroes)) = results {
                rig.write(*buffer, zeroes);
            }
        };
        let zeroes = workload.results.as_ref().zip(expected.as_ref());
        let zeroes = zeroes.map(|(results, expected)| (results.buffer, vec![0; expected.len()]));
        rig.warm(Duration::from_millis(300));
        for way in &mut workload.ways {
            // Twice: the second time, a graph knows the number of records in its queues.
            (way.run)(rig);
            clear(rig, &zeroes);
            (way.run)(rig);
            steps.push(rig.steps());
            if let (Some(results), Some(expected)) = (&workload.results, &expected) {
                same(way.name, &rig.read(results.buffer, expected.len()), expected);
            }
        }
        for _ in 0..self.samples {
            for (way, times) in workload.ways.iter_mut().zip(&mut times) {
                clear(rig, &zeroes);
                rig.warm(Duration::from_millis(20));
                times.push((way.run)(rig));
            }
        }
        let by_hand = times.get_mut(1).map(|times| median(times));
        for (way, times) in workload.ways.iter().zip(&mut times) {
            print(&workload.name, way.name, times, by_hand);
        }
        let Some(results) = workload.results else { return };
        if rig.is_cpu() {
            let timed = |_| {
                let start = Instant::now();
                std::hint::black_box((results.host)());
                start.elapsed()
            };
            let mut times: Vec<Duration> = (0..self.samples).map(timed).collect();
            print(&workload.name, "one thread in Rust", &mut times, by_hand);
        }
        let [graph, by_hand] = [0, 1].map(|way| steps.get(way).copied().unwrap_or(0));
        self.bounds.push(Row {
            workload: workload.name,
            cost: workload.cost,
            steps: [graph, by_hand],
            bound: self.rates.bound(workload.cost, graph),
            took: median(&mut times[0]),
        });
    }

    pub fn print_bounds(&self) {
        let rates = self.rates;
        println!(
            "\nAt most {:.2} TB/s copied, {:.2} atomics on one counter and {:.2} workgroups a nanosecond; a step takes {:.2} us.\n",
            rates.bytes_per_second / 1e12,
            rates.atomics_per_second / 1e9,
            rates.groups_per_second / 1e9,
            rates.step_seconds * 1e6
        );
        println!(
            "| workload | MB | us | atomics | us | workgroups | us | steps (by hand) | us | bound | graph | graph / bound |"
        );
        println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        for Row { workload, cost, steps: [graph, by_hand], bound, took } in &self.bounds {
            let micros = |seconds: f64| format!("{:.1}", seconds * 1e6);
            let cells = [
                workload.clone(),
                format!("{:.2}", cost.bytes as f64 / 1e6),
                micros(bound.bytes),
                cost.atomics.to_string(),
                micros(bound.atomics),
                cost.groups.to_string(),
                micros(bound.groups),
                format!("{graph} ({by_hand})"),
                micros(bound.steps),
                micros(bound.seconds()),
                micros(*took),
                format!("{:.2}", took / bound.seconds()),
            ];
            println!("| {} |", cells.join(" | "));
        }
    }
}

/// Prints the time of each launch of each graph.
pub fn print_launches(rig: &mut Rig, mut workload: Workload) {
    for way in &mut workload.ways {
        (way.run)(rig);
        rig.launches();
        rig.warm(Duration::from_millis(100));
        (way.run)(rig);
        let launches = rig.launches().filter(|_| way.name.starts_with("graph"));
        if let Some(launches) = launches {
            println!("{}, {}\n{launches}", workload.name, way.name);
        }
    }
}

/// Returns the median in seconds.
fn median(times: &mut [Duration]) -> f64 {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default().as_secs_f64()
}

fn print(workload: &str, way: &str, times: &mut [Duration], by_hand: Option<f64>) {
    let median = median(times);
    let least = times.first().copied().unwrap_or_default().as_secs_f64();
    let ratio = by_hand.map_or_else(String::new, |by_hand| format!("{:.2}", median / by_hand));
    println!("| {workload} | {way} | {:.1} us | {:.1} us | {ratio} |", median * 1e6, least * 1e6);
}
