//! Layout of boxes and lines: layers from left to right, and lines from the right side of a box to the left side of
//! another. Plain geometry, independent of graphs of nodes.
//!
//! It takes the usual four steps. Lines that would close a cycle are reversed. Each box goes after all boxes that reach
//! it. Layers are ordered for few crossings. Boxes move vertically to straighten lines. The result is deterministic.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    pub width: f64,
    pub height: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// A line between two boxes, both by number, with the vertical offset at each side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    pub from: usize,
    pub from_port: f64,
    pub to: usize,
    pub to_port: f64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placed {
    /// Upper left corners.
    pub boxes: Vec<Point>,
    /// The points of each line, both ends included. A line from a box to itself only has its two ends.
    pub lines: Vec<Vec<Point>>,
    pub width: f64,
    pub height: f64,
}

const MARGIN: f64 = 16.0;
/// The distance between layers, for lines to bend.
const ACROSS: f64 = 64.0;
/// The distance between boxes of a layer, and around lines between them.
const DOWN: f64 = 22.0;
const BESIDE_LINES: f64 = 9.0;
/// Rounds of ordering and of straightening. More have no visible effect.
const ORDERINGS: usize = 12;
const STRAIGHTENINGS: usize = 10;
/// The limit of points where lines cross layers. Beyond it, long lines go straight across any boxes.
const MAX_BENDS: usize = 8000;

/// An element of a layer: a box, or a line that passes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cell {
    layer: usize,
    height: f64,
    is_box: bool,
}

/// A segment of a line between adjacent layers: cells and vertical offsets.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LineSegment {
    left: usize,
    left_port: f64,
    right: usize,
    right_port: f64,
}

/// Places boxes of these sizes.
pub fn place(sizes: &[Size], lines: &[Line]) -> Placed {
    let lines: Vec<Option<Line>> =
        lines.iter().map(|line| (line.from < sizes.len() && line.to < sizes.len()).then_some(*line)).collect();
    let turned = turned(sizes.len(), &lines);
    let layers = layers(sizes.len(), &lines, &turned);
    let mut plan = Plan::new(sizes, &lines, &turned, &layers);
    plan.order();
    plan.straighten();
    plan.placed(sizes, &lines, &turned)
}

/// Returns the ends of a line in the order of the layers.
fn ends(line: &Line, is_turned: bool) -> (usize, usize) {
    if is_turned { (line.to, line.from) } else { (line.from, line.to) }
}

/// Returns the lines that close a cycle, found by depth-first search from each box in turn.
fn turned(count: usize, lines: &[Option<Line>]) -> Vec<bool> {
    let mut out = vec![false; lines.len()];
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (number, line) in lines.iter().enumerate() {
        if let Some(line) = line.filter(|line| line.from != line.to) {
            leaving[line.from].push(number);
        }
    }
    #[derive(Clone, Copy, PartialEq)]
    enum VisitState {
        Never,
        Open,
        Done,
    }
    let mut seen = vec![VisitState::Never; count];
    for start in 0..count {
        if seen[start] != VisitState::Never {
            continue;
        }
        seen[start] = VisitState::Open;
        let mut way = vec![(start, 0)];
        while let Some((at, next)) = way.last_mut() {
            let Some(&number) = leaving[*at].get(*next) else {
                seen[*at] = VisitState::Done;
                way.pop();
                continue;
            };
            *next += 1;
            let Some(to) = lines[number].map(|line| line.to) else { continue };
            match seen[to] {
                VisitState::Never => {
                    seen[to] = VisitState::Open;
                    way.push((to, 0));
                }
                VisitState::Open => out[number] = true,
                VisitState::Done => {}
            }
        }
    }
    out
}

/// Returns the layer of each box, after all boxes that reach it.
fn layers(count: usize, lines: &[Option<Line>], turned: &[bool]) -> Vec<usize> {
    let edges: Vec<(usize, usize)> = lines
        .iter()
        .zip(turned)
        .filter_map(|(line, turned)| line.filter(|line| line.from != line.to).map(|line| ends(&line, *turned)))
        .collect();
    let mut waits = vec![0usize; count];
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (from, to) in &edges {
        waits[*to] += 1;
        after[*from].push(*to);
    }
    let mut out = vec![0; count];
    let mut ready: Vec<usize> = (0..count).filter(|n| waits[*n] == 0).collect();
    while let Some(at) = ready.pop() {
        for &to in &after[at] {
            out[to] = out[to].max(out[at] + 1);
            waits[to] -= 1;
            if waits[to] == 0 {
                ready.push(to);
            }
        }
    }
    out
}

