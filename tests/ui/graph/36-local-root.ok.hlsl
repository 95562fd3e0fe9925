// A signature without an association is for all nodes.
LocalRootSignature View = { "CBV(b0)" };
LocalRootSignature Constants = { "RootConstants(num32BitConstants=4, b0)" };
SubobjectToExportsAssociation A = { "Constants", "first" };
[Shader("node")] [NodeLaunch("thread")] [NodeLocalRootArgumentsTableIndex(1)] void first() { }
[Shader("node")] [NodeLaunch("thread")] [NodeLocalRootArgumentsTableIndex(2)] void second() { }
