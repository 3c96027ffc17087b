// Gyges random playouts, move generation and perft, physical-limit anchor.  Our own code.
// Squares 0..35 row-major, row 0 = South's starting row; 36 = South goal, 37 = North goal.
// Rules as in games/gyges: exact step counts, interior slots empty (the start slot counts as
// empty), no connection used twice over the whole move, bounces, relocation anywhere not
// past the opponent's shore (the vacated start slot included), own goal barred.
// Random policy: uniform over distinct resulting positions (duplicates that different
// routes or equal ring sizes give are merged, the null move is dropped), Renop on the
// board alone (a move that repeats an earlier board of the playout is redrawn).
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <immintrin.h>
static double now(void){struct timespec t;clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&t);return t.tv_sec+1e-9*t.tv_nsec;}
static uint64_t ws=0x1234567;
static inline uint64_t wy(void){ws+=0xa0761d6478bd642full;__uint128_t m=(__uint128_t)ws*(ws^0xe7037ed1a0b428dbull);return (uint64_t)(m>>64)^(uint64_t)m;}
static inline uint32_t below(uint32_t n){return (uint32_t)(((wy()>>32)*(uint64_t)n)>>32);}
#define MAXP 40
typedef struct{uint64_t inter[MAXP],edge[MAXP],endb[MAXP];uint8_t end[MAXP];int n;}__attribute__((aligned(64))) PT;
static PT paths[4][36];   // both goals included; the own goal is masked later
static int eid[36][36];
static void rec(int type,int s,int sq,int k,uint64_t inter,uint64_t edge){
  int r=sq/6,c=sq%6;PT*p=&paths[type][s];
  int dr[4]={1,-1,0,0},dc[4]={0,0,1,-1};
  for(int d=0;d<4;d++){
    int r2=r+dr[d],c2=c+dc[d];
    if(c2<0||c2>5)continue;
    if(r2<0||r2>5){ if(k==type-1){int g=r2<0?36:37;p->inter[p->n]=inter;p->edge[p->n]=edge;p->end[p->n]=g;p->endb[p->n]=1ull<<g;p->n++;} continue; }
    int t=r2*6+c2;uint64_t e=1ull<<eid[sq][t];
    if(edge&e)continue;
    if(k==type-1){p->inter[p->n]=inter;p->edge[p->n]=edge|e;p->end[p->n]=t;p->endb[p->n]=1ull<<t;p->n++;}
    else rec(type,s,t,k+1,inter|(1ull<<t),edge|e);
  }
}
static void tables(void){
  int n=0;for(int a=0;a<36;a++){int r=a/6,c=a%6;if(c<5){eid[a][a+1]=eid[a+1][a]=n++;}if(r<5){eid[a][a+6]=eid[a+6][a]=n++;}}
  int mx[4]={0},tot[4]={0};
  for(int t=1;t<=3;t++)for(int s=0;s<36;s++){rec(t,s,s,0,0,0);tot[t]+=paths[t][s].n;if(paths[t][s].n>mx[t])mx[t]=paths[t][s].n;
    for(int i=paths[t][s].n;i<MAXP;i++)paths[t][s].inter[i]=~0ull;} // never valid
  fprintf(stderr,"connections %d; paths 1:%d 2:%d 3:%d (max %d %d %d)\n",n,tot[1],tot[2],tot[3],mx[1],mx[2],mx[3]);
}
typedef struct{uint64_t occ,ty[4];uint8_t pc[40];}Pos;
typedef struct{uint64_t ends,hits;}Reach;
static long nodes;
static uint64_t G_occ,G_goalmask;static const uint8_t*G_pc;static Reach*G_R;
static void walk(int sq,int type,uint64_t used,uint64_t banned){
  const PT*p=&paths[type][sq];
  nodes++;
#ifdef __AVX512F__
  __m512i vo=_mm512_set1_epi64(G_occ),vu=_mm512_set1_epi64(used),acc=_mm512_setzero_si512(),vh=_mm512_set1_epi64(G_occ&~banned);
  uint64_t go=0;
  for(int i=0;i<p->n;i+=8){
    __mmask8 k=_mm512_testn_epi64_mask(_mm512_load_si512(p->inter+i),vo);
    k=_mm512_mask_testn_epi64_mask(k,_mm512_load_si512(p->edge+i),vu);
    __m512i eb=_mm512_load_si512(p->endb+i);
    acc=_mm512_mask_or_epi64(acc,k,acc,eb);
    go|=(uint64_t)_mm512_mask_test_epi64_mask(k,eb,vh)<<i;
  }
  uint64_t all=_mm512_reduce_or_epi64(acc);
#else
  uint64_t go=0,all=0,hm=G_occ&~banned;
  for(int i=0;i<p->n;i++){if((p->inter[i]&G_occ)|(p->edge[i]&used))continue;all|=p->endb[i];go|=(uint64_t)((p->endb[i]&hm)!=0)<<i;}
#endif
  G_R->ends|=all&~G_occ&G_goalmask;G_R->hits|=all&G_occ;
  while(go){int i=__builtin_ctzll(go);go&=go-1;int e=p->end[i];walk(e,G_pc[e],used|p->edge[i],banned|(1ull<<e));}
}
static inline int row_lo(uint64_t o){return __builtin_ctzll(o)/6;}
static inline int row_hi(uint64_t o){return (63-__builtin_clzll(o))/6;}
#define FULL ((1ull<<36)-1)
typedef struct{int n;int start[6];Reach r[6];uint64_t drops;}Gen;
static inline void generate(const Pos*b,int pl,Gen*g){
  int row=pl==0?row_lo(b->occ):row_hi(b->occ);
  int orow=pl==0?row_hi(b->occ):row_lo(b->occ);
  uint64_t allow=pl==0?((1ull<<(6*(orow+1)))-1):(FULL&~((1ull<<(6*orow))-1));
  g->drops=~b->occ&allow&FULL;g->n=0;
  G_goalmask=~(1ull<<(36+pl));G_pc=b->pc;
  uint64_t m=(b->occ>>(6*row))&63;
  while(m){int s=row*6+__builtin_ctzll(m);m&=m-1;Reach*R=&g->r[g->n];R->ends=R->hits=0;G_R=R;G_occ=b->occ&~(1ull<<s);
    walk(s,b->pc[s],0,0);g->start[g->n++]=s;}
}
static inline uint64_t bit(int s){return 1ull<<s;}
// distinct resulting positions for start i
static inline int count_distinct(const Pos*b,const Gen*g,int i,uint64_t*simple,int*other){
  int s=g->start[i],T=b->pc[s];const Reach*R=&g->r[i];
  uint64_t sm=R->ends&FULL&~bit(s);
  if(R->hits&b->ty[T])sm|=g->drops;
  *simple=sm;
  int nh=__builtin_popcountll(R->hits&~b->ty[T]);int nd=__builtin_popcountll(g->drops)+1;
  *other=nh*nd;
  return __builtin_popcountll(sm)+*other+((R->ends>>36)!=0);
}
// Two starts that can land on each other swap to the same board (ring of s_i on s_j, ring of
// s_j dropped on s_i).  The copy seen from the later start is a duplicate.
static inline int dup(const Gen*g,int i,int q,int t){
  if(t!=g->start[i])return 0;
  for(int j=0;j<i;j++)if(g->start[j]==q)return (g->r[j].hits>>t)&1;
  return 0;
}
static inline int dups(const Pos*b,const Gen*g,int i){int n=0,s=g->start[i];
  for(int j=0;j<i;j++){int q=g->start[j];if((g->r[i].hits>>q&1)&&(g->r[j].hits>>s&1)&&b->pc[q]!=b->pc[s])n++;}return n;}
