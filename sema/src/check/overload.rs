//! Overload resolution: candidates, their distances from the arguments, and the best of them.
//!
//! Among functions of the program, the one with the lowest total conversion cost is called, as in DXC
//! ([`super::score`]). On a tie, C++ decides: a candidate is better if no argument is farther from it and one is
//! nearer. Distances are HLSL's ([`super::numeric`]). The type that a literal takes within its kind counts only if
//! nothing else decides.
//!
//! On a further tie, a plain function precedes a template, and a more special template a more general one
//! ([`crate::types::partial_order`]). A user's function precedes a built-in one. Among built-in functions the C++ rules
//! come first, then the costs. A template is not a candidate if its signature is invalid with the deduced arguments;
//! errors beyond the signature remain errors.

use super::Checker;
use super::env::{self, Direction, Param, Signature};
use super::hir::ExprId;
use super::score::{self, Score};
use super::shown;
use crate::db::def::{FnId, Item};
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{FnInst, RecordInst, Ty, TyKind};
use crate::tables::codes::Code;
use crate::types::extent::argument_excess;
use crate::types::numeric::{self, Comp, Distance, Num};
use crate::types::partial_order::{Reader, Term, is_more_special};
use crate::types::signature::{WrongArg, fn_signature};
use std::cmp::Ordering;
use wgc_frontend::ast::{self, Span};

/// A function that fits the arguments.
struct Candidate<'db> {
    inst: FnInst<'db>,
    /// For each argument; the first with literals at equal distance from all types of their kind.
    distances: Vec<(Distance, Distance)>,
    score: Score,
    is_template: bool,
    is_builtin: bool,
}

/// An argument that does not convert to its parameter.
#[derive(Clone, Copy)]
pub(super) struct Unconvertible<'db> {
    from: Ty<'db>,
    to: Ty<'db>,
    /// The parameter would write to a base of the argument: a cast to a base is a place in the object.
    is_base: bool,
}

