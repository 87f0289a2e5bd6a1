// SPDX-License-Identifier: Apache-2.0
/// reduce_scatter in place wrote over the rest of its receive buffer. Every collective, by every algorithm of
/// the catalog and a shape, leaves alone what is not its result: what lies around and behind it, the gaps of a
/// type, receive buffers of ranks that receive nothing, send buffers.
#include "cache/state.hpp"
#include "flat/catalog.hpp"
#include "support/communicators.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <echelon/echelon.hpp>

namespace echelon {
namespace {

constexpr int p = 4, block = 3, root = 1, guard = 16, untouched = -77;

/// Elements of one number each, with gaps around it or without.
struct Layout {
    MPI_Datatype type;
    MPI_Op sum;
    int stride, place;
};

class Vector {
public:
    explicit Vector(const Layout& layout, int elements = p * block)
        : layout_(layout), memory_(std::size_t(2 * guard + elements * layout.stride), untouched) {}
    int& operator[](int i) { return memory_[std::size_t(guard + i * layout_.stride + layout_.place)]; }
    void* data() { return memory_.data() + guard; }
    /// Numbers `value(i)` from element `at` on.
    template <class Value>
    Vector& set(int at, int count, const Value& value) {
        for (int i = 0; i < count; ++i) (*this)[at + i] = value(i);
        return *this;
    }
    friend bool operator==(const Vector& a, const Vector& b) { return a.memory_ == b.memory_; }
    friend void PrintTo(const Vector& vector, std::ostream* out) {
        *out << testing::PrintToString(vector.memory_);
    }

private:
    Layout layout_;
    std::vector<int> memory_;
};

void add_places(void* in, void* out, int* count, MPI_Datatype*) {
    for (int i = 0; i < *count; ++i) static_cast<int*>(out)[3 * i + 1] += static_cast<int*>(in)[3 * i + 1];
}

/// What rank `rank` gives as element i, and what all give together.
int given(int rank, int i) { return 100 * (rank + 1) + i; }
int sum_below(int rank, int i) { return 100 * rank * (rank + 1) / 2 + rank * i; }

class Rest : public testing::Test {
protected:
    void SetUp() override {
        MPI_Datatype indexed = MPI_DATATYPE_NULL;
        const int place = 1;
        MPI_Type_create_indexed_block(1, 1, &place, MPI_INT, &indexed);
        MPI_Type_create_resized(indexed, 0, 3 * sizeof(int), &gapped_);
        MPI_Type_commit(&gapped_);
        MPI_Type_free(&indexed);
        MPI_Op_create(add_places, 1, &add_);
    }
    void TearDown() override {
        MPI_Type_free(&gapped_);
        MPI_Op_free(&add_);
    }

