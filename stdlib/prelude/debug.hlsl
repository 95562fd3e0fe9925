// Output of programs for tools. Devices without a tool ignore it.

// Formats are those of C, and `%v3f` for vectors.
[[wgc::op("debug.print")]] [[wgc::variadic]] void printf(string format);
[[wgc::op("debug.break")]] void DebugBreak();

// Vulkan cannot end a dispatch. In Direct3D, the function does nothing where it is not supported; here it is reported.
void abort() { printf("abort()"); }
