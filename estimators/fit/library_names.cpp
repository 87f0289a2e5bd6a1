// SPDX-License-Identifier: Apache-2.0
#include "estimators/fit/library_names.hpp"

#include "core/error.hpp"
#include "hier/meaning.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace echelon {
namespace {

using enum Collective;

// The spelling is that of MPIR_CVAR_..._INTRA_ALGORITHM, coll_tuned_..._algorithm, UCC_TL_UCP_TUNE and PICO's
// tables.
// clang-format off
constexpr std::array names{
    LibraryName{allreduce, "reduce_scatter_allgather", "rabenseifner", "MPICH"},
    LibraryName{allreduce, "k_reduce_scatter_allgather", "rabenseifner", "MPICH"},
    LibraryName{allreduce, "recexch", "recursive_multiplying", "MPICH"},
    LibraryName{allreduce, "basic_linear", "linear", "Open MPI"},
    LibraryName{allreduce, "nonoverlapping", "reduce_bcast", "Open MPI"},
    LibraryName{allreduce, "ring_segmented", "segmented_ring", "PICO"},
    LibraryName{allreduce, "knomial", "recursive_multiplying", "UCC"},
    LibraryName{allreduce, "sra_knomial", "rabenseifner", "UCC"},
    LibraryName{bcast, "scatter_recursive_doubling_allgather", "scatter_allgather", "MPICH"},
    LibraryName{bcast, "scatter_ring_allgather", "ring", "MPICH"},
    LibraryName{bcast, "scatter_allgather_ring", "ring", "Open MPI"},
    LibraryName{bcast, "basic_linear", "flat_tree", "Open MPI"},
    LibraryName{bcast, "linear", "flat_tree", "Open MPI"},
    LibraryName{bcast, "pipeline", "chain", "Open MPI"},
    LibraryName{bcast, "binary_tree", "binary", "Open MPI"},
    LibraryName{bcast, "split_binary_tree", "split_binary", "Open MPI"},
    LibraryName{bcast, "sag_knomial", "scatter_allgather", "UCC"},
    LibraryName{bcast, "dbt", "two_tree", "UCC"},
    LibraryName{reduce, "reduce_scatter_gather", "rabenseifner", "MPICH"},
    LibraryName{reduce, "linear", "flat_tree", "Open MPI"},
    LibraryName{reduce, "pipeline", "chain", "Open MPI"},
    LibraryName{reduce, "in_order", "in_order_binary", "Open MPI"},
    LibraryName{reduce, "dbt", "two_tree", "UCC"},
    LibraryName{reduce, "srg_knomial", "rabenseifner", "UCC"},
    LibraryName{allgather, "recursive_doubling", "doubling", "MPICH, Open MPI"},
    LibraryName{allgather, "brucks", "circulant", "MPICH"},
    LibraryName{allgather, "bruck", "circulant", "Open MPI, UCC"},
    LibraryName{allgather, "k_bruck", "circulant", "Open MPI"},
    LibraryName{reduce_scatter, "recursive_halving", "halving", "MPICH, Open MPI"},
    LibraryName{reduce_scatter, "recursive_distance_doubling", "halving", "PICO"},
    LibraryName{alltoall, "brucks", "bruck", "MPICH"},
    LibraryName{alltoall, "modified_bruck", "bruck", "Open MPI"},
    LibraryName{alltoall, "scattered", "linear", "MPICH"},
    LibraryName{gather, "basic_linear", "linear", "Open MPI"},
    LibraryName{scatter, "basic_linear", "linear", "Open MPI"},
    LibraryName{scatter, "linear_nb", "linear", "Open MPI"},
    LibraryName{barrier, "k_dissemination", "dissemination", "MPICH"},
    LibraryName{barrier, "bruck", "dissemination", "Open MPI"},
};
// clang-format on

/// Lower case, with `_` between words.
std::string plain(std::string_view name) {
    std::string made(name);
    for (char& c : made) {
        if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
        if (c == '-' || c == ' ') c = '_';
    }
    return made;
}

std::string_view without_library(std::string_view name) {
    constexpr std::array<std::string_view, 6> libraries{"_ompi", "_openmpi", "_mpich",
                                                        "_ucc",  "_cray",    "_over"};
    for (const std::string_view library : libraries)
        if (name.ends_with(library)) return name.substr(0, name.size() - library.size());
    return name;
}

/// The recipe that the text spells, if it serves the collective.
std::optional<Recipe> own_recipe(Collective collective, std::string_view text) {
    try {
        Recipe recipe = Recipe::parse(text);
        if (recipe.kind == Recipe::Kind::flat && find_algorithm(collective, recipe.name) == nullptr &&
            !meaning_of(recipe.name, collective).in_halves())
            return std::nullopt;
        return recipe;
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace

std::span<const LibraryName> library_names() { return names; }

std::optional<Recipe> recipe_called(Collective collective, std::string_view name) {
    if (auto own = own_recipe(collective, name)) return own;
    const std::string words = plain(name);
    const std::string_view bare = without_library(words);
    if (bare == "default" || bare == "native" || bare == "auto") return Recipe();
    const auto row = std::find_if(names.begin(), names.end(), [&](const LibraryName& one) {
        return one.collective == collective && one.name == bare;
    });
    return own_recipe(collective, row == names.end() ? bare : row->row);
}

}  // namespace echelon