    /// Calls `test(layout, in place, the call's name)` for all that can serve the collective, one after the
    /// other.
    template <class Test>
    void by_all(Collective collective, const Test& test) {
        const FirstRanks ranks(p);
        if (!ranks) return;
        comm_ = ranks.get();
        rank_ = ranks.rank();
        std::vector<std::string> recipes{"leaders(size=3, native, native)"};
        for (const Algorithm& row : catalog(collective)) recipes.emplace_back(row.name);
        int ran = 0;
        Tuning tuning(comm_);
        for (const std::string& recipe : recipes) try {
                tuning.force(name(collective), recipe, 0, Tuning::no_limit, false);
                for (const bool in_place : {false, true})
                    for (const Layout& layout :
                         {Layout{MPI_INT, MPI_SUM, 1, 0}, Layout{gapped_, add_, 3, 1}}) {
                        SCOPED_TRACE(std::string(name(collective)) + " by " + recipe +
                                     (in_place ? ", in place" : "") + (layout.stride > 1 ? ", gaps" : ""));
                        test(layout, in_place);
                    }
                const auto& plans = State::of(comm_)->plans().all();
                ran += std::any_of(plans.begin(), plans.end(),
                                   [](const auto& plan) { return !plan.second.native(); });
            } catch (const TuningError&) {  // it can never serve this collective
            }
        EXPECT_GE(ran, 2);
    }
    auto given_here() const {
        return [rank = rank_](int i) { return given(rank, i); };
    }
    /// As many elements of rank `rank`, from that of `from` on.
    static auto of(int rank, int from = 0) {
        return [=](int i) { return given(rank, from + i); };
    }
    static auto sum(int ranks, int from = 0) {
        return [=](int i) { return sum_below(ranks, from + i); };
    }

    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0;

private:
    MPI_Datatype gapped_ = MPI_DATATYPE_NULL;
    MPI_Op add_ = MPI_OP_NULL;
};

TEST_F(Rest, allreduce) {
    by_all(Collective::allreduce, [&](const Layout& t, bool in_place) {
        Vector in(t), out(t);
        (in_place ? out : in).set(0, block, given_here());
        const Vector sent = in;
        Vector expected = out;
        expected.set(0, block, sum(p));
        allreduce(in_place ? MPI_IN_PLACE : in.data(), out.data(), block, t.type, t.sum, comm_);
        EXPECT_EQ(out, expected);
        EXPECT_EQ(in, sent);
    });
}

TEST_F(Rest, reduce) {
    by_all(Collective::reduce, [&](const Layout& t, bool asked_in_place) {
        const bool in_place = asked_in_place && rank_ == root;
        Vector in(t), out(t);
        (in_place ? out : in).set(0, block, given_here());
        const Vector sent = in;
        Vector expected = out;
        if (rank_ == root) expected.set(0, block, sum(p));
        reduce(in_place ? MPI_IN_PLACE : in.data(), out.data(), block, t.type, t.sum, root, comm_);
        EXPECT_EQ(out, expected);
        EXPECT_EQ(in, sent);
    });
}

TEST_F(Rest, bcast) {
    by_all(Collective::bcast, [&](const Layout& t, bool) {
        Vector data(t);
        Vector expected = data;
        expected.set(0, block, of(root));
        if (rank_ == root) data = expected;
        bcast(data.data(), block, t.type, root, comm_);
        EXPECT_EQ(data, expected);
    });
}

TEST_F(Rest, gather) {
    by_all(Collective::gather, [&](const Layout& t, bool asked_in_place) {
        const bool in_place = asked_in_place && rank_ == root;
        Vector in(t), out(t);
        if (in_place)
            out.set(root * block, block, given_here());
        else
            in.set(0, block, given_here());
        const Vector sent = in;
        Vector expected = out;
        for (int r = 0; r < p && rank_ == root; ++r) expected.set(r * block, block, of(r));
        gather(in_place ? MPI_IN_PLACE : in.data(), block, t.type, out.data(), block, t.type, root, comm_);
        EXPECT_EQ(out, expected);
        EXPECT_EQ(in, sent);
    });
}

TEST_F(Rest, scatter) {
    by_all(Collective::scatter, [&](const Layout& t, bool asked_in_place) {
        const bool in_place = asked_in_place && rank_ == root;
        Vector in(t), out(t);
        if (rank_ == root) in.set(0, p * block, of(root));
        const Vector sent = in;
        Vector expected = out;
        if (!in_place) expected.set(0, block, of(root, rank_ * block));
        scatter(in.data(), block, t.type, in_place ? MPI_IN_PLACE : out.data(), block, t.type, root, comm_);
        EXPECT_EQ(out, expected);
        EXPECT_EQ(in, sent);
    });
}

TEST_F(Rest, allgather) {
    by_all(Collective::allgather, [&](const Layout& t, bool in_place) {
        Vector in(t), out(t);
        if (in_place)
            out.set(rank_ * block, block, given_here());
        else
            in.set(0, block, given_here());
        const Vector sent = in;
        Vector expected = out;
        for (int r = 0; r < p; ++r) expected.set(r * block, block, of(r));
        allgather(in_place ? MPI_IN_PLACE : in.data(), block, t.type, out.data(), block, t.type, comm_);
        EXPECT_EQ(out, expected);
        EXPECT_EQ(in, sent);
    });
}

TEST_F(Rest, alltoall) {
    by_all(Collective::alltoall, [&](const Layout& t, bool in_place) {
        Vector in(t), out(t);
        (in_place ? out : in).set(0, p * block, given_here());
        const Vector sent = in;
        Vector expected = out;
        for (int r = 0; r < p; ++r) expected.set(r * block, block, of(r, rank_ * block));
        alltoall(in_place ? MPI_IN_PLACE : in.data(), block, t.type, out.data(), block, t.type, comm_);
        EXPECT_EQ(out, expected);
        EXPECT_EQ(in, sent);
    });
}

TEST_F(Rest, reduce_scatter) {
    for (const bool equal_blocks : {true, false})
        by_all(Collective::reduce_scatter, [&](const Layout& t, bool in_place) {
            Vector in(t), out(t);
            (in_place ? out : in).set(0, p * block, given_here());
            const Vector sent = in;
            Vector expected = out;
            expected.set(0, block, sum(p, rank_ * block));
            const void* const from = in_place ? MPI_IN_PLACE : in.data();
            const std::vector<int> counts(p, block);
            if (equal_blocks)
                reduce_scatter_block(from, out.data(), block, t.type, t.sum, comm_);
            else
                reduce_scatter(from, out.data(), counts.data(), t.type, t.sum, comm_);
            EXPECT_EQ(out, expected);
            EXPECT_EQ(in, sent);
        });
}

TEST_F(Rest, scans) {
    for (const Collective collective : {Collective::scan, Collective::exscan})
        by_all(collective, [&](const Layout& t, bool in_place) {
            const bool exclusive = collective == Collective::exscan;
            Vector in(t), out(t);
            (in_place ? out : in).set(0, block, given_here());
            const Vector sent = in;
            Vector expected = out;
            if (!exclusive || rank_ > 0) expected.set(0, block, sum(exclusive ? rank_ : rank_ + 1));
            const void* const from = in_place ? MPI_IN_PLACE : in.data();
            exclusive ? exscan(from, out.data(), block, t.type, t.sum, comm_)
                      : scan(from, out.data(), block, t.type, t.sum, comm_);
            EXPECT_EQ(out, expected);
            EXPECT_EQ(in, sent);
        });
}

}  // namespace
}  // namespace echelon
