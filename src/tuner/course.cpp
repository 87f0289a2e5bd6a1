// SPDX-License-Identifier: Apache-2.0
#include "tuner/course.hpp"

namespace echelon {

Course::Course(const Agenda& agenda)
    : incumbent_(agenda.incumbent), serving_(agenda.empty() ? agenda.incumbent : agenda.serving) {
    const bool blocks = agenda.block > 0;
    const auto add = [&](std::size_t arm, long calls, Record record) {
        if (calls > 0) steps_.push_back({arm, calls, record});
    };
    const auto visit = [&](std::size_t arm) {
        add(arm, agenda.warm, Record::none);
        add(arm, blocks ? agenda.block : 1, blocks ? Record::span : Record::call);
    };
    add(serving_, agenda.wait, Record::none);
    for (long round = 0; round < agenda.rounds; ++round) {
        // Programs call in a rhythm: conjugate gradients form two sums in each iteration, one of them after
        // waiting for neighbours. Pairs begin at different beats, for periods up to eight.
        if (!blocks) add(incumbent_, round * 3 % 8, Record::none);
        // Caches are as warm for the incumbent as for the challenger.
        visit(incumbent_);
        visit(agenda.challenger);
        if (!agenda.mirrored) continue;
        visit(agenda.challenger);
        visit(incumbent_);
    }
}

std::size_t Course::next(CallCounter& counter, Seconds instant) {
    if (begun_) {
        const Step& made = steps_[at_];
        if (made.record == Record::call)
            recorded_.insert(recorded_.end(), {counter.entered, counter.departed});
        if (rest_ > 0) {
            --rest_;
            counter.grant(1);
            return made.arm;
        }
        if (made.record == Record::span) recorded_.push_back(instant - mark_);
        ++at_;
    }
    begun_ = !is_done();
    counter.timed = false;
    if (!begun_) {
        counter.grant(serving_ == incumbent_ ? CallCounter::for_ever : 1);
        return serving_;
    }
    const Step& step = steps_[at_];
    // The incumbent's calls that are not timed run without the tuner.
    const bool alone = step.arm == incumbent_ && step.record != Record::call;
    counter.grant(alone ? step.calls : 1);
    rest_ = alone ? 0 : step.calls - 1;
    counter.timed = step.record == Record::call;
    mark_ = instant;
    return step.arm;
}

long Course::calls() const {
    long all = 0;
    for (const Step& step : steps_) all += step.calls;
    return all;
}

std::vector<double> Course::numbers() const {
    std::vector<double> all;
    std::size_t i = 0;
    for (const Step& step : steps_) {
        if (step.record == Record::span) all.push_back(recorded_[i++]);
        if (step.record != Record::call) continue;
        const Seconds entered = recorded_[i++], departed = recorded_[i++];
        all.insert(all.end(), {departed - entered, -entered, -departed});
    }
    return all;
}

}  // namespace echelon
