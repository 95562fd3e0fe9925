//! Short descriptions of built-in functions, methods and types, which editors show.

/// The key is `Type.method`, the name of a function or type, or an attribute or semantic in brackets. Keys are sorted
/// as bytes for binary search.
const DOCS: &[(&str, &str)] = &[
    ("Abort", "Ends the traversal. `Proceed` then returns false."),
    ("AddUint64", "Adds 64-bit integers in pairs of `uint`s, low half first."),
    ("AllMemoryBarrier", "Waits until the thread's accesses to all memory are visible to other threads."),
    (
        "AllMemoryBarrierWithGroupSync",
        "Waits until all threads of the group reach the call, and until their accesses to all memory are visible.",
    ),
    ("Append", "Appends an element."),
    (
        "AppendStructuredBuffer",
        "A structured buffer to which threads append elements. Its counter is the number of elements.",
    ),
    (
        "Barrier",
        "Orders accesses to the given memory, resource or records. With `GROUP_SYNC`, it also waits for all threads of the group.",
    ),
    ("Buffer", "A read-only typed buffer."),
    ("BufferPointer", "A pointer to a `T` at a 64-bit address. In memory, it is that address."),
    ("BufferPointer.Get", "The object that the pointer refers to."),
    ("ByteAddressBuffer", "A read-only buffer of raw bytes. Offsets are multiples of 4, or of 2 for 16-bit types."),
    ("CalculateLevelOfDetail", "The level of detail that `Sample` would use for these coordinates."),
    (
        "CalculateLevelOfDetailUnclamped",
        "The level of detail for these coordinates, not clamped to the levels of the texture.",
    ),
    ("CandidateGeometryIndex", "The index of the candidate's geometry in its acceleration structure."),
    ("CandidateInstanceContributionToHitGroupIndex", "The candidate instance's contribution to the hit group index."),
    ("CandidateInstanceID", "The ID that the application gave to the candidate's instance."),
    ("CandidateInstanceIndex", "The index of the candidate's instance in the acceleration structure."),
    ("CandidateObjectRayDirection", "The direction of the ray in the candidate's object space."),
    ("CandidateObjectRayOrigin", "The origin of the ray in the candidate's object space."),
    ("CandidateObjectToWorld3x4", "The transform from the candidate's object space to world space, with three rows."),
    ("CandidateObjectToWorld4x3", "The transform from the candidate's object space to world space, with four rows."),
    ("CandidatePrimitiveIndex", "The index of the candidate's primitive in its geometry."),
    ("CandidateProceduralPrimitiveNonOpaque", "Returns true if the candidate's procedural primitive is not opaque."),
    ("CandidateTriangleBarycentrics", "The barycentric coordinates of the hit in the candidate triangle."),
    ("CandidateTriangleFrontFace", "Returns true if the ray hits the front of the candidate triangle."),
    ("CandidateTriangleRayT", "The distance of the candidate triangle's hit along the ray."),
    ("CandidateType", "The kind of candidate: `CANDIDATE_NON_OPAQUE_TRIANGLE` or `CANDIDATE_PROCEDURAL_PRIMITIVE`."),
    ("CandidateWorldToObject3x4", "The transform from world space to the candidate's object space, with three rows."),
    ("CandidateWorldToObject4x3", "The transform from world space to the candidate's object space, with four rows."),
    ("CheckAccessFullyMapped", "Returns true if the status of a load reports that all of its memory is resident."),
    ("CommitNonOpaqueTriangleHit", "Accepts the candidate triangle as the closest hit so far."),
    (
        "CommitProceduralPrimitiveHit",
        "Accepts a hit of the candidate's procedural primitive at this distance along the ray.",
    ),
    ("CommittedGeometryIndex", "The index of the committed hit's geometry in its acceleration structure."),
    ("CommittedInstanceContributionToHitGroupIndex", "The committed instance's contribution to the hit group index."),
    ("CommittedInstanceID", "The ID that the application gave to the committed hit's instance."),
    ("CommittedInstanceIndex", "The index of the committed hit's instance in the acceleration structure."),
    ("CommittedObjectRayDirection", "The direction of the ray in the object space of the committed hit."),
    ("CommittedObjectRayOrigin", "The origin of the ray in the object space of the committed hit."),
    (
        "CommittedObjectToWorld3x4",
        "The transform from the committed hit's object space to world space, with three rows.",
    ),
    (
        "CommittedObjectToWorld4x3",
        "The transform from the committed hit's object space to world space, with four rows.",
    ),
    ("CommittedPrimitiveIndex", "The index of the committed hit's primitive in its geometry."),
    ("CommittedRayT", "The distance of the committed hit along the ray."),
    (
        "CommittedStatus",
        "The kind of committed hit: `COMMITTED_NOTHING`, `COMMITTED_TRIANGLE_HIT` or `COMMITTED_PROCEDURAL_PRIMITIVE_HIT`.",
    ),
    ("CommittedTriangleBarycentrics", "The barycentric coordinates of the committed hit in its triangle."),
    ("CommittedTriangleFrontFace", "Returns true if the ray hits the front of the committed triangle."),
    (
        "CommittedWorldToObject3x4",
        "The transform from world space to the committed hit's object space, with three rows.",
    ),
    (
        "CommittedWorldToObject4x3",
        "The transform from world space to the committed hit's object space, with four rows.",
    ),
    ("ConstantBuffer", "A read-only buffer that contains one structure."),
    ("Consume", "Removes the last element and returns it."),
    (
        "ConsumeStructuredBuffer",
        "A structured buffer from which threads remove elements. Its counter is the number of elements.",
    ),
    ("Count", "The number of input records."),
    ("D3DCOLORtoUBYTE4", "Converts a color to integers from 0 to 255, with red and blue exchanged."),
    ("DebugBreak", "Stops at this point in a debugger that supports it."),
    ("DecrementCounter", "Decrements the hidden counter. Returns the new value."),
    ("DeviceMemoryBarrier", "Waits until the thread's accesses to buffers and textures are visible to other threads."),
    (
        "DeviceMemoryBarrierWithGroupSync",
        "Waits until all threads of the group reach the call, and until their accesses to buffers and textures are visible.",
    ),
    ("DispatchMesh", "Launches mesh shader groups with a payload."),
    (
        "DispatchNodeInputRecord",
        "The read-only input record of a broadcasting or mesh node. All groups of the grid share it.",
    ),
    ("EmptyNodeInput", "The input of a coalescing node whose records have no data. Only their number is known."),
    ("EmptyNodeOutput", "An output of a node for records without data."),
    (
        "EmptyNodeOutput.GroupIncrementOutputCount",
        "Sends this many empty records for the whole group. All threads must make the call, with the same number.",
    ),
    (
        "EmptyNodeOutput.ThreadIncrementOutputCount",
        "Sends this many empty records for the thread. All threads of the group must make the call, each with its own number.",
    ),
    ("EmptyNodeOutputArray", "An array of outputs for records without data. An index selects the node."),
    (
        "FinishedCrossGroupSharing",
        "Reports that the group has finished with the shared record. Returns true for the last group of the grid, which may then read the writes of the others.",
    ),
    ("Gather", "Returns the first component of the four texels that bilinear filtering would use."),
    ("GatherAlpha", "Returns the alpha component of the four texels that bilinear filtering would use."),
    ("GatherBlue", "Returns the blue component of the four texels that bilinear filtering would use."),
    (
        "GatherCmp",
        "Compares the first component of four texels with a value. Returns 1 for each texel that passes, else 0.",
    ),
    ("GatherCmpAlpha", "Compares four texels with a value. Vulkan compares the first component, as `GatherCmp` does."),
    ("GatherCmpBlue", "Compares four texels with a value. Vulkan compares the first component, as `GatherCmp` does."),
    ("GatherCmpGreen", "Compares four texels with a value. Vulkan compares the first component, as `GatherCmp` does."),
    (
        "GatherCmpRed",
        "Compares the first component of four texels with a value. Returns 1 for each texel that passes, else 0.",
    ),
    ("GatherGreen", "Returns the green component of the four texels that bilinear filtering would use."),
    ("GatherRaw", "Returns the first component of the four texels that bilinear filtering would use."),
    ("GatherRed", "Returns the red component of the four texels that bilinear filtering would use."),
    ("Get", "The record, or the record with this index."),
    ("GetDimensions", "Writes the size of the buffer or texture to the arguments."),
    (
        "GetGroupNodeOutputRecords",
        "Requests records for the whole group. All threads must make the call, with the same number. Send the records with `OutputComplete()`.",
    ),
    ("GetGroupWaveCount", "The number of waves in the group."),
    ("GetGroupWaveIndex", "The number of this wave in its group."),
    ("GetRemainingRecursionLevels", "Returns how many more recursion levels the node may launch."),
    ("GetSamplePosition", "The position of a sample within its texel."),
    (
        "GetThreadNodeOutputRecords",
        "Requests records for this thread, possibly 0. All threads of the group must make the call. Send the records with `OutputComplete()`.",
    ),
    ("GroupIncrementOutputCount", "Sends this many empty records for the whole group."),
    ("GroupMemoryBarrier", "Waits until the thread's accesses to groupshared memory are visible to the group."),
    (
        "GroupMemoryBarrierWithGroupSync",
        "Waits until all threads of the group reach the call, and until their accesses to groupshared memory are visible.",
    ),
    (
        "GroupNodeInputRecords",
        "The read-only input records of a coalescing node. `Count()` returns their number, which `[MaxRecords(n)]` limits.",
    ),
    ("GroupNodeOutputRecords", "Output records that all threads of the group share. `OutputComplete()` sends them."),
    ("IncrementCounter", "Increments the hidden counter. Returns the previous value."),
    ("InterlockedAdd", "Adds to a memory location atomically. `original`, if given, receives the previous value."),
    (
        "InterlockedAdd64",
        "Adds to a 64-bit integer atomically. The offset is a multiple of 8. `original`, if given, receives the previous value.",
    ),
    (
        "InterlockedAnd",
        "Computes the bitwise AND with a memory location atomically. `original`, if given, receives the previous value.",
    ),
    (
        "InterlockedAnd64",
        "Computes the bitwise AND with a 64-bit integer atomically. The offset is a multiple of 8. `original`, if given, receives the previous value.",
    ),
    (
        "InterlockedCompareExchange",
        "Writes `value` if the location equals `compare`, atomically. `original` receives the previous value.",
    ),
    (
        "InterlockedCompareExchange64",
        "Writes `value` if the 64-bit integer equals `compare`, atomically. The offset is a multiple of 8. `original` receives the previous value.",
    ),
    (
        "InterlockedCompareExchangeFloatBitwise",
        "Writes `value` if the location has the bits of `compare`, atomically. `original` receives the previous value.",
    ),
    ("InterlockedCompareStore", "Writes `value` if the location equals `compare`, atomically."),
    (
        "InterlockedCompareStore64",
        "Writes `value` if the 64-bit integer equals `compare`, atomically. The offset is a multiple of 8.",
    ),
    ("InterlockedCompareStoreFloatBitwise", "Writes `value` if the location has the bits of `compare`, atomically."),
    ("InterlockedExchange", "Writes a value atomically. `original` receives the previous value."),
    (
        "InterlockedExchange64",
        "Writes a 64-bit integer atomically. The offset is a multiple of 8. `original` receives the previous value.",
    ),
    ("InterlockedExchangeFloat", "Writes a `float` atomically. `original` receives the previous value."),
    (
        "InterlockedMax",
        "Stores the larger of `value` and the memory location atomically. `original`, if given, receives the previous value.",
    ),
    (
        "InterlockedMax64",
        "Stores the larger of `value` and a 64-bit integer atomically. The offset is a multiple of 8. `original`, if given, receives the previous value.",
    ),
    (
        "InterlockedMin",
        "Stores the smaller of `value` and the memory location atomically. `original`, if given, receives the previous value.",
    ),
    (
        "InterlockedMin64",
        "Stores the smaller of `value` and a 64-bit integer atomically. The offset is a multiple of 8. `original`, if given, receives the previous value.",
    ),
    (
        "InterlockedOr",
        "Computes the bitwise OR with a memory location atomically. `original`, if given, receives the previous value.",
    ),
    (
        "InterlockedOr64",
        "Computes the bitwise OR with a 64-bit integer atomically. The offset is a multiple of 8. `original`, if given, receives the previous value.",
    ),
    (
        "InterlockedXor",
        "Computes the bitwise XOR with a memory location atomically. `original`, if given, receives the previous value.",
    ),
    (
        "InterlockedXor64",
        "Computes the bitwise XOR with a 64-bit integer atomically. The offset is a multiple of 8. `original`, if given, receives the previous value.",
    ),
    ("IsHelperLane", "Returns false, because compute shaders and nodes have no helper lanes."),
    ("IsValid", "Returns true if the target node exists."),
    ("Load", "Reads an element, a texel, or a value at a byte offset."),
    ("Load2", "Reads two 32-bit integers at a byte offset."),
    ("Load3", "Reads three 32-bit integers at a byte offset."),
    ("Load4", "Reads four 32-bit integers at a byte offset."),
    ("NodeOutput", "An output of a node. The parameter's name or its `[NodeID]` names the target."),
    ("NodeOutputArray", "An array of outputs to the nodes of a node array. An index selects the node."),
    ("NonUniformResourceIndex", "Marks a resource index that may differ between the threads of a wave."),
    ("OutputComplete", "Sends the records. Call it once on every path, and do not use the records after it."),
    ("Proceed", "Continues the traversal to the next candidate. Returns false when the traversal is complete."),
    ("QuadAll", "Returns true if the condition is true in all lanes of the quad."),
    ("QuadAny", "Returns true if the condition is true in at least one lane of the quad."),
    ("QuadReadAcrossDiagonal", "The value of the lane that is diagonally opposite in the quad."),
    ("QuadReadAcrossX", "The value of the other lane in the same row of the quad."),
    ("QuadReadAcrossY", "The value of the other lane in the same column of the quad."),
    ("QuadReadLaneAt", "The value of the lane with this number, from 0 to 3, in the quad."),
    ("RWBuffer", "A writable typed buffer."),
    ("RWByteAddressBuffer", "A writable buffer of raw bytes. Offsets are multiples of 4, or of 2 for 16-bit types."),
    (
        "RWDispatchNodeInputRecord",
        "The writable input record of a broadcasting or mesh node. All groups of the grid share it.",
    ),
    (
        "RWGroupNodeInputRecords",
        "The writable input records of a coalescing node. `Count()` returns their number, which `[MaxRecords(n)]` limits.",
    ),
    ("RWStructuredBuffer", "A writable buffer of structures."),
    ("RWTexture1D", "A writable 1D texture. Its texels are read without filtering."),
    ("RWTexture1DArray", "A writable array of 1D textures. Its texels are read without filtering."),
    ("RWTexture2D", "A writable 2D texture. Its texels are read without filtering."),
    ("RWTexture2DArray", "A writable array of 2D textures. Its texels are read without filtering."),
    ("RWTexture2DMS", "A writable multisampled 2D texture."),
    ("RWTexture2DMSArray", "A writable array of multisampled 2D textures."),
    ("RWTexture3D", "A writable 3D texture. Its texels are read without filtering."),
    ("RWThreadNodeInputRecord", "The writable input record of a thread node."),
    ("RawBufferLoad", "Reads a value at a 64-bit address, a multiple of the size of its largest component."),
    ("RawBufferStore", "Writes a value at a 64-bit address, a multiple of the size of its largest component."),
    ("RayDesc", "A ray: its origin, its direction, and the range of distances along it."),
    ("RayFlags", "The flags of the ray."),
    ("RayQuery", "Traces a ray within a shader. Call `TraceRayInline`, then `Proceed` until it returns false."),
    ("RayTMin", "The smallest distance along the ray at which a hit counts."),
    ("ReadClock", "The ticks of a clock of the device or of the wave."),
    ("Sample", "Samples the texture. The level of detail follows from differences of the coordinates within the quad."),
    ("SampleBias", "Samples the texture as `Sample` does, and adds a bias to the level of detail."),
    ("SampleCmp", "Compares the sampled texels with a value. Returns the share that passes, from 0 to 1."),
    ("SampleCmpBias", "Compares the sampled texels as `SampleCmp` does, and adds a bias to the level of detail."),
    (
        "SampleCmpGrad",
        "Compares the sampled texels as `SampleCmp` does. The given gradients determine the level of detail.",
    ),
    ("SampleCmpLevel", "Compares the sampled texels as `SampleCmp` does, at the given level of detail."),
    ("SampleCmpLevelZero", "Compares the sampled texels as `SampleCmp` does, at the most detailed level."),
    ("SampleGrad", "Samples the texture. The given gradients determine the level of detail."),
    ("SampleLevel", "Samples the texture at the given level of detail."),
    ("SamplerComparisonState", "The filter, address modes and comparison for sampling a texture."),
    ("SamplerState", "The filter and address modes for sampling a texture."),
    ("SetMeshOutputCounts", "Sets the numbers of vertices and primitives. Call it before any output is written."),
    ("Store", "Writes a value at a byte offset."),
    ("Store2", "Writes two 32-bit integers at a byte offset."),
    ("Store3", "Writes three 32-bit integers at a byte offset."),
    ("Store4", "Writes four 32-bit integers at a byte offset."),
    ("StructuredBuffer", "A read-only buffer of structures."),
    ("Texture1D", "A 1D texture."),
    ("Texture1DArray", "An array of 1D textures."),
    ("Texture2D", "A 2D texture."),
    ("Texture2DArray", "An array of 2D textures."),
    ("Texture2DMS", "A multisampled 2D texture."),
    ("Texture2DMSArray", "An array of multisampled 2D textures."),
    ("Texture3D", "A 3D texture."),
    ("TextureCube", "A texture of the six faces of a cube. Its coordinates are a direction."),
    ("TextureCubeArray", "An array of cube textures."),
    ("ThreadIncrementOutputCount", "Sends this many empty records for the thread."),
    ("ThreadNodeInputRecord", "The read-only input record of a thread node."),
    ("ThreadNodeOutputRecords", "Output records of one thread. `OutputComplete()` sends them."),
    ("TraceRayInline", "Starts to trace a ray. The flags are added to those of the query. Call `Proceed` next."),
    ("WaveActiveAllEqual", "Returns true if the value is the same in all active lanes, component by component."),
    ("WaveActiveAllTrue", "Returns true if the condition is true in all active lanes."),
    ("WaveActiveAnyTrue", "Returns true if the condition is true in at least one active lane."),
    ("WaveActiveBallot", "A mask of the active lanes in which the condition is true, one bit for each lane."),
    ("WaveActiveBitAnd", "The bitwise AND of the values in all active lanes."),
    ("WaveActiveBitOr", "The bitwise OR of the values in all active lanes."),
    ("WaveActiveBitXor", "The bitwise XOR of the values in all active lanes."),
    ("WaveActiveCountBits", "The number of active lanes in which the condition is true."),
    ("WaveActiveMax", "The largest value among the active lanes."),
    ("WaveActiveMin", "The smallest value among the active lanes."),
    ("WaveActiveProduct", "The product of the values in all active lanes."),
    ("WaveActiveSum", "The sum of the values in all active lanes."),
    ("WaveGetLaneCount", "The number of lanes in a wave."),
    ("WaveGetLaneIndex", "The number of this lane in its wave."),
    ("WaveIsFirstLane", "Returns true in the active lane with the smallest number."),
    ("WaveMatch", "A mask of the active lanes that have the same value as this one, one bit for each lane."),
    ("WaveMultiPrefixBitAnd", "The bitwise AND of the values in those lanes of the mask that have smaller numbers."),
    ("WaveMultiPrefixBitOr", "The bitwise OR of the values in those lanes of the mask that have smaller numbers."),
    ("WaveMultiPrefixBitXor", "The bitwise XOR of the values in those lanes of the mask that have smaller numbers."),
    ("WaveMultiPrefixCountBits", "Counts the lanes of the mask with smaller numbers in which the condition is true."),
    ("WaveMultiPrefixProduct", "The product of the values in those lanes of the mask that have smaller numbers."),
    ("WaveMultiPrefixSum", "The sum of the values in those lanes of the mask that have smaller numbers."),
    ("WavePrefixCountBits", "Counts the active lanes with smaller numbers in which the condition is true."),
    ("WavePrefixProduct", "The product of the values in the active lanes with smaller numbers."),
    ("WavePrefixSum", "The sum of the values in the active lanes with smaller numbers."),
    ("WaveReadLaneAt", "The value of the lane with this number. It is undefined if the lane is not active."),
    ("WaveReadLaneFirst", "The value of the active lane with the smallest number."),
    ("WorldRayDirection", "The direction of the ray in world space."),
    ("WorldRayOrigin", "The origin of the ray in world space."),
    ("[AllowSparseNodes]", "Allows targets of the output to be missing. `IsValid()` returns false for them."),
    ("[GroupSharedLimit]", "The most bytes of groupshared memory that the shader may use, instead of the default."),
    ("[MaxRecordsPerNode]", "The most records that may go to one node of the output array. No target uses it."),
    ("[MaxRecordsSharedWith]", "Shares the `MaxRecords` budget of another output of the node."),
    (
        "[MaxRecords]",
        "The most records that a thread group (in thread launch, a thread) requests for an output, or that a coalescing group receives.",
    ),
    ("[NodeArraySize]", "The number of nodes in the output array, from the index of its `[NodeID]` on."),
    ("[NodeDispatchGrid]", "The grid of thread groups that each record launches."),
    (
        "[NodeID]",
        "The name of a node and its index in a node array. The default is the name of the function or parameter, and index 0.",
    ),
    (
        "[NodeIsProgramEntry]",
        "Allows the host to start the node. A node that no output targets is an entry without it.",
    ),
    (
        "[NodeLaunch]",
        "The launch mode: `broadcasting` or `mesh` (a grid of groups for each record), `coalescing` (a group for several records) or `thread` (a thread for each record).",
    ),
    ("[NodeLocalRootArgumentsTableIndex]", "The index of the node's record in the table of local root arguments."),
    (
        "[NodeMaxDispatchGrid]",
        "The largest grid that a record may launch. The record's field with `SV_DispatchGrid` is its grid.",
    ),
    (
        "[NodeMaxInputRecordsPerGraphEntryRecord]",
        "The most records that reach the mesh node for each record that starts the graph.",
    ),
    ("[NodeMaxRecursionDepth]", "The most times that the node may send to itself along one path."),
    ("[NodeShareInputOf]", "The node also receives the records of that node."),
    (
        "[NodeTrackRWInputSharing]",
        "Counts the groups that have finished with a record of the type. `FinishedCrossGroupSharing()` requires it.",
    ),
    ("[NumThreads]", "The numbers of threads in a group along x, y and z."),
    ("[OutputTopology]", "The primitives that a mesh node outputs: `line` or `triangle`."),
    ("[RootSignature]", "The root signature, as a string."),
    ("[SV_DispatchGrid]", "The grid that the record launches, in groups."),
    ("[SV_DispatchThreadID]", "The position of the thread in the whole grid."),
    ("[SV_GroupID]", "The position of the group in the grid."),
    ("[SV_GroupIndex]", "The number of the thread in its group."),
    ("[SV_GroupThreadID]", "The position of the thread in its group."),
    ("[Shader]", "The stage of the function. `node` makes it a node of the work graph."),
    ("[UnboundedSparseNodes]", "Allows any number of nodes in the output array, and any of them to be missing."),
    ("[WaveSize]", "The number of lanes in a wave, or the smallest, largest and preferred number."),
    ("abort", "Prints that it was called. The dispatch continues, because Vulkan cannot end it."),
    ("abs", "The absolute value, component by component."),
    ("acos", "The arc cosine, in radians."),
    ("all", "Returns true if all components are nonzero."),
    ("and", "The logical AND, component by component."),
    ("any", "Returns true if at least one component is nonzero."),
    ("asdouble", "The `double` with these low and high 32 bits."),
    ("asfloat", "Reinterprets the bits as `float`."),
    ("asfloat16", "Reinterprets the bits as `float16_t`."),
    ("asin", "The arc sine, in radians."),
    ("asint", "Reinterprets the bits as `int`."),
    ("asint16", "Reinterprets the bits as `int16_t`."),
    ("asuint", "Reinterprets the bits as `uint`. For a `double`, the arguments receive its low and high 32 bits."),
    ("asuint16", "Reinterprets the bits as `uint16_t`."),
    ("atan", "The arc tangent, in radians."),
    ("atan2", "The angle of the point (x, y), from -pi to pi. The first argument is y."),
    ("ceil", "Rounds up to an integer."),
    ("clamp", "Clamps `x` to the range from `low` to `high`."),
    ("cos", "The cosine of an angle in radians."),
    ("cosh", "The hyperbolic cosine."),
    ("countbits", "The number of set bits."),
    ("cross", "The cross product of two vectors of three components."),
    ("ddx", "The difference between the columns of the quad. The device chooses coarse or fine ones."),
    ("ddx_coarse", "The difference between the columns of the quad, the same for all of its lanes."),
    ("ddx_fine", "The difference between the columns of the quad, in the row of the lane."),
    ("ddy", "The difference between the rows of the quad. The device chooses coarse or fine ones."),
    ("ddy_coarse", "The difference between the rows of the quad, the same for all of its lanes."),
    ("ddy_fine", "The difference between the rows of the quad, in the column of the lane."),
    ("degrees", "Converts radians to degrees."),
    ("determinant", "The determinant of a square matrix."),
    ("distance", "The distance between two points."),
    ("dot", "The dot product."),
    ("dot2add", "The dot product of two half-precision vectors, plus `sum`."),
    ("dot4add_i8packed", "The dot product of four signed bytes in each integer, plus `sum`."),
    ("dot4add_u8packed", "The dot product of four unsigned bytes in each integer, plus `sum`."),
    ("dst", "The distance vector: 1, `a.y * b.y`, `a.z` and `b.w`."),
    ("exp", "e to the power of the value."),
    ("exp2", "2 to the power of the value."),
    ("f16tof32", "Converts the half-precision number in the low 16 bits to `float`."),
    ("f32tof16", "Converts to half precision, in the low 16 bits. The device chooses the rounding."),
    ("faceforward", "Returns `n` if `dot(i, g)` is negative, else `-n`."),
    (
        "firstbithigh",
        "The index of the highest set bit; for negative numbers, of the highest clear bit. -1 if there is none.",
    ),
    ("firstbitlow", "The index of the lowest set bit. -1 if there is none."),
    ("floor", "Rounds down to an integer."),
    ("fma", "`a * b + c` for `double`s. The device chooses one rounding or two."),
    ("fmod", "The remainder of `x / y`, with the sign of `x`."),
    ("frac", "The fractional part: `x - floor(x)`."),
    ("frexp", "Returns the mantissa. The second argument receives the exponent."),
    ("fwidth", "The sum of the absolute values of `ddx` and `ddy`."),
    ("isfinite", "Returns true if the value is neither infinite nor NaN."),
    ("isinf", "Returns true if the value is infinite."),
    ("isnan", "Returns true if the value is NaN."),
    ("isnormal", "Returns true if the value is neither zero, denormal, infinite nor NaN."),
    ("ldexp", "`x * exp2(exponent)`."),
    ("length", "The length of a vector."),
    ("lerp", "Interpolates linearly: `x + s * (y - x)`."),
    ("lit", "The coefficients of a lighting model: 1, diffuse, specular and 1."),
    ("log", "The natural logarithm."),
    ("log10", "The logarithm to base 10."),
    ("log2", "The logarithm to base 2."),
    ("mad", "`a * b + c`, component by component."),
    ("max", "The greater of two values, component by component."),
    ("min", "The smaller of two values, component by component."),
    ("modf", "Returns the fractional part. The second argument receives the integral part."),
    (
        "msad4",
        "Adds to `sum` the absolute differences between the bytes of `reference` and `source`, at four byte offsets. Zero bytes of `reference` do not count.",
    ),
    ("mul", "The product of matrices, vectors and scalars. A vector is a row on the left, and a column on the right."),
    ("normalize", "The vector of length 1 in the same direction."),
    ("or", "The logical OR, component by component."),
    ("pack_clamp_s8", "Packs four integers, clamped to -128 to 127, as bytes. The first is in the low bits."),
    ("pack_clamp_u8", "Packs four integers, clamped to 0 to 255, as bytes. The first is in the low bits."),
    ("pack_s8", "Packs the low 8 bits of four integers. The first is in the low bits."),
    ("pack_u8", "Packs the low 8 bits of four integers. The first is in the low bits."),
    ("pow", "`x` to the power of `y`."),
    ("printf", "Prints a message if the device supports it. Formats are those of C, and `%v3f` for vectors."),
    ("radians", "Converts degrees to radians."),
    ("rcp", "The approximate reciprocal."),
    ("reflect", "Reflects the direction `i` at a surface with the normal `n`."),
    (
        "refract",
        "Refracts the direction `i` at a surface with the normal `n`. `ratio` is that of the refractive indices.",
    ),
    ("reinterpret_pointer_cast", "Converts a pointer to one of any other type, with the same address."),
    ("reversebits", "The bits in reverse order."),
    ("round", "Rounds to the nearest integer, and halfway cases to the even one."),
    ("rsqrt", "The reciprocal of the square root."),
    ("saturate", "Clamps to the range from 0 to 1."),
    ("select", "Returns `yes` for each component whose condition is true, else `no`."),
    ("sign", "The sign: -1, 0 or 1. It is 0 for NaN."),
    ("sin", "The sine of an angle in radians."),
    ("sincos", "Writes the sine and the cosine of an angle in radians to the last two arguments."),
    ("sinh", "The hyperbolic sine."),
    ("smoothstep", "A smooth transition from 0 at `low` to 1 at `high`."),
    ("sqrt", "The square root."),
    ("static_pointer_cast", "Converts a pointer to one of a base type, with the same address."),
    ("step", "1 if `x` is at least `edge`, else 0. `edge` is the first argument."),
    ("tan", "The tangent of an angle in radians."),
    ("tanh", "The hyperbolic tangent."),
    ("transpose", "Exchanges the rows and columns of a matrix."),
    ("trunc", "Rounds toward zero."),
    ("unpack_s8s16", "Unpacks four signed bytes as 16-bit integers. The first is in the low bits."),
    ("unpack_s8s32", "Unpacks four signed bytes as 32-bit integers. The first is in the low bits."),
    ("unpack_u8u16", "Unpacks four unsigned bytes as 16-bit integers. The first is in the low bits."),
    ("unpack_u8u32", "Unpacks four unsigned bytes as 32-bit integers. The first is in the low bits."),
];

