/* Faults on order, between a process and its system; see shim.py.
 *
 * Loaded before all else (LD_PRELOAD). A page shared with the test says what fails: the flushes
 * or the writes of the database's files, or the clock. Where a journal is named, every write,
 * truncation and flush of those files and every "250 Stored" goes into it, in order.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct orders {
    int64_t clock;   /* nanoseconds that the clock is wrong by */
    int32_t flush;   /* the error of every flush, 0 for none */
    int32_t write;   /* the error of every write that makes a file larger */
};
static volatile struct orders *orders;
static int journal = -1;
static const char *ours = "sarsen.sqlite3";

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("FAULTS_ORDERS");
    if (path) {
        int file = open(path, O_RDWR);
        void *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (page != MAP_FAILED) orders = page;
        close(file);
    }
    path = getenv("FAULTS_JOURNAL");
    if (path) journal = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

/* 'd' for the database, 'w' for its log of writes, 0 for any other file. */
static char kind_of(int file) {
    char link[32], path[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    char *found = strstr(path, ours);
    if (!found) return 0;
    found += strlen(ours);
    return *found == 0 ? 'd' : strcmp(found, "-wal") == 0 ? 'w' : 0;
}

struct record { char what, file; uint8_t unused[6]; int64_t at, length; };

static void note(char what, char file, int64_t at, const void *bytes, int64_t length) {
    if (journal < 0) return;
    struct record head = {what, file, {0}, at, length};
    struct iovec parts[2] = {{&head, sizeof head}, {(void *)bytes, bytes ? length : 0}};
    if (writev(journal, parts, 2) < 0) abort();
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t at) {
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
    char kind = kind_of(file);
    if (kind && orders && orders->write && lseek64(file, 0, SEEK_END) < at + (off64_t)length) {
        errno = orders->write;
        return -1;
    }
    ssize_t done = real(file, bytes, length, at);
    if (kind && done > 0) note('W', kind, at, bytes, done);
    return done;
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t at) {
    return pwrite64(file, bytes, length, at);
}

int ftruncate64(int file, off64_t length) {
    static int (*real)(int, off64_t);
    if (!real) real = dlsym(RTLD_NEXT, "ftruncate64");
    char kind = kind_of(file);
    int done = real(file, length);
    if (kind && done == 0) note('T', kind, length, 0, 0);
    return done;
}

int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

static int flush(int file, const char *name) {
    int (*real)(int) = dlsym(RTLD_NEXT, name);
    char kind = kind_of(file);
    if (kind && orders && orders->flush) {
        errno = orders->flush;
        return -1;
    }
    int done = real(file);
    if (kind && done == 0) note('S', kind, 0, 0, 0);
    return done;
}

int fsync(int file) { return flush(file, "fsync"); }
int fdatasync(int file) { return flush(file, "fdatasync"); }

ssize_t send(int line, const void *bytes, size_t length, int flags) {
    static ssize_t (*real)(int, const void *, size_t, int);
    if (!real) real = dlsym(RTLD_NEXT, "send");
    if (journal >= 0 && memmem(bytes, length, "250 2.0.0 Stored", 16)) note('A', 0, 0, 0, 0);
    return real(line, bytes, length, flags);
}

int clock_gettime(clockid_t which, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int done = real(which, now);
    if (done == 0 && which == CLOCK_REALTIME && orders && orders->clock) {
        int64_t whole = now->tv_sec * 1000000000LL + now->tv_nsec + orders->clock;
        now->tv_sec = whole / 1000000000LL;
        now->tv_nsec = whole % 1000000000LL;
    }
    return done;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec exact;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &exact) != 0) return -1;
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *where) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (where) *where = exact.tv_sec;
    return exact.tv_sec;
}
