// SPDX-License-Identifier: Apache-2.0
/// Wrong input gives one clear sentence, on all ranks alike, and never a hang.
#include "support/refusal.hpp"
#include "tests/support/communicators.hpp"

#include <echelon/echelon.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <cstring>
#include <echelon/echelon.hpp>
#include <vector>

namespace echelon {
namespace {

using testing::HasSubstr;

int class_of(int code) {
    int error_class = MPI_SUCCESS;
    MPI_Error_class(code, &error_class);
    return error_class;
}

/// A duplicate of the world whose errors return.
class Errors : public testing::Test {
protected:
    Errors() {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
        MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
        MPI_Comm_size(comm_, &size_);
    }
    ~Errors() override { MPI_Comm_free(&comm_); }

    std::string refusal_of(const char* collective, const std::string& recipe) {
        return refusal([&] { Tuning(comm_).force(collective, recipe); });
    }

    MPI_Comm comm_ = MPI_COMM_NULL;
    int size_ = 0;
};

void keep_left(void*, void*, int*, MPI_Datatype*) {}

TEST_F(Errors, RecipesAreCheckedWhenTheyAreForced) {
    EXPECT_THAT(refusal_of("allreduce", "rings"),
                HasSubstr("column 1: there is no algorithm or shape 'rings'; did you mean ring?"));
    EXPECT_THAT(refusal_of("allreduce", "leaders(sqrt, binomial"),
                HasSubstr("column 23: expected an outer algorithm"));
    EXPECT_THAT(refusal_of("allreduce", "leaders(G=99, binomial, ring)"), HasSubstr("99"));
    EXPECT_THAT(refusal_of("allreduces", "ring"),
                HasSubstr("collective 'allreduces' is none of reduce, allreduce"));
    EXPECT_THAT(refusal_of("bcast", "recursive_doubling"),
                HasSubstr("bcast has no algorithm of this name; it has"));
}

/// An error of MPI_ERR_OTHER or another class came without a word.
TEST_F(Errors, ASentencePrecedesEveryErrorOfOurs) {
    int rank = 0;
    MPI_Comm_rank(comm_, &rank);
    std::vector<int> data(10, rank);
    Tuning(comm_).force("bcast", "shm");
    testing::internal::CaptureStderr();
    for (int again = 0; again < 2; ++again) {
        const int code = bcast(data.data(), rank == 1 ? 9 : 10, MPI_INT, 0, comm_);
        EXPECT_EQ(class_of(code), rank == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    }
    const std::string said = testing::internal::GetCapturedStderr();
    const std::string sentence = "echelon: the root sends more than this rank expects";
    EXPECT_EQ(said, rank == 1 ? sentence + "\n" : "");
    if (rank == 1) {
        EXPECT_EQ(echelon_error_text(), sentence);
    }
}

/// Natively every rank but the root reports it; a leader that stopped would keep the ranks behind it waiting.
TEST_F(Errors, RanksThatDisagreeAboutTheLengthHearOfIt) {
    Tuning(comm_).force("bcast", "leaders(size=2, binomial, binomial)");
    int rank = 0;
    MPI_Comm_rank(comm_, &rank);
    std::vector<int> data(10, rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // MPI_Wait of MPICH uses this handler
    for (const int others : {10, 1})
        EXPECT_EQ(bcast(data.data(), rank == 0 ? 11 - others : others, MPI_INT, 0, comm_) == MPI_SUCCESS,
                  rank == 0);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    // The communicator remains usable.
    EXPECT_EQ(bcast(data.data(), 10, MPI_INT, 1, comm_), MPI_SUCCESS);
    EXPECT_EQ(data[9], 1);
}

TEST_F(Errors, AnOrderedOperationIsRefusedThroughTheErrorHandler) {
    Tuning(comm_).force("allreduce", "ring");
    MPI_Op first = MPI_OP_NULL;
    MPI_Op_create(keep_left, 0, &first);
    int in = 1, out = 0;
    const int code = allreduce(&in, &out, 1, MPI_INT, first, comm_);
    EXPECT_GT(class_of(code), MPI_ERR_LASTCODE);
    EXPECT_THAT(echelon_error_text(), HasSubstr("ring: combines operands out of rank order"));
    // MPICH gave "Invalid MPI_Op" in place of the reason.
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(code, text, &length);
    EXPECT_STREQ(text, echelon_error_text());
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    // The communicator remains usable.
    EXPECT_EQ(allreduce(&in, &out, 1, MPI_INT, MPI_SUM, comm_), MPI_SUCCESS);
    EXPECT_EQ(out, size_);
    MPI_Op_free(&first);
}

TEST_F(Errors, WithoutStrictnessTheNativeCollectiveServes) {
    Tuning(comm_).force("allreduce", "ring", 0, Tuning::no_limit, false);
    MPI_Op first = MPI_OP_NULL;
    MPI_Op_create(keep_left, 0, &first);
    int in = 1, out = 0;
    EXPECT_EQ(allreduce(&in, &out, 1, MPI_INT, first, comm_), MPI_SUCCESS);
    MPI_Op_free(&first);
}

TEST_F(Errors, ArgumentsAreJudgedAsByTheLibrary) {
    int value = 0;
    Tuning(comm_).force("allreduce", "ring");
    const auto same = [](int ours, int theirs) {
        EXPECT_NE(ours, MPI_SUCCESS);
        EXPECT_EQ(class_of(ours), class_of(theirs));
    };
    // MPI libraries may crash on these two.
    EXPECT_EQ(class_of(allreduce(nullptr, &value, 1, MPI_INT, MPI_SUM, comm_)), MPI_ERR_BUFFER);
    EXPECT_STREQ(
        echelon_error_text(),
        "echelon: allreduce: the send buffer is null, but count is 1; give a buffer of that many elements");
    EXPECT_EQ(class_of(allreduce(MPI_IN_PLACE, &value, -1, MPI_INT, MPI_SUM, comm_)), MPI_ERR_COUNT);
    same(allreduce(MPI_IN_PLACE, &value, 1, MPI_DATATYPE_NULL, MPI_SUM, comm_),
         MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DATATYPE_NULL, MPI_SUM, comm_));
    same(allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_OP_NULL, comm_),
         MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_OP_NULL, comm_));
    same(bcast(&value, 1, MPI_INT, size_, comm_), MPI_Bcast(&value, 1, MPI_INT, size_, comm_));
    same(reduce(&value, nullptr, 1, MPI_INT, MPI_SUM, -3, comm_),
         MPI_Reduce(&value, nullptr, 1, MPI_INT, MPI_SUM, -3, comm_));
}

int handled_class = MPI_SUCCESS;
void handle(MPI_Comm*, int* code, ...) { handled_class = class_of(*code); }

TEST_F(Errors, AUsersHandlerIsCalled) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(comm_, handler);
    Tuning(comm_).force("allreduce", "ring");
    MPI_Op first = MPI_OP_NULL;
    MPI_Op_create(keep_left, 0, &first);
    int in = 1, out = 0;
    handled_class = MPI_SUCCESS;
    allreduce(&in, &out, 1, MPI_INT, first, comm_);
    EXPECT_GT(handled_class, MPI_ERR_LASTCODE);
    MPI_Op_free(&first);
    MPI_Errhandler_free(&handler);
}

