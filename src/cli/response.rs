//! Response files: `@FILE` stands for the arguments in a file. White space separates them, and `"` encloses those with
//! spaces.

use super::parse::UsageError;

/// The limit of nesting: response files may name others.
const MAX_DEPTH: u32 = 16;

/// Replaces each `@FILE` by the arguments in it. `read` returns the text of a file or the reason for its failure.
pub fn expand(args: &[String], read: &dyn Fn(&str) -> Result<String, String>) -> Result<Vec<String>, UsageError> {
    let mut out = Vec::new();
    expand_into(args, read, 0, &mut out)?;
    Ok(out)
}

fn expand_into(
    args: &[String],
    read: &dyn Fn(&str) -> Result<String, String>,
    depth: u32,
    out: &mut Vec<String>,
) -> Result<(), UsageError> {
    for arg in args {
        match arg.strip_prefix('@').filter(|path| !path.is_empty()) {
            Some(path) if depth == MAX_DEPTH => {
                return Err(UsageError(format!("@{path}: response files include each other in a cycle")));
            }
            Some(path) => {
                let text = read(path).map_err(|why| UsageError(format!("@{path}: {why}")))?;
                expand_into(&split(&text), read, depth + 1, out)?;
            }
            None => out.push(arg.clone()),
        }
    }
    Ok(())
}

fn split(text: &str) -> Vec<String> {
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
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(path: &str) -> Result<String, String> {
        match path {
            "outer" => Ok("-D N=4\n@inner \"a file.hlsl\" -o \"\"".into()),
            "inner" => Ok("-I\tinc".into()),
            "self" => Ok("@self".into()),
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
    }

    #[test]
    fn unreadable_or_cyclic_response_files_are_errors() {
        assert_eq!(expanded(&["@none"]), Err("@none: cannot be read".into()));
        assert!(expanded(&["@self"]).is_err_and(|e| e.contains("in a cycle")));
    }
}
