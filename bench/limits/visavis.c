// Visavis random playouts, physical-limit anchor.  Our own code.
// Geometry as in games/visavis: size n => n columns, n-2 rows; X pegs in the odd rows
// ((n-1)/2 rows of (n-1)/2), O pegs in the even rows ((n-3)/2 rows of (n+1)/2).
// Both lattices are sheared triangular: peg (i,j) has neighbours (i,j+1),
// (i+1,j) and (i+1,j-1).  X joins top to bottom, O joins left to right.
// Crossings are found by exact integer segment intersection.
//
// modes: exact  alternate moves, uniform over the mover's open bridges, played
//               to a full board, then one flood fill for X
//        exact is branch-free and interleaves 4 playouts; branchy and plain are the same
//               process one playout at a time
//        early  same, union-find after each move, stop at the first connection
//        lanes  512 playouts side by side; every bridge of the board gets an
//               independent random arrival time instead of strict alternation
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define MAXE 1024
static double now(void){struct timespec t;clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&t);return t.tv_sec+1e-9*t.tv_nsec;}
static uint64_t ws=0x1234567;
static inline uint64_t wy(void){ws+=0xa0761d6478bd642full;__uint128_t m=(__uint128_t)ws*(ws^0xe7037ed1a0b428dbull);return (uint64_t)(m>>64)^(uint64_t)m;}

