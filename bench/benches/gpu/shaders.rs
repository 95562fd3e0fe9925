//! The shaders, by their names in includes.

macro_rules! shaders {
    ($($name:literal)*) => { &[$(($name, include_str!(concat!("shaders/", $name)))),*] };
}

pub const ALL: &[(&str, &str)] = shaders![
    "chain.hlsl" "chain_compute.hlsl"
    "classify.hlsl" "classify.hlsli" "classify_sorted.hlsl" "classify_waterfall.hlsl"
    "fan.hlsl" "fan_compute.hlsl"
    "hot.hlsl" "hot.hlsli" "hot_compute.hlsl"
    "limits.hlsl"
    "outlier.hlsl" "outlier.hlsli" "outlier_compute.hlsl"
    "quadtree.hlsl" "quadtree.hlsli" "quadtree_compute.hlsl"
    "queens.hlsl" "queens.hlsli" "queens_compute.hlsl"
    "raster.hlsl" "raster.hlsli" "raster_compute.hlsl"
    "spmv.hlsl" "spmv.hlsli" "spmv_compute.hlsl"
    "spread.hlsl" "spread.hlsli" "spread_compute.hlsl"
    "steps.hlsl"
    "warm.hlsl"
];
