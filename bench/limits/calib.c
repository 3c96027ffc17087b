// Fixed calibration loop: one dependent chain of xorshift64 steps (no memory).
// Prints millions of steps per CPU second (process CPU clock: the machine is shared). The unit of
// every rate of a kernel: "per Mcal" = per 10^6 of these steps. Our own code.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void){struct timespec t;clock_gettime(CLOCK_PROCESS_CPUTIME_ID,&t);return t.tv_sec+1e-9*t.tv_nsec;}
int main(int argc,char**argv){
  long n=argc>1?atol(argv[1]):100000000L; uint64_t x=88172645463325252ull;
  double t=now();
  for(long i=0;i<n;i++){x^=x<<13;x^=x>>7;x^=x<<17;}
  t=now()-t;
  printf("{\"mcal_per_s\": %.3f, \"x\": %llu}\n",n/t/1e6,(unsigned long long)x);
  return 0;
}
