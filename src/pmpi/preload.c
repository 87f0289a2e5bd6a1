/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded into every program of a site. A program that has loaded an MPI with a drop-in library installed
   beside this one restarts (execv) with that library preloaded; any other program pays for the look-up of one
   name.

   Names are bound before any code of the program runs, and libraries loaded later come behind: only a restart
   puts a library in front. The alternatives are worse: MPI's names in this library would tell programs
   without MPI that they have one (weak names, dlsym), and an auditor (LD_AUDIT) slows down every program. The
   process keeps its id, arguments, environment and open files, as its launcher expects. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern int PMPI_Init(int* argc, char*** argv) __attribute__((weak));

static const char drop_in[] = "libechelon-pmpi.so";
static const char open_mpi[] =
    "ompi_mpi_comm_world"; /* a name of Open MPI only; libraries built for it refer to it */
static const char begun_again[] = "_ECHELON_BEGUN_AGAIN"; /* holds the process id across the restart */

/* The dynamic section of a library's file. The file stays mapped: the process soon restarts. */
struct library {
    const char* image;
    size_t size;
    const ElfW(Dyn) * entries;
    size_t count;
    const char* texts;
    size_t texts_size;
};

/* The part of the file that is loaded at `address`; NULL if there is none. */
static const char* at(const struct library* library, ElfW(Addr) address) {
    const ElfW(Ehdr)* const header = (const void*)library->image;
    const ElfW(Phdr)* const parts = (const void*)(library->image + header->e_phoff);
    for (int i = 0; i < header->e_phnum; ++i)
        if (parts[i].p_type == PT_LOAD && address >= parts[i].p_vaddr &&
            address - parts[i].p_vaddr < parts[i].p_filesz)
            return library->image + parts[i].p_offset + (address - parts[i].p_vaddr);
    return NULL;
}

static int read_library(const char* path, struct library* library) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0) return 0;
    *library = (struct library){0};
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > (off_t)sizeof(ElfW(Ehdr))) {
        void* const image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (image != MAP_FAILED) {
            library->image = image;
            library->size = (size_t)status.st_size;
        }
    }
    close(file);
    if (library->image == NULL || memcmp(library->image, ELFMAG, SELFMAG) != 0) return 0;
    const ElfW(Ehdr)* const header = (const void*)library->image;
    if (header->e_phoff + header->e_phnum * sizeof(ElfW(Phdr)) > library->size) return 0;
    const ElfW(Phdr)* const parts = (const void*)(library->image + header->e_phoff);
    for (int i = 0; i < header->e_phnum; ++i) {
        if (parts[i].p_offset + parts[i].p_filesz > library->size) return 0;
        if (parts[i].p_type != PT_DYNAMIC) continue;
        library->entries = (const void*)(library->image + parts[i].p_offset);
        library->count = parts[i].p_filesz / sizeof(ElfW(Dyn));
    }
    for (size_t i = 0; i < library->count; ++i) {
        if (library->entries[i].d_tag == DT_STRTAB)
            library->texts = at(library, library->entries[i].d_un.d_ptr);
        if (library->entries[i].d_tag == DT_STRSZ) library->texts_size = library->entries[i].d_un.d_val;
    }
    return library->texts != NULL && library->texts_size <= library->size &&
           library->texts - library->image <= (ptrdiff_t)(library->size - library->texts_size);
}

/* The next text with this tag from entry `*i` on; NULL if there is no more. */
static const char* next_text(const struct library* library, ElfW(Sxword) tag, size_t* i) {
    while (*i < library->count) {
        const ElfW(Dyn)* const entry = &library->entries[(*i)++];
        if (entry->d_tag == tag && entry->d_un.d_val < library->texts_size)
            return library->texts + entry->d_un.d_val;
    }
    return NULL;
}

/* True if `library` is built for the MPI of this process: it needs it by name, and both or neither are Open
   MPI. */
static int stands_before(const struct library* library, const char* mpi) {
    const int for_open_mpi = memmem(library->texts, library->texts_size, open_mpi, sizeof open_mpi) != NULL;
    if (for_open_mpi != (dlsym(RTLD_DEFAULT, open_mpi) != NULL)) return 0;
    size_t i = 0;
    for (const char* name; (name = next_text(library, DT_NEEDED, &i)) != NULL;)
        if (strcmp(name, mpi) == 0) return 1;
    return 0;
}

