//! Ray queries, lane by lane. The memory of a query's variable holds its number among the workgroup's queries plus one.
//! Zero, the initial value of memory, is a query that has not been started.

use super::ops::Active;
use super::{Bound, Result, Run};
use crate::cpu::findings::FindingCode;
use crate::cpu::memory::{read_number, write_number};
use crate::cpu::program::{RayAsk, RayIns, RayOp, Row};
use crate::cpu::trace::{Hit, Query, Ray, Scene, to_object};

const BYTES: u32 = 8;

impl Run<'_, '_> {
    pub(super) fn ray(&mut self, active: &Active, word: u32, ins: &RayIns) -> Result<()> {
        for lane in active.mask.lanes() {
            let address = self.rows.get(ins.query, lane);
            let Some(number) = self.world.memory.slice(address, BYTES as usize).map(|b| read_number(b, BYTES as u8))
            else {
                self.bad_access(word, lane, address, BYTES, "a ray query")?;
                continue;
            };
            let known = (number as usize).checked_sub(1).filter(|n| *n < self.queries.len());
            match ins.op {
                RayOp::Trace { scene, flags, mask, origin, least, direction, greatest } => {
                    let Bound::Scene(scene) = self.resource(scene, lane) else {
                        self.report(FindingCode::UnboundResource, word, Some(lane), || {
                            "an acceleration structure that is not bound".into()
                        })?;
                        continue;
                    };
                    let ray = Ray {
                        origin: self.float3(origin, lane),
                        direction: self.float3(direction, lane),
                        least: self.float_of(least, lane),
                        greatest: self.float_of(greatest, lane),
                    };
                    let (flags, mask) = (self.rows.get(flags, lane) as u32, self.rows.get(mask, lane) as u32);
                    let query = Query::new(scene, flags, mask, ray);
                    match known.and_then(|n| self.queries.get_mut(n)) {
                        Some(slot) => *slot = query,
                        None => {
                            self.queries.push(query);
                            let number = self.queries.len() as u64;
                            if let Some(to) = self.world.memory.slice_mut(address, BYTES as usize) {
                                write_number(to, BYTES as u8, number);
                            }
                        }
                    }
                }
                RayOp::Abort => self.query_mut(known).abort(),
                RayOp::CommitTriangle => self.query_mut(known).commit_triangle(),
                RayOp::CommitProcedural { t } => {
                    let t = self.float_of(t, lane);
                    self.query_mut(known).commit_procedural(t);
                }
                RayOp::Ask { ask, committed, dst } => self.answer(known, ask, committed, dst, lane),
            }
        }
        Ok(())
    }

    /// Returns a query to change. Changes to a query that was not started have no effect.
    fn query_mut(&mut self, known: Option<usize>) -> &mut Query {
        match known.and_then(|n| self.queries.get_mut(n)) {
            Some(query) => query,
            None => &mut self.unstarted,
        }
    }

    fn answer(&mut self, known: Option<usize>, ask: RayAsk, committed: bool, dst: Row, lane: usize) {
        let scenes = self.world.scenes;
        let nothing = Scene::default();
        let query = self.query_mut(known);
        let scene = query.scene.and_then(|n| scenes.get(n as usize)).unwrap_or(&nothing);
        let hit = if committed { query.committed.unwrap_or_default() } else { query.candidate };
        let word = |x: u32| vec![u64::from(x)];
        let floats = |list: &[f32]| list.iter().map(|x| u64::from(x.to_bits())).collect::<Vec<_>>();
        let answer = match ask {
            RayAsk::Proceed => word(u32::from(query.proceed(scene))),
            RayAsk::Flags => word(query.flags),
            RayAsk::TMin => floats(&[query.ray.least]),
            RayAsk::WorldOrigin => floats(&query.ray.origin),
            RayAsk::WorldDirection => floats(&query.ray.direction),
            RayAsk::ProceduralOpaque => word(u32::from(query.candidate.opaque)),
            RayAsk::Kind if committed => word(query.committed.map_or(0, |hit| if hit.procedural { 2 } else { 1 })),
            RayAsk::Kind => word(u32::from(hit.procedural)),
            RayAsk::T if committed => floats(&[query.committed.map_or(query.ray.greatest, |hit| hit.t)]),
            RayAsk::T => floats(&[hit.t]),
            RayAsk::InstanceIndex => word(hit.instance),
            RayAsk::InstanceId => word(scene.instance(hit.instance).map_or(0, |i| i.id)),
            RayAsk::HitGroup => word(scene.instance(hit.instance).map_or(0, |i| i.hit_group)),
            RayAsk::Geometry => word(hit.geometry),
            RayAsk::Primitive => word(hit.primitive),
            RayAsk::Barycentrics => floats(&hit.barycentrics),
            RayAsk::FrontFace => word(u32::from(hit.front)),
            RayAsk::ObjectOrigin | RayAsk::ObjectDirection => {
                let (origin, direction) = to_object(&query.ray, &scene.world_to_object(hit.instance));
                let wanted = if ask == RayAsk::ObjectOrigin { origin } else { direction };
                floats(&wanted.map(|x| x as f32))
            }
            RayAsk::ObjectToWorld => floats(&columns(object_to_world(scene, &hit))),
            RayAsk::WorldToObject => floats(&columns(scene.world_to_object(hit.instance).map(|x| x as f32))),
        };
        for (row, bits) in (dst..).zip(answer) {
            self.rows.set(row, lane, bits);
        }
    }

    fn float_of(&self, row: Row, lane: usize) -> f32 {
        f32::from_bits(self.rows.get(row, lane) as u32)
    }

    fn float3(&self, row: Row, lane: usize) -> [f32; 3] {
        [row, row + 1, row + 2].map(|row| self.float_of(row, lane))
    }
}

fn object_to_world(scene: &Scene, hit: &Hit) -> [f32; 12] {
    scene.instance(hit.instance).map_or([0.0; 12], |i| i.transform)
}

/// Returns three rows of four, column by column.
fn columns(rows: [f32; 12]) -> [f32; 12] {
    let mut out = [0.0; 12];
    for (n, slot) in out.iter_mut().enumerate() {
        *slot = rows[n % 3 * 4 + n / 3];
    }
    out
}
