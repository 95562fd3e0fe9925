struct R { uint n; }
[NodeLaunch("thread"
void f(ThreadNodeInputRecord<R> input, [MaxRecords(
{
uint x = input.Get().
if (x
y = f(1, (2;
foo(
}
}
void g() { a(b[1); } #
else x;
'not closed
"nor this
uint z
