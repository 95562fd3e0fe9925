// Shared by the host and the shaders.
#ifndef PATHTRACE_SHARED_H
#define PATHTRACE_SHARED_H

#define WIDTH   96
#define HEIGHT  64
#define SAMPLES 4
#define MAX_SPHERES 8

#define MATERIAL_LAMBERT 0
#define MATERIAL_MIRROR  1
#define MATERIAL_GLASS   2
#define MATERIAL_LIGHT   3
#define MATERIAL_KINDS   4

#endif
