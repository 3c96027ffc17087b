// Vasco: random placements with auto moves from an empty table to the end of the game, the
// tightest plain C loop we could write for it. Our own code. Prints one JSON line: "rate" is
// placements per CPU second.
//
// The same process as the rollout of games/vasco/kernel: every placement uniform over the
// legal ones, by rejection. A candidate is an empty cell that touches the tiles, with one of
// six rotations; it is laid and its forced tiles follow in reading order (Ruling V2); when a
// cell dies, or when the tile stays apart, all is taken back and another is drawn (V3).
// Games end with a loop (V5), or with the pool or without a legal placement (V6, V7).
//
// The grid is a torus in one array: cell = row * ROW + column, not wrapped, so that numeric
// order is reading order; its place in the array is its residue. WIDTH, the residue of ROW,
// is chosen so that no group of POOL tiles meets itself. A cell is a byte: two bits an edge
// (left, right, base), FILLED, LISTED. An even cell points up.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifndef POOL
#define POOL 54
#define WIDTH 63
#define CELLS 2048
#endif
#define ROW (CELLS + WIDTH)
#define FILLED 64
#define LISTED 128
#define AT(c) grid[(c) & (CELLS - 1)]
static double now(void){struct timespec t;clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&t);return t.tv_sec+1e-9*t.tv_nsec;}
static uint64_t ws=0x1234567;
static inline uint64_t wy(void){ws+=0xa0761d6478bd642full;__uint128_t m=(__uint128_t)ws*(ws^0xe7037ed1a0b428dbull);return (uint64_t)(m>>64)^(uint64_t)m;}
static inline uint32_t below(uint32_t n){return (uint32_t)(((wy()>>32)*(uint64_t)n)>>32);}

// Colours 1 o, 2 x, 3 the overlap. Rotations as in the rules, a to f: left, right, base.
static const int ORDER[6][3]={{1,2,3},{1,3,2},{2,1,3},{2,3,1},{3,1,2},{3,2,1}};
static uint8_t EDGES[6];              // rotation -> edge bits
static uint8_t SEEN[256];             // byte of an empty cell -> set of colours it sees; 0 if filled
static uint8_t DEAD[256];             // an empty cell that sees one colour twice
static uint8_t MANY[8];               // set of two colours or more
static uint8_t OWN[64];               // edge bits -> rotations that match
static uint8_t SPARE[3][8];           // side, colours the cell beyond sees -> rotations that spare it
static uint8_t ONLY[64];              // one rotation as a bit -> its edge bits
static int16_t STEP[512];             // colour, parity, edge bits -> step across the edge of the colour
static void tables(void){
  for(int r=0;r<6;r++)EDGES[r]=ORDER[r][0]|ORDER[r][1]<<2|ORDER[r][2]<<4;
  for(int b=0;b<64;b++){
    int s=0,dup=0;
    for(int i=0;i<3;i++){int c=b>>2*i&3;if(c){if(s>>(c-1)&1)dup=1;s|=1<<(c-1);}}
    for(int f=0;f<4;f++){SEEN[b|f<<6]=f&1?0:s;DEAD[b|f<<6]=f&1?0:dup;}
    for(int r=0;r<6;r++){int ok=1;for(int i=0;i<3;i++){int c=b>>2*i&3;if(c&&c!=ORDER[r][i])ok=0;}OWN[b]|=ok<<r;}
    if(b&&!(b&(b-1)))ONLY[b]=EDGES[__builtin_ctz(b)];
    for(int c=1;c<4;c++)for(int odd=0;odd<2;odd++)for(int i=0;i<3;i++)
      if((b>>2*i&3)==c)STEP[c<<7|odd<<6|b]=i==0?-1:i==1?1:odd?-ROW:ROW;
  }
  for(int s=0;s<8;s++){MANY[s]=(s&(s-1))!=0;
    for(int i=0;i<3;i++)for(int r=0;r<6;r++)if(!(s>>(ORDER[r][i]-1)&1))SPARE[i][s]|=1<<r;}
}
static uint8_t grid[CELLS];
static int list[3*POOL+32],listed;
static int laid[POOL+1],queue[3*POOL];
static uint8_t before[POOL+1];
static int tiles,queued;
static long placements,games,draws,trials,laid_total,won[3],at_end,surveys;

