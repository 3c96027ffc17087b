// Druid random playouts (size 8 by default, gaps allowed), physical-limit anchor.  Our own code.
// Rules as in games/druid: a sarsen goes on an empty square or on top of an own stone; a lintel
// spans three squares in line, both end squares topped by own stones of equal height, the middle
// square not higher than the ends (any owner or empty).  V first, first stone on an edge square.
// V joins top and bottom, H left and right, orthogonal neighbours, heights ignored.
// Policy: uniform over the legal moves, drawn by rejection (only the height condition rejects); mode gain restricts the draw to
// ownership-changing moves while there are any, because uniform games often never end.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <immintrin.h>
static double now(void){struct timespec t;clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&t);return t.tv_sec+1e-9*t.tv_nsec;}
static uint64_t ws=0x1234567;
static inline uint64_t wy(void){ws+=0xa0761d6478bd642full;__uint128_t m=(__uint128_t)ws*(ws^0xe7037ed1a0b428dbull);return (uint64_t)(m>>64)^(uint64_t)m;}
#ifndef N
#define N 8
#endif
#define NC (N*N)
#ifndef CAP
#define CAP 1000
#endif
static long moves_total,trials,floods,capped;
#if N==8
#define A_FILE 0x0101010101010101ull
#define H_FILE 0x8080808080808080ull
static int conn(uint64_t o,int p){
  // prefilter: a winning chain needs a stone in every row (V) or column (H)
  uint64_t f,goal;
  if(p==0){uint64_t x=o|o>>4;x|=x>>2;x|=x>>1;if((x&A_FILE)!=A_FILE)return 0;f=o&0xff;goal=o&0xff00000000000000ull;}
  else{uint64_t x=o;x&=~0ull;uint64_t y=o|o>>32;y|=y>>16;y|=y>>8;if((y&0xff)!=0xff)return 0;f=o&A_FILE;goal=o&H_FILE;(void)x;}
  floods++;
  for(;;){uint64_t g=f|f<<8|f>>8|((f&~H_FILE)<<1)|((f&~A_FILE)>>1);g&=o;if(g&goal)return 1;if(g==f)return 0;f=g;}
}
#endif
// One uniform draw over {sarsen squares} + {lintels whose two ends are topped by own stones},
// the height condition being the only rejection left.
static int policy; // 0 = uniform; 1 = ownership-changing moves first (empty square, lintel over a non-own middle)
static const uint64_t COL2=0x3f3f3f3f3f3f3f3full; // columns 0..5: start of a horizontal lintel
static inline int nth(uint64_t m,int k){return __builtin_ctzll(_pdep_u64(1ull<<k,m));}
static int playout(void){
  uint8_t h[NC];memset(h,0,NC);uint64_t bb[2]={0,0};int p=0;
  const uint64_t EDGE=0xff818181818181ffull;
  for(int mv=0;mv<CAP;mv++){
    uint64_t me=bb[p],op=bb[p^1],S=~op;if(mv==0)S=EDGE;
    uint64_t LH=me&(me>>2)&COL2,LV=me&(me>>16);
    uint64_t s1=S,h1=LH,v1=LV;
    int free_=0;
    if(policy){s1=~(op|me);if(mv==0)s1=EDGE;h1=LH&~(me>>1);v1=LV&~(me>>8);free_=1;}
    int changed=0,cs=__builtin_popcountll(s1),ch=__builtin_popcountll(h1),cv=__builtin_popcountll(v1);
    for(int tr=0;;tr++){
      if(free_&&(tr==24||cs+ch+cv==0)){free_=0;s1=S;h1=LH;v1=LV;cs=__builtin_popcountll(s1);ch=__builtin_popcountll(h1);cv=__builtin_popcountll(v1);}
      if(cs+ch+cv==0){p=-1;break;}
      trials++;
      int k=(int)(((wy()>>32)*(uint64_t)(cs+ch+cv))>>32);
      if(k<cs){int c=nth(s1,k);uint64_t bit=1ull<<c;h[c]++;changed=!(me&bit);bb[p]|=bit;break;}
      k-=cs;int st,a;if(k<ch){st=1;a=nth(h1,k);}else{st=8;a=nth(v1,k-ch);}
      int B=a+st,C=B+st;
      if(h[a]!=h[C]||h[B]>h[a])continue;
      h[a]=h[B]=h[C]=h[a]+1;uint64_t bit=1ull<<B;changed=!(me&bit);bb[p]|=bit;bb[p^1]&=~bit;break;
    }
    if(p<0){moves_total+=mv;return -1;}
    if(changed&&mv>=2*N-2&&conn(bb[p],p)){moves_total+=mv+1;return p;}
    p^=1;
  }
  moves_total+=CAP;capped++;return -1;
}
int main(int argc,char**argv){
  const char*mode=argc>1?argv[1]:"playout";policy=!strcmp(mode,"gain");
  double secs=argc>2?atof(argv[2]):1.0;if(argc>3)ws=strtoull(argv[3],0,10);
  long po=0,w0=0;double t0=now(),t;
  do{for(int k=0;k<256;k++)w0+=playout()==0;po+=256;t=now()-t0;}while(t<secs);
  printf("{\"game\": \"druid-%d\", \"mode\": \"%s\", \"rate\": %.1f, \"playouts\": %ld, \"v_win\": %.4f, \"capped\": %.5f, \"moves_per_playout\": %.2f, \"ns_per_move\": %.2f, \"trials_per_move\": %.2f, \"floods_per_playout\": %.2f}\n",
    N,mode,po/t,po,(double)w0/po,(double)capped/po,(double)moves_total/po,1e9*t/moves_total,(double)trials/moves_total,(double)floods/po);
  return 0;
}
