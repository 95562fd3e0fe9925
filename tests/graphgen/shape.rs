//! Shapes of records: types, their leaves with names and offsets, and the mapping from a number to a leaf's value.
//!
//! Offsets follow the rules of records (natural alignment, structures aligned to their widest scalar), without the
//! compiler's help.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    Bool,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
}

pub const SCALARS: [Scalar; 10] = [
    Scalar::Bool,
    Scalar::I16,
    Scalar::U16,
    Scalar::I32,
    Scalar::U32,
    Scalar::I64,
    Scalar::U64,
    Scalar::F16,
    Scalar::F32,
    Scalar::F64,
];

/// The factor that spreads a number over 64 bits.
pub const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Scalar {
    pub fn bytes(self) -> u32 {
        match self {
            Scalar::I16 | Scalar::U16 | Scalar::F16 => 2,
            Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I16 => "int16_t",
            Scalar::U16 => "uint16_t",
            Scalar::I32 => "int",
            Scalar::U32 => "uint",
            Scalar::I64 => "int64_t",
            Scalar::U64 => "uint64_t",
            Scalar::F16 => "half",
            Scalar::F32 => "float",
            Scalar::F64 => "double",
        }
    }

    /// Returns the bits in memory for the text of [`Scalar::stored`]. Floats receive whole numbers that they represent
    /// exactly.
    pub fn store(self, x: u32) -> u64 {
        match self {
            Scalar::Bool => u64::from(x & 1),
            Scalar::I16 | Scalar::U16 => u64::from(x & 0xffff),
            Scalar::I32 | Scalar::U32 => u64::from(x),
            Scalar::I64 | Scalar::U64 => u64::from(x).wrapping_mul(SPREAD),
            Scalar::F16 => u64::from(half::f16::from_f32((x & 1023) as f32).to_bits()),
            Scalar::F32 => u64::from(((x & 0xff_ffff) as f32).to_bits()),
            Scalar::F64 => f64::from(x).to_bits(),
        }
    }

    pub fn stored(self, x: &str) -> String {
        match self {
            Scalar::Bool => format!("(({x}) & 1u) != 0"),
            Scalar::U32 => x.to_owned(),
            Scalar::U64 => format!("Spread({x})"),
            Scalar::I64 => format!("(int64_t)Spread({x})"),
            Scalar::F16 => format!("(half)(({x}) & 1023u)"),
            Scalar::F32 => format!("(float)(({x}) & 0xffffffu)"),
            other => format!("({})({x})", other.name()),
        }
    }

    /// Returns the number for the text of [`Scalar::loaded`], from the bits in memory.
    pub fn load(self, bits: u64) -> u32 {
        match self {
            Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::U16 => bits as u32,
            Scalar::I16 => i32::from(bits as u16 as i16) as u32,
            Scalar::I64 | Scalar::U64 => ((bits >> 32) as u32).wrapping_add(bits as u32),
            Scalar::F16 => half::f16::from_bits(bits as u16).to_f32() as u32,
            Scalar::F32 => f32::from_bits(bits as u32) as u32,
            Scalar::F64 => f64::from_bits(bits) as u32,
        }
    }

    pub fn loaded(self, place: &str) -> String {
        match self {
            Scalar::Bool => format!("({place} ? 1u : 0u)"),
            Scalar::U32 => place.to_owned(),
            Scalar::I64 | Scalar::U64 => format!("Folded((uint64_t){place})"),
            _ => format!("(uint){place}"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Scalar(Scalar),
    Vector(Scalar, u32),
    Matrix { scalar: Scalar, rows: u32, columns: u32, row_major: bool },
    Array(Box<Type>, u32),
    Struct(usize),
}

/// The form of an `SV_DispatchGrid` declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridForm {
    Scalar,
    Vector(u32),
    Array(u32),
}

#[derive(Clone, Debug)]
pub struct Member {
    pub name: String,
    pub ty: Type,
    pub grid: bool,
}

#[derive(Clone, Debug)]
pub struct Struct {
    pub name: String,
    pub base: Option<usize>,
    pub members: Vec<Member>,
    /// `NodeTrackRWInputSharing`
    pub tracked: bool,
    /// The largest grid that its records ask for.
    pub most: [u32; 3],
}

/// A scalar in a record.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The path after the record, with its dot.
    pub path: String,
    pub scalar: Scalar,
    pub offset: u32,
    /// The axis of the grid.
    pub grid: Option<usize>,
}

/// Scalars in a row that an index selects.
#[derive(Clone, Debug)]
pub struct Row {
    pub path: String,
    pub first: usize,
    pub count: u32,
}

/// The layout of a structure's members.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub leaves: Vec<Leaf>,
    pub rows: Vec<Row>,
    pub size: u32,
    pub align: u32,
}

