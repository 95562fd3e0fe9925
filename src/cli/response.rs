//! Response files: `@FILE` stands for the arguments in a file. White space separates them, and `"` encloses those with
//! spaces.

use super::parse::UsageError;

/// The limit of nesting: response files may name others.
const MAX_DEPTH: u32 = 16;

/// The limit of the response files that one command reads. Files that name others twice would multiply.
const MAX_FILES: usize = 1_000;

/// The limit of the bytes of all response files that one command reads.
const MAX_BYTES: usize = 16 << 20;

/// Replaces each `@FILE` by the arguments in it. `read` returns the text of a file or the reason for its failure.
pub fn expand(args: &[String], read: &dyn Fn(&str) -> Result<String, String>) -> Result<Vec<String>, UsageError> {
    let mut expansion = Expansion { read, files: 0, bytes: 0, out: Vec::new() };
    expansion.add(args, 0)?;
    Ok(expansion.out)
}

struct Expansion<'r> {
    read: &'r dyn Fn(&str) -> Result<String, String>,
    /// Read so far.
    files: usize,
    bytes: usize,
    out: Vec<String>,
}

impl Expansion<'_> {
    fn add(&mut self, args: &[String], depth: u32) -> Result<(), UsageError> {
        for arg in args {
            let Some(path) = arg.strip_prefix('@').filter(|path| !path.is_empty()) else {
                self.out.push(arg.clone());
                continue;
            };
            let refused = |why: &str| Err(UsageError(format!("@{path}: {why}")));
            if depth == MAX_DEPTH {
                return refused("response files include each other in a cycle");
            }
            self.files += 1;
            if self.files > MAX_FILES {
                return refused(&format!("more than {MAX_FILES} response files"));
            }
            let text = (self.read)(path).map_err(|why| UsageError(format!("@{path}: {why}")))?;
            self.bytes += text.len();
            if self.bytes > MAX_BYTES {
                return refused(&format!("the response files have more than {MAX_BYTES} bytes"));
            }
            match split(&text) {
                Some(args) => self.add(&args, depth + 1)?,
                None => return refused("a `\"` is not closed"),
            }
        }
        Ok(())
    }
}

/// Splits a text into arguments. Returns `None` if a quote is not closed.
fn split(text: &str) -> Option<Vec<String>> {
    // Editors of Windows write a byte-order mark.
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut out = Vec::new();
    let mut current: Option<String> = None;
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                current.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => out.extend(current.take()),
            c => current.get_or_insert_default().push(c),
        }
    }
    out.extend(current);
    (!quoted).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(path: &str) -> Result<String, String> {
        match path {
            "marked" => Ok("\u{FEFF}-D N=4".into()),
            "outer" => Ok("-D N=4\n@inner \"a file.hlsl\" -o \"\"".into()),
            "inner" => Ok("-I\tinc".into()),
            "open" => Ok("a.hlsl -D \"N=4 -o a.spv".into()),
            "self" => Ok("@self".into()),
            "long" => Ok("x ".repeat(MAX_BYTES / 8)),
            _ => Err("cannot be read".into()),
        }
    }

    fn expanded(args: &[&str]) -> Result<Vec<String>, String> {
        let args: Vec<String> = args.iter().map(ToString::to_string).collect();
        expand(&args, &files).map_err(|e| e.0)
    }

    #[test]
    fn at_arguments_expand_to_the_contents_of_their_file() {
        let words = expanded(&["a.hlsl", "@outer", "@"]).expect("it expands");
        assert_eq!(words, ["a.hlsl", "-D", "N=4", "-I", "inc", "a file.hlsl", "-o", "", "@"]);
        assert_eq!(expanded(&["@marked"]), Ok(vec!["-D".into(), "N=4".into()]));
    }

    #[test]
    fn unreadable_or_cyclic_response_files_are_errors() {
        assert_eq!(expanded(&["@none"]), Err("@none: cannot be read".into()));
        assert_eq!(expanded(&["@open"]), Err("@open: a `\"` is not closed".into()));
        assert!(expanded(&["@self"]).is_err_and(|e| e.contains("in a cycle")));
    }

    #[test]
    fn response_files_are_limited_in_all() {
        // Each file names the next one twice, so the last of 15 would be read 16,384 times.
        let reads = std::cell::Cell::new(0);
        let doubled = |path: &str| {
            reads.set(reads.get() + 1);
            let next = path.parse::<u32>().map_or(0, |n| n + 1);
            Ok(if next < 15 { format!("@{next} @{next}") } else { String::new() })
        };
        let error = expand(&["@0".to_owned()], &doubled).map_err(|e| e.0);
        assert!(error.is_err_and(|e| e.contains("more than 1000 response files")));
        assert_eq!(reads.get(), MAX_FILES);
        assert!(expanded(&["@inner"; MAX_FILES]).is_ok());
        assert!(expanded(&["@long"; 4]).is_ok());
        assert!(expanded(&["@long"; 5]).is_err_and(|e| e.contains("the response files have more than 16777216 bytes")));
    }
}
