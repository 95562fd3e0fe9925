// What programs say to tools. Devices that nobody watches go on as if it were not there.

// Formats as in C, and `%v3f` for vectors.
[[wgc::op("debug.print")]] [[wgc::variadic]] void printf(string format);
[[wgc::op("debug.break")]] void DebugBreak();

// Vulkan cannot end a dispatch. Where Direct3D cannot, the function does nothing; here it is reported at least.
void abort() { printf("abort()"); }
