// SPDX-License-Identifier: Apache-2.0
#include "estimators/fit/fit_machine.hpp"

#include "core/error.hpp"
#include "core/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace echelon {
namespace {

/// Messages no longer than this take no time for their bytes.
constexpr Bytes short_one = 64;

/// The time that each further short message adds when several are sent, or received, at once.
Seconds added_by_further(std::span<const MessageSample> samples) {
    Seconds alone = 0;
    std::vector<Seconds> further;
    for (const MessageSample& one : samples)
        if (one.bytes <= short_one && one.peers == 1) alone = one.time;
    for (const MessageSample& one : samples)
        if (one.bytes <= short_one && one.peers > 1) further.push_back((one.time - alone) / (one.peers - 1));
    return further.empty() ? 0 : median(std::move(further));
}

/// Sets the processor times by length: the measured ones, at least the time that each further message adds,
/// together at most the time of the whole message.
void fit_overheads(std::vector<MachineSamples::Overheads> samples, Seconds further_send,
                   Seconds further_receive, Protocol& model) {
    std::ranges::sort(samples, {}, &MachineSamples::Overheads::bytes);
    std::vector<Table::Point> sends, receives, blocking_sends;
    for (const auto& [bytes, send, receive, blocking_send] : samples) {
        const Seconds whole = model.time(double(bytes)),
                      sending = std::min(std::max(send, further_send), whole);
        sends.push_back({double(bytes), sending});
        // A message that waits for its receive has not come before.
        if (bytes >= model.rendezvous_from) continue;
        receives.push_back({double(bytes), std::min(std::max(receive, further_receive), whole - sending)});
        if (blocking_send > 0) blocking_sends.push_back({double(bytes), std::min(blocking_send, whole)});
    }
    model.send_overhead = Table(std::move(sends));
    model.receive_overhead = Table(std::move(receives));
    model.blocking_overhead = Table(std::move(blocking_sends));
}

/// Share of its bytes' time that each further long message adds when several are sent at once.
double fit_held(std::span<const MessageSample> fans, const Protocol& model) {
    std::map<Bytes, Seconds> alone;
    for (const MessageSample& one : fans)
        if (one.peers == 1) alone[one.bytes] = one.time;
    std::vector<double> shares;
    for (const MessageSample& one : fans) {
        const Seconds whole = double(one.bytes) * model.one_way.at(double(one.bytes)).beta;
        if (one.bytes <= short_one || one.peers == 1 || !alone.contains(one.bytes) || whole == 0) continue;
        shares.push_back((one.time - alone[one.bytes]) / (one.peers - 1) / whole);
    }
    constexpr double all = 0.9;
    const double held = shares.empty() ? 1 : std::max(0.0, median(std::move(shares)));
    return held > all ? 1 : held;
}

/// Least measured length from which all have the property; one more than the longest if none has it.
/// Requires: at least one length.
Bytes from_which_all(const std::map<Bytes, bool>& by_length) {
    Bytes from = by_length.rbegin()->first + 1;
    for (auto one = by_length.rbegin(); one != by_length.rend(); ++one) {
        if (!one->second) return from;
        from = one->first;
    }
    return 0;
}

/// Least length from which messages travel only once their receive is posted. An eager message has arrived
/// when its receive begins, or its bytes follow those of the message before; another one still has its way to
/// go. `wire`: the time of a message without the processors.
Bytes fit_matched(const std::vector<MessageSample>& turns, const Protocol& model,
                  const PiecewiseHockney& wire) {
    std::map<Bytes, std::map<int, Seconds>> times;
    for (const MessageSample& one : turns) times[one.bytes][one.peers] = one.time;
    std::map<Bytes, bool> is_matched;
    for (const auto& [bytes, of_peers] : times) {
        if (of_peers.size() < 2) continue;
        const Seconds one_message = of_peers.begin()->second,
                      further = of_peers.rbegin()->second - one_message,
                      carried = double(bytes) * wire.at(double(bytes)).beta,
                      receiving = model.receiving(double(bytes)), eager = std::max(carried, receiving),
                      matched = one_message - model.sending(double(bytes), true);
        is_matched[bytes] = bytes >= model.rendezvous_from || further - eager >= (matched - eager) / 2;
    }
    return is_matched.empty() ? model.rendezvous_from : from_which_all(is_matched);
}

/// Least length from which senders wait for the receive; nullopt: not measured.
std::optional<Bytes> fit_rendezvous(const std::vector<MessageSample>& late, const Protocol& model) {
    std::map<Bytes, bool> waits;
    for (const MessageSample& one : late) waits[one.bytes] = one.time > 2 * model.time(double(one.bytes));
    return waits.empty() ? std::nullopt : std::optional(from_which_all(waits));
}

struct FittedNetwork {
    Protocol network;
    double residual = 0;
};

FittedNetwork fit_one_way(std::span<const MessageSample> samples) {
    const auto fit = fit_piecewise_hockney(samples);
    Protocol model{.one_way = fit.model};
    // Noise can give a short piece a negative slope or latency, which the model does not allow.
    for (auto& piece : model.one_way.pieces) {
        piece.model.alpha = std::max(piece.model.alpha, 0.0);
        piece.model.beta = std::max(piece.model.beta, 0.0);
    }
    return {model, fit.residual};
}

/// Samples of one kind of messages.
struct NetworkSamples {
    std::span<const MessageSample> messages, fan, fan_in;
    const std::vector<MessageSample>&turns, &late;
    const std::vector<MachineSamples::Overheads>& overheads;
};

/// The samples without the time of the processors, which changes by other lengths than the network's.
std::vector<MessageSample> on_the_wire(std::span<const MessageSample> samples, const Protocol& model) {
    constexpr double least = 0.1;
    std::vector<MessageSample> made(samples.begin(), samples.end());
    for (MessageSample& one : made) {
        const double bytes = double(one.bytes);
        one.time = std::max(one.time - model.sending(bytes, true) - model.receiving(bytes), least * one.time);
    }
    return made;
}

/// The sum of wire and processors, a line between any two lengths at which one of them bends or jumps.
PiecewiseHockney with_processors(const PiecewiseHockney& wire, const Protocol& model) {
    std::set<Bytes> bends;
    for (const auto& piece : wire.pieces) bends.insert(piece.from);
    for (const Table* const table : {&model.send_overhead, &model.receive_overhead, &model.blocking_overhead})
        for (const auto& point : table->points()) bends.insert(Bytes(point.x));
    if (!model.blocking_overhead.points().empty())
        bends.insert(Bytes(model.blocking_overhead.points().back().x) + 1);
    if (!model.receive_overhead.points().empty()) bends.insert(model.rendezvous_from);
    PiecewiseHockney made;
    for (auto bend = bends.begin(); bend != bends.end(); ++bend) {
        const auto at = [&](Bytes bytes) {
            return wire.time(double(bytes)) + model.sending(double(bytes), true) +
                   model.receiving(double(bytes));
        };
        const Bytes end = std::next(bend) == bends.end() ? 2 * *bend + 2 : *std::next(bend);
        const Bytes last = std::max(end - 1, *bend + 1);
        const SecondsPerByte beta =
            end - *bend < 2 ? wire.at(double(*bend)).beta : (at(last) - at(*bend)) / double(last - *bend);
        Hockney line{at(*bend) - beta * double(*bend), beta};
        const Bytes middle = *bend + (last - *bend) / 2;
        if (line.alpha < 0) line = {0, at(middle) / double(middle)};
        if (line.beta < 0) line = {at(middle), 0};
        made.pieces.push_back({*bend, line});
    }
    return made;
}

/// `other`: a network of the same library, by whose protocol this one sends where its own was not measured.
FittedNetwork fit_network(const NetworkSamples& samples, const Protocol& other = {}) {
    FittedNetwork fitted = fit_one_way(samples.messages);
    Protocol& network = fitted.network;
    network.rendezvous_from = ~Bytes(0);
    auto waits_from = fit_rendezvous(samples.late, network);
    if (!waits_from && samples.turns.empty()) waits_from = other.rendezvous_from;
    if (waits_from) network.rendezvous_from = *waits_from;
    const auto overheads = [&] {
        fit_overheads(samples.overheads, added_by_further(samples.fan), added_by_further(samples.fan_in),
                      network);
    };
    overheads();
    FittedNetwork wire = fit_one_way(on_the_wire(samples.messages, network));
    const Bytes matched_from = samples.turns.empty()
                                   ? other.matched_from
                                   : fit_matched(samples.turns, network, wire.network.one_way);
    if (!waits_from) {
        network.rendezvous_from = matched_from;
        overheads();
        wire = fit_one_way(on_the_wire(samples.messages, network));
    }
    network.matched_from = std::min(matched_from, network.rendezvous_from);
    network.one_way = with_processors(wire.network.one_way, network);
    fitted.residual = wire.residual;
    network.held = fit_held(samples.fan, network);
    return fitted;
}

/// Total rate of several messages at once if they slow each other down; else unlimited.
BytesPerSecond rate_of(std::span<const ConcurrentSample> samples, const Network& network) {
    constexpr double slower = 1.15;
    std::map<Bytes, Seconds> alone;
    for (const ConcurrentSample& one : samples)
        if (one.pairs == 1) alone[one.bytes] = one.time;
    std::vector<BytesPerSecond> rates;
    for (const ConcurrentSample& one : samples) {
        const Seconds carried = one.time - message_time(network, 0);
        if (one.pairs > 1 && carried > 0 && alone.contains(one.bytes) && one.time > slower * alone[one.bytes])
            rates.push_back(double(one.bytes) * one.pairs / carried);
    }
    return rates.empty() ? unlimited : median(std::move(rates));
}

/// Seconds per byte; 0 without samples or if the clock stands still (simulations).
SecondsPerByte per_byte(std::span<const WorkSample> samples) {
    const bool measurable =
        std::any_of(samples.begin(), samples.end(), [](const auto& s) { return s.time > 0; });
    return measurable ? std::max(0.0, fit_per_byte(samples)) : 0;
}

/// Times per byte by number of ranks at work, made monotonic: fewer ranks are no slower. Empty if the clock
/// stands still (simulations) or only one number of ranks was measured.
AtWork at_work(std::vector<MachineSamples::AtOnce> samples) {
    std::erase_if(samples, [](const auto& one) { return one.combining <= 0 || one.copying <= 0; });
    if (samples.size() < 2) return {};
    std::ranges::sort(samples, {}, &MachineSamples::AtOnce::ranks);
    AtWork found;
    for (const auto& one : samples) {
        const WorkAtOnce before = found.empty() ? WorkAtOnce() : found.back();
        found.push_back({.ranks = one.ranks,
                         .copy = std::max(before.copy, one.copying / double(one.bytes)),
                         .combine = std::max(before.combine, one.combining / double(one.bytes))});
    }
    return found;
}

}  // namespace

