//! The figures of tools/count-words stay at or below those of tools/words/limits.tsv.

use std::io::Write as _;
use std::process::Command;

#[test]
fn prose_style_stays_within_its_limits() {
    if Command::new("python3").arg("--version").output().is_err() {
        let _ = writeln!(std::io::stderr(), "left out, because there is no python3: tools/count-words");
        return;
    }
    let root = env!("CARGO_MANIFEST_DIR");
    let checked = Command::new("python3").args(["-B", "tools/count-words", "--check"]).current_dir(root).output();
    let checked = checked.expect("python3 starts");
    let (out, errors) = (String::from_utf8_lossy(&checked.stdout), String::from_utf8_lossy(&checked.stderr));
    assert!(checked.status.success(), "{out}{errors}\n`tools/count-words --list AREA` shows the sentences");
}
