// Statements of every kind, written badly.


   void   f( uint a,uint b )   {
if(a>b)return;
if ( a==b )
b++;
else if(a < b)
{ b=a ; }
else
    for(uint i=0;i<4;++i) for(;;)
        {
            break;}
while ( a-- ) ;
do
a+=2;
while(a<4) ;
do { a -= 1 ; } while( a>0 );
switch( a ){
case 0:
case 1 : b = 1 ; break ;
case 2: { b=2; } break;
  case 3:
  {
      b = 3;
      break;
  }
default:
b=0;
}
switch (b)
{
    // indented, as the first is
    case 0:
        break;
    default:
        discard;
}
[unroll(4)]
for (uint j = 0; j < 4; j ++) { b += j; a*= 2; }
[branch] if (a) { b = 1; } else { b = 2; }
{
uint nested = 1;


// before the end

}
a=b=-1; b = - a+ +b - -a; b = ! a ? ~ b:a ; b = a<<2>>1; b ^= a&b|a ;
float c = ( float ) a * (float2)b.x - (MyType)a + (a) - (b);
float d = a<b&&b > a || c>=d;
return;
;
}