/// Returns the description of a built-in name; for a method, together with its type.
pub fn about(object: Option<&str>, name: &str) -> Option<&'static str> {
    let find = |name: &str| DOCS.binary_search_by_key(&name, |row| row.0).ok().map(|at| DOCS[at].1);
    object.and_then(|object| find(&format!("{object}.{name}"))).or_else(|| find(name))
}

#[cfg(test)]
mod tests {
    use super::{DOCS, about};
    use std::collections::BTreeSet;

    #[test]
    fn documented_names_are_sorted_and_declared() {
        assert!(DOCS.is_sorted_by(|a, b| a.0 < b.0));
        for (name, _) in DOCS.iter().filter(|row| !row.0.starts_with('[')) {
            let last = name.rsplit('.').next().unwrap_or(name);
            let is_there = crate::PRELUDE.iter().any(|(_, text)| text.contains(last));
            assert!(is_there, "{name} is not built in");
        }
        assert!(
            about(Some("EmptyNodeOutput"), "GroupIncrementOutputCount")
                .is_some_and(|text| text.contains("same number"))
        );
        assert_eq!(about(Some("NoSuch"), "Get"), about(None, "Get"));
    }

    /// Stages whose intrinsics are not documented, because compute shaders and nodes cannot call them.
    const OTHER_STAGES: &[&str] = &["Direct3D", "effects", "hull", "pixel", "ray tracing"];

