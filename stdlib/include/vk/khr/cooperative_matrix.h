// Matrices that a subgroup holds together (SPV_KHR_cooperative_matrix).
#error wgc does not compile cooperative matrices: their types need inline SPIR-V types, which it does not write
