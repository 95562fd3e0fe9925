#define O(n) [MaxRecords(1)] [NodeID("next")] EmptyNodeOutput n
#define TEN(p) O(p##0), O(p##1), O(p##2), O(p##3), O(p##4), O(p##5), O(p##6), O(p##7), O(p##8), O(p##9)
#define HUNDRED(p) TEN(p##0), TEN(p##1), TEN(p##2), TEN(p##3), TEN(p##4), TEN(p##5), TEN(p##6), TEN(p##7), TEN(p##8), TEN(p##9)
#define THOUSAND(p) HUNDRED(p##0), HUNDRED(p##1), HUNDRED(p##2), HUNDRED(p##3), HUNDRED(p##4), \
    HUNDRED(p##5), HUNDRED(p##6), HUNDRED(p##7), HUNDRED(p##8), HUNDRED(p##9)
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)] void next([MaxRecords(4)] EmptyNodeInput i) { }

[Shader("node")] [NodeLaunch("thread")] void many(THOUSAND(a), TEN(b), TEN(c), O(d1), O(d2), O(d3), O(d4), O(d5)) { } //~ ERROR WG0326
