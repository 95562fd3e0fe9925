//! Values by field name: from JSON to the bytes that a layout prescribes. `record_json` has the reverse.

use std::fmt::Write as _;

use wgc_abi::layout::matrix_offset;
use wgc_abi::{LayoutScalar, LayoutType, StructLayout};

use super::error::{Checked, Fault};
use crate::numbers::{Number, Scalar};
use wgc_json::{Value, ValueKind};

/// One number of a laid-out value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Leaf {
    /// The number's path in the value: `pos[1]`; empty if the value is one number.
    pub path: String,
    /// Bytes from the start of the value.
    pub offset: usize,
    /// The lowest bit and the width of a bit-field; its neighbours have the same offset.
    pub bits: Option<(u32, u32)>,
    pub number: Number,
}

impl Leaf {
    /// Reads the number at its position in a value.
    pub fn load(&self, value: &[u8]) -> Number {
        let whole = self.number.scalar.load(value.get(self.offset..).unwrap_or_default());
        self.bits.map_or(whole, |(first, width)| whole.bits(first, width))
    }

    /// Writes the number at its position; the rest of a bit-field's integer stays.
    fn store(&self, value: &mut [u8]) {
        let Some(target) = value.get_mut(self.offset..) else { return };
        let Some((first, width)) = self.bits else { return self.number.store_at(target) };
        self.number.scalar.load(target).with_bits(first, width, self.number).store_at(target);
    }
}

/// Reads all numbers of `value`, in the order of the layout. Every field must be given, and no other.
pub(super) fn leaves(ty: &LayoutType, value: &Value) -> Checked<Vec<Leaf>> {
    let mut reader = Reader { path: String::new(), leaves: Vec::new() };
    reader.any(ty, value, 0)?;
    Ok(reader.leaves)
}

pub(super) fn struct_leaves(layout: &StructLayout, value: &Value) -> Checked<Vec<Leaf>> {
    let mut reader = Reader { path: String::new(), leaves: Vec::new() };
    reader.structure(layout, value, 0)?;
    Ok(reader.leaves)
}

/// Returns the numbers in memory; padding is zero.
pub(super) fn bytes_of(leaves: &[Leaf], size: usize) -> Vec<u8> {
    let mut bytes = vec![0; size];
    for leaf in leaves {
        leaf.store(&mut bytes);
    }
    bytes
}

struct Reader {
    path: String,
    leaves: Vec<Leaf>,
}

impl Reader {
    fn any(&mut self, ty: &LayoutType, value: &Value, offset: usize) -> Checked<()> {
        match ty {
            LayoutType::Scalar(scalar) => self.scalar(*scalar, value, offset),
            LayoutType::Vector { scalar, components } => {
                let items = self.items(ty, value, *components)?;
                let size = scalar.size() as usize;
                self.each(items, |reader, index, item| reader.scalar(*scalar, item, offset + index * size))
            }
            // A list of rows, in either memory order.
            &LayoutType::Matrix { scalar, rows, columns, row_major, stride } => {
                let items = self.items(ty, value, rows)?;
                let row_ty = LayoutType::Vector { scalar, components: columns };
                self.each(items, |reader, row, item| {
                    let items = reader.items(&row_ty, item, columns)?;
                    reader.each(items, |reader, column, item| {
                        let inside = matrix_offset(scalar, row_major, stride, row as u32, column as u32);
                        reader.scalar(scalar, item, offset + inside as usize)
                    })
                })
            }
            LayoutType::Array { element, count, stride } => {
                let items = self.items(ty, value, *count)?;
                self.each(items, |reader, index, item| reader.any(element, item, offset + index * *stride as usize))
            }
            LayoutType::Struct(layout) => self.structure(layout, value, offset),
            &LayoutType::Bits { scalar, first, width } => self.bits(scalar, (first, width), value, offset),
        }
    }

