/*
 * The time of day, off by as many seconds as the first eight bytes of the file that TAILRACE_CLOCK names say. For LD_PRELOAD. Monotonic clocks
 * are left alone: a machine whose time of day is set waits no longer and no shorter.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t right = 0;
static const volatile int64_t *ahead = &right;
static int (*next_clock_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void open_clock(void) {
    const char *path = getenv("TAILRACE_CLOCK");
    int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    next_clock_gettime = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    if (file >= 0) {
        void *bytes = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
        ahead = bytes == MAP_FAILED ? &right : bytes;
        close(file);
    }
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (next_clock_gettime == NULL) {
        open_clock();
    }
    int result = next_clock_gettime(clock, now);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) {
        now->tv_sec += *ahead;
    }
    return result;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec exact;
    (void)zone;
    int result = clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return result;
}

time_t time(time_t *now) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (now != NULL) {
        *now = exact.tv_sec;
    }
    return exact.tv_sec;
}
