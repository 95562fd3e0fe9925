//! A parser from arguments to an [`Invocation`], by the table of options.
//!
//! It only determines the request, and opens no files.

use super::dxc::{self, Effect, OptionShape};
use super::options::{Command, GROUPS, Group, JOINED, OPTIONS, Opt, Spec, find};
use std::borrow::Cow;
use std::num::IntErrorKind;
use wgc_sema::tables::binding_options::BindingOptions;

/// A parsed command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    pub command: Command,
    /// Source files, as written.
    pub files: Vec<String>,
    /// Options of single files, parallel to `files`. Options of [`OF_ONE_FILE`] between two files apply to the second
    /// one only.
    pub own: Vec<Vec<(Opt, String)>>,
    /// All other options, in the order written.
    pub options: Vec<(Opt, String)>,
    /// The number of options, at the beginning, that are those of a program of `wgc.json`.
    pub of_project: usize,
    /// The program of `wgc.json` that this invocation was created from.
    pub program: Option<String>,
    /// The user gave that program another host file.
    pub has_given_host: bool,
}

/// Options that may differ between the files of one graph.
pub const OF_ONE_FILE: &[Opt] = &[Opt::Define, Opt::Specialise];

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    Run(Invocation),
    /// Help for one command, or general help.
    Help(Option<Command>),
    /// Help for the options of one group.
    HelpOfGroup(Group),
    /// Help with the whole descriptions of all options.
    HelpAll,
    Version,
}

/// A usage error with a message for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageError(pub String);

const COMMANDS: &[(&str, Command)] = &[
    ("check", Command::Check),
    ("run", Command::Run),
    ("devices", Command::Devices),
    ("explain", Command::Explain),
    ("verify", Command::Verify),
    ("fmt", Command::Fmt),
    ("lsp", Command::Lsp),
];

impl Invocation {
    fn add_file(&mut self, file: &str, own: Vec<(Opt, String)>) {
        self.files.push(file.into());
        self.own.push(own);
    }

    /// Returns the last value of an option.
    pub fn value(&self, opt: Opt) -> Option<&str> {
        self.options.iter().rev().find(|o| o.0 == opt).map(|o| o.1.as_str())
    }

    pub fn has(&self, opt: Opt) -> bool {
        self.options.iter().any(|o| o.0 == opt)
    }

    /// Like [`has`](Self::has), without the options of `wgc.json`.
    pub fn has_on_command_line(&self, opt: Opt) -> bool {
        self.options.iter().skip(self.of_project).any(|o| o.0 == opt)
    }

    pub fn values(&self, opt: Opt) -> impl Iterator<Item = &str> {
        self.options.iter().filter(move |o| o.0 == opt).map(|o| o.1.as_str())
    }

    /// Returns the value as a number, if the option was given.
    pub fn number(&self, opt: Opt) -> Result<Option<u32>, UsageError> {
        self.value(opt)
            .map(|v| {
                v.parse().map_err(|e: std::num::ParseIntError| {
                    let wanted = match e.kind() {
                        IntErrorKind::PosOverflow => format!("a number up to {}", u32::MAX),
                        _ => "a number".to_owned(),
                    };
                    UsageError(format!("{} expects {wanted}, not `{v}`", name_of(opt)))
                })
            })
            .transpose()
    }
}

/// Returns the spelling of an option in messages.
pub fn name_of(opt: Opt) -> &'static str {
    OPTIONS.iter().find(|s| s.opt == opt).map_or("", |s| s.names[0])
}

