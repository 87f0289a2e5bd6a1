// SPDX-License-Identifier: Apache-2.0
#include "settings/info_keys.hpp"

#include "mpi/check.hpp"
#include "mpi/quirks.hpp"
#include "settings/settings_table.hpp"

#include <utility>

namespace echelon {
namespace {

constexpr std::string_view key_prefix = "echelon_";

int on_deleted(MPI_Comm, int, void* keys, void*) {
    delete static_cast<InfoKeys*>(keys);
    return MPI_SUCCESS;
}

int copy_keys(MPI_Comm, int, void*, void* keys, void* into, int* copied) {
    *static_cast<void**>(into) = new InfoKeys(*static_cast<InfoKeys*>(keys));
    *copied = 1;
    return MPI_SUCCESS;
}

InfoKeys* find(int keyval, MPI_Comm comm) {
    void* found = nullptr;
    int flag = 0;
    check(PMPI_Comm_get_attr(comm, keyval, &found, &flag), "MPI_Comm_get_attr");
    return flag != 0 ? static_cast<InfoKeys*>(found) : nullptr;
}

/// All pairs of `info` with a key of Echelon's.
std::vector<std::pair<std::string, std::string>> ours(MPI_Info info) {
    std::vector<std::pair<std::string, std::string>> found;
    int count = 0;
    check(PMPI_Info_get_nkeys(info, &count), "MPI_Info_get_nkeys");
    for (int i = 0; i < count; ++i) {
        char key[MPI_MAX_INFO_KEY + 1] = {};
        check(PMPI_Info_get_nthkey(info, i, key), "MPI_Info_get_nthkey");
        if (!std::string_view(key).starts_with(key_prefix)) continue;
        int length = 0, flag = 0;
        check(PMPI_Info_get_valuelen(info, key, &length, &flag), "MPI_Info_get_valuelen");
        std::string value(std::size_t(length) + 1, '\0');
        check(PMPI_Info_get(info, key, length, value.data(), &flag), "MPI_Info_get");
        value.resize(std::size_t(length));
        found.emplace_back(key, value);
    }
    return found;
}

const Setting* setting_of_key(const std::string& key) {
    for (const Setting& row : settings_table())
        if (row.info_key == key) return &row;
    return nullptr;
}

}  // namespace

int InfoKeys::make_keyval() {
    int keyval = MPI_KEYVAL_INVALID;
    check(PMPI_Comm_create_keyval(quirks::dup_copies_info ? copy_keys : MPI_COMM_NULL_COPY_FN, on_deleted,
                                  &keyval, nullptr),
          "MPI_Comm_create_keyval");
    return keyval;
}

std::vector<std::string> InfoKeys::take(int keyval, MPI_Comm comm, MPI_Info info) {
    const auto pairs = info == MPI_INFO_NULL ? decltype(ours(info))() : ours(info);
    if (find(keyval, comm) == nullptr) attach(keyval, comm, std::make_unique<InfoKeys>());
    InfoKeys* const keys = find(keyval, comm);
    std::vector<std::string> complaints;
    for (const auto& [key, value] : pairs) {
        const Setting* const row = setting_of_key(key);
        if (row == nullptr)
            complaints.push_back("info key " + key + " is unknown; 'echelon settings' prints the known ones");
        else
            keys->asked_.read(row->name, value, "info key " + key);
    }
    const auto wrong = std::exchange(keys->asked_.complaints, {});
    complaints.insert(complaints.end(), wrong.begin(), wrong.end());
    return complaints;
}

void InfoKeys::drop(int keyval, MPI_Comm comm) {
    if (find(keyval, comm) != nullptr) check(PMPI_Comm_delete_attr(comm, keyval), "MPI_Comm_delete_attr");
}

std::unique_ptr<InfoKeys> InfoKeys::detach(int keyval, MPI_Comm comm) {
    const InfoKeys* const keys = find(keyval, comm);
    if (keys == nullptr) return nullptr;
    auto kept = std::make_unique<InfoKeys>(*keys);
    check(PMPI_Comm_delete_attr(comm, keyval), "MPI_Comm_delete_attr");
    return kept;
}

const Settings* InfoKeys::attach(int keyval, MPI_Comm comm, std::unique_ptr<InfoKeys> keys) {
    check(PMPI_Comm_set_attr(comm, keyval, keys.get()), "MPI_Comm_set_attr");
    return &keys.release()->asked_;
}

const Settings* InfoKeys::of(int keyval, MPI_Comm comm) {
    const InfoKeys* const keys = find(keyval, comm);
    return keys == nullptr ? nullptr : &keys->asked_;
}

}  // namespace echelon