/// The reason why a function does not fit.
pub(super) enum Misfit<'db> {
    Count {
        least: usize,
        most: usize,
    },
    /// The n-th argument.
    Argument(usize, Unconvertible<'db>),
    Deduction(String),
    /// The error in its signature after substitution.
    Substitution(Box<Diagnostic<'db>>),
    /// It needs too many nested instances, so the result is unknown.
    Endless(Box<Diagnostic<'db>>),
    /// Reported already.
    Silent,
}

impl From<String> for Misfit<'_> {
    fn from(why: String) -> Self {
        Misfit::Deduction(why)
    }
}

impl<'db> Misfit<'db> {
    /// Returns an error in the source of the call itself.
    fn at_call(&self, item: Item<'db>, body: Option<u32>) -> Option<&Diagnostic<'db>> {
        match self {
            Misfit::Substitution(error) => {
                let place = error.primary.place.text()?;
                (place.item == item && place.body == body).then_some(error)
            }
            _ => None,
        }
    }

    /// Returns a sort key, smaller if more of a call fits.
    fn nearness(&self, args: usize) -> (u8, usize) {
        match self {
            Misfit::Argument(n, _) => (0, args - n),
            Misfit::Deduction(_) | Misfit::Substitution(_) | Misfit::Endless(_) | Misfit::Silent => (1, 0),
            Misfit::Count { least, most } => (2, least.saturating_sub(args).max(args.saturating_sub(*most))),
        }
    }
}

impl<'db> From<WrongArg<'db>> for Misfit<'db> {
    fn from(wrong: WrongArg<'db>) -> Misfit<'db> {
        match wrong {
            WrongArg::Type(error) => error.into(),
            WrongArg::Value(why) => why.into(),
        }
    }
}

impl<'db> From<Box<Diagnostic<'db>>> for Misfit<'db> {
    fn from(error: Box<Diagnostic<'db>>) -> Self {
        if error.code == Code::NestingTooDeep { Misfit::Endless(error) } else { Misfit::Substitution(error) }
    }
}

impl<'db> Checker<'_, 'db> {
    /// Chooses among functions of one name; reports if there is none or no best.
    pub(super) fn choose(
        &mut self,
        name: &str,
        functions: &[(Option<RecordInst<'db>>, FnId<'db>)],
        explicit: &[ast::TemplateArg],
        args: &[ExprId],
        span: Span,
    ) -> Option<FnInst<'db>> {
        if self.is_constant && functions.iter().any(|(_, f)| !env::is_prelude(self.db, *f)) {
            self.error(Code::NotConstant, span, format!("the result of `{name}` is not a constant"));
            return None;
        }
        let exact = if explicit.is_empty() { self.exact_overloads(functions, args) } else { None };
        let functions = exact.as_deref().unwrap_or(functions);
        let mut candidates: Vec<Candidate<'db>> = Vec::new();
        let mut misfits = Vec::new();
        for &(owner, function) in functions {
            match self.candidate(owner, function, explicit, args) {
                Ok(candidate) => candidates.push(candidate),
                Err(Misfit::Endless(error)) => {
                    self.report(*error);
                    return None;
                }
                Err(misfit) => misfits.push((owner, function, misfit)),
            }
        }
        if candidates.is_empty() {
            self.no_candidate(name, misfits, args, span);
            return None;
        }
        let hidden: Vec<FnInst<'db>> = candidates
            .iter()
            .filter(|inherited| candidates.iter().any(|own| self.hides(own, inherited)))
            .map(|inherited| inherited.inst)
            .collect();
        candidates.retain(|c| !hidden.contains(&c.inst));
        let are_built_in = candidates.iter().all(|c| c.is_builtin);
        if let Some(cheapest) = cheapest(candidates.iter()).filter(|_| !are_built_in) {
            return Some(cheapest.inst);
        }
        let best: Vec<usize> = (0..candidates.len())
            .filter(|&i| {
                !(0..candidates.len()).any(|j| j != i && self.is_better(&candidates[j], &candidates[i], args.len()))
            })
            .collect();
        if let [only] = best.as_slice() {
            return Some(candidates[*only].inst);
        }
        if let Some(cheapest) = cheapest(best.iter().map(|i| &candidates[*i])).filter(|_| are_built_in) {
            return Some(cheapest.inst);
        }
        let mut diagnostic = self.diagnostic(Code::AmbiguousCall, span, format!("ambiguous call of `{name}`"));
        let among = if best.is_empty() { (0..candidates.len()).collect() } else { best };
        let among: Vec<FnInst<'db>> = among.into_iter().map(|i| candidates[i].inst).collect();
        for shown in shown::candidates(self.db, &among) {
            diagnostic = diagnostic.note(format!("candidate: {shown}"));
        }
        self.report(diagnostic);
        None
    }

    fn candidate(
        &mut self,
        owner: Option<RecordInst<'db>>,
        function: FnId<'db>,
        explicit: &[ast::TemplateArg],
        args: &[ExprId],
    ) -> Result<Candidate<'db>, Misfit<'db>> {
        let params = env::template_params(self.db, function);
        let is_template = !params.is_empty();
        if explicit.len() > params.len() {
            return Err(Misfit::Deduction(format!("it has {} template parameters", params.len())));
        }
        let generics = if is_template {
            let (least, most) = env::arity(self.db, function);
            if args.len() < least || args.len() > most {
                return Err(Misfit::Count { least, most });
            }
            let given = self.explicit_args(params, explicit)?;
            let generics = self.deduce(owner, function, given, args)?;
            if let Some(excess) = generics.iter().find_map(|arg| argument_excess(self.db, arg)) {
                return Err(Misfit::Deduction(format!("its arguments {excess}")));
            }
            generics
        } else {
            Vec::new()
        };
        let inst = FnInst::new(self.db, function, owner, generics);
        if is_template && let Some(error) = fn_signature(self.db, inst).diagnostics.iter().find(|d| d.is_error()) {
            let at = error.primary.place;
            if crate::check::template_names::unknown(self.db, function).iter().any(|d| d.primary.place == at) {
                return Err(Misfit::Silent);
            }
            let mut error = error.clone();
            let with = shown::arguments(self.db, inst);
            if !with.is_empty() {
                error.message = format!("{},{with}", error.message);
            }
            return Err(Box::new(error).into());
        }
        let signature = env::signature(self.db, inst);
        let needed = |p: &Param| !p.has_default && !p.is_optional;
        let least = signature.params.iter().rposition(needed).map_or(0, |last| last + 1);
        if args.len() < least || args.len() > signature.params.len() && !signature.is_variadic {
            let most = if signature.is_variadic { usize::MAX } else { signature.params.len() };
            return Err(Misfit::Count { least, most });
        }
        let mut distances = Vec::new();
        let mut score: Score = 0;
        for (i, (arg, param)) in args.iter().zip(&signature.params).enumerate() {
            let ty = self.text_array(*arg, Some(param.ty)).unwrap_or_else(|| self.ty(*arg));
            match self.argument_distance(ty, param) {
                Some(d) => {
                    distances.push((self.without_literal(ty, param.ty, d), d));
                    score = score.saturating_add(self.argument_score(ty, param));
                }
                None => {
                    let is_base = matches!(param.direction, Direction::Out | Direction::InOut)
                        && self.distance(ty, param.ty).is_some()
                        && ty.as_record(self.db).is_some();
                    return Err(Misfit::Argument(i, Unconvertible { from: self.ty(*arg), to: param.ty, is_base }));
                }
            }
        }
        Ok(Candidate { inst, distances, score, is_template, is_builtin: env::is_prelude(self.db, function) })
    }

    /// Returns the text for messages, which few calls need.
    fn unconvertible(&self, Unconvertible { from, to, is_base }: Unconvertible<'db>) -> String {
        let (from, to) = (self.show(from), self.show(to));
        if is_base {
            return format!("the cast `({to})` passes `{from}` as its base, but `{to}` does not convert to `{from}`");
        }
        format!("cannot convert `{from}` to `{to}`")
    }

    /// Removes the preference of a literal for one type of its kind from a distance.
    fn without_literal(&self, arg: Ty<'db>, param: Ty<'db>, distance: Distance) -> Distance {
        let Some(Num { comp: Comp::Of(to), .. }) = self.num(param) else { return distance };
        let comp = match arg.kind(self.db) {
            TyKind::LiteralInt if to.is_integer() => Comp::LitInt,
            TyKind::LiteralFloat if to.is_float() => Comp::LitFloat,
            _ => return distance,
        };
        distance - (numeric::component_distance(comp, Comp::Of(to)) - 1)
    }

    fn argument_distance(&self, arg: Ty<'db>, param: &Param<'db>) -> Option<Distance> {
        if param.is_place || param.is_shared {
            return (arg == param.ty || self.is_error(arg)).then_some(0);
        }
        match param.direction {
            Direction::In | Direction::InOut if arg != param.ty && self.is_array_alike(arg, param.ty) => Some(1),
            Direction::In => self.distance(arg, param.ty),
            Direction::Out => self.distance(param.ty, arg),
            Direction::InOut => Some(self.distance(arg, param.ty)?.max(self.distance(param.ty, arg)?)),
        }
    }

    /// Returns the cost of an argument's conversions, in both directions for `inout`.
    fn argument_score(&self, arg: Ty<'db>, param: &Param<'db>) -> Score {
        let one_way = |from: Ty<'db>, to: Ty<'db>| match (self.num(from), self.num(to)) {
            _ if from == to || self.is_error(from) || self.is_error(to) || self.is_array_alike(arg, param.ty) => 0,
            (Some(a), Some(b)) => score::score(a, matches!(from.kind(self.db), TyKind::Enum(_)), b),
            _ => score::score_of_object(),
        };
        match param.direction {
            Direction::In => one_way(arg, param.ty),
            Direction::Out => one_way(param.ty, arg),
            Direction::InOut => one_way(arg, param.ty).saturating_add(one_way(param.ty, arg)),
        }
    }

    fn no_candidate(
        &mut self,
        name: &str,
        mut misfits: Vec<(Option<RecordInst<'db>>, FnId<'db>, Misfit<'db>)>,
        args: &[ExprId],
        span: Span,
    ) {
        if misfits.iter().any(|m| matches!(m.2, Misfit::Silent)) {
            return;
        }
        // Errors in the written template arguments are reported alone if a name is unknown or all candidates have one.
        let written: Vec<_> = misfits.iter().filter_map(|m| m.2.at_call(self.item, self.body_index)).collect();
        if let Some(error) = written.iter().find(|e| e.code == Code::UnknownName || written.len() == misfits.len()) {
            return self.report((*error).clone());
        }
        if let [(_, function, misfit)] = misfits.as_slice() {
            let (code, at, message) = match misfit {
                Misfit::Count { least, most } => {
                    let wanted = match (least, most) {
                        (a, b) if a == b => count(*a, "argument"),
                        (a, &usize::MAX) => format!("at least {}", count(*a, "argument")),
                        (a, b) => format!("{a} to {b} arguments"),
                    };
                    let message = format!("`{name}` expects {wanted}, {} given", args.len());
                    (Code::NoOverload, span, message)
                }
                Misfit::Argument(i, why) => {
                    let why = self.unconvertible(*why);
                    (Code::TypeMismatch, self.span(args[*i]), format!("argument {} of `{name}`: {why}", i + 1))
                }
                Misfit::Deduction(why) => (Code::Deduction, span, format!("`{name}`: {why}")),
                Misfit::Substitution(error) | Misfit::Endless(error) => {
                    (Code::Deduction, span, format!("`{name}` has no signature for these arguments: {}", error.message))
                }
                Misfit::Silent => return,
            };
            let mut diagnostic = self.diagnostic(code, at, message);
            if let Some(place) = env::fn_place(self.db, *function) {
                diagnostic = diagnostic.also(place, "declared here");
            }
            return self.report(diagnostic);
        }
        let types: Vec<String> = args.iter().map(|a| format!("`{}`", self.show(self.ty(*a)))).collect();
        let given = if types.is_empty() { "no arguments".to_string() } else { types.join(", ") };
        let message = format!("no function `{name}` accepts {given}");
        let mut diagnostic = self.diagnostic(Code::NoOverload, span, message);
        let more = misfits.len().saturating_sub(shown::MOST);
        misfits.sort_by_cached_key(|(.., misfit)| misfit.nearness(args.len()));
        for (owner, function, misfit) in misfits.into_iter().take(shown::MOST) {
            let why = match misfit {
                Misfit::Count { least, most } if least == most => format!("expects {}", count(most, "argument")),
                Misfit::Count { least, most: usize::MAX } => format!("expects at least {}", count(least, "argument")),
                Misfit::Count { least, most } => format!("expects {least} to {most} arguments"),
                Misfit::Argument(i, why) => format!("argument {}: {}", i + 1, self.unconvertible(why)),
                Misfit::Deduction(why) => why,
                Misfit::Substitution(error) | Misfit::Endless(error) => error.message,
                Misfit::Silent => continue,
            };
            diagnostic = diagnostic.note(format!("{}: {why}", shown::declaration(self.db, owner, function)));
        }
        if more > 0 {
            diagnostic = diagnostic.note(format!("and {more} more"));
        }
        self.report(diagnostic);
    }

    fn is_better(&self, a: &Candidate<'db>, b: &Candidate<'db>, args: usize) -> bool {
        let pairs = || a.distances.iter().zip(&b.distances);
        for of in [|d: &(Distance, Distance)| d.0, |d: &(Distance, Distance)| d.1] {
            if pairs().any(|(x, y)| of(x) > of(y)) {
                return false;
            }
            if pairs().any(|(x, y)| of(x) < of(y)) {
                return true;
            }
        }
        // On a tie: the user's own function, then a plain function, then the more special template.
        match (a.is_builtin, a.is_template).cmp(&(b.is_builtin, b.is_template)) {
            Ordering::Less => true,
            Ordering::Equal if a.is_template && !a.is_builtin => {
                is_more_special(&self.pattern(a.inst, args), &self.pattern(b.inst, args))
            }
            _ => false,
        }
    }

    /// Returns whether a method hides one with the same parameters: one that a using-declaration imports from a base,
    /// or an interface's method that it implements.
    fn hides(&self, own: &Candidate<'db>, inherited: &Candidate<'db>) -> bool {
        let types = |c: &Candidate<'db>| -> Vec<_> { self.signature(c.inst).params.iter().map(|p| p.ty).collect() };
        match (own.inst.owner(self.db), inherited.inst.owner(self.db)) {
            (Some(derived), Some(base)) if derived != base => {
                let is_interface =
                    |of: RecordInst<'db>| crate::types::interfaces::is_interface(self.db, of.record(self.db));
                let implements = is_interface(base) && !is_interface(derived);
                (implements || crate::types::record::base_depth(self.db, derived, base).is_some())
                    && types(own) == types(inherited)
            }
            _ => false,
        }
    }

    /// Returns the types of a template's parameters for this number of arguments, with its own parameters open.
    fn pattern(&self, inst: FnInst<'db>, args: usize) -> Vec<Term<'db>> {
        let (db, function) = (self.db, inst.function(self.db));
        let Some(node) = crate::db::items::fn_node(db, function) else { return Vec::new() };
        let env = crate::types::record::env_of(db, inst.owner(db));
        let open = env::template_params(db, function);
        let reader = Reader::new(db, function.item, &node.tree.ast, &env, inst.owner(db), open);
        let read = |param: &ast::Param| {
            let dims = param.declarator.as_ref().map_or(&[][..], |d| d.dims.as_slice());
            reader.declared(param.ty, dims)
        };
        node.function.params.iter().take(args).map(read).collect()
    }

    /// Returns the signature of the chosen function.
    pub(super) fn signature(&self, inst: FnInst<'db>) -> &'db Signature<'db> {
        env::signature(self.db, inst)
    }
}

/// Returns the only candidate with the lowest cost, if there is one.
fn cheapest<'c, 'db: 'c>(candidates: impl Iterator<Item = &'c Candidate<'db>> + Clone) -> Option<&'c Candidate<'db>> {
    let least = candidates.clone().map(|c| c.score).min()?;
    let mut cheap = candidates.filter(|c| c.score == least);
    cheap.next().filter(|_| cheap.next().is_none())
}

fn count(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}s"),
        1 => format!("one {what}"),
        n => format!("{n} {what}s"),
    }
}