typedef struct{int r1,c1,r2,c2;int p,a,b,kind;}Edge;   // char-grid endpoints, pegs a,b; kind 0 = -, 1 = backslash, 2 = slash
static Edge E[MAXE]; static int NE,NX;                   // X edges first: 0..NX-1, O edges NX..NE-1
static uint16_t conf[MAXE][4]; static int nconf[MAXE];
static int XR,XC,OR_,OC;
static int peg(int p,int i,int j){return p==0?i*XC+j:i*OC+j;}
static void add(int p,int i,int j,int i2,int j2,int kind){
  Edge*e=&E[NE++]; e->p=p;e->kind=kind;e->a=peg(p,i,j);e->b=peg(p,i2,j2);
  if(p==0){e->r1=2*i+1;e->c1=2*i+10+4*j;e->r2=2*i2+1;e->c2=2*i2+10+4*j2;}
  else{e->r1=2*i+2;e->c1=2*i+8+4*j;e->r2=2*i2+2;e->c2=2*i2+8+4*j2;}
}
static int orient(int ar,int ac,int br,int bc,int cr,int cc){int v=(br-ar)*(cc-ac)-(bc-ac)*(cr-ar);return (v>0)-(v<0);}
static int cross(Edge*x,Edge*y){
  return orient(x->r1,x->c1,x->r2,x->c2,y->r1,y->c1)*orient(x->r1,x->c1,x->r2,x->c2,y->r2,y->c2)<0 &&
         orient(y->r1,y->c1,y->r2,y->c2,x->r1,x->c1)*orient(y->r1,y->c1,y->r2,y->c2,x->r2,x->c2)<0;
}
static void build(int n){
  XR=XC=(n-1)/2;OR_=(n-3)/2;OC=(n+1)/2;
  for(int p=0;p<2;p++){int R=p?OR_:XR,C=p?OC:XC;
    for(int i=0;i<R;i++)for(int j=0;j<C;j++){
      if(j+1<C)add(p,i,j,i,j+1,0);
      if(i+1<R)add(p,i,j,i+1,j,1);
      if(i+1<R&&j>0)add(p,i,j,i+1,j-1,2);
    }
    if(!p)NX=NE;}
  int hist[5]={0};
  for(int a=0;a<NE;a++){for(int b=0;b<NE;b++)if(E[a].p!=E[b].p&&cross(&E[a],&E[b]))conf[a][nconf[a]++]=b;
    hist[nconf[a]]++;for(int k=nconf[a];k<4;k++)conf[a][k]=NE;}
  fprintf(stderr,"size %d: X edges %d, O edges %d; conflicts 0:%d 1:%d 2:%d 3:%d\n",n,NX,NE-NX,hist[0],hist[1],hist[2],hist[3]);
}
// ---- X connectivity at the end: bitmask flood over rows ----
static uint16_t rowH[64],rowB[64],rowS[64];
static uint8_t erow[MAXE];static uint16_t ebit[MAXE];
static inline uint32_t hfill(uint32_t s,uint32_t h){ // spread s along runs joined by h (bit j joins j,j+1)
  for(;;){uint32_t t=s|((s&h)<<1)|((s>>1)&h);if(t==s)return s;s=t;}
}
static int xwins(void){
  uint32_t f[64];memset(f,0,sizeof(uint32_t)*(XR+1));f[0]=(1u<<XC)-1;
  for(;;){int ch=0;
    for(int i=0;i+1<XR;i++){ // down
      uint32_t s=f[i+1]|(f[i]&rowB[i])|((f[i]&((uint32_t)rowS[i]))>>1);
      if(s!=f[i+1]){f[i+1]=hfill(s,rowH[i+1]);ch=1;}
    }
    if(f[XR-1])return 1;
    if(!ch)return 0;
    ch=0;
    for(int i=XR-2;i>=1;i--){ // up
      uint32_t s=f[i]|(f[i+1]&rowB[i])|(((f[i+1]<<1))&rowS[i]);
      if(s!=f[i]){f[i]=hfill(s,rowH[i]);ch=1;}
    }
    if(!ch)return 0;
  }
}
static uint16_t perm[2][MAXE];
static long moves_total;
static inline int playout_exact(int first){
  static uint8_t blocked[MAXE+8];
  memset(blocked,0,NE+1);
  memset(rowH,0,2*XR);memset(rowB,0,2*XR);memset(rowS,0,2*XR);
  int n[2]={NX,NE-NX};int pl=first;long mv=0;uint64_t r=0;int have=0;
  while(n[0]|n[1]){
    if(!n[pl]){pl^=1;}
    uint16_t*L=perm[pl];int m=n[pl];int e;
    for(;;){ // draw until an unblocked bridge appears
      uint32_t q;if(have){q=(uint32_t)r;have=0;}else{r=wy();q=(uint32_t)(r>>32);have=1;}
      int k=(int)(((uint64_t)q*m)>>32);
      e=L[k];m--;L[k]=L[m];L[m]=e;
      if(!blocked[e])goto ok;
      if(!m)break;
    }
    n[pl]=0;pl^=1;continue;
  ok:
    n[pl]=m;mv++;
    blocked[conf[e][0]]=1;blocked[conf[e][1]]=1;
    if(pl==0){ if(E[e].kind==0)rowH[erow[e]]|=ebit[e];else if(E[e].kind==1)rowB[erow[e]]|=ebit[e];else rowS[erow[e]]|=ebit[e]; }
    pl^=1;
  }
  moves_total+=mv;
  return xwins();
}
// tuned variant: one unified (row,kind) mask word per edge, X bits written unconditionally
static uint16_t maskw[3*64+1];static uint16_t eidx[MAXE];
static inline int playout_fast(int first){
  static uint8_t blocked[MAXE+8];
  memset(blocked,0,NE+1);memset(maskw,0,sizeof maskw);
  uint16_t*L=perm[first],*L2=perm[first^1];int m=first?NE-NX:NX,m2=first?NX:NE-NX;long mv=0;
  uint64_t r;int e;
  for(;;){
    do{ if(!m)goto done1; r=wy();int k=(int)(((r>>32)*(uint64_t)m)>>32);e=L[k];m--;L[k]=L[m];L[m]=e;
        if(!blocked[e])break;
        if(!m)goto done1;k=(int)(((r&0xffffffffu)*(uint64_t)m)>>32);e=L[k];m--;L[k]=L[m];L[m]=e;
    }while(blocked[e]);
    mv++;blocked[conf[e][0]]=1;blocked[conf[e][1]]=1;maskw[eidx[e]]|=ebit[e];
  done1:
    do{ if(!m2)goto done2; r=wy();int k=(int)(((r>>32)*(uint64_t)m2)>>32);e=L2[k];m2--;L2[k]=L2[m2];L2[m2]=e;
        if(!blocked[e])break;
        if(!m2)goto done2;k=(int)(((r&0xffffffffu)*(uint64_t)m2)>>32);e=L2[k];m2--;L2[k]=L2[m2];L2[m2]=e;
    }while(blocked[e]);
    mv++;blocked[conf[e][0]]=1;blocked[conf[e][1]]=1;maskw[eidx[e]]|=ebit[e];
    continue;
  done2:
    if(!m)break;
  }
  moves_total+=mv;
  memcpy(rowH,maskw,2*XR);memcpy(rowB,maskw+64,2*XR);memcpy(rowS,maskw+128,2*XR);
  return xwins();
}
// ---- branch-free variant, NI playouts interleaved to hide latency ----
// Every bridge is drawn exactly once per playout (385+382 draws on size 25), a draw
// that meets a blocked bridge does not pass the turn.  On a full board a bridge is
// present iff it is not blocked, so no other board state is kept.
#include <immintrin.h>
#define NI 4
#define XID(kind,i,j) (((kind)*16+(i))*16+(j))
typedef struct{uint8_t blocked[2048];uint16_t L[2][512];uint32_t m[2];uint32_t pl;}Lane;
static Lane lane[NI] __attribute__((aligned(64)));
static uint32_t c01[2048]; // two 16-bit conflict ids
static int pid[MAXE];
static void fast_init(void){
  for(int e=0;e<NE;e++){ if(e<NX){int i=E[e].a/XC,j=E[e].a%XC;pid[e]=XID(E[e].kind,i,j);}else pid[e]=768+(e-NX);}
  for(int e=0;e<NE;e++){uint32_t a=nconf[e]>0?pid[conf[e][0]]:2040,b=nconf[e]>1?pid[conf[e][1]]:2040;c01[pid[e]]=a|b<<16;}
  for(int q=0;q<NI;q++){for(int e=0;e<NX;e++)lane[q].L[0][e]=pid[e];for(int e=NX;e<NE;e++)lane[q].L[1][e-NX]=pid[e];}
}
static int full_x(const uint8_t*b){ // build row masks from the blocked bytes, flood
  __m128i z=_mm_setzero_si128();
  for(int i=0;i<XR;i++){
    rowH[i]=_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_load_si128((const __m128i*)(b+XID(0,i,0))),z))&((1u<<(XC-1))-1);
    rowB[i]=_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_load_si128((const __m128i*)(b+XID(1,i,0))),z))&((1u<<XC)-1);
    rowS[i]=_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_load_si128((const __m128i*)(b+XID(2,i,0))),z))&((1u<<XC)-2);
  }
  return xwins();
}
static int playout_ni(int first){
  uint64_t s[NI];uint32_t pl[NI],m0[NI],m1[NI];
  for(int q=0;q<NI;q++){memset(lane[q].blocked,0,1216);m0[q]=NX;m1[q]=NE-NX;pl[q]=first;s[q]=wy();}
  for(int d=0;d<NE;d++){
    #pragma GCC unroll 8
    for(int q=0;q<NI;q++){
      uint16_t*base=lane[q].L[0];uint8_t*bl=lane[q].blocked;
      uint32_t p=pl[q],x=m0[q]^m1[q];p^=((m0[q]^(x&-p))==0);
      s[q]+=0xa0761d6478bd642full;uint64_t r=s[q]*0xd6e8feb86659fd93ull;r^=r>>32;r*=0xd6e8feb86659fd93ull;
      uint32_t m=m0[q]^(x&-p);
      m1[q]-=p;m0[q]-=p^1;
      uint16_t*L=base+(p<<9);
      uint32_t k=((r>>32)*m)>>32;--m;
      uint32_t e=L[k];L[k]=L[m];L[m]=e;
      uint32_t ok=bl[e]^1;uint32_t c=c01[e];
      bl[c&0xffff]|=ok;bl[c>>16]|=ok;
      pl[q]=p^ok;
    }
  }
  int x=0;for(int q=0;q<NI;q++)x+=full_x(lane[q].blocked);
  return x;
}
// ---- early stop with union-find ----
static int16_t uf[512];
static inline int fnd(int x){while(uf[x]!=x){uf[x]=uf[uf[x]];x=uf[x];}return x;}
static int playout_early(int first){
  static uint8_t blocked[MAXE+8];memset(blocked,0,NE+1);
  int NPX=XR*XC,NPO=OR_*OC,T=NPX+NPO;for(int i=0;i<T+4;i++)uf[i]=i;
  for(int j=0;j<XC;j++){uf[j]=T;uf[(XR-1)*XC+j]=T+1;}
  for(int i=0;i<OR_;i++){uf[NPX+i*OC]=T+2;uf[NPX+i*OC+OC-1]=T+3;}
  int n[2]={NX,NE-NX};int pl=first;
  for(;;){
    uint16_t*L=perm[pl];int m=n[pl],e=-1;
    while(m){int k=(int)(((wy()>>32)*(uint64_t)m)>>32);int c=L[k];m--;L[k]=L[m];L[m]=c;if(!blocked[c]){e=c;break;}}
    n[pl]=m;
    if(e>=0){moves_total++;blocked[conf[e][0]]=1;blocked[conf[e][1]]=1;
      int o=pl?NPX:0,a=fnd(E[e].a+o),b=fnd(E[e].b+o);
      if(a!=b){ if(a<T)uf[a]=b;else if(b<T)uf[b]=a;else return pl==0; } }
    pl^=1;
  }
}
// ---- 512 lanes ----
typedef uint64_t V __attribute__((vector_size(64)));
static V vs0,vs1;
static inline V vrnd(void){V a=vs0,b=vs1;V s=a+b;b^=a;vs0=((a<<24)|(a>>40))^b^(b<<16);vs1=(b<<37)|(b>>27);return s;}
static inline V third(void){ // P(bit)=1/3 to 2^-16: 0.010101..b
  V r=vrnd();for(int i=0;i<14;i++)r=vrnd()&~r; return r;}