static inline int possible(int c){
  int b=AT(c),s=c&1?-ROW:ROW;
  return OWN[b&63]&SPARE[0][SEEN[AT(c-1)]]&SPARE[1][SEEN[AT(c+1)]]&SPARE[2][SEEN[AT(c+s)]];
}
static inline void ask(int c){for(int i=0;i<queued;i++)if(queue[i]==c)return;queue[queued++]=c;}
// Two empty cells side by side that see different colours are both forced, or dead.
static inline void near_by(int d,int seen,int f,int g){
  int sf=SEEN[AT(f)],sg=SEEN[AT(g)];
  if(!seen||!MANY[seen|sf|sg])return;
  if(sf&&MANY[seen|sf])ask(f);
  if(sg&&MANY[seen|sg])ask(g);
  ask(d);
}
static inline int put(int c,int e,int k){
  int s=c&1?-ROW:ROW;
  uint8_t*L=&AT(c-1),*R=&AT(c+1),*B=&AT(c+s),*C=&AT(c);
  int l=*L|(e&3)<<2,r=*R|(e>>2&3),b=*B|(e&48);
  if(DEAD[l]|DEAD[r]|DEAD[b])return 0;
  laid[k]=c;before[k]=*C;*C=(*C&LISTED)|e|FILLED;*L=l;*R=r;*B=b;
  near_by(c-1,SEEN[l],c-2,c-1-s);
  near_by(c+1,SEEN[r],c+2,c+1-s);
  near_by(c+s,SEEN[b],c+s-1,c+s+1);
  return 1;
}
static inline void take(int k){
  while(k-->0){
    int c=laid[k],e=AT(c),s=c&1?-ROW:ROW;
    uint8_t*L=&AT(c-1),*R=&AT(c+1),*B=&AT(c+s);
    AT(c)=before[k];
    if(!(*L&FILLED))*L&=~12;
    if(!(*R&FILLED))*R&=~3;
    if(!(*B&FILLED))*B&=~48;
    (void)e;
  }
}
static int joined(int n){ // Only asked when the pool ran out: do the new tiles reach an old one?
  int reach[POOL],m=1;reach[0]=laid[0];
  for(int i=0;i<m;i++){
    int c=reach[i],near[3]={c-1,c+1,c+(c&1?-ROW:ROW)};
    for(int j=0;j<3;j++)if(AT(near[j])&FILLED){
      int new=0,known=0;
      for(int q=0;q<n;q++)new|=laid[q]==near[j];
      for(int q=0;q<m;q++)known|=reach[q]==near[j];
      if(!new)return 1;
      if(!known)reach[m++]=near[j];
    }
  }
  return n==tiles;
}
// Lay a tile and what it forces: how many, or 0 and nothing has changed.
static inline int lay(int c,int e,int room){
  int apart=!(AT(c)&63)&&tiles;
  queued=0;
  if(!put(c,e,0))return 0;
  int k=1;
  while(queued){
    if(k==room){
      for(int i=0;i<queued;i++)if(!possible(queue[i]))goto refused;
      if(apart){tiles+=k;int ok=joined(k);tiles-=k;if(!ok)goto refused;}
      return k;
    }
    int at=0;
    for(int i=1;i<queued;i++)if(queue[i]<queue[at])at=i;
    int d=queue[at];queue[at]=queue[--queued];
    int fits=possible(d);
    if(!fits)goto refused;
    put(d,ONLY[fits],k++);
  }
  if(!apart||k>1)return k;
refused:
  take(k);return 0;
}
// List the empty cells round the corners of a new tile. Those round a corner of an older tile
// are listed: a tile beside one brings the five round the far corner, beside two none.
static inline void enlist_one(int c){uint8_t*g=&AT(c);list[listed]=c;listed+=!(*g&LISTED);*g|=LISTED;}
static inline void enlist(int c,int b){
  int s=c&1?-ROW:ROW;
  int left=b&3,right=b&12,base=b&48;
  if(!(right|base)){enlist_one(c+1);enlist_one(c+2);enlist_one(c+s);enlist_one(c+s+1);enlist_one(c+s+2);}
  if(!(left|base)){enlist_one(c-1);enlist_one(c-2);enlist_one(c+s);enlist_one(c+s-1);enlist_one(c+s-2);}
  if(!(left|right)){enlist_one(c-1);enlist_one(c+1);enlist_one(c-s-1);enlist_one(c-s);enlist_one(c-s+1);}
}
// Length of the closed loop of a colour that leaves a tile by the overlap; 0 when open.
static inline int loop(int start,int colour){
  int c=start,by=3,n=0;
  do{c+=STEP[by<<7|(c&1)<<6|(AT(c)&63)];n++;by^=colour^3;if(!by)by=3;
    if(!(AT(c)&FILLED))return 0;}while(c!=start);
  return n;
}
// Tiles of the path of a colour that ends on a side of the empty cell d; its other end is struck out.
static inline int path(int d,int side,int colour){
  int d2=d,c=d+(side==0?-1:side==1?1:d&1?-ROW:ROW),n=0;
  static const int BACK[3]={2,0,4};
  int by=AT(c)>>BACK[side]&3;
  do{by=by==3?colour:3;n++;d2=c;int step=STEP[by<<7|(c&1)<<6|(AT(c)&63)];c+=step;}while(AT(c)&FILLED);
  AT(c)&=~(colour<<(c-d2==1?0:c-d2==-1?2:4));
  return n;
}
static int longest_loses(int o,int x){return o==x?2:o>x;} // the winner: 0, 1, or 2 for a draw
static int judged_at_end(void){
  int best[3]={0,0,0};
  for(int i=0;i<listed;i++){
    int c=list[i],b;
    if(AT(c)&FILLED)continue;
    while((b=AT(c)&63)){ // colour 1 is one bit, 2 the other, the overlap both
      int t=__builtin_ctz(b),colour=1<<(t&1);
      AT(c)&=~(1<<t);
      int n=path(c,t>>1,colour);if(n>best[colour])best[colour]=n;
    }
  }
  at_end++;
  return longest_loses(best[1],best[2]);
}
static int after(int k){ // loops that the new tiles closed; the winner or -1
  int best[3]={0,0,0};
  for(int i=1;i<k;i++){
    int s=0,b=before[i];
    for(int j=0;j<3;j++)if(b>>2*j&3)s|=1<<((b>>2*j&3)-1);
    if(!(s&4))continue;
    for(int colour=1;colour<3;colour++)if(s&colour){int n=loop(laid[i],colour);if(n>best[colour])best[colour]=n;}
  }
  if(best[1]|best[2])return !best[2]?0:!best[1]?1:longest_loses(best[1],best[2]);
  return tiles==POOL?judged_at_end():-1;
}
static int any_legal(void){
  surveys++;
  for(int i=0;i<listed;i++)if(!(AT(list[i])&FILLED))for(int r=0;r<6;r++)
    if(OWN[AT(list[i])&63]>>r&1){int k=lay(list[i],EDGES[r],POOL-tiles);if(k){take(k);return 1;}}
  return 0;
}
static int game(void){
  memset(grid,0,sizeof grid);listed=0;tiles=0;list[listed++]=0;AT(0)=LISTED;
  for(int misses=0;;){
    uint32_t d=below(6*listed);int at=d/6,r=d%6,c=list[at];
    draws++;
    if(AT(c)&FILLED){list[at]=list[--listed];continue;}
    if(!(OWN[AT(c)&63]>>r&1))continue;
    trials++;
    int k=lay(c,EDGES[r],POOL-tiles);
    if(!k){if(++misses==1000){if(!any_legal())return judged_at_end();misses=0;}continue;}
    misses=0;tiles+=k;placements++;laid_total+=k;
    for(int i=0;i<k;i++)enlist(laid[i],before[i]&63);
    int w=after(k);
    if(w>=0)return w;
  }
}
int main(int argc,char**argv){
  double secs=argc>1?atof(argv[1]):1.0;if(argc>2)ws=strtoull(argv[2],0,10);
  tables();
  double t0=now(),t;
  do{for(int i=0;i<256;i++)won[game()]++;games+=256;t=now()-t0;}while(t<secs);
  printf("{\"game\": \"vasco-%d\", \"mode\": \"placements\", \"rate\": %.1f, \"games\": %ld, \"games_per_s\": %.1f, \"placements_per_game\": %.3f, \"tiles_per_placement\": %.3f, \"draws_per_placement\": %.2f, \"trials_per_placement\": %.3f, \"ns_per_placement\": %.1f, \"o_wins\": %.4f, \"x_wins\": %.4f, \"draws\": %.4f, \"pool_ran_out\": %.4f, \"surveys\": %ld}\n",
    POOL,placements/t,games,games/t,(double)placements/games,(double)laid_total/placements,(double)draws/placements,(double)trials/placements,1e9*t/placements,(double)won[0]/games,(double)won[1]/games,(double)won[2]/games,(double)at_end/games,surveys);
  return 0;
}
