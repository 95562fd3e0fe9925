//! What is written above a declaration, as comments.

use crate::db::Db;
use crate::def::{At, Place};
use crate::diagnostics::range_of;

/// Lines that are read upwards.
const MOST_LINES: usize = 24;

/// The comment that ends in the line in front of the declaration whose name is at a place.
pub fn above<'db>(db: &'db dyn Db, place: Place<'db>) -> Option<String> {
    let range = range_of(db, At::Text(place));
    let text = db.file(&range.file).text(db);
    comment_above(&text, range.lo as usize)
}

fn comment_above(text: &[u8], at: usize) -> Option<String> {
    let mut lines = text.get(..at)?.rsplit(|c| *c == b'\n');
    lines.next();
    let mut out: Vec<String> = Vec::new();
    let mut in_block = false;
    for line in lines.take(MOST_LINES) {
        let line = String::from_utf8_lossy(line);
        let line = line.trim();
        if in_block || line.ends_with("*/") {
            in_block = !line.starts_with("/*");
            out.push(line.trim_start_matches("/*").trim_end_matches("*/").trim_matches(['*', ' ']).to_owned());
        } else if let Some(comment) = line.strip_prefix("//") {
            let comment = comment.trim_start_matches(['/', '!']).trim();
            // A line that only divides what stands around it.
            if comment.starts_with("--") || comment.starts_with("==") {
                break;
            }
            out.push(comment.to_owned());
        } else if out.is_empty() && (line.starts_with('[') && line.ends_with(']') || line.starts_with("template")) {
            // Attributes stand between.
        } else {
            break;
        }
        if !in_block && line.starts_with("/*") {
            break;
        }
    }
    // A block that does not begin here is no comment.
    if in_block {
        return None;
    }
    out.reverse();
    let all = out.join("\n").trim().to_owned();
    (!all.is_empty()).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::comment_above;

    fn above(text: &str) -> Option<String> {
        comment_above(text.as_bytes(), text.find('@')?)
    }

    #[test]
    fn comments_above_are_found() {
        assert_eq!(above("uint x;\n// One.\n/// Two.\nuint @").as_deref(), Some("One.\nTwo."));
        assert_eq!(above("// One.\n[Shader(\"node\")]\nvoid @").as_deref(), Some("One."));
        assert_eq!(above("/* One\n * two */\nvoid @").as_deref(), Some("One\ntwo"));
        assert_eq!(above("// One.\n\nvoid @"), None);
        assert_eq!(above("// ---- part\nvoid @"), None);
        assert_eq!(above("x */\nvoid @"), None);
    }
}
