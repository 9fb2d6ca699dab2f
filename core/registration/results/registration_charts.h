#pragma once

#include "core/analysis/chart.h"
#include "core/registration/registration.h"

#include <memory>
#include <vector>

namespace sulcus::registration {

/// The plot "Energy": the energy and its two parts over all iterations, with a mark where a level begins.
/// Each level has its own grid, so the curves jump there; within a level the energy never rises.
Plot registrationEnergyPlot(const std::vector<RegistrationIteration>& iterations, double lambda);

/// The plot "log J": a histogram of log J where the warped image is above its mean, with mean and skewness.
/// Computed on demand.
Plot logJacobianPlot(std::shared_ptr<const RegistrationResult> result);

}  // namespace sulcus::registration
