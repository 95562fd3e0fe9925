//! A graph as SVG. All of the user's text is escaped, and there are no scripts. A viewer may handle clicks by
//! `data-node`, the number of the box.

use super::layout::{Line, Point, Size, place};
use super::rows::{HEAD, LINE, NodeBox, SIDE, What, problems, record, sent};
use crate::report::visible;
use std::fmt::Write as _;
use wgc_ide::{GraphView, NodeView};
use wgc_ir::passes::fusion::{self, Decision, Report};
use wgc_sema::types::system_values::launch_name;

/// Colours and fonts. A picture includes them unless its viewer has them already.
pub const STYLE: &str = include_str!("style.css");

/// The space above a box for a line to itself.
const LOOP: f64 = 20.0;

/// Draws the picture, with or without its style. With `fusion`, lines show whether their edge is fused.
pub fn draw(view: &GraphView, fusion: Option<&Report>, with_style: bool) -> String {
    let texts: Vec<NodeBox> = view.nodes.iter().map(NodeBox::of).collect();
    // A box with a line to itself needs more space above.
    let rooms: Vec<f64> =
        view.nodes.iter().enumerate().map(|(n, node)| if targets_itself(node, n) { LOOP } else { 0.0 }).collect();
    let sizes: Vec<Size> =
        texts.iter().zip(&rooms).map(|(text, room)| Size { height: text.size.height + room, ..text.size }).collect();
    let mut edges = Vec::new();
    for (from, node) in view.nodes.iter().enumerate() {
        for (output, sends) in node.outputs.iter().enumerate() {
            edges.extend(sends.reaches.iter().map(|to| Edge { from, output: Some(output), to: *to }));
        }
        // The line starts at the owner, since both get the same records.
        edges.extend(node.shares.map(|owner| Edge { from: owner, output: None, to: from }));
    }
    edges.retain(|edge| edge.from < texts.len() && edge.to < texts.len());
    let lines: Vec<Line> = edges
        .iter()
        .map(|edge| Line {
            from: edge.from,
            from_port: rooms[edge.from] + texts[edge.from].port(edge.output.map_or(What::Input, What::Output)),
            to: edge.to,
            to_port: rooms[edge.to] + texts[edge.to].port(What::Input),
        })
        .collect();
    let placed = place(&sizes, &lines);
    let (width, height) = (placed.width, placed.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"wgc-graph\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n"
    );
    if with_style {
        let _ = writeln!(out, "<style>\n{STYLE}</style>");
    }
    out += "<defs><marker id=\"wgc-arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" \
            markerHeight=\"8\" orient=\"auto\"><path class=\"arrow\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n";
    if with_style {
        out += "<rect width=\"100%\" height=\"100%\" fill=\"var(--paper)\"/>\n";
    }
    for (edge, way) in edges.iter().zip(&placed.lines) {
        let corner = placed.boxes[edge.from];
        line(&mut out, view, (edge, decision(view, edge, fusion)), way, corner.y + rooms[edge.from] - LOOP / 2.0);
    }
    for (number, (node, text)) in view.nodes.iter().zip(&texts).enumerate() {
        let corner = placed.boxes[number];
        draw_box(&mut out, number, node, text, Point { y: corner.y + rooms[number], ..corner });
    }
    out + "</svg>\n"
}

struct Edge {
    from: usize,
    /// The output, or `None` if the target shares the source's input.
    output: Option<usize>,
    to: usize,
}

fn targets_itself(node: &NodeView, number: usize) -> bool {
    node.outputs.iter().any(|output| output.reaches.contains(&number))
}

/// Returns the decision about an edge. `None` if it is unknown, or not the same for all nodes of the box.
fn decision(view: &GraphView, edge: &Edge, fusion: Option<&Report>) -> Option<Decision> {
    let node = view.nodes.get(edge.from)?;
    let output = node.outputs.get(edge.output?)?;
    let of_box = |found: &&fusion::Edge| {
        let name = &*found.producer.name;
        let is_box = node.shown.strip_prefix(name).is_some_and(|rest| match found.producer.index {
            _ if node.nodes > 1 => rest.starts_with('['),
            0 => rest.is_empty() || rest == "[0]",
            index => rest == format!("[{index}]"),
        });
        is_box && *found.output == *output.name
    };
    let mut found = fusion?.edges.iter().filter(of_box).map(|edge| edge.decision);
    let first = found.next()?;
    found.all(|other| other == first).then_some(first)
}

