// Consequences of a mistake get no message of their own; other mistakes do.
struct R { uint x; };
RWStructuredBuffer<float> Out;

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
[NodeMaxRecursionDepth(kUndefined)]                                          //~ ERROR WG0101
void Again(ThreadNodeInputRecord<R> r, [MaxRecords(2)] NodeOutput<R> Again) {
    Again.GetThreadNodeOutputRecords(0).OutputComplete();
}

// A base that is unknown may have any members.
struct S : UndefinedBase {                                                   //~ ERROR WG0101
    float x;
    float f() { return baseMember + x + baseMethod(1) + S::baseConstant; }
};
struct T : S { float g() { return baseMember + f(); } };
float members(S s, T t) { s.baseField = 1; return s.baseMethod() + t.baseField + t.g() + missing; } //~ ERROR WG0101

// The host sets them, and their initialisers are still checked.
float3 short_ = float3(1, 2);    //~ WARN WG0127 ERROR WG0212
float4 unknown = undefinedThing; //~ WARN WG0127 ERROR WG0101
cbuffer C { int text = "s"; }    //~ WARN WG0127 ERROR WG0200
float3 right = float3(1, 2, 3);  //~ WARN WG0127

enum class E { First, Second };
static const E kThird = E::Secnod;          //~ ERROR WG0101
float later() { return noise(1) + other(1); } //~ ERROR WG0135 WG0101
float noise(float x) { return x; }
namespace a { float f(); }
float b::z() { return 1; }  //~ ERROR WG0101
float a::g() { return 1; }  //~ ERROR WG0125
