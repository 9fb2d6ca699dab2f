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

/// The layers draws_<regressor> of a run, reopened.
struct SavedDraws {
  std::vector<std::string> regressors;                      ///< as in the design, the intercept first
  std::vector<std::shared_ptr<const Series<float>>> draws;  ///< for each regressor one volume per draw, NaN
                                                            ///< where there is none
  std::string unit;                                         ///< of the coefficients
  TableLayer delta = {};                                    ///< the layer delta: the draws of Δ
  /// Results of savedDrawLayers() for these contrasts that do not depend on γ.
  std::shared_ptr<Memo<std::string, std::vector<std::vector<Layer>>>> maps =
      std::make_shared<Memo<std::string, std::vector<std::vector<Layer>>>>(4);
};

/// The layers that can be computed from saved draws alone: for each regressor and each contrast of the
/// options ppm_ (the share of the draws above γ, shown if at least `probability`), mean_, sd_ and the 90 %
/// interval_; for each regressor hpd_. The names and units are those of activationLayers(), whose maps of
/// means are more precise: they average the conditional means of the draws. If only γ and `probability` have
/// changed since the last call for these draws, only ppm_ is recomputed. A joint contrast has only ppm_, the
/// share of the draws that are nearer to their mean than zero is; its rows are contrasts.
///
/// @throws Error  for draws on different grids or of different lengths, no draws, and contrasts that cannot
///                be parsed (usage); Cancelled
std::vector<Layer> savedDrawLayers(const SavedDraws& saved, const ActivationOptions& options,
                                   const Progress& progress = {});

/// The charts that can be made from the draws alone, named as in activationPlots(): Chain (of the kept
/// draws), Δ and Δ density. They keep the draws alive.
///
/// @throws Error  if the table of Δ is invalid
std::vector<Plot> savedDrawPlots(const std::shared_ptr<const SavedDraws>& saved);

/// The covariate and regressor whose draws are in a column of the table delta.
struct DeltaColumn {
  std::string covariate, regressor;
};
/// Parses "Δ[gm, visual]" to covariate and regressor; nullopt for other columns.
std::optional<DeltaColumn> deltaColumn(const std::string& name);

/// The regressors in the order of a run, from the columns of its table delta. Throws Error if it is not such
/// a table.
std::vector<std::string> regressorsOfDelta(const std::vector<std::string>& columns);

}  // namespace sulcus::activation