    /// Methods that editors show as syntax, without documentation.
    const SYNTAX: &[&str] = &["operator[]"];

    #[test]
    fn listed_intrinsics_and_their_types_are_documented() {
        let mut exceptions = BTreeSet::new();
        for line in include_str!("../intrinsics.tsv").lines().skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            let [object, name, .., stages, _, _] = cells[..] else { panic!("{line}") };
            // `Texture2D<uint>` and `vk::BufferPointer` are documented as `Texture2D` and `BufferPointer`.
            let object = object.split('<').next().and_then(|object| object.rsplit("::").next()).unwrap_or(object);
            let is_type = !["-", "vk"].contains(&object);
            let has_row = about(is_type.then_some(object), name).is_some();
            if has_row && (!is_type || about(None, object).is_some()) {
                continue;
            }
            let exception = OTHER_STAGES.iter().find(|stage| **stage == stages);
            let exception = exception.or_else(|| SYNTAX.iter().find(|method| **method == name && !has_row));
            assert!(exception.is_some(), "`{object}` or its `{name}` has no row in DOCS");
            exceptions.extend(exception);
        }
        let listed: BTreeSet<&str> = OTHER_STAGES.iter().chain(SYNTAX).copied().collect();
        assert_eq!(exceptions, listed, "an exception is not needed");
    }
}