pub fn parse(args: &[String]) -> Result<Request, UsageError> {
    let mut rest = args.iter().map(String::as_str).peekable();
    let mut command = Command::Compile;
    match rest.peek() {
        None => return Ok(Request::Help(None)),
        Some(&"help") => {
            let topic = args.get(1).map(String::as_str);
            return match topic.map(|t| (t, COMMANDS.iter().find(|c| c.0 == t))) {
                // The general help describes both.
                None | Some(("compile" | "help", _)) => Ok(Request::Help(None)),
                Some((_, Some(c))) => Ok(Request::Help(Some(c.1))),
                Some((t, None)) => match GROUPS.iter().find(|row| row.1 == t) {
                    Some((group, ..)) => Ok(Request::HelpOfGroup(*group)),
                    None => Err(UsageError(format!("unknown command or group of options `{t}`"))),
                },
            };
        }
        Some(first) => {
            if let Some(c) = COMMANDS.iter().find(|c| c.0 == *first) {
                command = c.1;
                rest.next();
            }
        }
    }
    let named = command != Command::Compile;
    let mut invocation = Invocation { command, ..Invocation::default() };
    // Options after a file, until it is clear whether another file follows.
    let mut between: Vec<(Opt, String)> = Vec::new();
    while let Some(arg) = rest.next() {
        if arg == "--" {
            for file in rest.by_ref() {
                invocation.add_file(file, std::mem::take(&mut between));
            }
        } else if let Some(row) = without_effect(arg)? {
            // Its values are skipped, so that they don't count as files.
            for _ in 0..row {
                rest.next().ok_or_else(|| UsageError(format!("{arg} needs a value")))?;
            }
        } else if arg == "-" || !is_option(arg) {
            invocation.add_file(arg, std::mem::take(&mut between));
        } else {
            let dashed = dashed(arg);
            let arg: &str = &dashed;
            let (spec, attached) = recognise(arg)?;
            if spec.opt == Opt::Binding {
                let mut words = vec![arg];
                words.extend(attached);
                let wanted = binding_words(arg);
                for what in wanted.split_whitespace().skip(words.len() - 1) {
                    match rest.next() {
                        Some(word) => words.push(word),
                        None => return Err(UsageError(format!("{arg} needs {what}: {arg} {wanted}"))),
                    }
                }
                check(spec, arg, command)?;
                // A missing number would take the name of the source.
                BindingOptions::default().set(arg, words.get(1..).unwrap_or_default()).map_err(UsageError)?;
                invocation.options.push((Opt::Binding, words.join(" ")));
                continue;
            }
            let value = match (spec.value, attached) {
                (None, None) => String::new(),
                (None, Some(v)) => {
                    return Err(UsageError(format!("{} has no value, but `{v}` was given", spec.names[0])));
                }
                (Some(_), Some(v)) => v.to_owned(),
                (Some(_), None) if spec.optional => String::new(),
                (Some(what), None) => match rest.next() {
                    Some(v) => v.to_owned(),
                    None => {
                        return Err(UsageError(format!("{} needs a value: {} {what}", spec.names[0], spec.names[0])));
                    }
                },
            };
            check(spec, &value, command)?;
            match spec.opt {
                Opt::Help => return Ok(Request::Help(named.then_some(command))),
                Opt::HelpAll => return Ok(Request::HelpAll),
                Opt::Version => return Ok(Request::Version),
                opt if OF_ONE_FILE.contains(&opt) && !invocation.files.is_empty() => between.push((opt, value)),
                opt => invocation.options.push((opt, value)),
            }
        }
    }
    invocation.options.append(&mut between);
    Ok(Request::Run(invocation))
}

/// Returns the placeholders for the values of a binding option.
fn binding_words(name: &str) -> &'static str {
    wgc_sema::tables::binding_options::OPTIONS.iter().find(|o| o.0 == name).map_or("", |o| o.1)
}

/// Converts `/T` to `-T`, like DXC.
fn dashed(arg: &str) -> Cow<'_, str> {
    match arg.strip_prefix('/') {
        Some(rest) => Cow::Owned(format!("-{rest}")),
        None => Cow::Borrowed(arg),
    }
}

/// Returns whether an argument is an option. Arguments with a dash are options. Arguments with a slash are options if
/// they match one exactly, and paths otherwise.
fn is_option(arg: &str) -> bool {
    match arg.strip_prefix('/') {
        Some(rest) => !rest.contains(['/', '.']) && recognise(&dashed(arg)).is_ok(),
        None => arg.starts_with('-'),
    }
}