    fn bits(&mut self, scalar: LayoutScalar, bits: (u32, u32), value: &Value, offset: usize) -> Checked<()> {
        let number = Scalar::of(scalar).read(value)?;
        if number.bits(0, bits.1) != number {
            let message = format!("{number} does not fit into {}, {}", self.path, bits_of(scalar, bits.1));
            return Err(Fault::new(value.at, message));
        }
        self.leaves.push(Leaf { path: self.path.clone(), offset, bits: Some(bits), number });
        Ok(())
    }

    fn scalar(&mut self, scalar: LayoutScalar, value: &Value, offset: usize) -> Checked<()> {
        let number = Scalar::of(scalar).read(value)?;
        self.leaves.push(Leaf { path: self.path.clone(), offset, bits: None, number });
        Ok(())
    }

    fn items<'v>(&self, ty: &LayoutType, value: &'v Value, count: u32) -> Checked<&'v [Value]> {
        let wrong = |found: String| {
            let name = if self.path.is_empty() { String::new() } else { format!("{} is ", self.path) };
            Fault::new(value.at, format!("{name}{}, an array of {count} values, found {found}", describe(ty)))
        };
        match &value.kind {
            ValueKind::Array(items) if items.len() == count as usize => Ok(items),
            ValueKind::Array(items) => Err(wrong(format!("{} values", items.len()))),
            _ => Err(wrong(value.describe().to_owned())),
        }
    }

    fn each(&mut self, items: &[Value], mut read: impl FnMut(&mut Self, usize, &Value) -> Checked<()>) -> Checked<()> {
        let length = self.path.len();
        for (index, item) in items.iter().enumerate() {
            let _ = write!(self.path, "[{index}]");
            read(self, index, item)?;
            self.path.truncate(length);
        }
        Ok(())
    }

    fn structure(&mut self, layout: &StructLayout, value: &Value, offset: usize) -> Checked<()> {
        let name = if layout.name.is_empty() { "this structure" } else { &layout.name };
        let ValueKind::Object(members) = &value.kind else {
            let message = format!("expected an object with the fields of {name}, found {}", value.describe());
            return Err(Fault::new(value.at, message));
        };
        if let Some(unknown) = members.iter().find(|m| layout.field(&m.key).is_none()) {
            let known: Vec<&str> = layout.fields.iter().map(|f| f.name.as_str()).collect();
            let message = format!("{name} has no field {:?}; it has: {}", unknown.key, known.join(", "));
            return Err(Fault::new(unknown.key_at, message));
        }
        let length = self.path.len();
        let mut missing = Vec::new();
        for field in &layout.fields {
            let Some(member) = members.iter().find(|m| m.key == field.name) else {
                missing.push(format!("{} ({})", field.name, describe(&field.ty)));
                continue;
            };
            if length > 0 {
                self.path.push('.');
            }
            self.path.push_str(&field.name);
            self.any(&field.ty, &member.value, offset + field.offset as usize)?;
            self.path.truncate(length);
        }
        if missing.is_empty() {
            Ok(())
        } else {
            Err(Fault::new(value.at, format!("fields of {name} are missing: {}", missing.join(", "))))
        }
    }
}

/// Describes a type in HLSL terms, for messages.
pub(super) fn describe(ty: &LayoutType) -> String {
    match ty {
        LayoutType::Scalar(scalar) => scalar_name(*scalar).to_owned(),
        LayoutType::Vector { scalar, components } => format!("{}{components}", scalar_name(*scalar)),
        LayoutType::Matrix { scalar, rows, columns, .. } => format!("{}{rows}x{columns}", scalar_name(*scalar)),
        LayoutType::Array { element, count, .. } => format!("{}[{count}]", describe(element)),
        LayoutType::Struct(layout) if layout.name.is_empty() => "a structure".to_owned(),
        LayoutType::Struct(layout) => layout.name.clone(),
        LayoutType::Bits { scalar, width, .. } => bits_of(*scalar, *width),
    }
}

fn bits_of(scalar: LayoutScalar, width: u32) -> String {
    format!("{width} bit{} of {}", if width == 1 { "" } else { "s" }, scalar_name(scalar))
}

