#pragma once

#include "core/activation/activation.h"
#include "core/analysis/chart.h"
#include "core/image/grids/index_at.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sulcus::activation {

/// The design matrix as an image: one row per scan, one column per regressor. Available before a run.
Plot designPlot(const Design& design);

/// The charts of a result, for every regressor but the intercept (unless that is the only one). They keep the
/// result alive. Charts of two results with the same name are drawn together.
///   Time series         at the crosshair: the response, the fitted mean and its 90 % credible band, over the
///                       seconds since the first scan began, or over scans if `secondsPerScan` is 0
///   Chain: <regressor>  at the crosshair: every draw of the coefficient, including burn-in
///   Means: <regressor>  histogram and density of the voxels' posterior means, and their 95 % HPD interval
///   Shrinkage: <…>      posterior mean over least squares in each voxel; named by ν_e, so that results with
///                       two values of it can be distinguished in one chart
///   Δ: <…>, Δ density: <…>  kept draws of Δ for each covariate; if slices have their own, those of the slice
///                           at the crosshair
///   Residual autocorrelation, Residual spectrum  at the crosshair: for the least-squares residuals and the
///                       whitened series
///   Design              designPlot()
std::vector<Plot> activationPlots(const std::shared_ptr<const ActivationResult>& result,
                                  double secondsPerScan = 0);

/// "effect of visual (%)": an axis label with its unit, if any.
std::string withUnit(const std::string& label, const std::string& unit);

/// "slice 3": the group of the slice at a position (mm, RAS+) if slices are analyzed separately. "slice 0" if
/// there is none.
std::string sliceNameAt(const Grid& grid, const Vec3<double>& p_in_world);

/// Adds a line for each chain: kept draws over their index, thinned evenly if there are many.
///
/// @param draws  (draw, chain), draws fastest
void addTraces(Chart& chart, const std::string& name, std::span<const double> draws, int chains);

/// Kernel density estimate of a sample at 256 points, with a Gaussian kernel of Silverman's width
/// 0.9 min(s.d., IQR/1.34) n^(−1/5). Empty for a sample without spread.
Chart::Series kernelDensity(std::string name, std::vector<double> sample);

/// An empty chart of the draws of Δ, or of their density.
///
/// @param label  of Δ, with its unit
Chart deltaChart(std::string title, std::string label, bool density);

}  // namespace sulcus::activation
