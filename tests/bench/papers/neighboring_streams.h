#pragma once

#include "core/math/generators.h"

namespace sulcus::bench {

/// The range of the correlation between neighboring voxels over the first four numbers of a sweep.
struct StreamCorrelation {
  double lowest = 0, highest = 0;
};

/// For a generator seeded as in Sulcus.
StreamCorrelation seededCorrelation(RandomGenerator generator);

/// For multicarry seeded as in the package of Ferreira da Silva (2010): in every sweep, both words of a
/// thread's state are half a random word plus the number of the thread.
StreamCorrelation packageCorrelation();

}  // namespace sulcus::bench