pub(super) fn scalar_name(scalar: LayoutScalar) -> &'static str {
    match scalar {
        LayoutScalar::Bool => "bool",
        LayoutScalar::I16 => "int16_t",
        LayoutScalar::U16 => "uint16_t",
        LayoutScalar::I32 => "int",
        LayoutScalar::U32 => "uint",
        LayoutScalar::I64 => "int64_t",
        LayoutScalar::U64 => "uint64_t",
        LayoutScalar::F16 => "float16_t",
        LayoutScalar::F32 => "float",
        LayoutScalar::F64 => "double",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record_json::to_json;
    use wgc_abi::FieldLayout;
    use wgc_json::parse;

    fn field(name: &str, offset: u32, ty: LayoutType) -> FieldLayout {
        FieldLayout { name: name.to_owned(), offset, ty }
    }

    /// Returns the layout of `struct Item { uint16_t id; bool on; float3 pos; struct { int2 a; } inner[2]; float2x2 m;
    /// double d; uint64_t k; }` with the offsets of scalar layout.
    fn item() -> StructLayout {
        // Columns in sequence.
        let scalar = LayoutScalar::F32;
        let matrix = LayoutType::Matrix { scalar, rows: 2, columns: 2, row_major: false, stride: 8 };
        let inner = StructLayout {
            name: "Inner".to_owned(),
            fields: vec![field("a", 0, LayoutType::Vector { scalar: LayoutScalar::I32, components: 2 })],
            size: 8,
            align: 4,
        };
        StructLayout {
            name: "Item".to_owned(),
            fields: vec![
                field("id", 0, LayoutType::Scalar(LayoutScalar::U16)),
                field("on", 4, LayoutType::Scalar(LayoutScalar::Bool)),
                field("pos", 8, LayoutType::Vector { scalar: LayoutScalar::F32, components: 3 }),
                field(
                    "inner",
                    20,
                    LayoutType::Array { element: Box::new(LayoutType::Struct(inner)), count: 2, stride: 8 },
                ),
                field("m", 36, matrix),
                field("d", 56, LayoutType::Scalar(LayoutScalar::F64)),
                field("k", 64, LayoutType::Scalar(LayoutScalar::U64)),
            ],
            size: 72,
            align: 8,
        }
    }

    const ITEM: &str = r#"{ "k": "0x0102030405060708", "id": 513, "on": true, "pos": [1, -2, 0.5],
        "inner": [{ "a": [-1, 2] }, { "a": [3, 4] }], "m": [[1, 2], [3, 4]], "d": "inf" }"#;

    #[test]
    fn bytes_by_field() {
        let leaves = struct_leaves(&item(), &parse(ITEM).unwrap()).unwrap();
        #[rustfmt::skip]
        let expected: [u8; 72] = [
            0x01, 0x02, 0, 0,
            1, 0, 0, 0,
            0, 0, 0x80, 0x3f, 0, 0, 0x00, 0xc0, 0, 0, 0x00, 0x3f,
            0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0,
            0, 0, 0x80, 0x3f, 0, 0, 0x40, 0x40, 0, 0, 0x00, 0x40, 0, 0, 0x80, 0x40,
            0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0xf0, 0x7f,
            8, 7, 6, 5, 4, 3, 2, 1,
        ];
        assert_eq!(bytes_of(&leaves, 72), expected);
        let paths: Vec<&str> = leaves.iter().map(|l| l.path.as_str()).collect();
        assert_eq!(paths[..5], ["id", "on", "pos[0]", "pos[1]", "pos[2]"]);
        assert_eq!(paths[8], "inner[1].a[1]");
        assert_eq!(
            to_json(&LayoutType::Struct(item()), &expected),
            r#"{ "id": 513, "on": true, "pos": [1.0, -2.0, 0.5], "inner": [{ "a": [-1, 2] }, { "a": [3, 4] }], "m": [[1.0, 2.0], [3.0, 4.0]], "d": "inf", "k": "72623859790382856" }"#
        );
    }

    /// Returns the layout of `struct Packed { uint a : 4; uint b : 12; int c : 5; int d : 6; bool e : 1; int64_t f :
    /// 63; }`
    fn packed() -> StructLayout {
        let bits = |scalar, first, width| LayoutType::Bits { scalar, first, width };
        let fields = vec![
            field("a", 0, bits(LayoutScalar::U32, 0, 4)),
            field("b", 0, bits(LayoutScalar::U32, 4, 12)),
            field("c", 4, bits(LayoutScalar::I32, 0, 5)),
            field("d", 4, bits(LayoutScalar::I32, 5, 6)),
            field("e", 8, bits(LayoutScalar::Bool, 3, 1)),
            field("f", 16, bits(LayoutScalar::I64, 1, 63)),
        ];
        StructLayout { name: "Packed".to_owned(), fields, size: 24, align: 8 }
    }

    #[test]
    fn bit_fields_share_integers() {
        let text = r#"{ "a": 5, "b": "0xabc", "c": -3, "d": -32, "e": true, "f": "-4611686018427387904" }"#;
        let leaves = struct_leaves(&packed(), &parse(text).unwrap()).unwrap();
        let bytes = bytes_of(&leaves, 24);
        let mut expected = [0; 24];
        expected[..2].copy_from_slice(&0xabc5u16.to_le_bytes());
        // 29 of 5 bits is -3, 32 of 6 bits is -32.
        expected[4..6].copy_from_slice(&(29u16 | 32 << 5).to_le_bytes());
        expected[8] = 1 << 3;
        expected[23] = 0x80;
        assert_eq!(bytes, expected);
        assert!(leaves.iter().all(|leaf| leaf.load(&bytes).bits == leaf.number.bits));
        assert_eq!(
            to_json(&LayoutType::Struct(packed()), &bytes),
            r#"{ "a": 5, "b": 2748, "c": -3, "d": -32, "e": true, "f": "-4611686018427387904" }"#
        );
        let fault = |from: &str, to: &str| {
            struct_leaves(&packed(), &parse(&text.replace(from, to)).unwrap()).unwrap_err().message
        };
        assert_eq!(fault("5", "16"), "16 does not fit into a, 4 bits of uint");
        assert_eq!(fault("-3", "16"), "16 does not fit into c, 5 bits of int");
        assert_eq!(fault("-32", "-33"), "-33 does not fit into d, 6 bits of int");
        assert_eq!(fault(r#", "e": true"#, ""), "fields of Packed are missing: e (1 bit of bool)");
    }

    #[test]
    fn run_file_errors_have_locations() {
        // The fault must be at `marker`.
        let fault = |text: &str, marker: &str| {
            let fault = struct_leaves(&item(), &parse(text).unwrap()).unwrap_err();
            assert_eq!(Some(fault.at), text.find(marker), "{}", fault.message);
            fault.message
        };
        assert_eq!(
            fault(&ITEM.replace("\"id\"", "\"ID\""), "\"ID\""),
            "Item has no field \"ID\"; it has: id, on, pos, inner, m, d, k"
        );
        assert_eq!(
            fault(r#" { "id": 1, "on": true, "pos": [1, 2, 3], "m": [[1, 2], [3, 4]], "d": 1 }"#, "{"),
            "fields of Item are missing: inner (Inner[2]), k (uint64_t)"
        );
        assert_eq!(
            fault(&ITEM.replace("-2, 0.5", "-2"), "[1, -2]"),
            "pos is float3, an array of 3 values, found 2 values"
        );
        assert_eq!(
            fault(&ITEM.replace("[1, 2]", "7"), "7, [3"),
            "m[0] is float2, an array of 2 values, found a number"
        );
        assert_eq!(fault("3", "3"), "expected an object with the fields of Item, found a number");
        assert_eq!(fault(&ITEM.replace("513", "65536"), "65536"), "65536 does not fit into u16");
    }
}