/// Returns the number of further arguments of a DXC option that has no effect here.
fn without_effect(arg: &str) -> Result<Option<usize>, UsageError> {
    if find(&dashed(arg)).is_some() || arg.strip_prefix('/').is_some_and(|rest| rest.contains('/')) {
        return Ok(None);
    }
    let dashed = dashed(arg);
    let Some((row, attached)) = dxc::find(&dashed) else { return Ok(None) };
    match row.effect {
        Effect::Refused(why) => Err(UsageError(format!("wgc does not support the DXC option {arg}: {why}"))),
        Effect::None(_) => Ok(Some(match row.shape {
            OptionShape::Flag | OptionShape::Joined => 0,
            OptionShape::Value => usize::from(attached.is_none()),
            OptionShape::Words(n) => n,
        })),
    }
}

/// Returns the option that an argument names, with its attached value.
fn recognise(arg: &str) -> Result<(&'static Spec, Option<&str>), UsageError> {
    if let Some(spec) = find(arg) {
        return Ok((spec, None));
    }
    if let Some((name, value)) = arg.split_once('=')
        && let Some(spec) = find(name)
        && !JOINED.contains(&name)
    {
        return Ok((spec, Some(value)));
    }
    if let Some(name) = JOINED.iter().find(|j| arg.starts_with(**j))
        && let Some(spec) = find(name)
        && !looks_like_word_option(arg)
    {
        let value = arg.get(name.len()..).unwrap_or_default();
        return Ok((spec, Some(value.strip_prefix('=').unwrap_or(value))));
    }
    let name = arg.split('=').next().unwrap_or(arg);
    let accepted: Vec<String> = dxc::TABLE.iter().map(|row| format!("-{}", row.name)).collect();
    let names = OPTIONS.iter().flat_map(|s| s.names.iter().copied()).chain(accepted.iter().map(String::as_str));
    Err(UsageError(match closest(name, names) {
        Some(near) => format!("unknown option `{arg}`; did you mean `{near}`?"),
        None => format!("unknown option `{arg}`"),
    }))
}

/// Returns whether `-Dxyz` must be a misspelt long option: `-D` takes an identifier, which has no inner dash.
fn looks_like_word_option(arg: &str) -> bool {
    let name = arg.split('=').next().unwrap_or(arg);
    name.len() > 2 && name[1..].contains('-') && !["-I", "-W", "-F", "-M"].iter().any(|j| arg.starts_with(j))
}

fn check(spec: &Spec, value: &str, command: Command) -> Result<(), UsageError> {
    let name = spec.names[0];
    if !spec.commands.contains(&command) {
        return Err(UsageError(format!("{name} is not an option of `wgc {}`", command_name(command))));
    }
    let is_left_out = spec.optional && value.is_empty();
    // Build systems may pass an empty include folder.
    if spec.names_path() && value.is_empty() && !is_left_out && spec.opt != Opt::Include {
        return Err(UsageError(format!("{name} expects a name, but its value is empty")));
    }
    if spec.choices.is_empty() || spec.choices.contains(&value) || is_left_out {
        return Ok(());
    }
    let mut message = format!("unknown value `{value}` for {name}");
    if let Some(near) = closest(value, spec.choices.iter().copied()) {
        message += &format!("; did you mean `{near}`?");
    }
    message += &format!(" ({name} accepts {})", spec.choices.join(", "));
    Err(UsageError(message))
}

pub fn command_name(command: Command) -> &'static str {
    COMMANDS.iter().find(|c| c.1 == command).map_or("SHADER", |c| c.0)
}

/// Returns the command that a misspelt word without an extension may stand for.
pub fn near_command(word: &str) -> Option<&'static str> {
    let names = COMMANDS.iter().map(|(name, _)| *name).chain(["help"]);
    if word.contains(['.', '/', '\\']) { None } else { closest(word, names) }
}

