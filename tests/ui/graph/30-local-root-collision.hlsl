LocalRootSignature Constants = { "RootConstants(num32BitConstants=4, b0)" };
LocalRootSignature Same = { "RootConstants( num32BitConstants = 4, b0 )" };
LocalRootSignature View = { "CBV(b0)" };
SubobjectToExportsAssociation A = { "Constants", "first; second" };
SubobjectToExportsAssociation B = { "Same", "third" };
SubobjectToExportsAssociation C = { "View", "fourth" };
[Shader("node")] [NodeLaunch("thread")] [NodeLocalRootArgumentsTableIndex(1)] void first() { }
[Shader("node")] [NodeLaunch("thread")] [NodeLocalRootArgumentsTableIndex(1)] void second() { }
[Shader("node")] [NodeLaunch("thread")] [NodeLocalRootArgumentsTableIndex(1)] void third() { }

[Shader("node")] [NodeLaunch("thread")] [NodeLocalRootArgumentsTableIndex(1)] void fourth() { } //~ ERROR WG0421