static V X_[MAXE];
static long lanes_batch(void){
  // each star = 3 X edges + 3 O edges in a 6-cycle; outcome XXX 1/3, OOO 1/3, one of three pairs 1/9 each
  // boundary fragments (path-shaped conflict components) are resolved the same way by random order, see star table
  extern int NSTAR,star[][6],starn[];
  for(int s=0;s<NSTAR;s++){
    int*c=star[s];
    if(starn[s]==6){
      V a=third();V b=third();      // a: XXX ; else, b: half of the rest -> need 1/2 of remaining 2/3
      V h=vrnd();(void)b;
      V xxx=a, rest=~a; V ooo=rest&h, mix=rest&~h; // 1/3,1/3,1/3
      V t=third(); V u=vrnd(); V p0=mix&t, p1=mix&~t&u, p2=mix&~t&~u;
      V pr[3]={p0,p1,p2};
      for(int k=0;k<3;k++)X_[c[2*k]]=xxx|pr[k];
      (void)ooo;
    }else if(starn[s]==1){X_[c[0]]=(c[0]<NX)?~(V){0}:(V){0};}
    else{ // path component in order c[0..n-1], random sequential adsorption with 16-bit keys would be exact; use per-lane order bits
      int n=starn[s];V alive[6],tk[6];for(int k=0;k<n;k++){alive[k]=~(V){0};tk[k]=(V){0};}
      // n<=5: sequential random choice by repeated random priorities on bits (tournament): approximate with 3 rounds of random pick
      for(int round=0;round<n;round++){
        // pick each alive site with a random priority bit-plane comparison against alive neighbours
        V pri[6];for(int k=0;k<n;k++)pri[k]=vrnd();
        for(int k=0;k<n;k++){V win=alive[k]&~tk[k];if(k>0)win&=~(alive[k-1]&~(pri[k]&~pri[k-1]));if(k+1<n)win&=~(alive[k+1]&~(pri[k]&~pri[k+1]));
          tk[k]|=win;if(k>0)alive[k-1]&=~win;if(k+1<n)alive[k+1]&=~win;}
      }
      for(int k=0;k<n;k++){ // leftovers: take in index order
        V win=alive[k]&~tk[k];tk[k]|=win;if(k>0)alive[k-1]&=~win;if(k+1<n)alive[k+1]&=~win;}
      for(int k=0;k<n;k++)if(c[k]<NX)X_[c[k]]=tk[k];
    }
  }
  // bit-parallel flood from the top row
  static V f[64][64];extern int eH[64][64],eB[64][64],eS[64][64];
  V z={0};for(int i=0;i<XR;i++)for(int j=0;j<XC;j++)f[i][j]=i?z:~z;
  for(int it=0;it<200;it++){
    V ch=z;
    for(int i=1;i<XR;i++){ // down sweep, left-right then right-left
      for(int j=0;j<XC;j++){V o=f[i][j],g=o|(f[i-1][j]&X_[eB[i-1][j]]);if(j+1<XC)g|=f[i-1][j+1]&X_[eS[i-1][j+1]];if(j)g|=f[i][j-1]&X_[eH[i][j-1]];f[i][j]=g;ch|=g^o;}
      for(int j=XC-2;j>=0;j--){V o=f[i][j],g=o|(f[i][j+1]&X_[eH[i][j]]);f[i][j]=g;ch|=g^o;}
    }
    uint64_t any=0;for(int q=0;q<8;q++)any|=ch[q];if(!any)break;
    ch=z;
    for(int i=XR-2;i>=1;i--){
      for(int j=0;j<XC;j++){V o=f[i][j],g=o|(f[i+1][j]&X_[eB[i][j]]);if(j)g|=f[i+1][j-1]&X_[eS[i][j]];if(j)g|=f[i][j-1]&X_[eH[i][j-1]];f[i][j]=g;ch|=g^o;}
      for(int j=XC-2;j>=0;j--){V o=f[i][j],g=o|(f[i][j+1]&X_[eH[i][j]]);f[i][j]=g;ch|=g^o;}
    }
    any=0;for(int q=0;q<8;q++)any|=ch[q];if(!any)break;
  }
  V w=z;for(int j=0;j<XC;j++)w|=f[XR-1][j];
  long c=0;for(int q=0;q<8;q++)c+=__builtin_popcountll(w[q]);
  return c;
}
int NSTAR,star[MAXE][6],starn[MAXE],eH[64][64],eB[64][64],eS[64][64];
static void find_stars(void){
  static int seen[MAXE];
  for(int pass=0;pass<2;pass++)for(int e=0;e<NE;e++){ // pass 0: path components from an end; pass 1: cycles, starting on an X edge
    if(seen[e]||(pass==0&&nconf[e]>1)||(pass==1&&e>=NX))continue;
    int n=0,prev=-1,cur=e;
    while(cur>=0&&!seen[cur]){seen[cur]=1;star[NSTAR][n++]=cur;int nx=-1;for(int k=0;k<nconf[cur];k++)if(conf[cur][k]!=prev&&!seen[conf[cur][k]]){nx=conf[cur][k];break;}prev=cur;cur=nx;}
    starn[NSTAR++]=n;
  }
  int h[8]={0};for(int s=0;s<NSTAR;s++)h[starn[s]]++;
  fprintf(stderr,"components: 1:%d 2:%d 3:%d 4:%d 5:%d 6:%d\n",h[1],h[2],h[3],h[4],h[5],h[6]);
  for(int e=0;e<NX;e++){int i=E[e].a/XC,j=E[e].a%XC;if(E[e].kind==0)eH[i][j]=e;else if(E[e].kind==1)eB[i][j]=e;else eS[i][j]=e;}
}
int main(int argc,char**argv){
  const char*mode=argc>1?argv[1]:"exact";int n=argc>2?atoi(argv[2]):25;double secs=argc>3?atof(argv[3]):1.0;
  ws=argc>4?strtoull(argv[4],0,10):12345;
  build(n);find_stars();
  for(int e=0;e<NE;e++){
    if(e<NX){int i=E[e].a/XC,j=E[e].a%XC;erow[e]=i;ebit[e]=1u<<(E[e].kind==0?j:j);eidx[e]=E[e].kind*64+i;}
    else{eidx[e]=192;ebit[e]=0;}
    // horizontal: bit j joins j,j+1. backslash: bit j joins (i,j),(i+1,j). slash: bit j joins (i,j),(i+1,j-1)
  }
  for(int e=0;e<NX;e++)perm[0][e]=e;for(int e=NX;e<NE;e++)perm[1][e-NX]=e;
  for(int i=0;i<8;i++){vs0[i]=wy();vs1[i]=wy();}
  for(int k=0;k<2048;k++)playout_fast(1); // mean bridges on a full board, reported by mode exact
  double mean_moves=moves_total/2048.0;moves_total=0;
  long po=0,xw=0;double t0=now(),t;
  fast_init();int ni=!strcmp(mode,"exact"),fast=!strcmp(mode,"branchy"),plain=!strcmp(mode,"plain"),early=!strcmp(mode,"early");
  do{
    if(ni){for(int k=0;k<256/NI;k++)xw+=playout_ni(1);}
    else if(fast)for(int k=0;k<256;k++)xw+=playout_fast(1);        // O (Horz) moves first
    else if(plain)for(int k=0;k<256;k++)xw+=playout_exact(1);
    else if(early)for(int k=0;k<256;k++)xw+=playout_early(1);
    else{xw+=lanes_batch();po+=256;}
    po+=256;t=now()-t0;
  }while(t<secs);
  if(ni)moves_total=(long)(mean_moves*po);
  printf("{\"game\": \"visavis-%d\", \"mode\": \"%s\", \"rate\": %.1f, \"playouts\": %ld, \"x_win\": %.4f, \"moves_per_playout\": %.2f, \"ns_per_move\": %.3f}\n",
    n,mode,po/t,po,(double)xw/po,moves_total?(double)moves_total/po:0.0,moves_total?1e9*t/moves_total:0.0);
  return 0;
}
