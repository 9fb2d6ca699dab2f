#pragma once

namespace sulcus::bench {

/// The range of the correlation between neighboring voxels over the first four numbers of a sweep.
struct StreamCorrelation {
  double lowest = 0, highest = 0;
};

/// Those of the package, and Philox.
enum class Generator { multicarry, xorgens, mersenneTwister, philox };

/// For a generator whose streams are seeded by Philox.
StreamCorrelation seededCorrelation(Generator generator);
/// Nanoseconds for a word of 32 bits in one stream on one thread.
double nanosecondsOfWord(Generator generator);

/// For multicarry seeded as in the package of Ferreira da Silva (2010): in every sweep, both words of a
/// thread's state are half a random word plus the number of the thread.
StreamCorrelation packageCorrelation();

}  // namespace sulcus::bench
