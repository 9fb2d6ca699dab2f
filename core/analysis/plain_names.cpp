#include "core/analysis/plain_names.h"

#include <algorithm>
#include <string_view>

namespace sulcus {
namespace {

struct Words {
  std::string_view name;  ///< of a result; one that ends in "_" begins names
  std::string_view words;
};

constexpr Words kWords[] = {
    {"ppm_", "probability of "},
    {"lfdr_", "local false share of "},
    {"shown_", "voxels shown of "},
    {"mean_", "mean of "},
    {"sd_", "s.d. of "},
    {"interval_", "90 % interval of "},
    {"t_", "t of "},
    {"z_", "z of "},
    {"norm_", "length of response to "},
    {"hpd_", "extreme means of "},
    {"draws_", "draws of "},
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
    {"inverse_residual", "error there and back"},
    {"warped_reference", "warped reference"},
    {"warped_labels", "warped labels"},
    {"bias_field", "bias field"},
    {"phi", "signed distance φ"},
    {"input_surface", "input surface"},
};

}  // namespace

std::string plainName(const std::string& name) {
  const std::size_t end = std::min(name.find(" ("), name.size());
  const std::string_view bare = std::string_view(name).substr(0, end);
  for (const auto& [known, words] : kWords) {
    const bool fits =
        known.ends_with('_') ? bare.size() > known.size() && bare.starts_with(known) : bare == known;
    if (fits) return std::string(words).append(name, known.size());
  }
  return name;
}

}  // namespace sulcus