struct Plan {
    /// Boxes by number, then lines.
    cells: Vec<Cell>,
    /// The cells of each layer, from top to bottom.
    order: Vec<Vec<usize>>,
    /// The index of each cell in its layer.
    at: Vec<usize>,
    /// Pieces by the layer on their left.
    pieces: Vec<Vec<LineSegment>>,
    /// The cells that each line passes.
    passes: Vec<Range<usize>>,
    y: Vec<f64>,
}

impl Plan {
    fn new(sizes: &[Size], lines: &[Option<Line>], turned: &[bool], layers: &[usize]) -> Plan {
        let depth = layers.iter().max().map_or(0, |last| last + 1);
        let cell = |(size, layer): (&Size, &usize)| Cell { layer: *layer, height: size.height, is_box: true };
        let mut cells: Vec<Cell> = sizes.iter().zip(layers).map(cell).collect();
        let drawn = |line: &&Line| line.from != line.to;
        let bends: usize =
            lines.iter().flatten().filter(drawn).map(|line| layers[line.from].abs_diff(layers[line.to])).sum();
        let mut pieces: Vec<Vec<LineSegment>> = vec![Vec::new(); depth];
        let mut passes = Vec::new();
        for (line, is_turned) in lines.iter().zip(turned) {
            let first = cells.len();
            let Some(line) = line.filter(|line| line.from != line.to) else {
                passes.push(first..first);
                continue;
            };
            let (left, right) = ends(&line, *is_turned);
            let ports = if *is_turned { (line.to_port, line.from_port) } else { (line.from_port, line.to_port) };
            let (mut before, mut port) = (left, ports.0);
            if layers[right] == layers[left] + 1 || bends <= MAX_BENDS {
                for layer in layers[left] + 1..layers[right] {
                    let number = cells.len();
                    cells.push(Cell { layer, height: 0.0, is_box: false });
                    pieces[layer - 1].push(LineSegment {
                        left: before,
                        left_port: port,
                        right: number,
                        right_port: 0.0,
                    });
                    (before, port) = (number, 0.0);
                }
                if let Some(pieces) = layers[right].checked_sub(1).and_then(|layer| pieces.get_mut(layer)) {
                    pieces.push(LineSegment { left: before, left_port: port, right, right_port: ports.1 });
                }
            }
            passes.push(first..cells.len());
        }
        let mut order: Vec<Vec<usize>> = vec![Vec::new(); depth];
        let mut at = vec![0; cells.len()];
        for (number, cell) in cells.iter().enumerate() {
            at[number] = order[cell.layer].len();
            order[cell.layer].push(number);
        }
        let y = vec![0.0; cells.len()];
        Plan { cells, order, at, pieces, passes, y }
    }

