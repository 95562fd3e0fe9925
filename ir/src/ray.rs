//! Ray queries: a search for the hits of a ray inside one thread.
//!
//! A query is no value but the contents of a place of type `RayQuery`, which is never loaded or stored: commands and
//! questions name the place. It meets *candidates* one after the other and keeps one *committed* hit, the closest.

use crate::matrix::MatrixType;
use crate::types::{Scalar, Type};

/// What changes a query and gives nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RayCommand {
    /// Starts over: acceleration structure, flags and mask (u32), origin (f32x3), least t (f32), direction (f32x3),
    /// greatest t (f32).
    Trace,
    /// The search is over; what is committed stays.
    Abort,
    /// The candidate, a triangle, is the closest hit.
    CommitTriangle,
    /// The candidate, a procedural primitive, is hit at this t (f32).
    CommitProcedural,
}

/// Which of a query's two hits is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RayHit {
    Candidate,
    Committed,
}

/// What a query is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RayQuestion {
    /// Goes on to the next candidate that the shader has to decide on; whether there is one. Changes the query.
    Proceed,
    Flags,
    TMin,
    WorldOrigin,
    WorldDirection,
    /// Whether the candidate, a procedural primitive, is opaque.
    ProceduralOpaque,
    Of(RayHit, HitPart),
}

/// A part of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HitPart {
    /// Of a candidate: 0 for a triangle, 1 for a procedural primitive. Of the committed hit: 0 for none, 1 for a
    /// triangle, 2 for a procedural primitive.
    Kind,
    T,
    /// Position of the instance among all.
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
    /// Four rows: what the axes become, and the translation.
    ObjectToWorld,
    WorldToObject,
}

impl RayCommand {
    /// The types of what follows the query.
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
    /// The type of the answer.
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

    /// Asking changes the query.
    pub fn has_effect(self) -> bool {
        self == RayQuestion::Proceed
    }
}
