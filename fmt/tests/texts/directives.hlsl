#if defined(A)&&B
    # define X 1   // kept
void f(
#else
void g(
#endif
uint x){
  #ifdef A
if(x){
#else
if(x>1){
#endif
x++;
}
}
#if 0
   this   is  not code   {{{
  don't /* look
*/
#if 1
  ( ( (
#endif
#else
uint   y ;
#endif
// wgc-fmt off
static const uint  table [ ]  = { 1,2,
                                    3 };
// wgc-fmt on
uint   z ;
static const float2x2 m = {
// clang-format off
    1,   0,
    0,  10,
// clang-format on
    };
    /* a comment
         of lines
       that moves */
  uint w;
int v; /* one */ int u /* two */ ; // three
int t = f( /* nothing */ ) + /* of
it */ 3;
[RootSignature("UAV(u0)," \
               "SRV(t0)")] void  root() { }