    /// Sorts layers by the positions of their neighbours, back and forth, and keeps the order with the fewest
    /// crossings.
    fn order(&mut self) {
        let mut best = (self.crossings(), self.order.clone());
        for round in 0..ORDERINGS {
            if best.0 == 0 {
                break;
            }
            let depth = self.order.len();
            for step in 1..depth {
                let (layer, from_left) = if round % 2 == 0 { (step, true) } else { (depth - 1 - step, false) };
                self.sort(layer, from_left);
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.order.clone());
            }
        }
        self.order = best.1;
        self.index();
    }

    fn index(&mut self) {
        for layer in &self.order {
            for (place, cell) in layer.iter().enumerate() {
                self.at[*cell] = place;
            }
        }
    }

    /// Returns a vertical rank among the cells of a layer.
    fn rank(&self, cell: usize, port: f64) -> f64 {
        self.at[cell] as f64 + port / (self.cells[cell].height + 1.0)
    }

    fn sort(&mut self, layer: usize, from_left: bool) {
        let mut sums = vec![(0.0, 0u32); self.cells.len()];
        let pieces = if from_left { layer.checked_sub(1) } else { Some(layer) };
        for piece in pieces.and_then(|layer| self.pieces.get(layer)).into_iter().flatten() {
            let (own, rank) = match from_left {
                true => (piece.right, self.rank(piece.left, piece.left_port)),
                false => (piece.left, self.rank(piece.right, piece.right_port)),
            };
            sums[own].0 += rank;
            sums[own].1 += 1;
        }
        let mut cells = std::mem::take(&mut self.order[layer]);
        // Cells without neighbours stay next to their predecessors.
        let mut last = 0.0;
        let mut keyed: Vec<(f64, usize)> = Vec::new();
        for cell in cells.drain(..) {
            let (sum, count) = sums[cell];
            if count > 0 {
                last = sum / f64::from(count);
            }
            keyed.push((last, cell));
        }
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.order[layer] = keyed.into_iter().map(|(_, cell)| cell).collect();
        for (place, cell) in self.order[layer].iter().enumerate() {
            self.at[*cell] = place;
        }
    }

    fn crossings(&self) -> u64 {
        self.pieces.iter().map(|pieces| self.crossings_of(pieces)).sum()
    }

    /// Counts pairs of pieces that cross. With the left ends in order, these are inversions of the right ends.
    fn crossings_of(&self, pieces: &[LineSegment]) -> u64 {
        let mut ends: Vec<(f64, f64)> =
            pieces.iter().map(|p| (self.rank(p.left, p.left_port), self.rank(p.right, p.right_port))).collect();
        ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut sorted: Vec<f64> = ends.iter().map(|end| end.1).collect();
        sorted.sort_by(f64::total_cmp);
        sorted.dedup();
        // A Fenwick tree of counts by index of the right ends.
        let mut counts = vec![0u64; sorted.len() + 1];
        let mut out = 0;
        for (before, (_, right)) in (0u64..).zip(&ends) {
            let place = sorted.partition_point(|other| other.total_cmp(right).is_lt()) + 1;
            let (mut at, mut not_below) = (place, 0);
            while at > 0 {
                not_below += counts[at];
                at &= at - 1;
            }
            out += before - not_below;
            at = place;
            while at < counts.len() {
                counts[at] += 1;
                at += at & at.wrapping_neg();
            }
        }
        out
    }

    /// Moves cells vertically, in their order, to straighten their lines.
    fn straighten(&mut self) {
        for layer in 0..self.order.len() {
            self.settle(layer, &vec![(0.0, 1.0); self.cells.len()]);
        }
        let depth = self.order.len();
        for round in 0..STRAIGHTENINGS {
            for step in 0..depth {
                let layer = if round % 2 == 0 { step } else { depth - 1 - step };
                let mut wishes = vec![(0.0, 0.0); self.cells.len()];
                let mut wish = |cell: usize, y: f64, weight: f64| {
                    wishes[cell].0 += y * weight;
                    wishes[cell].1 += weight;
                };
                // Long lines should be straight first of all.
                let weight = |piece: &LineSegment| match (self.cells[piece.left].is_box, self.cells[piece.right].is_box)
                {
                    (true, true) => 1.0,
                    (false, false) => 8.0,
                    _ => 2.0,
                };
                // The last rounds use both sides.
                let both = round + 2 >= STRAIGHTENINGS;
                let left = layer.checked_sub(1).filter(|_| both || round % 2 == 0);
                for piece in left.and_then(|layer| self.pieces.get(layer)).into_iter().flatten() {
                    wish(piece.right, self.y[piece.left] + piece.left_port - piece.right_port, weight(piece));
                }
                let right = Some(layer).filter(|_| both || round % 2 == 1);
                for piece in right.and_then(|layer| self.pieces.get(layer)).into_iter().flatten() {
                    wish(piece.left, self.y[piece.right] + piece.right_port - piece.left_port, weight(piece));
                }
                for cell in &self.order[layer] {
                    // Cells without lines keep their position if they can.
                    let (sum, weight) = wishes[*cell];
                    wishes[*cell] = if weight > 0.0 { (sum / weight, weight) } else { (self.y[*cell], 0.05) };
                }
                self.settle(layer, &wishes);
            }
        }
    }

    /// Places the cells of a layer as near to their wishes as their order and sizes allow. Neighbours that would
    /// overlap form a block, which goes to the weighted mean of its members' wishes.
    fn settle(&mut self, layer: usize, wishes: &[(f64, f64)]) {
        /// Adjacent cells: their number, their weight, and the weighted sum of wishes for the first cell's position.
        struct Block {
            count: usize,
            weight: f64,
            sum: f64,
        }
        let cells = &self.order[layer];
        let mut below = Vec::with_capacity(cells.len());
        let mut end = 0.0;
        for (place, cell) in cells.iter().enumerate() {
            let next = cells.get(place + 1);
            below.push(end);
            let gap = match next.map(|next| self.cells[*cell].is_box && self.cells[*next].is_box) {
                Some(true) => DOWN,
                _ => BESIDE_LINES,
            };
            end += self.cells[*cell].height + gap;
        }
        let mut blocks: Vec<Block> = Vec::new();
        for (cell, below) in cells.iter().zip(&below) {
            let (wish, weight) = wishes[*cell];
            let mut block = Block { count: 1, weight, sum: (wish - below) * weight };
            while let Some(above) = blocks.pop_if(|above| above.sum / above.weight > block.sum / block.weight) {
                block = Block {
                    count: above.count + block.count,
                    weight: above.weight + block.weight,
                    sum: above.sum + block.sum,
                };
            }
            blocks.push(block);
        }
        let starts = blocks.iter().flat_map(|block| std::iter::repeat_n(block.sum / block.weight, block.count));
        for ((cell, below), start) in cells.iter().zip(&below).zip(starts) {
            self.y[*cell] = start + below;
        }
    }

    fn placed(self, sizes: &[Size], lines: &[Option<Line>], turned: &[bool]) -> Placed {
        let mut lefts = Vec::new();
        let mut x = MARGIN;
        for layer in &self.order {
            lefts.push(x);
            let widths = layer.iter().filter_map(|cell| sizes.get(*cell)).map(|size| size.width);
            x += widths.fold(0.0, f64::max) + ACROSS;
        }
        let top = self.y.iter().copied().fold(f64::INFINITY, f64::min);
        let y = |cell: usize| (self.y[cell] - top + MARGIN).round();
        let boxes: Vec<Point> = (0..sizes.len()).map(|n| Point { x: lefts[self.cells[n].layer], y: y(n) }).collect();
        let ends = self.y.iter().zip(&self.cells).map(|(y, cell)| y - top + cell.height);
        let height = ends.fold(0.0, f64::max) + 2.0 * MARGIN;
        let way = |((line, turned), passed): ((&Option<Line>, &bool), &Range<usize>)| {
            let Some(line) = line else { return Vec::new() };
            let (from, to) = (boxes[line.from], boxes[line.to]);
            let mut out = vec![Point { x: from.x + sizes[line.from].width, y: from.y + line.from_port }];
            let mut between: Vec<Point> = Vec::new();
            for cell in passed.clone() {
                // Straight through the layer.
                let layer = self.cells[cell].layer;
                let end = lefts.get(layer + 1).map_or(x - ACROSS, |next| next - ACROSS);
                between.push(Point { x: lefts[layer], y: y(cell) });
                between.push(Point { x: end, y: y(cell) });
            }
            if *turned {
                between.reverse();
            }
            out.extend(between);
            out.push(Point { x: to.x, y: to.y + line.to_port });
            out
        };
        let lines = lines.iter().zip(turned).zip(&self.passes).map(way).collect();
        let width = if sizes.is_empty() { 2.0 * MARGIN } else { x - ACROSS + MARGIN };
        Placed { boxes, lines, width, height: height.round() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(count: usize) -> Vec<Size> {
        vec![Size { width: 100.0, height: 40.0 }; count]
    }

    fn line(from: usize, to: usize) -> Line {
        Line { from, from_port: 20.0, to, to_port: 20.0 }
    }

    fn overlap(placed: &Placed, sizes: &[Size]) -> bool {
        let apart = |a: usize, b: usize| {
            let (p, q) = (placed.boxes[a], placed.boxes[b]);
            p.x + sizes[a].width <= q.x
                || q.x + sizes[b].width <= p.x
                || p.y + sizes[a].height <= q.y
                || q.y + sizes[b].height <= p.y
        };
        (0..sizes.len()).any(|a| (0..a).any(|b| !apart(a, b)))
    }

    #[test]
    fn a_chain_of_nodes_is_laid_out_in_a_straight_line() {
        let placed = place(&sizes(3), &[line(0, 1), line(1, 2)]);
        let at: Vec<(f64, f64)> = placed.boxes.iter().map(|p| (p.x, p.y)).collect();
        assert_eq!(at, [(16.0, 16.0), (180.0, 16.0), (344.0, 16.0)]);
        assert_eq!((placed.width, placed.height), (460.0, 72.0));
        assert_eq!(placed.lines[0], [Point { x: 116.0, y: 36.0 }, Point { x: 180.0, y: 36.0 }]);
    }

    #[test]
    fn layout_ordering_removes_edge_crossings() {
        // Two pairs whose second ends are in the wrong order.
        let placed = place(&sizes(4), &[line(0, 3), line(1, 2)]);
        assert!(placed.boxes[3].y < placed.boxes[2].y, "{placed:?}");
        assert_eq!(placed.boxes[0].y, placed.boxes[3].y);
        assert!(!overlap(&placed, &sizes(4)));
    }

    #[test]
    fn crossings_are_counted() {
        let sizes = sizes(6);
        let all: Vec<Option<Line>> = [(0, 5), (1, 4), (2, 3), (0, 3)].map(|(a, b)| Some(line(a, b))).to_vec();
        let turned = turned(6, &all);
        let plan = Plan::new(&sizes, &all, &turned, &layers(6, &all, &turned));
        // Three pairs are inverted. The line from 0 to 3 only meets its neighbours at its ends.
        assert_eq!(plan.crossings(), 3);
    }

    #[test]
    fn layer_skipping_edges_avoid_boxes() {
        let placed = place(&sizes(3), &[line(0, 1), line(1, 2), line(0, 2)]);
        let way = &placed.lines[2];
        assert_eq!(way.len(), 4);
        let (y, middle) = (way[1].y, placed.boxes[1]);
        assert_eq!(way[1].y, way[2].y);
        assert!(y < middle.y || y > middle.y + 40.0, "{placed:?}");
        assert_eq!((way[1].x, way[2].x), (middle.x, middle.x + 100.0));
    }

    #[test]
    fn layout_of_cycles_and_invalid_edges_terminates() {
        assert_eq!(place(&[], &[]).boxes, []);
        let lines = [line(0, 1), line(1, 2), line(2, 0), line(1, 1), line(7, 0), line(0, 9)];
        let placed = place(&sizes(3), &lines);
        assert!(!overlap(&placed, &sizes(3)));
        assert_eq!(placed.lines[2].len(), 4, "back through the layer between");
        assert_eq!((placed.lines[3].len(), placed.lines[4].len()), (2, 0));
    }

    #[test]
    fn boxes_never_overlap() {
        // A random number generator that is good enough for graphs.
        let mut state = 7u32;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % below
        };
        for _ in 0..60 {
            let count = 1 + next(24) as usize;
            let sizes: Vec<Size> = (0..count)
                .map(|_| Size { width: f64::from(40 + next(200)), height: f64::from(20 + next(90)) })
                .collect();
            let lines: Vec<Line> =
                (0..next(60)).map(|_| line(next(count as u32) as usize, next(count as u32) as usize)).collect();
            let placed = place(&sizes, &lines);
            assert!(!overlap(&placed, &sizes), "{sizes:?} {lines:?}");
            for (p, size) in placed.boxes.iter().zip(&sizes) {
                assert!(p.x >= 0.0 && p.y >= 0.0, "{placed:?}");
                assert!(p.x + size.width <= placed.width && p.y + size.height <= placed.height, "{placed:?}");
            }
        }
    }
}
