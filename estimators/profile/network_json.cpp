// SPDX-License-Identifier: Apache-2.0
#include "estimators/profile/network_json.hpp"

namespace echelon {
namespace {

using Json = nlohmann::ordered_json;

Json table_to_json(const Table& table) {
    Json points = Json::array();
    for (const auto& [x, y] : table.points()) points.push_back({x, y});
    return points;
}

Table table_from_json(const JsonReader& reader) {
    std::vector<Table::Point> points;
    reader.each([&](const JsonReader& point) {
        std::vector<double> pair;
        point.each([&](const JsonReader& number) { pair.push_back(number.number()); });
        if (pair.size() != 2) point.fail("a pair of numbers");
        points.push_back({pair[0], pair[1]});
    });
    try {
        return Table(std::move(points));
    } catch (const Error& error) {
        throw Error(reader.place() + ": " + error.what());
    }
}

Hockney hockney(const JsonReader& reader) {
    return {.alpha = reader["alpha"].number(),
            .beta = reader["beta"].number(),
            .eager_below = reader.has("eager_below") ? reader["eager_below"].whole(0, ~0ull) : 0};
}

Json piece(const Hockney& model) {
    Json json{{"alpha", model.alpha}, {"beta", model.beta}};
    if (model.eager_below > 0) json["eager_below"] = model.eager_below;
    return json;
}

Json pieces_to_json(const PiecewiseHockney& m) {
    Json pieces = Json::array();
    for (const auto& [from, model] : m.pieces) {
        Json one{{"from", from}};
        one.update(piece(model));
        pieces.push_back(one);
    }
    return pieces;
}

PiecewiseHockney pieces_from_json(const JsonReader& reader) {
    PiecewiseHockney made;
    reader.each([&](const JsonReader& one) {
        one.object({"from", "alpha", "beta", "eager_below"});
        const Bytes from = one["from"].whole(0, ~0ull);
        if (!made.pieces.empty() && from <= made.pieces.back().from)
            one["from"].fail("pieces in ascending order");
        made.pieces.push_back({from, hockney(one)});
    });
    if (made.pieces.empty()) reader.fail("at least one piece");
    return made;
}

struct Writer {
    Json operator()(const Hockney& m) const {
        Json json{{"model", "hockney"}};
        json.update(piece(m));
        return json;
    }
    Json operator()(const PiecewiseHockney& m) const {
        return {{"model", "piecewise_hockney"}, {"pieces", pieces_to_json(m)}};
    }
    Json operator()(const LogGP& m) const {
        return {{"model", "loggp"}, {"latency", m.latency},   {"overhead", m.overhead},
                {"gap", m.gap},     {"per_byte", m.per_byte}, {"receive_gap", m.receive_gap}};
    }
    Json operator()(const PLogP& m) const {
        return {{"model", "plogp"},
                {"latency", m.latency},
                {"gap", table_to_json(m.gap)},
                {"send_overhead", table_to_json(m.send_overhead)},
                {"receive_overhead", table_to_json(m.receive_overhead)}};
    }
    Json operator()(const Postal& m) const {
        return {{"model", "postal"}, {"alpha_p", m.alpha_p}, {"alpha_r", m.alpha_r}, {"beta", m.beta}};
    }
    Json operator()(const Protocol& m) const {
        Json json{{"model", "protocol"},
                  {"pieces", pieces_to_json(m.one_way)},
                  {"send_overhead", table_to_json(m.send_overhead)},
                  {"receive_overhead", table_to_json(m.receive_overhead)},
                  {"rendezvous_from", m.rendezvous_from}};
        if (!m.blocking_overhead.points().empty())
            json["blocking_overhead"] = table_to_json(m.blocking_overhead);
        if (m.matched_from < m.rendezvous_from) json["matched_from"] = m.matched_from;
        if (m.held < 1) json["held"] = m.held;
        return json;
    }
};

}  // namespace

nlohmann::ordered_json network_to_json(const Network& network) { return std::visit(Writer(), network); }

Network network_from_json(const JsonReader& reader) {
    const std::string model = reader["model"].text();
    if (model == "hockney") {
        reader.object({"model", "residual", "alpha", "beta", "eager_below"});
        return hockney(reader);
    }
    if (model == "piecewise_hockney") {
        reader.object({"model", "residual", "pieces"});
        return pieces_from_json(reader["pieces"]);
    }
    if (model == "loggp") {
        reader.object({"model", "residual", "latency", "overhead", "gap", "per_byte", "receive_gap"});
        return LogGP{.latency = reader["latency"].number(),
                     .overhead = reader["overhead"].number(),
                     .gap = reader["gap"].number(),
                     .per_byte = reader["per_byte"].number(),
                     .receive_gap = reader.number("receive_gap", 0)};
    }
    if (model == "plogp") {
        reader.object({"model", "residual", "latency", "gap", "send_overhead", "receive_overhead"});
        return PLogP{.latency = reader["latency"].number(),
                     .gap = table_from_json(reader["gap"]),
                     .send_overhead = table_from_json(reader["send_overhead"]),
                     .receive_overhead = table_from_json(reader["receive_overhead"])};
    }
    if (model == "postal") {
        reader.object({"model", "residual", "alpha_p", "alpha_r", "beta"});
        return Postal{.alpha_p = reader["alpha_p"].number(),
                      .alpha_r = reader["alpha_r"].number(),
                      .beta = reader["beta"].number()};
    }
    if (model == "protocol") {
        reader.object({"model", "residual", "pieces", "overhead", "send_overhead", "receive_overhead",
                       "blocking_overhead", "rendezvous_from", "matched_from", "held"});
        if (reader.number("held", 1) > 1) reader["held"].fail("a share, from 0 to 1");
        // Older profiles have one number for both.
        const bool one_number = reader.has("overhead");
        if (one_number && (reader.has("send_overhead") || reader.has("receive_overhead")))
            reader["overhead"].fail("either overhead, or send_overhead and receive_overhead");
        const auto overhead = [&](const char* name) {
            return one_number ? Table::constant(reader["overhead"].number()) : table_from_json(reader[name]);
        };
        return Protocol{
            .one_way = pieces_from_json(reader["pieces"]),
            .send_overhead = overhead("send_overhead"),
            .receive_overhead = overhead("receive_overhead"),
            .rendezvous_from = reader["rendezvous_from"].whole(0, ~0ull),
            .held = reader.number("held", 1),
            .matched_from = reader.has("matched_from") ? reader["matched_from"].whole(0, ~0ull) : ~Bytes(0),
            .blocking_overhead =
                reader.has("blocking_overhead") ? table_from_json(reader["blocking_overhead"]) : Table()};
    }
    reader["model"].fail("hockney, piecewise_hockney, loggp, plogp, postal or protocol");
}

}  // namespace echelon
