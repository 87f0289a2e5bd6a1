// SPDX-License-Identifier: Apache-2.0
/// Positions of the ranks' commands in the command line of mpiexec and its relatives.
#include "apps/launch/rank_commands.hpp"
#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

namespace echelon::launch {
namespace {

using testing::HasSubstr;

Words words(const std::string& text) {
    std::istringstream stream(text);
    Words made;
    for (std::string word; stream >> word;) made.push_back(word);
    return made;
}

/// Names that count as programs here; `node` and `ssh` exist on many machines.
bool runs(const std::string& word) {
    static const std::set<std::string> programs{"./app", "app", "./b", "node", "ssh", "valgrind", "env"};
    return programs.contains(word);
}

/// The line with HERE in front of each rank's command.
std::string marked(const std::string& line, const std::string& program = "", const Words& launchers = {}) {
    try {
        std::string text;
        for (const std::string& word :
             RankCommands::parse(words(line), program, launchers, runs).with({"HERE"}))
            text += (text.empty() ? "" : " ") + word;
        return text;
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(RankCommands, BeginBehindTheLaunchersOptions) {
    EXPECT_EQ(marked("mpiexec -n 4 ./app -n x"), "mpiexec -n 4 HERE ./app -n x");
    EXPECT_EQ(marked("/opt/bin/mpirun.openmpi --map-by node -np 2 app"),
              "/opt/bin/mpirun.openmpi --map-by node -np 2 HERE app");
    EXPECT_EQ(marked("mpiexec -launcher ssh -env EDITOR app ./app"),
              "mpiexec -launcher ssh -env EDITOR app HERE ./app");
    EXPECT_EQ(marked("mpiexec --mca plm ssh --unheard-of 7 ./app"),
              "mpiexec --mca plm ssh --unheard-of 7 HERE ./app");
    EXPECT_EQ(marked("srun -n4 --mpi=pmix -p node ./app"), "srun -n4 --mpi=pmix -p node HERE ./app");
    EXPECT_EQ(marked("mpiexec -n 2 valgrind --quiet ./app"), "mpiexec -n 2 HERE valgrind --quiet ./app");
}

// These launchers were unknown.
TEST(RankCommands, BeginBehindTheWordsOfEachLauncher) {
    for (const char* launcher :
         {"flux run -N 2 -n 4", "ibrun -n 4 -o 0", "ibrun", "prun -n 4", "mpirun_rsh -np 2 host1 host2 A=1",
          "mpirun_rsh -np 2 -hostfile hosts", "palsrun -n 4", "ccc_mprun -n 4 -p node", "aprun -n 4 -N 2",
          "jsrun -n 2 -a 4"})
        EXPECT_EQ(marked(launcher + std::string(" ./app 5")), launcher + std::string(" HERE ./app 5"));
}

TEST(RankCommands, AllPartsGetTheirs) {
    EXPECT_EQ(marked("mpiexec -n 1 ./app x : -n 2 -host node ./b : app"),
              "mpiexec -n 1 HERE ./app x : -n 2 -host node HERE ./b : HERE app");
    EXPECT_THAT(marked("mpiexec ./app : -n 2"), HasSubstr("no program is found in 'mpiexec ./app : -n 2'"));
}

TEST(RankCommands, WithoutALauncherTheProgramIsOneRank) {
    EXPECT_EQ(marked("./app : x"), "HERE ./app : x");
    EXPECT_EQ(marked("unknown -n 4 ./app"), "HERE unknown -n 4 ./app");
}

TEST(RankCommands, TheUserMayNameLaunchers) {
    EXPECT_EQ(marked("/opt/start -n 4 ./app", "", {"begin", "start"}), "/opt/start -n 4 HERE ./app");
    EXPECT_EQ(marked("start -n 1 ./app : -n 3 ./b", "", {"start"}), "start -n 1 HERE ./app : -n 3 HERE ./b");
}

TEST(RankCommands, TheUserMayNameTheProgram) {
    EXPECT_EQ(marked("mpiexec --odd node ./app", "./app"), "mpiexec --odd node HERE ./app");
    EXPECT_EQ(marked("start -n 4 ./app", "./app"), "start -n 4 HERE ./app");
    EXPECT_THAT(marked("mpiexec ./app", "./b"), HasSubstr("no word is ./b"));
}

TEST(RankCommands, NothingToStartIsAnError) {
    EXPECT_THAT(marked(""), HasSubstr("give a command to run"));
    EXPECT_THAT(marked("mpiexec -n 4"), HasSubstr("no program is found"));
    EXPECT_THAT(marked("mpiexec -f my/hosts -n 4 ./missing"),
                HasSubstr("./missing is not there, or cannot be started; name it by --program"));
}

}  // namespace
}  // namespace echelon::launch
