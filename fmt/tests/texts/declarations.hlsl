#pragma once
  #include "a.hlsli"
#define TWICE(x) \
    ((x) *  2)
struct A:B{uint x:4,y : 28;
uint z[2] [3];   // trailing
uint longer_name; // aligned
   uint w; /* behind */
uint f( ) { return 1 ; } };
enum class Kind:uint{First=1,Second,Third};
enum Other
{
First , Second = 2,

Third
} ;
cbuffer C:register(b0,space1){float4x4 m;}
ConstantBuffer<A>Constants:register( b1 );
[[vk::binding(0,1)]]RWTexture2D<float4>  Image:register(u0);
static const float4 table[] = {
{1,2,3,4},{5,6,7,8},
{-1, 0.5f , 1e-3,.5} };
static const uint inline_list[]={1,2,3};
GlobalRootSignature Root =
{
"UAV(u0)," "SRV(t0)"
};
template< typename T,uint N=4 >
struct Stack{T values[N];template<typename U>U get(uint i){return (U)values[i];}};
template<> uint kind< float >(float value) { return Stack<Stack<uint>>::size < 3; }
typedef vector<float,4>Four;
using Five=Stack<float,5>;
namespace n {
uint x;
}
namespace m
{
   namespace o{uint y;}
uint z;
}
SamplerState s{Filter=MIN_MAG_MIP_LINEAR;AddressU=Wrap;};
interface I{uint get();};
groupshared uint shared_words[ 64 ];
uint operator+(A a,A b);
DECLARE(a)
DECLARE(b)
ALONE
uint last;
