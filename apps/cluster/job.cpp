// SPDX-License-Identifier: Apache-2.0
#include "apps/cluster/job.hpp"

namespace echelon::cluster {
namespace {

int slots(const Job& job, int nodes) { return (job.ranks + nodes - 1) / nodes; }

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

}  // namespace

Words command(const Job& job, int nodes, const std::string& agent, const std::string& hostfile) {
    const std::string ranks = std::to_string(job.ranks);
    Words words;
    if (job.mpi == Job::Mpi::mpich) {
        std::string hosts;
        const int at_once = job.map == Job::Map::block ? slots(job, nodes) : 1;
        for (int node = 0; node < nodes; ++node)
            hosts += (node == 0 ? "n" : ",n") + std::to_string(node) + ':' + std::to_string(at_once);
        words = {"mpiexec.hydra", "-launcher", "rsh", "-launcher-exec", agent, "-iface", "c0", "-hosts",
                 hosts,           "-n",        ranks};
    } else {
        words = {"orterun",        "--allow-run-as-root",
                 "--hostfile",     hostfile,
                 "--map-by",       job.map == Job::Map::block ? "slot" : "node",
                 "--bind-to",      "none",
                 "--oversubscribe"};
        // Daemons use the control network, with direct connections to the launcher.
        append(words, {"--mca", "plm", "rsh", "--mca", "plm_rsh_agent", agent, "--mca", "routed", "direct",
                       "--mca", "oob_tcp_if_include", "c0"});
        // Messages go over UCX alone, because idle ranks can sleep in it.
        append(words, {"--mca", "pml", "ucx", "--mca", "osc", "^ucx", "--mca", "opal_common_ucx_tls", "any",
                       "--mca", "opal_common_ucx_devices", "any", "-n", ranks});
    }
    append(words, {"env", "LD_PRELOAD=" + job.preloaded});
    append(words, job.variables);
    append(words, job.program);
    return words;
}

std::string host_lines(const Job& job, int nodes) {
    std::string lines;
    for (int node = 0; job.mpi == Job::Mpi::openmpi && node < nodes; ++node)
        lines += 'n' + std::to_string(node) + " slots=" + std::to_string(slots(job, nodes)) + '\n';
    return lines;
}

std::vector<std::pair<std::string, std::string>> transport() {
    return {{"UCX_TLS", "tcp,self,posix,sysv,cma"}, {"UCX_NET_DEVICES", "eth0"}};
}

}  // namespace echelon::cluster
