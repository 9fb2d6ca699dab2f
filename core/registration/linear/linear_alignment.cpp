#include "core/registration/linear/linear_alignment.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/registration/linear/linear_climb.h"
#include "core/registration/linear/linear_frame.h"
#include "core/registration/linear/linear_starts.h"

#include <cmath>

namespace sulcus::registration {
namespace {

// Lengths called radii are in units of the object's radius, see ObjectFrame.
const std::vector<LevelSize> kLevels = {{0.2, 4000}, {0.1, 8000}, {0.05, 50000}};
constexpr double kLargestChange = 8;  // largest volume ratio of a credible alignment
constexpr std::size_t kStarts = 12;   // of each kind from which to climb
constexpr double kSame = 0.3;         // radii; closer maps climb to the same maximum

// For the levels at which many maps are tried, and for the last one.
constexpr ClimbOptions kRigidClimb{8, 0.02, 0.1}, kCoarseClimb{20, 0.01, 0.1}, kMiddleClimb{6, 0.005, 0.1},
    kLastClimb{50, 3e-4, 0.1};

/// The images at all levels, coarsest first, and their frames.
struct AlignPair {
  ObjectFrame templateFrame, referenceFrame;
  std::vector<AlignLevel> templateLevels, referenceLevels;

  int dimensions() const { return referenceFrame.dimensions; }
};

AlignPair pairOf(Coarsen& coarsen, const Series<float>& templateImage, const Series<float>& reference,
                 const LinearMasks& masks, const std::optional<Affine>& initial, const Progress& progress) {
  AlignPair pair;
  AlignLevel moving, fixed;
  ObjectFrame &to = pair.templateFrame, &from = pair.referenceFrame;
  // Parts of each run on a single thread.
  parallelInvoke({[&] {
                    moving =
                        alignContent(templateImage, masks.ofTemplate, "template", progress.part(0, 0.2, ""));
                    to = frameOf(templateImage, "template", progress.part(0.4, 0.5, ""));
                  },
                  [&] {
                    fixed =
                        alignContent(reference, masks.ofReference, "reference", progress.part(0.2, 0.4, ""));
                    from = frameOf(reference, "reference", progress.part(0.5, 0.6, ""));
                  }});
  to.unit = from.unit = std::sqrt(to.unit * from.unit);
  if (from.dimensions == 2) {
    alignToPlane(from, reference.grid, nullptr);
    const ObjectFrame turned = initial ? carried(from, *initial) : from;
    alignToPlane(to, templateImage.grid, &turned);
  }
  parallelInvoke({[&] {
                    pair.templateLevels =
                        alignLevels(std::move(moving), to, kLevels, progress.part(0.6, 0.8, ""), coarsen);
                  },
                  [&] {
                    pair.referenceLevels =
                        alignLevels(std::move(fixed), from, kLevels, progress.part(0.8, 1, ""), coarsen);
                  }});
  return pair;
}

std::vector<Affine> mapsOf(const std::vector<MeasuredMap>& measured) {
  std::vector<Affine> maps;
  for (const MeasuredMap& one : measured) maps.push_back(one.map);
  return maps;
}

/// The maps reached by climbing, best first; of those closer than kSame only the best.
std::vector<Affine> bestClimbed(const PairInformation& information, const std::vector<Matrix34>& motions,
                                const std::vector<Affine>& from, const ClimbOptions& options,
                                const Progress& progress) {
  return mapsOf(bestOf(climbed(information, motions, from, options, progress), from.size(), kSame));
}

/// The starts of the search without an initial map: the best rotations and shifts about the centers of mass,
/// improved by rigid motions.
std::vector<Affine> beginnings(const AlignPair& pair, const PairInformation& information, bool general,
                               const Progress& progress) {
  const auto best = [&](const std::vector<Affine>& starts) {
    const std::vector<Information> at = information(starts);
    std::vector<MeasuredMap> measured;
    for (std::size_t i = 0; i < starts.size(); ++i) measured.push_back({starts[i], at[i]});
    return mapsOf(bestOf(measured, kStarts, 0));
  };
  const ObjectFrame &to = pair.templateFrame, &from = pair.referenceFrame;
  std::vector<Affine> maps = best(turnsAndShifts(pair.dimensions()));
  progress.update(0.2);
  maps.push_back({});
  maps.push_back(frameMapOf({}, to, from));
  if (general)
    for (const Affine& map : best(mapsOfShape(to, from))) maps.push_back(map);
  return bestClimbed(information, motionsOf(Motions::rigid, pair.dimensions()), maps, kRigidClimb,
                     progress.part(0.3, 1, ""));
}

Affine search(MakeMeasure& measureOf, const AlignPair& pair, const LinearOptions& options,
              const std::optional<Affine>& initial, const Progress& progress) {
  const bool general = options.kind == LinearAlignment::affine;
  const auto informationAt = [&](std::size_t level) {
    return PairInformation(pair.templateLevels[level], pair.referenceLevels[level], options.similarity,
                           measureOf);
  };
  const auto motions = motionsOf(general ? Motions::affine : Motions::rigid, pair.dimensions());
  std::vector<Affine> maps;
  {
    const PairInformation coarse = informationAt(0);
    if (initial) {
      maps = {frameMapOf(*initial, pair.templateFrame, pair.referenceFrame)};
      if (!general) maps[0] = nearestRotation(maps[0]);
    } else {
      maps = beginnings(pair, coarse, general, progress.part(0, 0.2, ""));
    }
    maps = bestClimbed(coarse, motions, maps, kCoarseClimb, progress.part(0.2, 0.4, ""));
  }
  maps = bestClimbed(informationAt(1), motions, maps, kMiddleClimb, progress.part(0.4, 0.5, ""));
  const MeasuredMap last = climbed(informationAt(kLevels.size() - 1), motions, {maps.front()}, kLastClimb,
                                   progress.part(0.5, 1, ""))
                               .front();
  if (!(last.at.value > 0))
    throw Error("Template and reference cannot be aligned", "neither image predicts the other",
                "check that they show the same part of the body, or use {affine} none"_message);
  return last.map;
}

}  // namespace

Affine alignLinearly(const Series<float>& templateImage, const Series<float>& reference,
                     const LinearMasks& masks, const LinearOptions& options,
                     const std::optional<Affine>& initial, const Progress& progress) {
  return alignLinearlyBy({}, {templateImage, reference, masks}, options, initial, progress);
}

Affine alignLinearlyBy(const LinearSteps& steps, const LinearPair& images, const LinearOptions& options,
                       const std::optional<Affine>& initial, const Progress& progress) {
  const auto& [templateImage, reference, masks] = images;
  if (options.kind == LinearAlignment::none) return initial.value_or(Affine{});
  if (initial && !(initial->determinant() > 0))
    throw Error("The initial transform mirrors the image", "no alignment that starts there turns it back",
                "give a transform between two images of one side, or use {affine} none"_message);
  const auto axes = longAxes(reference.grid.size).size();
  if (axes < 2 || axes != longAxes(templateImage.grid.size).size())
    throw Error("Template and reference are not two volumes or two planes", "they cannot be aligned",
                "give images of as many dimensions, or use {affine} none"_message);
  const AlignPair pair =
      pairOf(*steps.coarsened, templateImage, reference, masks, initial, progress.part(0, 0.4, ""));
  const Affine found = search(*steps.measureOf, pair, options, initial, progress.part(0.4, 1, ""));
  const Affine map =
      pair.templateFrame.worldFromFrame() * found * pair.referenceFrame.worldFromFrame().inverse();
  if (const double change = map.determinant(); !(change > 1 / kLargestChange && change < kLargestChange))
    throw Error(text("The alignment failed: it changes volumes ", change, " times"),
                "the images have too little in common", "try {affine} rigid or none, or give a mask"_message);
  return map;
}

}  // namespace sulcus::registration
