// SPDX-License-Identifier: Apache-2.0
#include "estimators/profile/fingerprint_json.hpp"

#include "estimators/profile/host.hpp"

#include <limits>
#include <tuple>
#include <utility>

namespace echelon {

Fingerprint fingerprint_from(const JsonReader& json) {
    Fingerprint made;
    json.object({"mpi", "processor", "networks", "ranks_per_node"});
    // Old profiles of Open MPI end the text with a byte 0.
    if (json.has("mpi")) made.mpi = json["mpi"].text().c_str();
    if (json.has("processor")) made.processor = json["processor"].text();
    if (json.has("networks"))
        json["networks"].each([&](const JsonReader& name) {
            if (!is_made(name.text()))
                made.networks.push_back(name.text());  // profiles of old versions list them
        });
    if (json.has("ranks_per_node"))
        made.ranks_per_node = int(json["ranks_per_node"].whole(0, std::numeric_limits<int>::max()));
    return made;
}

std::optional<Fingerprint> fingerprint_ahead(std::string_view text) {
    using nlohmann::json;
    struct Found {
        json fingerprint;
    };
    bool is_next = false;
    try {
        std::ignore = json::parse(text, [&](int depth, json::parse_event_t event, json& parsed) {
            if (depth == 1 && event == json::parse_event_t::key) is_next = parsed == "fingerprint";
            if (depth == 1 && event == json::parse_event_t::object_end && is_next)
                throw Found{std::move(parsed)};
            return true;
        });
    } catch (const Found& found) {
        try {
            return fingerprint_from(JsonReader(found.fingerprint, "fingerprint", nullptr));
        } catch (const Error&) {
            return std::nullopt;
        }
    } catch (const json::exception&) {
        return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace echelon
