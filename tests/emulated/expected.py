"""Writes the run files of this directory: the graphs' results, computed by plain loops over what the shaders say."""
import json
M=0xffffffff
def w(name, disp, R, rec, extra={}):
    j={"shader":name+".hlsl", **extra, "resources":{"Result":{"zero_bytes":4*len(R)}},"dispatch":disp,"expect":{"Result":{"u32":[r&M for r in R]}},"expect_records":rec}
    lines=["{"]
    items=list(j.items())
    for k,(key,v) in enumerate(items): lines.append("  "+json.dumps(key)+": "+json.dumps(v)+("," if k+1<len(items) else ""))
    lines.append("}")
    open(name+".run.json","w").write("\n".join(lines)+"\n")
# grids
N=100;R=[0]*8
for i in range(N):
    gx,gy=i%4,i%3
    for y in range(gy):
        for x in range(gx):
            R[0]+=1; R[1]+=x+10*y; R[2]+=i
            for t in range(4): R[3]+=x*4+t
    for g in range(2): R[4]+=i+1000*g
    for z in range(i%5):
        for y in range(1+i%3):
            for x in range(1+i%2):
                R[5]+=1; R[6]+=x+10*y+100*z; R[7]+=i
w("grids",[{"inputs":[{"node":"Scatter","u32":list(range(N)),"stride":4,"count":N}]}],R,{"Scatter":N,"Work":N,"Watch":N,"Gather":N,"Deep":N})
# sharing
N=37;R=[0]*3
for i in range(N):
    for k in (1,2):
        R[0]+=1
        s=0
        for gy in range(2):
            for gx in range(3):
                for t in range(8): s+=(gx*8+t+100*gy)*k
        R[1]+=i; R[2]+=s
# run twice: the second time in memory that holds the first run's records
w("sharing",[{"inputs":[{"node":"Start","u32":list(range(N)),"stride":4,"count":N}],"repeat":2}],[2*r for r in R],{"Start":2*N,"Count":4*N,"Rewrite":4*N},{"args":["-enable-16bit-types"]})
# arrays
N=50;R=[0]*16
even=odd=0;lasts=0
def down(id,depth,left):
    R[8+left]+=1;R[6]+=depth
    global downs
    downs+=1
    if left>0:
        for i in range(1+id%2): down(id,depth+1,left-1)
downs=0
for i in range(N):
    k=i%7
    if 1+k==2 and k<6:
        R[2]+=i+1000; down(100+i,0,3)
    elif 1+k==5 and k<6: R[5]+=i+1000
    if i*1000==3000: R[3]+=i*4
    else: R[0]+=1
    down(i,0,3)
    if i%2==0: even+=i%4
    else: odd+=i%4
R[12]=even;R[13]=-(-even//5);R[14]=odd;g=-(-odd//3);R[15]=2*g*(1+2+3)
rec={"Route":N,"Down":downs,"Last":2*g}
disp=[{"inputs":[{"node":"Route","records":[{"id":i,"depth":0} for i in range(N)]}]}]
w("arrays",disp,R,rec)
# many
R=[0]*8
N=30000
# one record with x = 7 sent 20000 times, and 10000 different ones
recs=[7]*20000+list(range(1000))*1
for x in recs:
    c=1+x%3
    for i in range(c): R[0]+=x;R[1]+=i;R[2]+=1
total=sum(1+x%3 for x in recs)
for (o,gx,gy) in ((3,400,170),(5,0,9),(9,2,3)):
    for y in range(gy):
        for x in range(gx):
            R[3]+=1;R[4]+=x^(y<<4);R[5]+=o
for z in range(2):
    for x in range(35000):
        R[6]+=1+z;R[7]+=x&0x5555
flat=[]
for x in range(1000): flat+=[x,0,0]
w("many",[{"inputs":[{"node":"Grow","u32":[7,0,0],"stride":0,"count":20000},{"node":"Grow","u32":flat,"stride":12,"count":1000},
 {"node":"Plain","records":[{"origin":[0,0,o],"grid":[gx,gy]} for (o,gx,gy) in ((3,400,170),(5,0,9),(9,2,3))]},
 {"node":"Fixed","records":[{"x":0x5555,"y":0,"z":0}]}]}],R,{"Grow":len(recs),"Sum":total,"Plain":3,"Fixed":1})
# counts: 500 grids of 3 x 2 groups of two threads; each thread of the second row counts one more for Collect
R=[0]*3
scale,off=3,(10,100)
N=500
for n in range(N):
    for gy in range(2):
        for gx in range(3):
            for t in range(2): R[0]+=(gx*2+t)*scale+gy
C=23+N*3*2*1
R[1]=C;R[2]=-(-C//7)*off[1]
w("counts",[{"inputs":[{"node":"Collect","count":11},{"node":"Grid","count":N},{"node":"Collect","count":12}]}],R,{"Grid":N,"Collect":C})
j=json.load(open("counts.run.json")); j["resources"]["settings"]={"fields":{"scale":scale,"offset":list(off)}}
open("counts.run.json","w").write("{\n"+",\n".join("  "+json.dumps(k)+": "+json.dumps(v) for k,v in j.items())+"\n}\n")
