// SPDX-License-Identifier: Apache-2.0
#include "fuzz/environment.hpp"

#include "fuzz/random.hpp"

#include <dlfcn.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mpi.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <clocale>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#ifdef __x86_64__
#include <fpu_control.h>
#include <xmmintrin.h>
#endif

namespace fuzz {
namespace {

void must(bool done, const char* what) {
    if (!done) throw std::runtime_error(std::string("an environment is refused: ") + what);
}

void set_rounding(int value) {
    constexpr std::array modes{FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    must(std::fesetround(modes[std::size_t(value)]) == 0, "rounding");
}

void flush_denormals([[maybe_unused]] int value) {
#ifdef __x86_64__
    constexpr std::array bits{0x8000u, 0x0040u, 0x8040u};
    _mm_setcsr(_mm_getcsr() | bits[std::size_t(value)]);
#endif
}

void shorten_x87([[maybe_unused]] int value) {
#ifdef __x86_64__
    fpu_control_t word = 0;
    _FPU_GETCW(word);
    word = fpu_control_t((word & ~_FPU_EXTENDED) | (value == 0 ? _FPU_SINGLE : _FPU_DOUBLE));
    _FPU_SETCW(word);
#endif
}

void trap(int) { must(feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW) != -1, "traps"); }

struct Grouped : std::numpunct<char> {
    char do_thousands_sep() const override { return '.'; }
    char do_decimal_point() const override { return ','; }
    std::string do_grouping() const override { return "\3"; }
};

void localize(int value) {
    if (value == 0) {
        std::locale::global(std::locale(std::locale::classic(), new Grouped));
        return;
    }
    // The first that the machine has. All have the decimal comma, except for the last.
    for (const char* const name : {"de_DE.UTF-8", "fr_FR.UTF-8", "tr_TR.UTF-8", "C.UTF-8", "C"})
        if (std::setlocale(LC_ALL, name) != nullptr) return;
}

constexpr std::array<std::array<const char*, 2>, 17> variables{{{"LANG", "de_DE.UTF-8"},
                                                                {"LC_ALL", "tr_TR.UTF-8"},
                                                                {"LC_NUMERIC", "fr_FR.UTF-8"},
                                                                {"TZ", "Asia/Kolkata"},
                                                                {"HOME", "/nonexistent"},
                                                                {"OMP_NUM_THREADS", "64"},
                                                                {"ECHELON_MODE", "off"},
                                                                {"ECHELON_MODE", "native"},
                                                                {"ECHELON_TRIALS", "0"},
                                                                {"ECHELON_TRIALS", "50"},
                                                                {"ECHELON_WINDOW", "0"},
                                                                {"ECHELON_COMMUNICATORS", "0"},
                                                                {"ECHELON_REPRODUCIBLE", "1"},
                                                                {"ECHELON_GROUPS", "size=2"},
                                                                {"ECHELON_ALLREDUCE", "ring"},
                                                                {"ECHELON_BCAST", "shm"},
                                                                {"ECHELON_PROFILE", "/nonexistent"}}};

void set_variable(int value) {
    const auto& [name, content] = variables[std::size_t(value)];
    setenv(name, content, 1);
}

void mask(int value) {
    constexpr std::array masks{0, 077, 0177};
    umask(mode_t(masks[std::size_t(value)]));
}

void change_folder(int value) {
    if (value == 0) return must(chdir("/") == 0, "folder /");
    char folder[] = "/tmp/fuzz-folder-XXXXXX";
    must(mkdtemp(folder) != nullptr && chdir(folder) == 0 && rmdir(folder) == 0, "a removed folder");
}

/// The limit counts from the start of a program.
void limit_stack(int value) {
    constexpr std::array<rlim_t, 4> bytes{512 << 10, 1 << 20, 64 << 20, RLIM_INFINITY};
    rlimit limit{};
    getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = std::min(bytes[std::size_t(value)], limit.rlim_max);
    must(setrlimit(RLIMIT_STACK, &limit) == 0, "stack");
}

/// Other processes may not read this one. Root gives up the right to read others.
void forbid_dumps(int) {
    must(prctl(PR_SET_DUMPABLE, 0) == 0, "dumpable");
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
    must(syscall(SYS_capget, &header, sets.data()) == 0, "capget");
    sets[CAP_TO_INDEX(CAP_SYS_PTRACE)].effective &= ~CAP_TO_MASK(CAP_SYS_PTRACE);
    must(syscall(SYS_capset, &header, sets.data()) == 0, "capset");
}

/// Forbids copies across processes on all threads.
void confine(int value) {
    const unsigned error = value == 0 ? EPERM : ENOSYS;
    std::array<sock_filter, 5> filter{{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                       BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
                                       BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 1),
                                       BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
                                       BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)}};
    const sock_fprog program{filter.size(), filter.data()};
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no new privileges");
    must(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0, "seccomp");
}

void be_nice(int value) {
    constexpr std::array levels{1, 5, 10};
    [[maybe_unused]] const int level = nice(levels[std::size_t(value)]);
}

void change_nothing(int) {}

/// Number of the first steps of the first program, one of which is the middle: most calls come behind it,
/// even in a short program.
constexpr int middle_steps = 20;

}  // namespace

struct Environment::Kind {
    /// The word of Features.
    const char* word;
    Moment first, last;
    std::vector<std::string> values;
    void (*apply)(int value);
};

