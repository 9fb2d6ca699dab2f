#pragma once

#include "core/tracts/tracts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sulcus::tracts {

/// Where lines begin. Seed i is a position drawn from random numbers of i alone, or a given point.
struct Seeds {
  Grid grid;
  std::vector<std::int64_t> voxels;  ///< of the mask
  std::vector<RegionView> regions;   ///< instead of voxels
  std::vector<Vec3<float>> points;   ///< instead
  int perVoxel = 1;                  ///< 0: voxels are drawn at random
  std::int64_t count = 0;
  PhiloxKey key;

  /// mm RAS+
  Vec3<float> place(std::int64_t i) const;
};

/// Everything decided before the first line, the same for both processors.
struct TractPlan {
  Grid grid;                        ///< of the field
  TractMethod method;               ///< not automatic
  int order = 0;                    ///< of functions
  std::vector<std::int32_t> rowOf;  ///< FieldView
  std::vector<float> rows;
  int stride = 4, peaks = 0;

  Grid ruleGrid;
  std::vector<std::uint32_t> ruleBits;  ///< of its voxels; empty if no region is an image
  std::vector<RegionView> regions;
  RuleView rules{};  ///< the bits of the roles, without pointers

  Grid tissueGrid;
  std::vector<float> tissues;  ///< TissueView; empty if no tissues are known

  double step = 0, angle = 0, cutoff = 0;
  double probe = 0, radius = 0;  ///< for transport, mm
  int fewest = 0, most = 0;
  Seeds seeds;
  std::int64_t linesWanted = 0;  ///< 0: all

  /// With pointers into this plan.
  WalkView view() const;
};

/// Throws Error if input and options do not fit together. Cheap checks come first: nothing is copied before
/// they pass.
TractPlan planTracts(const TractInput& input, const TractOptions& options, const Progress& progress);
/// Where lines begin, given the rest of the plan, whose own seeds are ignored.
Seeds seedsFor(const TractPlan& plan, const TractInput& input, const TractOptions& options);
/// The cheap checks alone; returns the sentence that the form shows about what is chosen.
std::string validateTracts(const TractInput& input, const TractOptions& options);

/// Seeds that are followed together: `most`, or fewer if few lines are wanted.
std::int64_t seedsOfBatch(const TractPlan& plan, std::int64_t most);

/// The method that `automatic` stands for. Throws Error if the input does not support the method.
TractMethod chosenMethod(const TractInput& input, TractMethod method);

/// A sentence about the method, for forms.
std::string describeMethod(TractMethod method);

/// Calls body with an object of the type that guides lines, which LineWalk takes.
///
/// @tparam Draw  how a proposal is drawn, see DrawOneByOne
template <class Draw = DrawOneByOne, class Body>
void withWay(const TractPlan& plan, const Body& body) {
  if (plan.peaks > 0) return body(Deterministic<AlongPeaks>{});
  withOrder(plan.order, [&](auto order) {
    if (plan.method == TractMethod::fod)
      body(Deterministic<AlongMaximum<order>>{});
    else if (plan.method == TractMethod::transport)
      body(Transported<order, Draw>{});
    else
      body(Probable<order, Draw>{});
  });
}

}  // namespace sulcus::tracts
