// SPDX-License-Identifier: Apache-2.0
#include "estimators/tables_2005.hpp"

namespace echelon::tables_2005 {

Call call_of(const Problem& problem, SecondsPerByte gamma) {
    const double n = double(Segments({0, problem.bytes}, problem.segment).size());
    return {.p = problem.p, .n = n, .m_s = double(problem.bytes) / n, .gamma = gamma};
}

Terms::Terms(const LogGP& model)
    : latency(model.latency),
      overhead(model.overhead),
      per_byte(model.per_byte),
      gap(model.gap),
      gap_by_peers(&model.gap_by_peers) {}

Terms::Terms(const Postal& model)
    : latency(model.alpha_p + model.alpha_r),
      per_byte(model.beta),
      gap(model.alpha_r),
      free_bytes(0),
      gap_by_peers(&model.alpha_r_by_peers) {}

const Form* find(Collective collective, std::string_view name) {
    for (const auto table : {barrier(), bcast(), reduce(), alltoall()})
        for (const Form& form : table)
            if (form.collective == collective && form.name == name) return &form;
    return nullptr;
}

}  // namespace echelon::tables_2005