impl Layout {
    pub fn of(structs: &[Struct], number: usize) -> Layout {
        let mut layout = Layout { align: 1, ..Layout::default() };
        layout.structure(structs, number, "", 0);
        let (size, align) = measure(structs, &Type::Struct(number));
        Layout { size, align, ..layout }
    }

    fn structure(&mut self, structs: &[Struct], number: usize, path: &str, at: u32) {
        let made = &structs[number];
        let mut end = at;
        if let Some(base) = made.base {
            self.structure(structs, base, path, at);
            end += measure(structs, &Type::Struct(base)).0;
        }
        for member in &made.members {
            let (size, align) = measure(structs, &member.ty);
            end = end.next_multiple_of(align);
            let before = self.leaves.len();
            self.part(structs, &member.ty, format!("{path}.{}", member.name), end);
            if member.grid {
                let axes = self.leaves[before..].iter_mut().enumerate();
                axes.for_each(|(axis, leaf)| leaf.grid = Some(axis));
            }
            end += size;
        }
    }

    fn part(&mut self, structs: &[Struct], ty: &Type, path: String, at: u32) {
        let leaf = |path: String, scalar: Scalar, offset: u32| Leaf { path, scalar, offset, grid: None };
        match ty {
            Type::Scalar(scalar) => self.leaves.push(leaf(path, *scalar, at)),
            Type::Vector(scalar, n) => {
                self.rows.push(Row { path: path.clone(), first: self.leaves.len(), count: *n });
                for i in 0..*n {
                    let component = ["x", "y", "z", "w"][i as usize];
                    self.leaves.push(leaf(format!("{path}.{component}"), *scalar, at + i * scalar.bytes()));
                }
            }
            Type::Matrix { scalar, rows, columns, row_major } => {
                for row in 0..*rows {
                    self.rows.push(Row { path: format!("{path}[{row}]"), first: self.leaves.len(), count: *columns });
                    for column in 0..*columns {
                        let place = if *row_major { row * columns + column } else { column * rows + row };
                        // Both notations of an element.
                        let element = match (row + column) % 2 {
                            0 => format!("{path}[{row}][{column}]"),
                            _ => format!("{path}._m{row}{column}"),
                        };
                        self.leaves.push(leaf(element, *scalar, at + place * scalar.bytes()));
                    }
                }
            }
            Type::Array(element, n) => {
                if let Type::Scalar(_) = **element {
                    self.rows.push(Row { path: path.clone(), first: self.leaves.len(), count: *n });
                }
                let stride = measure(structs, element).0;
                for i in 0..*n {
                    self.part(structs, element, format!("{path}[{i}]"), at + i * stride);
                }
            }
            Type::Struct(number) => self.structure(structs, *number, &path, at),
        }
    }
}

/// Returns size and alignment.
fn measure(structs: &[Struct], ty: &Type) -> (u32, u32) {
    match ty {
        Type::Scalar(s) => (s.bytes(), s.bytes()),
        Type::Vector(s, n) => (s.bytes() * n, s.bytes()),
        Type::Matrix { scalar, rows, columns, .. } => (scalar.bytes() * rows * columns, scalar.bytes()),
        Type::Array(element, n) => {
            let (size, align) = measure(structs, element);
            (size * n, align)
        }
        Type::Struct(number) => {
            let made = &structs[*number];
            let (mut end, mut widest) = made.base.map_or((0, 1), |base| measure(structs, &Type::Struct(base)));
            for member in &made.members {
                let (size, align) = measure(structs, &member.ty);
                end = end.next_multiple_of(align) + size;
                widest = widest.max(align);
            }
            (end.next_multiple_of(widest), widest)
        }
    }
}