const std::vector<Environment::Kind>& Environment::kinds() {
    using enum Moment;
    static const std::vector<Kind> table = [] {
        std::vector<std::string> assignments;
        for (const auto& [name, content] : variables)
            assignments.push_back(std::string(name) + "=" + content);
        return std::vector<Kind>{
            {"rounding", before_init, middle, {"up", "down", "to zero"}, set_rounding},
            {"denormals", before_init, middle, {"results flushed", "operands zero", "both"}, flush_denormals},
            {"x87", before_init, middle, {"24 bits", "53 bits"}, shorten_x87},
            {"traps", before_init, middle, {"division by zero, invalid, overflow"}, trap},
            {"locale", before_init, middle, {"std::locale that groups digits", "setlocale"}, localize},
            {"variables", before_init, before_init, assignments, set_variable},
            {"umask", before_init, middle, {"000", "077", "177"}, mask},
            {"folder", before_init, middle, {"/", "removed"}, change_folder},
            {"stack", before_init, before_init, {"512K", "1M", "64M", "unlimited"}, limit_stack},
            {"init", before_init, before_init, {"by dlsym"}, change_nothing},
            {"dumpable", middle, middle, {"no"}, forbid_dumps},
            {"seccomp", middle, middle, {"process_vm_* EPERM", "process_vm_* ENOSYS"}, confine},
            {"nice", before_init, middle, {"1", "5", "10"}, be_nice}};
    }();
    return table;
}

Environment::Environment(std::uint64_t seed, int rank, int ranks, const Features& features) {
    if (!features.allow("environments")) return;
    for (std::size_t i = 0; i < kinds().size(); ++i) {
        const Kind& kind = kinds()[i];
        Random common(mix(seed, 0xE57, i)), own(mix(seed, 0xE58, i, rank));
        if (!common.percent(25) || !features.allow(kind.word)) continue;
        const std::string word = kind.word;
        without_cross_memory_ |= word == "seccomp" || word == "dumpable";
        // One rank alone, or some.
        const int alone = common.percent(50) ? common.below(ranks) : -1;
        if (alone >= 0 ? alone != rank : own.percent(40)) continue;
        changes_.push_back({&kind, own.below(int(kind.values.size())),
                            Moment(own.between(int(kind.first), int(kind.last))), own.below(middle_steps),
                            false});
    }
}

void Environment::apply(Moment moment, int step) {
    for (Change& change : changes_) {
        if (change.done || change.moment != moment || (moment == Moment::middle && change.step > step))
            continue;
        change.done = true;
        change.kind->apply(change.value);
    }
}

void Environment::before_init(char** argv) {
    static constexpr const char* again = "FUZZ_STARTED_AGAIN";
    // MPI libraries that copy across processes, or open files of other processes by /proc, would fail too.
    if (without_cross_memory_) {
        setenv("UCX_TLS", "posix,self", 1);
        setenv("UCX_POSIX_USE_PROC_LINK", "n", 1);
        setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1);
    }
    const bool stack = std::any_of(changes_.begin(), changes_.end(),
                                   [](const Change& change) { return change.kind->apply == limit_stack; });
    if (stack && std::getenv(again) == nullptr) {
        for (const Change& change : changes_)
            if (change.kind->apply == limit_stack) limit_stack(change.value);
        setenv(again, "1", 1);
        execv("/proc/self/exe", argv);
        must(false, "execv");
    }
    apply(Moment::before_init, 0);
}

void Environment::init(int* argc, char*** argv, bool threads) const {
    auto* init = &MPI_Init;
    auto* init_thread = &MPI_Init_thread;
    for (const Change& change : changes_) {
        if (std::string("init") != change.kind->word) continue;
        Dl_info found{};
        must(dladdr(reinterpret_cast<void*>(&PMPI_Wtime), &found) != 0, "dladdr");
        void* const library = dlopen(found.dli_fname, RTLD_NOW | RTLD_NOLOAD);
        must(library != nullptr, "dlopen");
        init = reinterpret_cast<decltype(init)>(dlsym(library, "MPI_Init"));
        init_thread = reinterpret_cast<decltype(init_thread)>(dlsym(library, "MPI_Init_thread"));
    }
    int provided = 0;
    if (threads)
        init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
    else
        init(argc, argv);
}

void Environment::after_init() { apply(Moment::after_init, 0); }

void Environment::at(int program, int step) { apply(Moment::middle, program > 0 ? middle_steps : step); }

void Environment::at_once() { apply(Moment::middle, middle_steps); }

std::string Environment::words() const {
    static constexpr std::array moments{" before MPI_Init", " behind MPI_Init", " from step 0."};
    std::string text;
    for (const Change& change : changes_) {
        text += text.empty() ? "" : "; ";
        text += std::string(change.kind->word) + " " + change.kind->values[std::size_t(change.value)];
        text += moments[std::size_t(change.moment)];
        if (change.moment == Moment::middle) text += std::to_string(change.step);
    }
    return text;
}

AsStarted::AsStarted()
    : c_locale_(std::setlocale(LC_ALL, nullptr)), locale_(std::locale::global(std::locale::classic())) {
    std::fegetenv(&arithmetic_);
    std::fesetenv(FE_DFL_ENV);
}

AsStarted::~AsStarted() {
    std::fesetenv(&arithmetic_);
    std::locale::global(locale_);
    std::setlocale(LC_ALL, c_locale_.c_str());
}

}  // namespace fuzz
