//! Calls of functions and methods of the program.

use super::Generator;
use super::tree::{Role, Tree, tree};
use super::types::{Function, Mode, Ty, Value};

impl Generator {
    /// Generates a call of a function without effects, or of a method.
    pub fn call(&mut self, ty: &Ty, depth: u32) -> Option<Value> {
        if self.random.one_in(3)
            && let Some(value) = self.method_call(ty, depth)
        {
            return Some(value);
        }
        let room = self.cost_left();
        let known: Vec<Function> =
            self.functions.iter().filter(|f| f.pure && f.result == *ty && f.cost <= room).cloned().collect();
        if known.is_empty() {
            return None;
        }
        let function = self.random.pick(&known);
        self.spend(function.cost);
        let mut inner = tree!(Role::Fixed; format!("{}(", function.name));
        let arguments = self.arguments(&function, depth, &[]);
        inner.add(arguments);
        inner.add(")");
        Some(self.made(ty, inner))
    }

    pub fn method_call(&mut self, ty: &Ty, depth: u32) -> Option<Value> {
        let room = self.cost_left();
        let mut known = Vec::new();
        for (n, s) in self.structs.iter().enumerate() {
            known.extend(s.methods.iter().filter(|m| m.result == *ty && m.cost <= room).map(|m| (n, m.clone())));
        }
        if known.is_empty() {
            return None;
        }
        let (of, method) = self.random.pick(&known);
        let object = self.path(&Ty::Struct(of), false)?;
        self.spend(method.cost);
        let mut inner = tree!(Role::Fixed; object.tree, format!(".{}(", method.name));
        let arguments = self.arguments(&method, depth, &[]);
        inner.add(arguments);
        inner.add(")");
        Some(self.made(ty, inner))
    }

    /// Generates arguments of a call. The call writes to none of the variables in `taken`, and to every variable
    /// through at most one parameter.
    pub fn arguments(&mut self, function: &Function, depth: u32, taken: &[usize]) -> Tree {
        let mut taken = taken.to_vec();
        let mut all = tree!(Role::Fixed;);
        for (n, param) in function.params.iter().enumerate() {
            // The rest has defaults.
            if param.defaulted && self.random.one_in(2) {
                break;
            }
            if n > 0 {
                all.add(", ");
            }
            if param.mode == Mode::In {
                let value = self.typed(&param.ty, depth.saturating_sub(1));
                all.add(value.tree);
                continue;
            }
            let found = self.path_of(&param.ty, true, Some(&taken));
            let (tree, var) = found.expect("statements ask for calls that can be made");
            taken.push(var);
            all.add(tree);
        }
        all
    }
}
