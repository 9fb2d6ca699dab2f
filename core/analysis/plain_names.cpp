#include "core/analysis/plain_names.h"

#include <algorithm>
#include <string_view>

namespace sulcus {
namespace {

struct Words {
  std::string_view name;   ///< of a result; one that ends in "_" begins names
  std::string_view words;  ///< with %1 for what follows in the name
};

constexpr Words kWords[] = {
    {"ppm_", "probability of %1"},
    {"lfdr_", "local FDR of %1"},
    {"shown_", "voxels shown of %1"},
    {"mean_", "mean of %1"},
    {"sd_", "s.d. of %1"},
    {"interval_", "90 % interval of %1"},
    {"t_", "t of %1"},
    {"z_", "z of %1"},
    {"f_", "F of %1"},
    {"norm_", "length of response to %1"},
    {"hpd_", "extreme means of %1"},
    {"draws_", "draws of %1"},
    {"shown", "thresholds and voxels shown"},
    {"sigma2", "noise variance σ²"},
    {"rhat", "R̂, convergence"},
    {"ess", "effective draws"},
    {"delta", "draws of Δ"},
    {"vbeta", "draws of V_β"},
    {"count", "number of fibers"},
    {"fa", "FA"},
    {"md", "MD"},
    {"ad", "AD"},
    {"rd", "RD"},
    {"response_voxels", "voxels of the response"},
    {"response_gm", "response of gray matter"},
    {"response_csf", "response of CSF"},
    {"logjac", "log Jacobian"},
    {"local_correlation", "local correlation"},
    {"inverse", "inverse displacement"},
    {"inverse_residual", "inverse-consistency error"},
    {"warped_reference", "warped reference"},
    {"warped_labels", "warped labels"},
    {"bias_field", "bias field"},
    {"phi", "signed distance φ"},
    {"input_surface", "input surface"},
    {"true_", "true %1"},
};

}  // namespace

std::string plainName(const std::string& name) {
  const std::size_t end = std::min(name.find(" ("), name.size());
  const std::string_view bare = std::string_view(name).substr(0, end);
  for (const auto& [known, words] : kWords) {
    const bool fits =
        known.ends_with('_') ? bare.size() > known.size() && bare.starts_with(known) : bare == known;
    if (!fits) continue;
    const std::string_view rest = bare.substr(known.size());
    std::string said(words);
    if (const auto place = said.find("%1"); place != said.npos) said.replace(place, 2, rest);
    return said.append(name, end);
  }
  return name;
}

}  // namespace sulcus