TEST_F(Errors, InterCommunicatorsAndSingleRanksGoToTheLibrary) {
    int rank = 0;
    MPI_Comm_rank(comm_, &rank);
    MPI_Comm half = MPI_COMM_NULL, inter = MPI_COMM_NULL;
    MPI_Comm_split(comm_, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, comm_, rank % 2 == 0 ? 1 : 0, 5, &inter);
    int in = 1, out = 0, others = 0;
    MPI_Comm_remote_size(inter, &others);
    EXPECT_EQ(allreduce(&in, &out, 1, MPI_INT, MPI_SUM, inter), MPI_SUCCESS);
    EXPECT_EQ(out, others);
    EXPECT_THROW(Tuning{inter}, TuningError);
    EXPECT_EQ(allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF), MPI_SUCCESS);
    EXPECT_EQ(out, 1);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

TEST_F(Errors, TheCInterfaceReturnsCodes) {
    EXPECT_EQ(class_of(echelon_force(comm_, "allreduce", "rings", 0, ECHELON_NO_LIMIT, 1)), MPI_ERR_ARG);
    EXPECT_THAT(echelon_error_text(), HasSubstr("there is no algorithm or shape 'rings'"));
    EXPECT_EQ(class_of(echelon_force(comm_, nullptr, "ring", 0, ECHELON_NO_LIMIT, 1)), MPI_ERR_ARG);
    EXPECT_STREQ(echelon_error_text(), "echelon: the argument collective is null: expected text");
    EXPECT_EQ(class_of(echelon_force(comm_, "allreduce", nullptr, 0, ECHELON_NO_LIMIT, 1)), MPI_ERR_ARG);
    EXPECT_STREQ(echelon_error_text(), "echelon: the argument recipe is null: expected text");
    EXPECT_EQ(class_of(echelon_explain(comm_, nullptr, 8, nullptr, 0, nullptr)), MPI_ERR_ARG);
    EXPECT_EQ(class_of(echelon_load(comm_, nullptr)), MPI_ERR_ARG);
    EXPECT_EQ(echelon_groups(comm_, "reduce", 2, 0, ECHELON_NO_LIMIT), MPI_SUCCESS);
    char recipe[64];
    EXPECT_EQ(echelon_would_run(comm_, "reduce", 8, recipe, sizeof recipe), MPI_SUCCESS);
    EXPECT_STREQ(recipe, "leaders(G=2, binomial, binomial)");
    EXPECT_EQ(echelon_would_run(comm_, "reduce", 8, recipe, 8), MPI_SUCCESS);
    EXPECT_STREQ(recipe, "leaders");
    EXPECT_EQ(echelon_clear(comm_, "reduce"), MPI_SUCCESS);
    EXPECT_EQ(echelon_would_run(comm_, "reduce", 8, recipe, sizeof recipe), MPI_SUCCESS);
    EXPECT_STREQ(recipe, "native");
}

}  // namespace
}  // namespace echelon
