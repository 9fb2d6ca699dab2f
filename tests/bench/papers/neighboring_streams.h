#pragma once

#include "core/math/generators.h"

namespace sulcus::bench {

/// The range over the first four numbers of a sweep of their correlation between neighboring voxels.
struct StreamCorrelation {
  double lowest = 0, highest = 0;
};

/// Of a generator as Sulcus seeds it.
StreamCorrelation seededCorrelation(RandomGenerator generator);

/// Of multicarry as the package of Ferreira da Silva (2010) seeds it: both words of the state of a thread are
/// half a random word plus the number of the thread, anew in every sweep.
StreamCorrelation packageCorrelation();

}  // namespace sulcus::bench
