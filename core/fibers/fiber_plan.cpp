#include "core/fibers/fiber_plan.h"

#include "core/base/error.h"
#include "core/base/parallel_for.h"
#include "core/base/sentence.h"
#include "core/fibers/models.h"
#include "core/fibers/response.h"
#include "core/fibers/spherical_harmonics.h"
#include "core/image/value_check.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <Eigen/Core>

namespace sulcus::fibers {
namespace {

constexpr double kShellWidth = 200;  // s/mm²: the highest shell has b-values down to this below the largest
constexpr double kSignalThreshold =
    0.05;  // share of the 98th percentile of S0 above which a voxel is in the head

const char* nameOf(FiberModel model) {
  static constexpr std::array names{"auto", "adc", "qball", "csa", "csd", "sh", "tensor"};
  return names[std::size_t(model)];
}

std::vector<Vec3<double>> directionsOf(const GradientTable& table, const std::vector<int>& volumes) {
  std::vector<Vec3<double>> directions;
  directions.reserve(volumes.size());
  for (const int v : volumes) directions.push_back(table.rows[std::size_t(v)].directionWorld);
  return directions;
}

/// The weighted volumes with the highest b-values.
std::vector<int> highestShell(const GradientTable& table) {
  const auto weighted = weightedVolumes(table);
  double highest = 0;
  for (const int v : weighted) highest = std::max(highest, table.rows[std::size_t(v)].b);
  std::vector<int> shell;
  for (const int v : weighted)
    if (table.rows[std::size_t(v)].b >= highest - kShellWidth) shell.push_back(v);
  return shell;
}

/// The highest even order ≤ 8 that the directions determine, 0 where they do not determine order 2.
int highestOrder(std::span<const Vec3<double>> directions) {
  for (int order = kLargestOrder; order >= 2; order -= 2)
    if (determinesOrder(order, directions)) return order;
  return 0;
}

/// The choice of model, order and volumes, for which no voxel values are needed.
struct Choice {
  FiberModel model;
  int order;
  std::vector<int> weighted;  ///< indices of the volumes to use
  std::string reason;         ///< one sentence without its full stop
};

void checkGradients(const Series<float>& dwi, const GradientTable& table) {
  if (table.empty())
    throw Error("The diffusion series has no gradients", "directions cannot be fitted without them",
                "give --bval and --bvec or --grad, or place them beside the scan");
  if (int(table.rows.size()) != dwi.count)
    throw Error(text("The gradient table has ", table.rows.size(), " rows, the diffusion series ", dwi.count,
                     " volumes"),
                "each volume needs its own row", "give the table that belongs to this series");
  for (const auto& row : table.rows) {
    const double length = norm(row.directionWorld);
    if (!std::isfinite(row.b) || (row.b >= kB0Threshold && !(std::abs(length - 1) < 0.01)))
      throw Error(text("A gradient with b = ", row.b, " s/mm² has no direction of length 1"),
                  "the weighting of its volume is unknown", "correct the gradient table");
  }
  if (weightedVolumes(table).empty())
    throw Error("All volumes have b = 0", "without diffusion weighting there is no direction to find",
                "check the b-values, or give the series with the weighted volumes");
  if (unweightedVolumes(table).empty())
    throw Error("No volume has b = 0", "the signal without weighting is the reference of every model",
                "give a series with at least one volume with b = 0");
}

Choice chooseForDwi(const FiberInput& input, const FiberOptions& options) {
  checkGradients(*input.dwi, input.gradients);
  const auto shell = highestShell(input.gradients);
  const auto all = weightedVolumes(input.gradients);
  const auto shellDirections = directionsOf(input.gradients, shell);
  const int shellOrder = highestOrder(shellDirections);

  Choice choice{options.model, options.order, shell, {}};
  if (choice.model == FiberModel::automatic)
    choice.model = (options.order == 0 ? shellOrder : options.order) >= 4 ? FiberModel::csd : FiberModel::adc;
  if (choice.model == FiberModel::adc) choice.weighted = all;
  const auto directions = directionsOf(input.gradients, choice.weighted);
  const int distinct = distinctDirections(directions);
  // Where auto falls back to adc it takes order 2, so that the maxima are those of a diffusion tensor.
  const int highest = choice.model == FiberModel::adc ? highestOrder(directions) : shellOrder;
  if (choice.order == 0)
    choice.order = options.model == FiberModel::automatic && choice.model == FiberModel::adc
                       ? std::min(highest, 2)
                       : highest;
  if (choice.order == 0 || choice.order > highest) {
    const int wanted = std::max(choice.order, 2), needed = tensorEntries(wanted);
    if (distinct < needed)
      throw Error(
          text("Order ", wanted, " needs ", needed, " different directions, the series has ", distinct),
          "fewer leave the function undetermined",
          highest > 0 ? text("take order ", highest, " or lower") : "give a series with more directions");
    throw Error(text("The ", distinct, " directions do not determine a function of order ", wanted),
                "they lie on a curve or in clusters",
                highest > 0 ? text("take order ", highest, " or lower")
                            : "give a series with evenly spread directions");
  }

  const double b = input.gradients.rows[std::size_t(shell.front())].b;
  choice.reason = text(nameOf(choice.model), " of order ", choice.order, ": ", distinct, " directions");
  if (choice.model == FiberModel::adc)
    choice.reason += "; maxima of adc do not point along fibers where fibers cross";
  else if (shell.size() < all.size())
    choice.reason += text(" of the highest shell (b ≈ ", std::lround(b), " s/mm²), the other ",
                          all.size() - shell.size(), " weighted volumes are not used");
  if (choice.model == FiberModel::csd && options.order == 0 && choice.order < kLargestOrder)
    choice.reason += text(" (order ", choice.order + 2, " would need ", tensorEntries(choice.order + 2), ")");
  return choice;
}

Choice chooseForImage(const FiberInput& input, const FiberOptions& options) {
  const bool isSh = input.sh != nullptr;
  const int count = (isSh ? *input.sh : *input.tensor).count;
  const int order = shOrder(count);
  if (order < 2)
    throw Error(text(isSh ? "The spherical-harmonic image has " : "The tensor image has ", count, " volumes"),
                "an even order of 2, 4, 6 or 8 has 6, 15, 28 or 45",
                "give such an image, or convert it first");
  if (options.order > order || (!isSh && options.order != 0 && options.order != order))
    throw Error(text("The image is of order ", order, ", asked for is ", options.order),
                isSh ? "it holds no higher degrees" : "a tensor has only its own order",
                "leave the order at 0 to take the image's");
  const FiberModel model = isSh ? FiberModel::sh : FiberModel::tensor;
  const int taken = options.order == 0 ? order : options.order;
  return {
      model, taken, {}, text(nameOf(model), " of order ", taken, ": from the number of volumes, ", count)};
}

Choice choose(const FiberInput& input, const FiberOptions& options) {
  const int given = (input.dwi != nullptr) + (input.sh != nullptr) + (input.tensor != nullptr);
  if (given != 1)
    throw Error(given == 0 ? "No image was given" : text(given, " images were given"),
                "the fibers come from one of: a diffusion series, a spherical-harmonic image, a tensor image",
                "give exactly one of --dwi, --sh, --tensor");
  if (options.order % 2 != 0 || options.order < 0 || options.order > kLargestOrder)
    throw Error(text("Order ", options.order, " was asked for"),
                "a function that is the same for g and −g has an even order",
                "take 2, 4, 6 or 8, or 0 for the highest possible", ErrorKind::usage);
  const FiberModel only = input.sh ? FiberModel::sh : FiberModel::tensor;
  const bool fromImage = options.model == FiberModel::sh || options.model == FiberModel::tensor;
  if (input.dwi ? fromImage : options.model != FiberModel::automatic && options.model != only)
    throw Error(text("Model ", nameOf(options.model), " was asked for, but what was given is ",
                     input.dwi  ? "a diffusion series"
                     : input.sh ? "a spherical-harmonic image"
                                : "a tensor image"),
                "it cannot be computed from that", "take model auto, or give the image that the model needs",
                ErrorKind::usage);
  return input.dwi ? chooseForDwi(input, options) : chooseForImage(input, options);
}

const Series<float>& imageOf(const FiberInput& input) {
  return input.dwi ? *input.dwi : input.sh ? *input.sh : *input.tensor;
}

/// For each voxel of the grid the mean of the unweighted volumes (dwi) or the largest magnitude (sh, tensor);
/// NaN where a volume that would be used is not finite or too large.
std::vector<float> signalOf(const FiberInput& input, const FiberPlan& plan, const Progress& progress) {
  const auto& image = imageOf(input);
  std::vector<int> used = plan.weighted;
  if (!input.dwi) {
    used.resize(std::size_t(plan.entries));
    std::iota(used.begin(), used.end(), 0);
  }
  std::vector<float> signal(std::size_t(image.grid.voxels()));
  parallelForBlocks(image.grid.voxels(), 16384, progress, [&](std::int64_t begin, std::int64_t end) {
    for (const int v : plan.unweighted)
      for (std::int64_t i = begin; i < end; ++i) {
        const float value = image.at(i, v);
        signal[i] += isSound(value) ? value / float(plan.unweighted.size()) : NAN;
      }
    for (const int v : used)
      for (std::int64_t i = begin; i < end; ++i) {
        const float value = image.at(i, v);
        if (!isSound(value)) signal[i] = NAN;
        if (!input.dwi && std::abs(value) > signal[i]) signal[i] = std::abs(value);
      }
  });
  return signal;
}

/// Sets the voxels of the plan: those of the mask, or without one those above a threshold, that have a
/// signal.
void chooseVoxels(const FiberInput& input, const std::vector<float>& signal, FiberPlan& plan) {
  float threshold = 0;
  if (!input.mask && input.dwi) {
    std::vector<float> finite;
    std::copy_if(signal.begin(), signal.end(), std::back_inserter(finite),
                 [](float s) { return std::isfinite(s); });
    if (!finite.empty())
      threshold = std::max(0.0f, float(kSignalThreshold) * lowerQuantile(std::span(finite), 0.98));
  }
  std::int64_t inMask = 0;
  for (std::int64_t i = 0; i < std::int64_t(signal.size()); ++i) {
    if (input.mask && !input.mask->values[std::size_t(i)]) continue;
    ++inMask;
    if (std::isnan(signal[i]))
      ++plan.skippedNotFinite;
    else if (signal[i] > threshold)
      plan.voxels.push_back(i);
    else if (input.mask)
      ++plan.skippedNoSignal;
  }
  if (input.mask && inMask == 0)
    throw Error("The mask is empty", "no voxel would be worked on",
                "give a mask with voxels that are not 0, or none");
  if (plan.voxels.empty())
    throw Error(
        "No voxel can be worked on",
        text(plan.skippedNotFinite, " hold values that are not finite or too large, the others no signal"),
        "check the image and the mask");
  if (!input.mask)
    plan.notes.push_back(input.dwi ? text("No mask was given: the ", plan.voxels.size(),
                                          " voxels with a mean unweighted signal above ", threshold,
                                          " were taken (5 % of its 98th percentile).")
                                   : text("No mask was given: the ", plan.voxels.size(),
                                          " voxels that are not all 0 were taken."));
  if (plan.skippedNotFinite)
    plan.notes.push_back(
        text(plan.skippedNotFinite,
             " voxels hold values that are not finite or too large and were skipped (in all of "
             "the image: ",
             unsoundText(checkValues(imageOf(input).values)), ")."));
  if (plan.skippedNoSignal)
    plan.notes.push_back(text(plan.skippedNoSignal, " voxels of the mask ",
                              input.dwi ? "have no unweighted signal" : "are all 0", " and were skipped."));
}

std::vector<float> rowMajor(const Eigen::MatrixXd& matrix) {
  std::vector<float> values;
  values.reserve(std::size_t(matrix.size()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) values.push_back(float(matrix(i, j)));
  return values;
}

void checkMask(const FiberInput& input) {
  if (input.mask && !sameGrid(input.mask->grid, imageOf(input).grid))
    throw Error(text("The mask lies on another grid: ", describeGrid(input.mask->grid), " instead of ",
                     describeGrid(imageOf(input).grid)),
                "its voxels are not those of the image", "give a mask made for this image, or resample it");
}

/// The matrix (U × U) that turns the coefficients of an image into tensor entries in world axes. Notes which
/// frame is taken.
Eigen::MatrixXd tensorFromShImage(const FiberOptions& options, FiberPlan& plan) {
  Eigen::MatrixXd tensor = tensorFromSh(plan.order, options.shBasis);
  const bool isDipys =
      options.shBasis == ShBasis::descoteaux07 || options.shBasis == ShBasis::descoteaux07Legacy;
  if (options.shFrame == ShFrame::scanner || (options.shFrame == ShFrame::automatic && !isDipys)) {
    plan.notes.emplace_back(
        "The coefficients are taken in scanner axes, as MRtrix stores them (sh-frame scanner).");
    return tensor;
  }
  plan.notes.emplace_back(
      "The coefficients are taken in the axes of the image, as dipy stores them where b-vectors are FSL's "
      "(sh-frame image).");
  return tensor * shFrameChange(plan.order, options.shBasis, worldFromFsl(plan.grid));
}

}  // namespace

FiberPlan planFibers(const FiberInput& input, const FiberOptions& options, const Progress& progress) {
  const Choice choice = choose(input, options);
  checkMask(input);

  FiberPlan plan;
  plan.model = choice.model;
  plan.order = choice.order;
  plan.entries = tensorEntries(choice.order);
  plan.grid = imageOf(input).grid;
  plan.notes.push_back(choice.reason + ".");
  plan.weighted = choice.weighted;
  if (input.dwi) plan.unweighted = unweightedVolumes(input.gradients);
  for (const int v : plan.weighted) plan.bValues.push_back(float(input.gradients.rows[std::size_t(v)].b));

  const auto signal = signalOf(input, plan, progress.part(0, 0.3, "Response"));
  chooseVoxels(input, signal, plan);

  plan.harmonicsFromTensor = rowMajor(shFromTensor(plan.order));
  plan.offset.assign(std::size_t(plan.entries), 0.0f);
  const auto directions = directionsOf(input.gradients, plan.weighted);
  if (plan.model == FiberModel::csd) {
    const auto response =
        estimateResponse(*input.dwi, plan, signal, directions, progress.part(0.3, 1, "Response"));
    plan.notes.push_back(response.note);
    plan.csd = planCsd(plan.order, response.zonal, directions);
    plan.predict = plan.csd.predict;
    plan.tensorFromCoefficients = rowMajor(tensorFromSh(plan.order));
  } else if (plan.model == FiberModel::sh) {
    plan.tensorFromCoefficients = rowMajor(tensorFromShImage(options, plan));
  } else if (plan.model != FiberModel::tensor) {
    const auto model = linearModel(plan.model, plan.order, directions);
    plan.transform = model.transform;
    plan.fit = rowMajor(model.fit);
    plan.predict = rowMajor(model.predict);
    plan.tensorFromCoefficients = rowMajor(model.tensorFromCoefficients);
    plan.offset = rowMajor(model.offset);
  }
  return plan;
}

void addNotes(FiberMaps& maps, std::int64_t notFinite) {
  if (notFinite)
    maps.notes.push_back(text(notFinite,
                              " voxels have a function that is not finite (the values of the image are "
                              "too large or too small for it) and were skipped."));
  if (maps.degenerate)
    maps.notes.push_back(text(maps.degenerate, " voxels have no isolated maximum and show no fiber."));
}

std::string adviseFibers(const FiberInput& input, const FiberOptions& options) {
  if (!input.dwi && !input.sh && !input.tensor) return {};
  try {
    return choose(input, options).reason;
  } catch (const Error& error) {
    return error.what();
  }
}

FiberSizes fiberSizes(const FiberInput& input, const FiberOptions& options) {
  const Choice choice = choose(input, options);
  const auto unweighted = input.dwi ? unweightedVolumes(input.gradients).size() : 0;
  return {choice.model, choice.order, int(unweighted), int(choice.weighted.size())};
}

double fiberHostBytes(const FiberInput& input, const FiberOptions& options) {
  const double results = fiberSizes(input, options).entries() + 3 * options.maxPeaks + 5;  // floats a voxel
  const double working = 1 + 1 + 2 + 0.25;  // signal, anisotropy, list of voxels, mask
  return 4 * double(imageOf(input).grid.voxels()) * (results + working);
}

}  // namespace sulcus::fibers
