#include "core/preparation/preparation.h"

#include "core/activation/design/unsteady_scans.h"
#include "core/activation/model/automatic_mask.h"
#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/base/stage_clock.h"
#include "core/image/grids/value_check.h"
#include "core/preparation/dvars.h"

#include <algorithm>

namespace sulcus::preparation {
namespace {

/// Marks volumes in which the signal is steady.
std::vector<std::uint8_t> steadyVolumes(const Series<float>& series,
                                        const std::vector<activation::Run>& runs) {
  std::vector<std::uint8_t> steady(series.count, 1);
  double share = 0;
  for (const activation::Run& run : runs)
    std::fill_n(steady.begin() + run.begin, activation::brightScans(series, run, share), 0);
  return steady;
}

/// Throws Error if no voxel has a value in all volumes.
void requireCommonPlace(const Series<float>& series, const MotionResult& motion) {
  const auto isInAll = [&](std::int64_t voxel) {
    for (int v = 0; v < series.count; ++v)
      if (!isSound(series.at(voxel, v))) return false;
    return true;
  };
  for (std::int64_t voxel = 0; voxel < series.grid.voxels(); ++voxel)
    if (isInAll(voxel)) return;
  const auto least = std::ranges::min_element(motion.overlap) - motion.overlap.begin();
  throw Error(text("No voxel is in view in all volumes; the smallest part of the head is in volume ", least,
                   ", counted from 0"),
              "after realignment no voxel has a value in all",
              "exclude the volumes that show a different region");
}

}  // namespace

PreparedSeries prepareSeries(const RawSeries& raw, const PreparationSteps& steps, const Progress& progress) {
  const auto& runs = raw.runs;
  PreparedSeries prepared;
  prepared.runs = runs;
  auto series = raw.series;
  StageClock interpolating;
  if (!raw.sliceTimes.empty())
    series = std::make_shared<const Series<float>>(
        interpolatedSlices(*series, runs, raw.sliceTimes, progress.part(0, 0.05, "slice timing")));
  interpolating.finish("slice timing");
  prepared.steady = steadyVolumes(*series, runs);
  MotionInput input{series, prepared.steady};
  input.findMotion = raw.findMotion;
  SeriesField field;
  if (raw.field.empty())
    field = fieldOfSeries(raw.field, {}, steps.findDistortion, {});
  else
    input.findUnwarp = [&](const Volume<float>& mean, const Progress& part) {
      field = fieldOfSeries(raw.field, mean, steps.findDistortion, part);
      return field.unwarp;
    };
  prepared.motion = steps.realign(input, progress.part(raw.sliceTimes.empty() ? 0 : 0.05, 0.85, ""));
  prepared.field = field.hertz;
  prepared.motion.notes.insert(prepared.motion.notes.end(), field.notes.begin(), field.notes.end());
  requireCommonPlace(*prepared.motion.series, prepared.motion);
  const StageClock clock;
  prepared.displacement = framewiseDisplacement(prepared.motion.motion);
  for (const activation::Run& run : runs) prepared.displacement[run.begin] = 0;
  prepared.mask = std::make_shared<const Mask>(
      activation::automaticMask(*prepared.motion.series, progress.part(0.85, 0.95, "mask")));
  Dvars dvars = dvarsOf(*prepared.motion.series, *prepared.mask, runs, progress.part(0.95, 1, "dvars"));
  prepared.dvars = std::move(dvars.plain);
  prepared.standardDvars = std::move(dvars.standardized);
  if (const auto early = std::ranges::count(prepared.steady, 0); early > 0)
    prepared.motion.notes.push_back(text("The mean was made without the first ", counted(early, "volume"),
                                         early == 1 ? ", which is brighter" : ", which are brighter",
                                         " than the others."));
  if (!raw.sliceTimes.empty()) {
    prepared.motion.notes.push_back("Slices were interpolated to the middle time of their volumes.");
    prepared.motion.stages.insert(prepared.motion.stages.begin(), interpolating.stages().front());
  }
  prepared.motion.stages.push_back({"dvars", clock.seconds()});
  return prepared;
}

}  // namespace sulcus::preparation
