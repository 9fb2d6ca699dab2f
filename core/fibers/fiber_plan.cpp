#include "core/fibers/fiber_plan.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/fibers/deconvolution/csd_choice.h"
#include "core/fibers/deconvolution/sh_frame.h"
#include "core/fibers/fiber_choice.h"
#include "core/fibers/models/missing_values.h"
#include "core/fibers/models/models.h"
#include "core/fibers/response/tissue_choice.h"
#include "core/image/grids/value_check.h"
#include "core/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Core>

namespace sulcus::fibers {
namespace {

constexpr double kSignalThreshold = 0.05;  // relative to the 98th percentile of S0

/// Sets the mean of the volumes that are not 0, since values of exactly 0 are missing; NaN where one cannot
/// be used.
void averageBlock(const Series<float>& image, const std::vector<int>& volumes, std::int64_t begin,
                  std::int64_t end, std::vector<float>& mean) {
  const int all = int(volumes.size());
  std::vector<int> present(end - begin, 0);
  for (const int v : volumes)
    for (std::int64_t i = begin; i < end; ++i) {
      const float value = image.at(i, v);
      mean[i] += isSound(value) ? value / float(all) : NAN;
      present[i - begin] += value != 0;
    }
  for (std::int64_t i = begin; i < end; ++i)
    if (const int some = present[i - begin]; some > 0 && some < all) mean[i] *= float(all) / float(some);
}

/// For each voxel of the grid the mean of the unweighted volumes (dwi; of the nonzero ones) or the largest
/// magnitude (sh, tensor); NaN if a volume that would be used is not finite or too large.
std::vector<float> signalOf(const FiberInput& input, const FiberPlan& plan, const Progress& progress) {
  const auto& image = imageOf(input);
  std::vector<int> used = plan.weighted;
  if (!input.dwi) {
    used.resize(plan.entries);
    std::iota(used.begin(), used.end(), 0);
  }
  std::vector<float> signal(image.grid.voxels());
  parallelForBlocks(image.grid.voxels(), 16384, progress, [&](std::int64_t begin, std::int64_t end) {
    averageBlock(image, plan.unweighted, begin, end, signal);
    for (const int v : used)
      for (std::int64_t i = begin; i < end; ++i) {
        const float value = image.at(i, v);
        if (!isSound(value)) signal[i] = NAN;
        if (!input.dwi && std::abs(value) > signal[i]) signal[i] = std::abs(value);
      }
  });
  return signal;
}

/// The signal above which a voxel is in the head.
float headThreshold(const std::vector<float>& signal) {
  std::vector<float> finite;
  std::ranges::copy_if(signal, std::back_inserter(finite), [](float s) { return std::isfinite(s); });
  if (finite.empty()) return 0;
  return std::max(0.0f, float(kSignalThreshold) * lowerQuantile(std::span(finite), 0.98));
}

/// Sets the voxels of the plan: those with a signal in the mask or, without a mask, above a threshold.
void chooseVoxels(const FiberInput& input, const std::vector<float>& signal, FiberPlan& plan) {
  const float threshold = !input.mask && input.dwi ? headThreshold(signal) : 0;
  std::int64_t inMask = 0;
  for (std::int64_t i = 0; i < std::int64_t(signal.size()); ++i) {
    if (input.mask && !input.mask->values[i]) continue;
    ++inMask;
    if (std::isnan(signal[i]))
      ++plan.skippedNotFinite;
    else if (signal[i] > threshold)
      plan.voxels.push_back(i);
    else if (input.mask)
      ++plan.skippedNoSignal;
  }
  if (input.mask && inMask == 0)
    throw Error("The mask is empty", "no voxel would be analyzed",
                "give a mask with voxels that are not 0, or none");
  if (plan.voxels.empty())
    throw Error("No voxel can be analyzed",
                text(plan.skippedNotFinite,
                     " hold values that are not finite or too large; the others have no signal"),
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

/// Replaces missing values in the volumes that are used.
void fill(const FiberChoice& choice, const Progress& progress, FiberInput& input, FiberPlan& plan) {
  const auto used = plan.weighted.size() < choice.scan.weighted.size()
                        ? std::span(choice.scan.shells).subspan(choice.shell, 1)
                        : std::span(choice.scan.shells);
  auto filled = fillMissing(*input.dwi, input.gradients, plan.unweighted, used, plan.voxels, progress);
  if (!filled.note.empty()) plan.notes.push_back(std::move(filled.note));
  plan.filled = std::move(filled.dwi);
  if (plan.filled) input.dwi = plan.filled;
}

void checkMask(const FiberInput& input) {
  if (input.mask && !sameGrid(input.mask->grid, imageOf(input).grid))
    throw Error("The mask has a different grid: " + otherGrid(input.mask->grid, imageOf(input).grid),
                "its voxels are not those of the image", "give a mask made for this image, or resample it");
}

/// The matrix (U × U) that converts the coefficients of an image to tensor entries in world axes. Adds a note
/// on the frame used.
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

/// Sets the matrices that convert the fitted coefficients to tensors, and for the linear models those of the
/// fit.
void setFunction(const FiberInput& input, const FiberOptions& options, FiberPlan& plan) {
  if (plan.model == FiberModel::msmt) {
    const auto harmonics = matrixByRows(plan.tissues.harmonics, plan.entries).cast<double>();
    plan.tensorFromCoefficients = byRows(tensorFromSh(plan.order) * harmonics);
    plan.predict = plan.tissues.predict;
  } else if (plan.model == FiberModel::csd) {
    plan.tensorFromCoefficients = byRows(tensorFromSh(plan.order));
  } else if (plan.model == FiberModel::sh) {
    plan.tensorFromCoefficients = byRows(tensorFromShImage(options, plan));
  } else if (plan.model != FiberModel::tensor) {
    const auto model = linearModel(plan.model, plan.order, directionsOf(input.gradients, plan.weighted));
    plan.transform = model.transform;
    plan.fit = byRows(model.fit);
    plan.predict = byRows(model.predict);
    plan.tensorFromCoefficients = byRows(model.tensorFromCoefficients);
    plan.offset = byRows(model.offset);
  }
}

}  // namespace

FiberOptions preparedModelOptions(const FiberOptions& options) {
  FiberOptions only;
  only.model = options.model;
  only.order = options.order;
  only.shBasis = options.shBasis;
  only.shFrame = options.shFrame;
  only.shells = options.shells;
  only.b0Threshold = options.b0Threshold;
  only.dropVolumes = options.dropVolumes;
  if (options.falsePeaks >= 1) only.falsePeaks = 1;
  return only;
}

PreparedFiberModel prepareFibers(const FiberInput& given, const FiberOptions& all, const Progress& progress) {
  const FiberOptions options = preparedModelOptions(all);
  const FiberChoice choice = chooseFibers(given, options);
  checkMask(given);
  FiberInput input = given;

  PreparedFiberModel work;
  FiberPlan& plan = work.plan;
  plan.model = choice.model;
  plan.order = choice.order;
  plan.entries = tensorEntries(choice.order);
  plan.grid = imageOf(input).grid;
  plan.notes.push_back(choice.reason + ".");
  plan.notes.insert(plan.notes.end(), choice.notes.begin(), choice.notes.end());
  plan.weighted = choice.weighted;
  plan.unweighted = choice.scan.unweighted;
  plan.baseline = choice.scan.baseline;
  for (const int v : plan.weighted) plan.bValues.push_back(float(input.gradients.rows[v].b - plan.baseline));

  const auto signal = signalOf(input, plan, progress.part(0, 0.2, kResponseStage));
  chooseVoxels(input, signal, plan);
  if (input.dwi) fill(choice, progress.part(0.2, 0.3, kResponseStage), input, plan);
  if (plan.model == FiberModel::csd)
    prepareDeconvolution(input, options, choice, signal, progress.part(0.3, 1, kResponseStage), work);
  if (plan.model == FiberModel::msmt) try {
      prepareTissues(input, options, choice, signal, progress.part(0.3, 1, kResponseStage), work);
    } catch (const Error& error) {
      if (options.model != FiberModel::automatic || !input.response.empty()) throw;
      const auto warning = [&](const char* instead) {
        return Note::warning(text("the tissues could not be told apart, ", instead, " ") + error.message());
      };
      if (choice.isWhole) {
        FiberChoice white = choice;
        white.hasGray = white.hasCsf = false;
        plan.notes.push_back(warning("white matter was deconvolved alone."));
        prepareTissues(input, options, white, signal, progress.part(0.3, 1, kResponseStage), work);
      } else {
        FiberOptions single = options;
        single.model = FiberModel::csd;
        PreparedFiberModel ofOneShell = prepareFibers(given, single, progress);
        ofOneShell.plan.notes.push_back(warning("one shell was deconvolved alone."));
        return ofOneShell;
      }
    }
  setFunction(input, options, plan);
  return work;
}

FiberPlan planFibers(const FiberInput& input, const FiberOptions& options, const Progress& progress) {
  PreparedFiberModel work =
      input.preparedModel ? *input.preparedModel : prepareFibers(input, options, progress);
  FiberPlan plan = std::move(work.plan);
  plan.cut.least = float(options.absoluteThreshold);
  if (work.trial)
    setCut(work.noise, judgeCrossings(*work.trial, options.falsePeaks), options.falsePeaks, plan);
  plan.harmonicsFromTensor = byRows(shFromTensor(plan.order));
  if (plan.offset.empty()) plan.offset.assign(plan.entries, 0.0f);
  return plan;
}

void describeMaps(FiberPlan plan, std::int64_t notFinite, FiberMaps& maps) {
  maps.model = plan.model;
  maps.order = plan.order;
  maps.voxels = std::int64_t(plan.voxels.size()) - notFinite;
  maps.skippedNotFinite = plan.skippedNotFinite;
  maps.notes = std::move(plan.notes);
  maps.response = std::move(plan.csd.response);
  maps.responseVoxels = std::move(plan.responseVoxels);
  maps.tissueResponses = std::move(plan.tissueResponses);
  maps.shells = std::move(plan.shells);
  maps.tissueVoxels = std::move(plan.tissueVoxels);
  if (!plan.bValues.empty())
    maps.b = std::accumulate(plan.bValues.begin(), plan.bValues.end(), 0.0) / double(plan.bValues.size()) +
             plan.baseline;
  if (notFinite)
    maps.notes.push_back(text(notFinite,
                              " voxels have a function that is not finite (the values of the image are "
                              "too large or too small for it) and were skipped."));
  if (maps.degenerate)
    maps.notes.push_back(text(maps.degenerate, " voxels have no isolated maximum and show no fiber."));
}

std::string validateFibers(const FiberInput& input, const FiberOptions& options) {
  if (!input.dwi && !input.sh && !input.tensor) return {};
  return chooseFibers(input, options).reason;
}

FiberSizes fiberSizes(const FiberInput& input, const FiberOptions& options) {
  const FiberChoice choice = chooseFibers(input, options);
  return {choice.model, choice.order, int(choice.scan.unweighted.size()), int(choice.weighted.size())};
}

}  // namespace sulcus::fibers