static inline int nth(uint64_t m,int k){return __builtin_ctzll(_pdep_u64(1ull<<k,m));}
static inline void put(Pos*b,int s,int t){b->occ|=bit(s);b->ty[t]|=bit(s);b->pc[s]=t;}
static inline void del(Pos*b,int s){int t=b->pc[s];b->occ&=~bit(s);b->ty[t]&=~bit(s);b->pc[s]=0;}
static uint64_t zob[4][36];
static inline uint64_t hash(const Pos*b){uint64_t h=0,o=b->occ;while(o){int s=__builtin_ctzll(o);o&=o-1;h^=zob[b->pc[s]][s];}return h;}
static void random_start(Pos*b){
  memset(b,0,sizeof*b);
  for(int side=0;side<2;side++){int a[6]={1,1,2,2,3,3};for(int i=5;i>0;i--){int j=below(i+1);int t=a[i];a[i]=a[j];a[j]=t;}
    for(int i=0;i<6;i++)put(b,side*30+i,a[i]);}
}
static uint64_t hkey[4096];static uint32_t hst[4096],stamp;
static int seen_or_add(uint64_t h,int add){int i=h&4095;while(hst[i]==stamp){if(hkey[i]==h)return 1;i=(i+1)&4095;}if(add){hst[i]=stamp;hkey[i]=h;}return 0;}
static long plies,movesum,capped,stale;
#define CAP 1000
static int take_win; // playout policy: 0 = uniform, 1 = step into the goal whenever it is reachable
static int playout(void){ // returns winner 0/1, -1 on the ply cap
  Pos b;random_start(&b);stamp++;uint64_t h=hash(&b);seen_or_add(h,1);
  int pl=0,passes=0;Gen g;
  for(int ply=0;ply<CAP;ply++){
    generate(&b,pl,&g);
    uint64_t sm[6];int ot[6],ct[6],tot=0;
    for(int i=0;i<g.n;i++){ct[i]=count_distinct(&b,&g,i,&sm[i],&ot[i]);tot+=ct[i];}
    movesum+=tot;
    if(take_win){uint64_t w=0;for(int i=0;i<g.n;i++)w|=g.r[i].ends>>36;if(w){plies+=ply+1;return pl;}}
    int done=0;
    if(tot)for(int tries=0;tries<64&&!done;tries++){
      int r=below(tot),i=0;while(r>=ct[i]){r-=ct[i];i++;}
      int s=g.start[i],T=b.pc[s];int ns=__builtin_popcountll(sm[i]);
      if(r<ns){int t=nth(sm[i],r);uint64_t h2=h^zob[T][s]^zob[T][t];if(seen_or_add(h2,0))continue;h=h2;del(&b,s);put(&b,t,T);done=1;}
      else if(r<ns+ot[i]){r-=ns;uint64_t D=g.drops|bit(s);int nd=__builtin_popcountll(D);
        int hs=nth(g.r[i].hits&~b.ty[T],r/nd),t=nth(D,r%nd),U=b.pc[hs];
        if(dup(&g,i,hs,t))continue;
        uint64_t h2=h^zob[T][s]^zob[U][hs]^zob[T][hs]^zob[U][t];if(seen_or_add(h2,0))continue;h=h2;
        del(&b,s);del(&b,hs);put(&b,hs,T);put(&b,t,U);done=1;}
      else {plies+=ply+1;return pl;}
    }
    if(!done){stale++;if(++passes>=2){plies+=ply+1;return -1;}}
    else{passes=0;seen_or_add(h,1);}
    pl^=1;
  }
  plies+=CAP;capped++;return -1;
}
// perft: distinct resulting positions ("distinct") and the looser move-line count
// (start,end) + (start,hit,drop) used by other engines ("lines", null moves kept)
static uint64_t perft(const Pos*b,int pl,int d,int lines){
  Gen g;generate(b,pl,&g);uint64_t n=0;
  for(int i=0;i<g.n;i++){
    int s=g.start[i],T=b->pc[s];uint64_t sm;int ot;const Reach*R=&g.r[i];
    if(d==1){ if(!lines)n+=count_distinct(b,&g,i,&sm,&ot)-dups(b,&g,i);
      else n+=__builtin_popcountll(R->ends)+(uint64_t)__builtin_popcountll(R->hits)*(__builtin_popcountll(g.drops)+1);
      continue;}
    count_distinct(b,&g,i,&sm,&ot);
    if(R->ends>>36)n+=lines?1:1;
    uint64_t e=lines?(R->ends&FULL):sm;
    while(e){int t=__builtin_ctzll(e);e&=e-1;Pos c=*b;del(&c,s);put(&c,t,T);n+=perft(&c,pl^1,d-1,lines);}
    uint64_t hs=lines?R->hits:(R->hits&~b->ty[T]);
    while(hs){int q=__builtin_ctzll(hs);hs&=hs-1;int U=b->pc[q];uint64_t D=g.drops|bit(s);
      while(D){int t=__builtin_ctzll(D);D&=D-1;if(!lines&&dup(&g,i,q,t))continue;Pos c=*b;del(&c,s);del(&c,q);put(&c,q,T);put(&c,t,U);n+=perft(&c,pl^1,d-1,lines);}}
  }
  return n;
}
static void parse(const char*a,Pos*b){memset(b,0,sizeof*b);int s=0;for(;*a&&s<36;a++){if(*a=='/')continue;int t=*a-'0';if(t)put(b,s,t);s++;}}
int main(int argc,char**argv){
  const char*mode=argc>1?argv[1]:"playout";tables();
  for(int t=1;t<4;t++)for(int s=0;s<36;s++)zob[t][s]=wy();
  if(!strcmp(mode,"perft")){ // perft BOARD depth [player]
    Pos b;parse(argv[2],&b);int D=atoi(argv[3]),pl=argc>4?atoi(argv[4]):0;
    for(int d=1;d<=D;d++){double t=now();uint64_t x=perft(&b,pl,d,0);t=now()-t;uint64_t y=perft(&b,pl,d,1);
      printf("%s player %d perft(%d) distinct %llu lines %llu  (%.3fs)\n",argv[2],pl,d,(unsigned long long)x,(unsigned long long)y,t);}
    return 0;}
  double secs=argc>2?atof(argv[2]):1.0;if(argc>3)ws=strtoull(argv[3],0,10);
  if(!strcmp(mode,"gen")){ // generation only, over positions met in random playouts
    int N=20000;Pos*P=malloc(N*sizeof(Pos));int*pl=malloc(N*sizeof(int));
    for(int i=0;i<N;){Pos b;random_start(&b);int p=0;int len=below(40);Gen g;int ok=1;
      for(int k=0;k<len&&ok;k++){generate(&b,p,&g);uint64_t sm[6];int ot[6],ct[6],tot=0;for(int j=0;j<g.n;j++){ct[j]=count_distinct(&b,&g,j,&sm[j],&ot[j]);ct[j]-=(g.r[j].ends>>36)!=0;tot+=ct[j];}
        if(!tot){ok=0;break;}int r=below(tot),j=0;while(r>=ct[j]){r-=ct[j];j++;}int s=g.start[j],T=b.pc[s],ns=__builtin_popcountll(sm[j]);
        if(r<ns){int t=nth(sm[j],r);del(&b,s);put(&b,t,T);}else{r-=ns;uint64_t D=g.drops|bit(s);int nd=__builtin_popcountll(D);int hs=nth(g.r[j].hits&~b.ty[T],r/nd),t=nth(D,r%nd),U=b.pc[hs];del(&b,s);del(&b,hs);put(&b,hs,T);put(&b,t,U);}
        p^=1;}
      if(ok){P[i]=b;pl[i]=p;i++;}}
    nodes=0;long n=0;uint64_t sink=0;double t0=now(),t;
    do{for(int i=0;i<N;i++){Gen g;generate(&P[i],pl[i],&g);for(int j=0;j<g.n;j++)sink+=g.r[j].ends^g.r[j].hits;}n+=N;t=now()-t0;}while(t<secs);
    printf("{\"game\": \"gyges\", \"mode\": \"gen\", \"rate\": %.1f, \"ns_per_gen\": %.2f, \"walk_nodes_per_gen\": %.2f, \"sink\": %llu}\n",n/t,1e9*t/n,(double)nodes/n,(unsigned long long)sink);
    return 0;}
  take_win=!strcmp(mode,"takewin");
  long po=0,w0=0,dr=0;double t0=now(),t;
  do{for(int k=0;k<64;k++){int w=playout();w0+=w==0;dr+=w<0;}po+=64;t=now()-t0;}while(t<secs);
  printf("{\"game\": \"gyges\", \"mode\": \"%s\", \"rate\": %.1f, \"playouts\": %ld, \"south_win\": %.4f, \"no_result\": %.4f, \"capped\": %.4f, \"moves_per_playout\": %.2f, \"ns_per_move\": %.2f, \"branching\": %.1f, \"walk_nodes_per_ply\": %.2f, \"stale_plies\": %ld}\n",
    mode,po/t,po,(double)w0/po,(double)dr/po,(double)capped/po,(double)plies/po,1e9*t/plies,(double)movesum/plies,(double)nodes/plies,stale);
  return 0;
}
