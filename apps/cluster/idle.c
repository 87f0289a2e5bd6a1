/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded into the ranks of a cluster on one machine, where many ranks share a core: a rank that waits
   sleeps until data arrives, over TCP or shared memory, instead of polling. Both MPIs communicate over UCX
   there; UCX can wake its user if this is requested at ucp_init.

   CLUSTER_FIRST=1: between MPI_Init and MPI_Finalize ranks run before other work on the machine, which would
   disturb a measurement. Inside these two calls they do not, because barriers there poll and would starve the
   launcher.

   MPICH 4.0.2 hangs in MPI_Finalize if ranks wait in the barrier of its process manager while others still
   need their progress (pmodels/mpich#6596): here UCX goes on while that barrier waits. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* From ucp.h; its binary interface is fixed. */
typedef struct {
    uint64_t field_mask, features; /* and more */
} ucp_params;
typedef int init_function(unsigned, unsigned, ucp_params*, const void*, void**);
typedef int create_function(void*, const void*, void**);
typedef void destroy_function(void*);
typedef unsigned progress_function(void*);
typedef int arm_function(void*);
typedef int descriptor_function(void*, int*);
typedef void* disconnect_function(void*);
typedef ssize_t read_function(int, void*, size_t);
enum { features_given = 1, feature_wakeup = 16 };

enum { polls_before_sleep = 8, most_barren = 9 };
static const long longest_sleep_ns = 5000000, in_a_row_ns = 20000;

/* The rank's first worker, made by MPI's thread. */
static void* worker;
static int wakes, descriptor = -1, closing;
static pthread_t owner;

#define PUBLIC __attribute__((visibility("default")))

/* Echelon looks for this name: it shows that waiting ranks yield their processor. */
PUBLIC const int echelon_gives_processors_away = 1;

/* POSIX lets a pointer from dlsym be a pointer to a function; C needs this detour. */
static void* next(const char* name) { return dlsym(RTLD_NEXT, name); }
#define NEXT(type, name)                                \
    static type* real;                                  \
    do {                                                \
        if (real == NULL) *(void**)&real = next(#name); \
        if (real == NULL) abort();                      \
    } while (0)

PUBLIC int ucp_init_version(unsigned major, unsigned minor, ucp_params* params, const void* config,
                            void** context) {
    NEXT(init_function, ucp_init_version);
    if ((params->field_mask & features_given) != 0) {
        params->features |= feature_wakeup;
        wakes = 1;
    }
    return real(major, minor, params, config, context);
}

PUBLIC int ucp_worker_create(void* context, const void* params, void** made) {
    NEXT(create_function, ucp_worker_create);
    const int status = real(context, params, made);
    if (status == 0 && worker == NULL && wakes) {
        descriptor_function* descriptor_of;
        *(void**)&descriptor_of = next("ucp_worker_get_efd");
        if (descriptor_of != NULL && descriptor_of(*made, &descriptor) == 0) {
            worker = *made;
            owner = pthread_self();
            prctl(PR_SET_TIMERSLACK, 1);
        }
    }
    return status;
}

PUBLIC void ucp_worker_destroy(void* gone) {
    NEXT(destroy_function, ucp_worker_destroy);
    if (gone == worker) {
        worker = NULL;
        closing = 0;
    }
    real(gone);
}

static long nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1000000000L * time.tv_sec + time.tv_nsec;
}

/* Number of times in a row that the descriptor has woken us without progress. */
static int barren;

/* A descriptor that wakes again and again without progress, like during the setup of connections, is left
   alone for longer and longer. */
static void sleep_until_woken(void) {
    struct pollfd woken = {descriptor, POLLIN, 0};
    const struct timespec span = {0, longest_sleep_ns};
    if (ppoll(&woken, 1, &span, NULL) <= 0) {
        barren = 0;
    } else if (++barren > 3) {
        const struct timespec pause = {0, 10000L << ((barren > most_barren ? most_barren : barren) - 3)};
        nanosleep(&pause, NULL);
    }
}

PUBLIC unsigned ucp_worker_progress(void* of) {
    NEXT(progress_function, ucp_worker_progress);
    static int polls;
    static long last;
    const unsigned moved = real(of);
    if (of != worker || !pthread_equal(pthread_self(), owner)) return moved;
    if (moved != 0) {
        polls = barren = 0;
        return moved;
    }
    /* A rank that polls only now and then has other work. */
    const long now = nanoseconds();
    if (now - last > in_a_row_ns) polls = 0;
    last = now;
    if (++polls < polls_before_sleep) return 0;
    static arm_function* arm;
    if (arm == NULL) *(void**)&arm = next("ucp_worker_arm");
    if (arm != NULL && arm(of) == 0) sleep_until_woken(); /* data has arrived in between */
    return real(of);
}

PUBLIC void* ucp_disconnect_nb(void* endpoint) {
    NEXT(disconnect_function, ucp_disconnect_nb);
    closing = 1;
    return real(endpoint);
}

PUBLIC ssize_t read(int file, void* to, size_t bytes) {
    NEXT(read_function, read);
    if (closing && worker != NULL) {
        const char* const manager = getenv("PMI_FD");
        struct pollfd answer = {file, POLLIN, 0};
        if (manager != NULL && atoi(manager) == file)
            while (worker != NULL && poll(&answer, 1, 1) == 0) ucp_worker_progress(worker);
    }
    return real(file, to, bytes);
}

/* Niceness belongs to a thread: UCX's threads, which accept connections, get it too. The real-time class is
   not used: a rank that polls until its connection is made would keep these threads off the processor, for a
   second. */
static void go_first(int on) {
    const char* const wanted = getenv("CLUSTER_FIRST");
    if (wanted == NULL || strcmp(wanted, "1") != 0) return;
    DIR* const threads = opendir("/proc/self/task");
    for (struct dirent* one; threads != NULL && (one = readdir(threads)) != NULL;)
        if (atoi(one->d_name) != 0) setpriority(PRIO_PROCESS, (id_t)atoi(one->d_name), on ? -20 : 0);
    if (threads != NULL) closedir(threads);
}

/* Two barriers come first: the first communication after MPI_Init polls flags in shared memory inside
 * MPICH. */
static void settle(void) {
    int (*barrier)(void*);
    *(void**)&barrier = next("PMPI_Barrier");
    void* world = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
    if (world == NULL) world = (void*)(intptr_t)0x44000000; /* MPICH's: an integer, in the same register */
    for (int i = 0; barrier != NULL && i < 2; ++i) barrier(world);
}

PUBLIC int MPI_Init(int* argc, char*** argv) {
    int (*real)(int*, char***);
    *(void**)&real = next("MPI_Init");
    const int code = real(argc, argv);
    settle();
    go_first(1);
    return code;
}

PUBLIC int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    int (*real)(int*, char***, int, int*);
    *(void**)&real = next("MPI_Init_thread");
    const int code = real(argc, argv, required, provided);
    settle();
    go_first(1);
    return code;
}

PUBLIC int MPI_Finalize(void) {
    int (*real)(void);
    *(void**)&real = next("MPI_Finalize");
    go_first(0);
    return real();
}