Parameters fit_machine(const MachineSamples& samples) {
    if (samples.inside.empty() && samples.between.empty())
        throw Error("no messages were measured: a machine needs samples of some");
    Parameters made;
    const bool has_inside = !samples.inside.empty(), has_between = !samples.between.empty();
    const NetworkSamples of_inside{samples.inside,       samples.inside_fan,  samples.inside_fan_in,
                                   samples.inside_turns, samples.inside_late, samples.inside_overheads},
        of_between{samples.between,       samples.between_fan,  samples.between_fan_in,
                   samples.between_turns, samples.between_late, samples.between_overheads};
    const NetworkSamples &in = has_inside ? of_inside : of_between,
                         &out = has_between ? of_between : of_inside;
    const FittedNetwork inside =
                            in.turns.empty() ? fit_network(in, fit_network(out).network) : fit_network(in),
                        between = out.turns.empty() ? fit_network(out, inside.network) : fit_network(out);
    made.machine.inside = inside.network;
    made.inside_residual = inside.residual;
    made.machine.between = between.network;
    made.between_residual = between.residual;
    made.inside_is_measured = has_inside;
    made.between_is_measured = has_between;
    for (const auto& [level, messages, uplink] : samples.beyond) {
        // The library sends to far nodes by the protocol of near ones.
        FittedNetwork beyond = fit_one_way(on_the_wire(messages, between.network));
        Protocol network = between.network;
        network.one_way = with_processors(beyond.network.one_way, network);
        network.held = 1;
        made.machine.beyond.push_back({.level = level,
                                       .network = network,
                                       .uplink = rate_of(uplink, network),
                                       .residual = beyond.residual});
    }
    made.machine.card = rate_of(samples.card, made.machine.between);
    if (samples.hops > 0) {
        const Seconds byte = between.network.one_way.at(double(Protocol::long_one)).beta;
        const int further = samples.most_hops - samples.hops;
        const Seconds more = samples.farthest.empty()
                                 ? 0
                                 : fit_one_way(samples.farthest).network.time(0) - between.network.time(0);
        made.machine.torus = {
            .of_node = {},
            .hop = further > 0 ? std::max(0.0, more) / further : 0,
            .link = made.machine.card < unlimited || byte == 0 ? made.machine.card : 1 / byte,
            .hops = samples.hops};
    }
    // Two nodes may be joined by one of several links: a rank's rate to many nodes at once shows the card's
    // own rate.
    if (const double to_many =
            between.network.held * between.network.one_way.at(double(Protocol::long_one)).beta;
        between.network.held < 1)
        made.machine.card = std::max(made.machine.card, 1 / to_many);
    made.machine.memory = rate_of(samples.memory, made.machine.inside);
    made.machine.gamma = per_byte(samples.combining);
    made.machine.copy = per_byte(samples.copying);
    made.machine.at_work = at_work(samples.at_once);
    return made;
}

Parameters with_known(Parameters found, const std::optional<Parameters>& before) {
    if (!before) return found;
    if (!found.inside_is_measured && before->inside_is_measured) {
        found.machine.inside = before->machine.inside;
        found.machine.memory = before->machine.memory;
        found.machine.window = before->machine.window;
        found.machine.at_work = before->machine.at_work;
        found.inside_residual = before->inside_residual;
        found.inside_is_measured = true;
    }
    if (!found.between_is_measured && before->between_is_measured) {
        found.machine.between = before->machine.between;
        found.machine.card = before->machine.card;
        found.machine.beyond = before->machine.beyond;
        found.machine.torus = before->machine.torus;
        found.regions = before->regions;
        found.between_residual = before->between_residual;
        found.between_is_measured = true;
    }
    return found;
}

}  // namespace echelon
