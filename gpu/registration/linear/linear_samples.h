#pragma once

#include "core/registration/linear/linear_alignment_kernel.h"
#include "core/registration/registration.h"
#include "gpu/runtime/stream.h"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

/// One direction of the comparison of two images on the device, see DirectionSums.
struct DirectionArrays {
  const AlignSample* samples;  ///< of one image
  int count;                   ///< their number
  const float* values;         ///< of the other image, one per voxel
  const std::uint8_t* compared;
  Vec3<int> size;
  BinRange<float> range;
};

/// Both directions, and the maps, which alternate between the directions.
struct SampleMaps {
  DirectionArrays directions[2];
  const VoxelMap* maps;
  int count;  ///< number of maps: two for each measurement
  LinearSimilarity similarity;
};

/// Number of sample blocks with separate sums, for the direction with more of them.
int blocksOfSamples(const SampleMaps& samples);

/// Queues adding all samples to the histograms, one of kBins × kBins per map, like queueHistogram().
void queueHistograms(const SampleMaps& samples, unsigned long long* histograms, const Stream& stream);

/// Destination of sums: those of map m start at sums + m · stride.
struct SumsOfMaps {
  double* sums;
  int stride;
};

/// Queues the evaluation of each map's histogram: the number of samples compared, and their information in
/// nats.
void queueInformation(const SampleMaps& samples, const unsigned long long* histograms, SumsOfMaps result,
                      const Stream& stream);
/// Queues kSlopeSums sums of each block of samples, see addSlope().
void queueSlopes(const SampleMaps& samples, const unsigned long long* histograms, SumsOfMaps result,
                 const Stream& stream);
/// Queues kSquareSums sums of each block of samples, see addSquare().
void queueSquares(const SampleMaps& samples, const unsigned long long* histograms, SumsOfMaps result,
                  const Stream& stream);

}  // namespace sulcus::gpu::registration
