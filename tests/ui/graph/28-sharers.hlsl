struct R { uint x; };
#define S(n) [Shader("node")] [NodeLaunch("thread")] [NodeShareInputOf("owner")] void n(ThreadNodeInputRecord<R> i) { }
#define FOUR(p) S(p##0) S(p##1) S(p##2) S(p##3)
#define SIXTEEN(p) FOUR(p##0) FOUR(p##1) FOUR(p##2) FOUR(p##3)
#define SIXTY_FOUR(p) SIXTEEN(p##0) SIXTEEN(p##1) SIXTEEN(p##2) SIXTEEN(p##3)

[Shader("node")] [NodeLaunch("thread")] void owner(ThreadNodeInputRecord<R> i) { } //~ ERROR WG0414
SIXTY_FOUR(a) SIXTY_FOUR(b) SIXTY_FOUR(c) SIXTY_FOUR(d)
