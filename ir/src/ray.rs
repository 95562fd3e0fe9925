//! Ray queries: a search for the hits of a ray within one thread.
//!
//! A query is not a value, but the contents of a place of type `RayQuery`. It is never loaded or stored: commands and
//! questions name the place. It visits *candidates* one after the other and keeps the closest hit, the *committed* one.

use crate::matrix::MatrixType;
use crate::types::{Scalar, Type};

/// An operation that changes a query and returns nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RayCommand {
    /// Starts over with these operands: acceleration structure, flags and mask (u32), origin (f32x3), least t (f32),
    /// direction (f32x3), greatest t (f32).
    Trace,
    /// Ends the search; the committed hit stays.
    Abort,
    /// Commits the candidate, a triangle, as the closest hit.
    CommitTriangle,
    /// Commits the candidate, a procedural primitive, with a hit at this t (f32).
    CommitProcedural,
}

/// One of a query's two hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RayHit {
    Candidate,
    Committed,
}

/// A question about a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RayQuestion {
    /// Advances to the next candidate that the shader has to decide on, and returns whether there is one. Changes the
    /// query.
    Proceed,
    Flags,
    TMin,
    WorldOrigin,
    WorldDirection,
    /// Returns whether the candidate, a procedural primitive, is opaque.
    ProceduralOpaque,
    Of(RayHit, HitPart),
}

/// A part of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HitPart {
    /// For a candidate: 0 for a triangle, 1 for a procedural primitive. For the committed hit: 0 for none, 1 for a
    /// triangle, 2 for a procedural primitive.
    Kind,
    T,
    /// Index of the instance among all instances.
    InstanceIndex,
    /// The number that the host gave the instance.
    InstanceId,
    /// The instance's contribution to the index of the hit group.
    HitGroup,
    GeometryIndex,
    PrimitiveIndex,
    /// Weights of the second and third corner.
    Barycentrics,
    FrontFace,
    ObjectOrigin,
    ObjectDirection,
    /// Four rows: the images of the axes, and the translation.
    ObjectToWorld,
    WorldToObject,
}

impl RayCommand {
    /// Returns the types of the operands after the query.
    pub fn operands(self) -> Vec<Type> {
        let float3 = Type::Vector(Scalar::F32, 3);
        match self {
            RayCommand::Trace => {
                vec![Type::AccelerationStructure, Type::U32, Type::U32, float3.clone(), Type::F32, float3, Type::F32]
            }
            RayCommand::Abort | RayCommand::CommitTriangle => Vec::new(),
            RayCommand::CommitProcedural => vec![Type::F32],
        }
    }
}

impl RayQuestion {
    /// Returns the type of the answer.
    pub fn result(self) -> Type {
        use HitPart as P;
        let float3 = || Type::Vector(Scalar::F32, 3);
        match self {
            RayQuestion::Proceed | RayQuestion::ProceduralOpaque | RayQuestion::Of(_, P::FrontFace) => Type::BOOL,
            RayQuestion::Flags => Type::U32,
            RayQuestion::TMin | RayQuestion::Of(_, P::T) => Type::F32,
            RayQuestion::WorldOrigin | RayQuestion::WorldDirection => float3(),
            RayQuestion::Of(_, P::ObjectOrigin | P::ObjectDirection) => float3(),
            RayQuestion::Of(_, P::Barycentrics) => Type::Vector(Scalar::F32, 2),
            RayQuestion::Of(_, P::ObjectToWorld | P::WorldToObject) => {
                Type::Matrix(MatrixType::tight(Scalar::F32, 4, 3, true).as_value())
            }
            RayQuestion::Of(
                _,
                P::Kind | P::InstanceIndex | P::InstanceId | P::HitGroup | P::GeometryIndex | P::PrimitiveIndex,
            ) => Type::U32,
        }
    }

    /// Returns whether the question changes the query.
    pub fn has_effect(self) -> bool {
        self == RayQuestion::Proceed
    }
}
