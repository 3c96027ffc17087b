/* Let every flush to the disk take SLOW_FLUSH_MS milliseconds more (LD_PRELOAD). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static void rest(void)
{
    const char *told = getenv("SLOW_FLUSH_MS");
    double wanted = told ? atof(told) : 4.0;
    struct timespec left = {(time_t)(wanted / 1000.0), 0};
    left.tv_nsec = (long)(wanted * 1e6) % 1000000000L;
    while (nanosleep(&left, &left) != 0) {
    }
}

int fsync(int file)
{
    static int (*real)(int);
    if (!real)
        real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    int result = real(file);
    rest();
    return result;
}

int fdatasync(int file)
{
    static int (*real)(int);
    if (!real)
        real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    int result = real(file);
    rest();
    return result;
}