/* The drop-in library for the MPI whose file is `mpi_file`, in a folder beside this library. */
static int find_drop_in(const char* mpi_file, char* path, size_t size) {
    struct library mpi, candidate;
    Dl_info own;
    size_t i = 0;
    if (!read_library(mpi_file, &mpi) || dladdr(drop_in, &own) == 0) return 0;
    const char* const slash = strrchr(own.dli_fname, '/');
    const char* soname = next_text(&mpi, DT_SONAME, &i);
    if (soname == NULL) soname = strrchr(mpi_file, '/') + 1;
    const int length = slash == NULL ? 0 : (int)(slash - own.dli_fname);
    if (length == 0 || snprintf(path, size, "%.*s", length, own.dli_fname) >= (int)size) return 0;
    DIR* const folder = opendir(path);
    if (folder == NULL) return 0;
    int found = 0;
    for (const struct dirent* entry; !found && (entry = readdir(folder)) != NULL;)
        found =
            entry->d_name[0] != '.' &&
            snprintf(path, size, "%.*s/%s/%s", length, own.dli_fname, entry->d_name, drop_in) < (int)size &&
            read_library(path, &candidate) && stands_before(&candidate, soname);
    closedir(folder);
    return found && strpbrk(path, " :") == NULL; /* the separators of LD_PRELOAD */
}

static int is_drop_in(struct dl_phdr_info* object, size_t size, void* none) {
    (void)size, (void)none;
    return strstr(object->dlpi_name, drop_in) != NULL;
}

/* True after the restart. Restores the environment for programs that this process starts. */
static int began_again(void) {
    const char* const mark = getenv(begun_again);
    if (mark == NULL || atol(mark) != (long)getpid()) return 0;
    const char* const preloads = getenv("LD_PRELOAD");
    const char* const ours = preloads == NULL ? NULL : strchr(preloads, ':');
    if (ours != NULL)
        setenv("LD_PRELOAD", ours + 1, 1);
    else
        unsetenv("LD_PRELOAD"); /* /etc/ld.so.preload loaded this library */
    unsetenv(begun_again);
    return 1;
}

static int left_alone(const char* preloads) {
    const char* const mode = getenv("ECHELON_MODE");
    return (mode != NULL && strcmp(mode, "off") == 0) /* the user wants no Echelon */
           || strstr(preloads, "/vgpreload_") != NULL /* valgrind would lose the program */
           || getauxval(AT_SECURE) != 0               /* setuid */
           || getauxval(AT_BASE) == 0                 /* started by the dynamic loader as a command */
           || dl_iterate_phdr(is_drop_in, NULL) != 0; /* the drop-in library is loaded already */
}

static void begin_again(char** words, const char* library, const char* preloads) {
    char program[PATH_MAX], process[32], *list = NULL;
    /* Prefer the program's own name, which ps shows. */
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    const char* const path = access(program, X_OK) == 0 ? program : "/proc/self/exe";
    snprintf(process, sizeof process, "%ld", (long)getpid());
    if (asprintf(&list, "%s%s%s", library, *preloads != '\0' ? ":" : "", preloads) < 0 ||
        setenv("LD_PRELOAD", list, 1) != 0 || setenv(begun_again, process, 1) != 0)
        return;
    execv(path, words);
    const char* const reason = strerror(errno);
    began_again();
    dprintf(STDERR_FILENO, "echelon: %s does not start again with %s in front: %s; it runs without Echelon\n",
            path, library, reason);
}

__attribute__((constructor)) static void look(int count, char** words) {
    (void)count;
    if (PMPI_Init == NULL) return;
    const char* preloads = getenv("LD_PRELOAD");
    if (preloads == NULL) preloads = "";
    void* const init = dlsym(RTLD_NEXT, "PMPI_Init"); /* NULL if the program is linked with MPI statically */
    char library[PATH_MAX];
    Dl_info mpi;
    if (began_again() || left_alone(preloads) || init == NULL || dladdr(init, &mpi) == 0 ||
        !find_drop_in(mpi.dli_fname, library, sizeof library))
        return;
    char* const kept = strdup(preloads); /* setenv may invalidate the result of getenv */
    if (kept != NULL) begin_again(words, library, kept);
}
