//! Rules of single operations beyond their declarations: flags of barriers, destinations of atomics.

use super::Checker;
use super::env;
use super::fold;
use super::hir::{Arg, Category, ExprId, ExprKind};
use super::ops::{BuiltinOp, memory, semantics};
use crate::db::ty::{FnInst, TyKind};
use crate::tables::builtin::{Builtin, Input, InputKind};
use crate::tables::codes::{Code, Severity};
use crate::types::globals::GlobalKind;
use wgc_frontend::ast::Span;
use wgc_ir::AllocScope;

impl<'db> Checker<'_, 'db> {
    /// Returns whether the call is well-formed; reports errors.
    pub(super) fn check_op(&mut self, op: BuiltinOp, object: Option<ExprId>, args: &[Arg], span: Span) -> bool {
        match op {
            BuiltinOp::Atomic(_) | BuiltinOp::CompareStore => self.check_atomic(args),
            BuiltinOp::ImageSample { .. }
            | BuiltinOp::ImageGather { .. }
            | BuiltinOp::ImageGatherRaw
            | BuiltinOp::ImageSamplePosition
            | BuiltinOp::ImageLoad => self.check_image(op, object, args, span),
            BuiltinOp::BarrierMemory => {
                if let Some(object) = args.first().map(|arg| arg.expr()).filter(|id| self.is_groupshared(*id)) {
                    return self.groupshared_object(object);
                }
                self.check_constant_flags(args);
                let (Some(memory), Some(semantics)) = (self.flag(args, 0), self.flag(args, 1)) else { return true };
                self.check_flags((memory, semantics), args, span)
            }
            BuiltinOp::Print => {
                let format = args.first().and_then(|a| super::text::literal(self.db, &self.body, a.expr()));
                match &format {
                    Some(format) => self.check_format(format, args, span),
                    None => {
                        let message =
                            "the format of `printf` must be a string literal, or a string variable declared with one";
                        self.error(Code::NotConstant, span, message.to_string());
                    }
                }
                format.is_some()
            }
            BuiltinOp::BarrierObject => {
                self.check_constant_flags(args.get(1..).unwrap_or_default());
                let semantics = self.flag(args, 1).unwrap_or_default();
                self.check_object(args, semantics, span)
            }
            BuiltinOp::InputFinished => object.is_none_or(|input| self.check_tracked(input, span)),
            // The result of a function may be completed like a variable.
            BuiltinOp::RecordsComplete => object
                .is_none_or(|o| self.category(o) == Category::Value || self.must_be_place(o, "the completed object")),
            _ => true,
        }
    }

    /// Returns whether a value is read from a groupshared variable.
    fn is_groupshared(&self, mut id: ExprId) -> bool {
        loop {
            id = match self.body.expr(id).kind {
                ExprKind::Global(var, owner) => {
                    let global = crate::types::globals::global(self.db, var, owner);
                    return global.is_some_and(|global| matches!(global.kind, GlobalKind::Groupshared));
                }
                ExprKind::Convert(inner)
                | ExprKind::Field { base: inner, .. }
                | ExprKind::Index { base: inner, .. }
                | ExprKind::Swizzle { base: inner, .. } => inner,
                _ => return false,
            };
        }
    }

    /// Reports `Barrier(shared, ..)`: the variable's value would be interpreted as flags.
    fn groupshared_object(&mut self, object: ExprId) -> bool {
        let span = self.span(object);
        let message = "a barrier orders all groupshared memory, not a single variable".to_string();
        let wrong = self.diagnostic(Code::BarrierFlags, span, message);
        let place = self.place(span);
        self.report(wrong.fix(place, "GROUP_SHARED_MEMORY", "write `GROUP_SHARED_MEMORY`"));
        false
    }

    /// Checks that the input's record has room for the counter of finished groups.
    fn check_tracked(&mut self, input: ExprId, span: Span) -> bool {
        let TyKind::Record(object) = self.ty(input).kind(self.db) else { return true };
        let Some(ty) = env::argument_ty(self.db, *object) else { return true };
        let TyKind::Record(inst) = ty.kind(self.db) else { return true };
        let record = crate::types::record::record(self.db, *inst);
        if record.track_sharing || !record.complete {
            return true;
        }
        let shown = self.show(ty);
        let message = format!("`{shown}` does not track which groups have finished with it");
        let diagnostic = self
            .diagnostic(Code::UntrackedSharing, span, message)
            .also(record.place, "declared here")
            .insert(record.place, "[NodeTrackRWInputSharing] ", "write `[NodeTrackRWInputSharing]` before its name");
        self.report(diagnostic);
        false
    }

    fn flag(&self, args: &[Arg], n: usize) -> Option<u32> {
        let id = args.get(n)?.expr();
        match fold::number(fold::eval(self.db, &self.body, id)?) {
            fold::Number::Int(i) => u32::try_from(i).ok(),
            fold::Number::Float(_) => None,
        }
    }

    /// Warns about flags that are certainly unknown until the shader runs. Variables and parameters may become
    /// constants before the call is compiled.
    fn check_constant_flags(&mut self, flags: &[Arg]) {
        let found = flags.iter().map(|arg| arg.expr()).find(|flag| self.is_known_late(*flag));
        if let Some(flag) = found {
            let message = "the flags of a barrier must be constant".to_string();
            let diagnostic = self.diagnostic(Code::OpenBarrierFlags, self.span(flag), message);
            self.report(diagnostic.note("write constant flags, or choose between barriers with an `if`"));
        }
    }

    /// Returns whether a value depends on data from the host or other threads: memory, records, inputs of an entry
    /// point.
    fn is_known_late(&self, id: ExprId) -> bool {
        match &self.body.expr(id).kind {
            ExprKind::Op { object: Some(_), .. } | ExprKind::Contents(_) => true,
            ExprKind::Op { args, .. } => args.iter().any(|arg| self.is_known_late(arg.expr())),
            ExprKind::Global(var, owner) => {
                let global = crate::types::globals::global(self.db, *var, *owner);
                let is_given = |kind: &GlobalKind| {
                    use GlobalKind::{CBufferMember, Groupshared, Loose, PushConstant, SystemValue};
                    matches!(kind, Groupshared | CBufferMember(_) | Loose | PushConstant | SystemValue(_))
                };
                global.is_some_and(|global| is_given(&global.kind))
            }
            ExprKind::Local(local) => {
                let is_entry = |f: &FnInst<'db>| crate::contracts::node::stage(self.db, f.function(self.db)).is_some();
                let params =
                    self.function.filter(is_entry).map(|f| &crate::types::signature::fn_signature(self.db, f).params);
                params.is_some_and(|params| (local.0 as usize) < params.len())
            }
            ExprKind::Convert(inner)
            | ExprKind::Shape(inner)
            | ExprKind::Splat(inner)
            | ExprKind::Once(inner)
            | ExprKind::Unary { operand: inner, .. }
            | ExprKind::Field { base: inner, .. }
            | ExprKind::Bits { base: inner, .. }
            | ExprKind::Swizzle { base: inner, .. }
            | ExprKind::Elements { base: inner, .. } => self.is_known_late(*inner),
            ExprKind::Index { base, index } => self.is_known_late(*base) || self.is_known_late(*index),
            ExprKind::Binary { lhs, rhs, .. } | ExprKind::Logical { lhs, rhs, .. } => {
                self.is_known_late(*lhs) || self.is_known_late(*rhs)
            }
            ExprKind::Cond { cond, then, otherwise } | ExprKind::Select { cond, then, otherwise } => {
                [*cond, *then, *otherwise].into_iter().any(|part| self.is_known_late(part))
            }
            _ => false,
        }
    }

    /// SPEC 4370, "Barrier": checks flags against each other. Restrictions of a kind of shader are reported if one
    /// reaches the barrier ([`crate::flow::call_context`]).
    fn check_flags(&mut self, (mem, sem): (u32, u32), args: &[Arg], span: Span) -> bool {
        let device_memory = memory::UAV | memory::NODE_INPUT;
        if self.has_undefined_bits(args.first(), "memory", mem, memory::ALL)
            || self.has_undefined_bits(args.get(1), "semantic", sem, semantics::ALL)
        {
            return false;
        }
        let wrong = if sem & semantics::GROUP_SCOPE != 0 && mem == 0 {
            Some((Code::BarrierScope, "GROUP_SCOPE needs a memory flag".to_string()))
        } else if sem & semantics::DEVICE_SCOPE != 0 && mem & device_memory == 0 {
            let message = "DEVICE_SCOPE needs memory that the device sees: UAV_MEMORY or NODE_INPUT_MEMORY";
            if mem & memory::NODE_OUTPUT != 0 && self.is_part_of_library() {
                // DXC accepts this.
                let diagnostic = self.diagnostic(Code::BarrierScope, span, message.to_string());
                self.report(diagnostic.severity(Severity::Warning));
                return true;
            }
            Some((Code::BarrierScope, message.to_string()))
        } else {
            None
        };
        match wrong {
            Some((code, message)) => {
                self.error(code, span, message);
                false
            }
            None => true,
        }
    }

    /// Reports flags that do not exist, at their argument. Returns whether there are any.
    fn has_undefined_bits(&mut self, arg: Option<&Arg>, kind: &str, flags: u32, all: u32) -> bool {
        let Some(arg) = arg.filter(|_| flags & !all != 0) else { return false };
        self.error(Code::BarrierFlags, self.span(arg.expr()), format!("{kind} flags {flags:#x} have undefined bits"));
        true
    }

    /// Returns whether the program is a library without an entry point. There DXC's behaviour counts, which omits some
    /// rules of the specification.
    fn is_part_of_library(&self) -> bool {
        let options = self.item.program(self.db).options(self.db);
        options.library && options.compute_entry.is_none()
    }

    fn check_object(&mut self, args: &[Arg], sem: u32, span: Span) -> bool {
        let Some(object) = args.first().map(|a| a.expr()) else { return false };
        let ty = self.ty(object);
        let scopes = sem & (semantics::GROUP_SCOPE | semantics::DEVICE_SCOPE);
        if let Some(Builtin::Input(Input { read_write: false, .. })) = self.builtin(ty) {
            let message = format!("`{}` is read-only, so a barrier does not order it", self.show(ty));
            let wrong = self.diagnostic(Code::BarrierFlags, self.span(object), message);
            let wrong = wrong.note("barriers order only inputs whose type begins with `RW`");
            // DXC accepts this.
            if !self.is_part_of_library() {
                self.report(wrong);
                return false;
            }
            self.report(wrong.severity(Severity::Warning));
        }
        let (thread, group) = match self.builtin(ty) {
            Some(
                Builtin::Input(Input { kind: InputKind::Thread, .. }) | Builtin::OutputRecords(AllocScope::Thread),
            ) => (true, false),
            Some(Builtin::Input(Input { kind: InputKind::Group, .. }) | Builtin::OutputRecords(AllocScope::Group)) => {
                (false, true)
            }
            Some(Builtin::Input(Input { kind: InputKind::Dispatch, .. })) => (false, false),
            Some(
                Builtin::StructuredBuffer { writable: true }
                | Builtin::CountedBuffer
                | Builtin::ByteAddressBuffer { writable: true }
                | Builtin::TypedBuffer { writable: true }
                | Builtin::Texture { writable: true, .. },
            ) => (false, false),
            _ => {
                let message = format!("a barrier cannot order `{}`", self.show(ty));
                self.error(Code::BarrierFlags, self.span(object), message);
                return false;
            }
        };
        if self.has_undefined_bits(args.get(1), "semantic", sem, semantics::ALL) {
            return false;
        }
        let wrong = if thread && scopes != 0 {
            Some((
                Code::BarrierScope,
                format!("`{}` belongs to one thread, so other threads do not see it", self.show(ty)),
            ))
        } else if group && sem & semantics::DEVICE_SCOPE != 0 {
            let message = format!("`{}` belongs to one group: DEVICE_SCOPE does not apply", self.show(ty));
            Some((Code::BarrierScope, message))
        } else {
            None
        };
        match wrong {
            Some((code, message)) => {
                self.error(code, span, message);
                false
            }
            None => true,
        }
    }

    /// Checks that the destination is memory visible to other threads, and one integer.
    fn check_atomic(&mut self, args: &[Arg]) -> bool {
        let Some(place) = args.first().map(|a| a.expr()) else { return false };
        let span = self.span(place);
        let is_scalar = self.num(self.ty(place)).is_some_and(|n| n.shape == crate::types::numeric::Shape::SCALAR);
        if !is_scalar {
            let message = format!("an atomic needs a scalar, not `{}`", self.show(self.ty(place)));
            self.error(Code::AtomicPlace, span, message);
            return false;
        }
        let mut root = place;
        // For texels of one component, `.x` is the whole texel.
        if let ExprKind::Swizzle { base, .. } = self.body.expr(place).kind
            && self.num(self.ty(base)).is_some_and(|n| n.components() == 1)
            && matches!(self.body.expr(base).kind, ExprKind::Op { op, .. } if op.is_texel())
        {
            return true;
        }
        loop {
            root = match self.body.expr(root).kind.clone() {
                ExprKind::Field { base, .. } | ExprKind::Index { base, .. } | ExprKind::Base(base) => base,
                ExprKind::Swizzle { base, components } if components.len() == 1 => base,
                ExprKind::Elements { base, elements } if elements.len() == 1 => base,
                ExprKind::Op { op, .. } if op.is_texel() && root != place => {
                    let message = "the destination of an atomic is a component of a texel".to_string();
                    let diagnostic = self.diagnostic(Code::AtomicPlace, span, message);
                    self.report(diagnostic.note("use texels of one component: `RWTexture2D<uint>`"));
                    return false;
                }
                ExprKind::Op { .. } => return true,
                ExprKind::Global(var, owner) if super::env::is_shared(self.db, var, owner) => return true,
                ExprKind::Local(local) if self.body.local(local).is_shared => return true,
                // The lowering of each call knows the memory of a method's object.
                ExprKind::This => return true,
                _ => break,
            };
        }
        if self.is_mesh_output(root) {
            let message = "the destination of an atomic is a mesh output, which is write-only".to_string();
            self.error(Code::AtomicPlace, span, message);
            return false;
        }
        let message = "the destination of an atomic is memory that only this thread sees".to_string();
        let diagnostic = self.diagnostic(Code::AtomicPlace, span, message);
        self.report(diagnostic.note("atomics work on groupshared variables, buffer elements, texels and records"));
        false
    }

    /// Returns whether an expression is a parameter of a node that is an output array of a mesh.
    fn is_mesh_output(&self, id: ExprId) -> bool {
        let ExprKind::Local(local) = self.body.expr(id).kind else { return false };
        let is_node = |f: &FnInst<'db>| crate::contracts::node::stage(self.db, f.function(self.db)) == Some("node");
        let Some(function) = self.function.filter(is_node) else { return false };
        let params = &crate::types::signature::fn_signature(self.db, function).params;
        params.get(local.0 as usize).is_some_and(|param| crate::types::mesh_outputs::array_of(param).is_some())
    }
}
