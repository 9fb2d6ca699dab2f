#include "core/analysis/plain_names.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace sulcus {
namespace {

struct Words {
  /// Of a result; "…_" is a beginning, "_…" an end; "desc-…" and "…ref" are whole or an end.
  std::string_view name;
  std::string_view words;          ///< with %1 for the rest of the name
  std::string_view quantity = {};  ///< words without %1
};

constexpr Words kWords[] = {
    {"ppm_", "probability of %1", "probability"},
    {"lfdr_", "local FDR of %1", "local FDR"},
    {"shown_", "significant voxels of %1", "significant voxels"},
    {"mean_", "mean of %1", "mean"},
    {"sd_", "s.d. of %1", "s.d."},
    {"interval_", "90 % interval of %1", "90 % interval"},
    {"t_", "t of %1", "t"},
    {"z_", "z of %1", "z"},
    {"f_", "F of %1", "F"},
    {"norm_", "length of response to %1", "length of response"},
    {"hpd_", "extreme means of %1", "extreme means"},
    {"draws_", "posterior of %1", "posterior"},
    {"effect_", "effect of %1", "effect"},
    {"variance_", "variance of the effect of %1", "variance"},
    {"weighted_effect_", "weighted effect of %1", "weighted effect"},
    {"weighted_t_", "weighted t of %1", "weighted t"},
    {"weighted_f_", "weighted F of %1", "weighted F"},
    {"weighted_z_", "weighted z of %1", "weighted z"},
    {"between_sd", "s.d. between people"},
    {"tfce_", "TFCE of %1", "TFCE"},
    {"logp_tfce_", "corrected p of %1, by TFCE", "corrected p, by TFCE"},
    {"logp_voxel_", "corrected p of %1, by voxel", "corrected p, by voxel"},
    {"logp_extent_", "corrected p of %1, by extent", "corrected p, by extent"},
    {"logp_mass_", "corrected p of %1, by mass", "corrected p, by mass"},
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
    {"density", "lines through each voxel"},
    {"ends", "ends of lines"},
    {"seeds", "fate of the seeds"},
    {"connectome", "lines between regions"},
    {"profile", "images along the bundle"},
    {"template_sd", "s.d. between people"},
    {"template_labels", "labels of the template"},
    {"desc-preproc_bold", "prepared series"},
    {"desc-preproc_dwi", "prepared diffusion series"},
    {"desc-preproc_fieldmap", "field map"},
    {"desc-brain_mask", "brain mask"},
    {"desc-confounds_timeseries", "confounds"},
    {"desc-noise_dwimap", "noise"},
    {"desc-rank_dwimap", "components of the signal"},
    {"boldref", "mean volume"},
    {"dwiref", "mean volume"},
    {"true_", "true %1", "true"},
    {"_displacement", "displacement of %1", "displacement"},
    {"_logjac", "log Jacobian of %1", "log Jacobian"},
    {"_warped", "%1 warped", "warped"},
};

/// The name without the parentheses at its end.
std::string_view bareName(const std::string& name) {
  return std::string_view(name).substr(0, std::min(name.find(" ("), name.size()));
}

/// The words for a bare name; null if it is self-explanatory.
const Words* wordsFor(std::string_view bare) {
  const auto fits = [bare](const Words& known) {
    const std::string_view name = known.name;
    if (name.starts_with("desc-") || name.ends_with("ref")) return bare.ends_with(name);
    if (name.starts_with('_')) return bare.size() > name.size() && bare.ends_with(name);
    return name.ends_with('_') ? bare.size() > name.size() && bare.starts_with(name) : bare == name;
  };
  const auto found = std::find_if(std::begin(kWords), std::end(kWords), fits);
  return found == std::end(kWords) ? nullptr : found;
}

/// What %1 stands for.
std::string_view restOf(std::string_view bare, const Words& known) {
  const std::size_t rest = bare.size() - known.name.size();
  return known.name.starts_with('_') ? bare.substr(0, rest) : bare.substr(known.name.size());
}

}  // namespace

std::string plainName(const std::string& name, const Translation& translated) {
  const std::string_view bare = bareName(name);
  const Words* known = wordsFor(bare);
  if (!known) return name;
  std::string said = translated(std::string(known->words));
  if (const auto place = said.find("%1"); place != said.npos) said.replace(place, 2, restOf(bare, *known));
  return said.append(name, bare.size());
}

NameParts nameParts(const std::string& name) {
  const std::string_view bare = bareName(name);
  const Words* known = wordsFor(bare);
  if (!known) return {std::string(bare), ""};
  if (known->quantity.empty()) return {std::string(known->words), ""};
  return {std::string(known->quantity), std::string(restOf(bare, *known))};
}

}  // namespace sulcus
