//! Generates the parser from `src/parse/grammar.lalrpop`; LALRPOP skips the work when the grammar has not changed.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    lalrpop::Configuration::new().emit_rerun_directives(true).process_dir("src/parse")
}