/// Draws a line. `above` is the vertical position of a line from a box to itself.
fn line(out: &mut String, view: &GraphView, (edge, decision): (&Edge, Option<Decision>), way: &[Point], above: f64) {
    let (Some(first), Some(last)) = (way.first(), way.last()) else { return };
    let (from, to) = (&view.nodes[edge.from], &view.nodes[edge.to]);
    let mut path = format!("M{} {}", first.x, first.y);
    if edge.from == edge.to {
        let (right, left) = (first.x + 22.0, last.x - 22.0);
        let (x, y) = (first.x - 6.0, last.x + 6.0);
        let _ = write!(path, "C{right} {} {right} {above} {x} {above}H{y}", first.y);
        let _ = write!(path, "C{left} {above} {left} {} {} {}", last.y, last.x, last.y);
    } else {
        for pair in way.windows(2) {
            let [a, b] = pair else { continue };
            if (a.y - b.y).abs() < 0.5 {
                let _ = write!(path, "H{}", b.x);
            } else {
                // The curve leaves and arrives horizontally; backward lines go around.
                let bend = ((b.x - a.x) / 2.0).abs().clamp(24.0, 80.0);
                let _ = write!(path, "C{} {} {} {} {} {}", a.x + bend, a.y, b.x - bend, b.y, b.x, b.y);
            }
        }
    }
    let (class, title) = match edge.output.and_then(|output| from.outputs.get(output)) {
        Some(output) => {
            let (class, fusion) = match decision {
                _ if to.nodes == 0 => ("line nowhere", String::new()),
                Some(Decision::Fused(rule)) => ("line fused", format!("; fused ({rule})")),
                Some(Decision::Kept(reason)) => ("line", format!("; not fused: {}", reason.text())),
                None => ("line", String::new()),
            };
            (class, format!("{} to {}: {}{fusion}", from.shown, to.shown, sent(from, output)))
        }
        None => ("line shares", format!("{} shares the input of {}", to.shown, from.shown)),
    };
    let marker = if edge.output.is_some() { " marker-end=\"url(#wgc-arrow)\"" } else { "" };
    let _ = writeln!(
        out,
        "<path class=\"{class}\" data-from=\"{}\" data-to=\"{}\" d=\"{path}\"{marker}><title>{}</title></path>",
        edge.from,
        edge.to,
        escaped(&title)
    );
}

fn draw_box(out: &mut String, number: usize, node: &NodeView, text: &NodeBox, corner: Point) {
    let mut class = "node ".to_owned() + node.launch.map_or("missing", launch_name);
    let marks = [(node.is_entry, " entry"), (node.errors != 0, " error"), (node.warnings != 0, " warning")];
    marks.into_iter().filter(|(is, _)| *is).for_each(|(_, mark)| class += mark);
    let (width, height) = (text.size.width, text.size.height);
    let _ = writeln!(
        out,
        "<g class=\"{class}\" data-node=\"{number}\" transform=\"translate({} {})\" tabindex=\"0\" role=\"button\">\
         <title>{}</title>\n<rect class=\"box\" width=\"{width}\" height=\"{height}\" rx=\"4\"/>\
         <rect class=\"mode\" width=\"4\" height=\"{height}\" rx=\"2\"/>",
        corner.x,
        corner.y,
        escaped(&title(node))
    );
    let mut put = |class: &str, x: f64, y: f64, anchor: &str, text: &str| {
        let _ = writeln!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\"{anchor}>{}</text>", escaped(text));
    };
    put("name", SIDE, HEAD - 8.0, "", &text.name);
    for (at, row) in text.rows.iter().enumerate() {
        let y = HEAD + (at as f64 + 1.0) * LINE - 5.0;
        match row.what {
            // On the side where the line leaves.
            What::Output(_) => put("row output", width - SIDE, y, " text-anchor=\"end\"", &row.text),
            What::Problems => put("row problems", SIDE, y, "", &row.text),
            What::Launch | What::Groups | What::Input | What::Budget => put("row", SIDE, y, "", &row.text),
        }
    }
    *out += "</g>\n";
}

/// Returns the tooltip of a box, with all that does not fit into it.
fn title(node: &NodeView) -> String {
    let mut out = node.shown.clone();
    if let Some(input) = &node.input {
        out += &format!("\ninput {}: {}", input.name, record(input.record.as_ref()));
    }
    for output in &node.outputs {
        out += &format!("\n{} to {}", sent(node, output), output.target);
    }
    let problems = problems(node);
    if !problems.is_empty() {
        out += &format!("\n{problems}");
    }
    out
}

/// Escapes text for XML, with visible control characters. Removes other characters that XML does not allow.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn svg_text_is_escaped() {
        assert_eq!(
            escaped("</title><a href='x'>\"&\u{0}\u{1b}\u{202e}\u{ffff}"),
            "&lt;/title&gt;&lt;a href=&#39;x&#39;&gt;&quot;&amp;\u{2400}\u{241b}\u{fffd}"
        );
    }
}
