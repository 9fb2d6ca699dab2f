#include "tests/bench/papers/ferreira_data.h"

#include "core/activation/design/design.h"
#include "core/io/files.h"
#include "core/phantom/activation_phantom.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace sulcus::bench {
namespace {

activation::ActivationOptions paperOptions(const PapersOptions& options, int slice) {
  auto paper = optionsFrom<activation::ActivationOptions>(activation::paperActivation());
  paper.draws = options.quick ? 600 : 3000;
  paper.slice = slice, paper.nuE = 3;
  return paper;
}

std::shared_ptr<const Series<float>> seriesIn(const std::filesystem::path& file) {
  return std::get<VolumeLayer>(io::openVolume(file, {}, io::UnlabeledData::asImage).content).series;
}

PaperScan phantomScan(const char* data, const PapersOptions& options,
                      phantom::ActivationPhantomOptions::Pattern pattern) {
  phantom::ActivationPhantomOptions phantomOptions;
  phantomOptions.pattern = pattern;
  const auto phantom = phantom::makeActivationPhantom(phantomOptions);
  PaperScan scan{std::string("phantom for ") + data, false, {}, paperOptions(options, 7), 1, 2, phantom.beta};
  scan.input.bold = phantom.bold, scan.input.mask = phantom.mask, scan.input.design = phantom.design;
  if (pattern == phantom::ActivationPhantomOptions::Pattern::model) {
    scan.input.tissue = phantom.tissue, scan.input.tissueNames = phantom.tissueNames;
    scan.options.response = activation::Response::raw;
  }
  return scan;
}

/// Demeans each covariate over the voxels of a slice, like the analysis.
void demean(std::vector<Eigen::VectorXd>& z) {
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(z.front().size());
  for (const auto& row : z) mean += row / double(z.size());
  mean(0) = 0;
  for (auto& row : z) row -= mean;
}

}  // namespace

PaperScan audioVisualScan(const PapersOptions& options) {
  const auto folder = options.data / "fmri";
  if (!std::filesystem::exists(folder / "fmri_filtered_func_data.nii.gz"))
    return phantomScan("fmri", options, phantom::ActivationPhantomOptions::Pattern::blobs);
  PaperScan scan{"fmri, slice 3", true, {}, paperOptions(options, 3), 1, 3, nullptr};
  scan.input.bold = seriesIn(folder / "fmri_filtered_func_data.nii.gz");
  scan.input.mask = std::make_shared<const Mask>(maskOf(io::openVolume(folder / "fmri_mask.nii.gz")));
  scan.input.design = activation::makeDesign(io::openLayer(folder / "fmri_design.mat"), nullptr, 3,
                                             scan.input.bold->count, {});
  scan.input.design.names = {"intercept", "visual", "visual_derivative", "auditory", "auditory_derivative"};
  return scan;
}

PaperScan simulatedAuditoryScan(const PapersOptions& options) {
  const auto folder = options.data / "fmri";
  if (!std::filesystem::exists(folder / "swrfM_mask.nii.gz"))
    return phantomScan("swrfM", options, phantom::ActivationPhantomOptions::Pattern::model);
  constexpr int slice = 21, scans = 84, regressors = 3, covariates = 4;
  PaperScan scan{"swrfM, slice 21, simulated", true, {}, paperOptions(options, slice), 1, 1, nullptr};
  scan.options.response = activation::Response::raw;
  const Mask mask = maskOf(io::openVolume(folder / "swrfM_mask.nii.gz"));
  scan.input.mask = std::make_shared<const Mask>(mask);
  Series<float> tissue(mask.grid, 3);
  for (int t = 0; t < 3; ++t) {
    constexpr const char* names[] = {"csf", "gry", "wht"};
    const auto map = seriesIn(folder / (std::string("swrfM_") + names[t] + ".nii.gz"));
    const float largest = *std::max_element(map->values.begin(), map->values.end());
    for (std::int64_t i = 0; i < mask.grid.voxels(); ++i)
      tissue.at(i, t) = std::isfinite(map->at(i, 0)) ? map->at(i, 0) / largest : 0;
    scan.input.tissueNames.push_back(names[t]);
  }
  scan.input.design =
      activation::makeDesign(io::openLayer(folder / "swrfM_design.mat"), nullptr, 7, scans, {});
  scan.input.design.names = {"intercept", "auditory", "auditory_derivative"};

  // β = Δ'z + ν with a response to sound in gray matter, σ² about 1.
  Eigen::MatrixXd delta = Eigen::MatrixXd::Zero(covariates, regressors);
  delta(0, 1) = 0.15, delta(1, 1) = -0.3, delta(2, 1) = 0.8, delta(3, 1) = -0.1;
  std::mt19937 random(21);
  const auto normal = [&] {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += random() * 0x1p-32;
    return sum;
  };
  std::vector<std::int64_t> voxels;
  std::vector<Eigen::VectorXd> z;
  for (std::int64_t i = 0; i < mask.grid.voxels(); ++i) {
    if (!mask.values[std::size_t(i)] || mask.grid.voxel(i).z != slice - 1) continue;
    voxels.push_back(i);
    z.push_back(Eigen::Vector4d{1, tissue.at(i, 0), tissue.at(i, 1), tissue.at(i, 2)});
  }
  demean(z);
  Series<float> bold(mask.grid, scans), beta(mask.grid, regressors);
  beta.values.assign(beta.values.size(), std::numeric_limits<float>::quiet_NaN());
  for (std::size_t v = 0; v < voxels.size(); ++v) {
    Eigen::VectorXd b = delta.transpose() * z[v];
    for (int j = 0; j < regressors; ++j) b(j) += 0.2 * normal(), beta.at(voxels[v], j) = float(b(j));
    for (int t = 0; t < scans; ++t)
      bold.at(voxels[v], t) = float(scan.input.design.matrix.row(t).dot(b) + normal());
  }
  scan.input.bold = std::make_shared<const Series<float>>(std::move(bold));
  scan.input.tissue = std::make_shared<const Series<float>>(std::move(tissue));
  scan.beta = std::make_shared<const Series<float>>(std::move(beta));
  return scan;
}

}  // namespace sulcus::bench
