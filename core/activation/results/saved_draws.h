#pragma once

#include "core/activation/activation.h"
#include "core/analysis/chart.h"
#include "core/base/memory/memo.h"
#include "core/image/layer.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::activation {

/// The layers draws_<regressor> of a run, opened again.
struct SavedDraws {
  std::vector<std::string> regressors;                      ///< as the design has them, the intercept first
  std::vector<std::shared_ptr<const Series<float>>> draws;  ///< of each: a volume a draw, NaN where none is
  std::string unit;                                         ///< of the coefficients
  TableLayer delta = {};                                    ///< the layer delta: the draws of Δ
  /// What savedDrawLayers() made of these contrasts, none of which γ changes.
  std::shared_ptr<Memo<std::string, std::vector<std::vector<Layer>>>> maps =
      std::make_shared<Memo<std::string, std::vector<std::vector<Layer>>>>(4);
};

/// What follows the sampler, from saved draws alone: of each regressor and of each contrast of the options
/// ppm_ (the share of the draws above γ, shown from `probability` on), mean_, sd_ and interval_ (90 %); of
/// each regressor hpd_. The names and units are those of activationLayers(), whose maps of means are sharper:
/// they average what each draw was drawn from. Where γ and `probability` alone have changed since the last
/// call for these draws, only ppm_ is computed anew. A joint contrast has ppm_ alone, the share of the draws
/// that are nearer to their mean than zero is; its rows are contrasts.
///
/// @throws Error  for draws on several grids or of several lengths, none at all, and contrasts that cannot be
///                read (usage); Cancelled
std::vector<Layer> savedDrawLayers(const SavedDraws& saved, const ActivationOptions& options,
                                   const Progress& progress = {});

/// The charts that the draws alone give, by the names of activationPlots(): Chain (of the kept draws), Δ and
/// Δ density. They keep the draws alive.
///
/// @throws Error  where the table of Δ is none
std::vector<Plot> savedDrawPlots(const std::shared_ptr<const SavedDraws>& saved);

/// What a column of the table delta holds the draws of.
struct DeltaColumn {
  std::string covariate, regressor;
};
/// "Δ[gm, visual]" as covariate and regressor; none for other columns.
std::optional<DeltaColumn> deltaColumn(const std::string& name);

/// The regressors in the order of a run, from the columns of its table delta. Throws Error where it is none.
std::vector<std::string> regressorsOfDelta(const std::vector<std::string>& columns);

}  // namespace sulcus::activation
