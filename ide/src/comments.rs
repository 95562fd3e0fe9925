//! The comment about a declaration: directly above it, or after it on the same line.

/// Returns the comment about the declaration with its name at a byte of a text, without comment markers. Comments above
/// a parameter don't count.
pub fn about(text: &[u8], at: usize, is_param: bool) -> Option<String> {
    let start = text.get(..at)?.iter().rposition(|byte| *byte == b'\n').map_or(0, |n| n + 1);
    let column = at - start;
    // Another declaration starts the line.
    let is_first = !is_param && !text.get(start..at)?.iter().any(|byte| matches!(byte, b'{' | b';'));
    let text = String::from_utf8_lossy(text.get(..text.len().min(MAX_TEXT))?);
    let lines: Vec<&str> = text.split('\n').map(|line| line.trim_end_matches('\r')).collect();
    // The replacement of invalid bytes shifts offsets, but never lines.
    let line = text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count();
    is_first.then(|| above(&lines, line)).flatten().or_else(|| behind(lines.get(line)?.get(column..)?))
}

/// The size limit: larger texts are no shaders.
const MAX_TEXT: usize = 16 << 20;

/// The limit of lines between a declaration's start and its name: attributes, `template`, the type.
const MAX_HEAD: usize = 24;

fn above(lines: &[&str], name: usize) -> Option<String> {
    let mut first = name;
    // The declaration starts after the end of the previous one.
    for _ in 0..MAX_HEAD {
        let Some(before) = first.checked_sub(1).and_then(|n| lines.get(n)) else { break };
        let before = before.trim();
        let is_comment = before.starts_with("//") || before.ends_with("*/");
        let ends = before.is_empty() || before.ends_with([';', ',', '}', '{', ':']) || before.starts_with('#');
        if is_comment || ends || before.contains("//") {
            break;
        }
        first -= 1;
    }
    let mut out: Vec<String> = Vec::new();
    let mut next = first;
    while let Some(line) = next.checked_sub(1).and_then(|n| lines.get(n)).map(|line| line.trim()) {
        next -= 1;
        if let Some(comment) = line.strip_prefix("//") {
            out.push(comment.trim_start_matches(['/', '!', '<']).trim().to_owned());
        } else if out.is_empty() && line.ends_with("*/") {
            return block(lines, next);
        } else {
            break;
        }
    }
    out.reverse();
    let text = out.join("\n").trim().to_owned();
    // A separator line contains no text.
    (text.chars().any(char::is_alphanumeric)).then_some(text)
}

/// Returns the block comment that ends on a line.
fn block(lines: &[&str], last: usize) -> Option<String> {
    let first = (0..=last).rev().find(|n| lines.get(*n).is_some_and(|line| line.contains("/*")))?;
    if !lines.get(first)?.trim_start().starts_with("/*") {
        return None;
    }
    let mut out = Vec::new();
    for line in lines.get(first..=last)? {
        let line = line.trim().trim_start_matches("/*").trim_end_matches("*/");
        out.push(line.trim_start_matches(['*', '!']).trim().to_owned());
    }
    let text = out.join("\n").trim().to_owned();
    (text.chars().any(char::is_alphanumeric)).then_some(text)
}

/// Returns the comment in `uint count; // of what`, a line that starts at the name. After several declarations, a
/// comment belongs to the last one.
fn behind(line: &str) -> Option<String> {
    let (code, comment) = line.split_once("//")?;
    let (mut depth, mut ends) = (0_i32, 0);
    for c in code.chars() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            ';' | ',' if depth <= 0 => ends += 1,
            _ => {}
        }
    }
    let is_whole = ends == 1 && code.trim_end().ends_with([';', ',']) && !code.contains('"');
    let text = comment.trim_start_matches(['/', '!', '<']).trim();
    (is_whole && !text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::about;

    #[test]
    fn doc_comments_are_found_above_or_beside_declarations() {
        let text = "// Not this.\n\n// What it counts,\n// and why.\n[Shader(\"node\")]\nvoid f() {}\n\
                    struct S {\n    uint a; // of apples\n    /* pears */\n    uint b;\n    uint c;\n};\n\
                    /** A block\n * of two.\n */\nuint g;\n// -----\nuint h;\n";
        let of = |name: &str| about(text.as_bytes(), text.find(name).expect("it is there"), false);
        assert_eq!(of("f()").as_deref(), Some("What it counts,\nand why."));
        assert_eq!(of("a;").as_deref(), Some("of apples"));
        assert_eq!(of("b;").as_deref(), Some("pears"));
        assert_eq!(of("c;"), None);
        assert_eq!(of("g;").as_deref(), Some("A block\nof two."));
        assert_eq!(of("h;"), None);
        assert_eq!(of("S {"), None);
        assert_eq!(about(text.as_bytes(), text.find("a;").expect("it is there"), true).as_deref(), Some("of apples"));
        assert_eq!(about(text.as_bytes(), text.find("f()").expect("it is there"), true), None);
        let line = b"// Of S.\nstruct S { uint a; };\nenum E {\n  // Of A.\n  A,\n  B,\n};\n";
        assert_eq!(about(line, 20, false), None);
        let value = |name: &[u8]| line.windows(name.len()).position(|part| part == name).expect("it is there");
        assert_eq!(about(line, value(b"A,"), false).as_deref(), Some("Of A."));
        assert_eq!(about(line, value(b"B,"), false), None);
    }
}
