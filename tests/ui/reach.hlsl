// Uses that nodes reach through functions.
groupshared uint shared_value;
groupshared uint half_of_it[4096];
groupshared uint other_half[4096];

void store(uint x) { shared_value = x; }
void deeper(uint x) { store(x + 1); }

[Shader("node")] [NodeLaunch("thread")]
void thread_node() { deeper(1); } //~ ERROR WG0333

[Shader("node")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)]
void fits() { half_of_it[0] = 1; other_half[0] = 2; }

[Shader("node")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)]
void does_not_fit() { half_of_it[0] = 1; other_half[0] = 2; deeper(3); } //~ ERROR WG0334

[Shader("node")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)] [GroupSharedLimit(32772)]
void asks_for_more() { half_of_it[0] = 1; other_half[0] = 2; deeper(3); }

[Shader("node")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)] [GroupSharedLimit(16383)]
void asks_for_less() { half_of_it[0] = 1; } //~ ERROR WG0334