/// Returns the most likely candidate for a misspelt word.
pub(super) fn closest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .map(|c| (strsim::damerau_levenshtein(word, c), c))
        .filter(|(d, c)| *d <= c.len().max(word.len()) / 3)
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(String::from).collect()
    }

    fn ok(line: &str) -> Invocation {
        match parse(&words(line)) {
            Ok(Request::Run(i)) => i,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn err(line: &str) -> String {
        match parse(&words(line)) {
            Err(UsageError(m)) => m,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn files_and_options_mix() {
        let i = ok("a.hlsl -D N=4 --target spirv-amdx b.hlsl -DM -Iinc -o - --emit=asm");
        assert_eq!(i.command, Command::Compile);
        assert_eq!(i.files, ["a.hlsl", "b.hlsl"]);
        assert_eq!(i.values(Opt::Define).collect::<Vec<_>>(), ["M"], "what stands between files is the second one's");
        assert_eq!(i.own, [vec![], vec![(Opt::Define, "N=4".to_string())]]);
        assert_eq!(i.value(Opt::Target), Some("spirv-amdx"));
        assert_eq!(i.value(Opt::Include), Some("inc"));
        assert_eq!(i.value(Opt::Output), Some("-"));
        assert_eq!(i.value(Opt::Emit), Some("asm"));
    }

    #[test]
    fn a_later_value_wins() {
        assert_eq!(ok("a -o x -o y").value(Opt::Output), Some("y"));
    }

    #[test]
    fn arguments_after_double_dash_are_files() {
        assert_eq!(ok("-- --target").files, ["--target"]);
    }

    #[test]
    fn the_old_name_of_an_option_works() {
        assert_eq!(ok("a --fuse-arrays 8").value(Opt::JointDispatch), Some("8"));
    }

    #[test]
    fn misspelled_options_get_suggestions() {
        assert_eq!(err("a --traget spirv-amdx"), "unknown option `--traget`; did you mean `--target`?");
        assert_eq!(
            err("a -enable-16bit-type"),
            "unknown option `-enable-16bit-type`; did you mean `-enable-16bit-types`?"
        );
        assert!(
            err("a --target spirv-amd")
                .starts_with("unknown value `spirv-amd` for --target; did you mean `spirv-amdx`?")
        );
        assert_eq!(err("a --zzzzzz"), "unknown option `--zzzzzz`");
    }

    #[test]
    fn command_lines_of_dxc_work() {
        let i = ok(
            "/T cs_6_6 -Emain /nologo -O3 -fspv-debug=line -fspv-max-id 99 -Fd x.pdb /DN=4 -D=M -Wno-x -Foout /src/a.hlsl /a.hlsl",
        );
        assert_eq!(i.value(Opt::Profile), Some("cs_6_6"));
        assert_eq!(i.value(Opt::Entry), Some("main"));
        assert_eq!(i.values(Opt::Define).collect::<Vec<_>>(), ["N=4", "M"]);
        assert_eq!(i.value(Opt::Warning), Some("no-x"));
        assert_eq!(i.value(Opt::Output), Some("out"));
        assert_eq!(i.files, ["/src/a.hlsl", "/a.hlsl"], "paths that begin with a slash are no options");
        assert!(err("a -dumpbin").contains("DXIL containers"));
        assert!(err("a -fspv-max-id").contains("needs a value"));
        assert_eq!(
            err("a -all-resource-bound"),
            "unknown option `-all-resource-bound`; did you mean `-all-resources-bound`?"
        );
    }

    #[test]
    fn option_values_are_required_or_rejected() {
        assert_eq!(err("a -o"), "-o needs a value: -o OUT");
        assert_eq!(err("a --library=yes"), "--library has no value, but `yes` was given");
        assert_eq!(err("check a -o x"), "-o is not an option of `wgc check`");
    }
}
