#pragma once

#include "core/registration/linear/linear_alignment_kernel.h"
#include "core/registration/registration.h"
#include "gpu/runtime/stream.h"

namespace sulcus::gpu::registration {
using namespace sulcus::registration;

/// One direction of the comparison of two images on the device, see DirectionSums.
struct DirectionArrays {
  const AlignSample* samples;  ///< of one image
  int count;                   ///< of them
  const float* values;         ///< of the other image, one per voxel
  const std::uint8_t* compared;
  Vec3<int> size;
  BinRange<float> range;
};

/// Both directions, and so many maps of each, of which the directions alternate.
struct SampleMaps {
  DirectionArrays directions[2];
  const VoxelMap* maps;
  int count;  ///< of maps: two for each that is measured
  LinearSimilarity similarity;
};

/// Blocks of samples whose sums are made apart, of the direction with more of them.
int blocksOfSamples(const SampleMaps& samples);

/// Queues adding all samples to the histograms, one of kBins × kBins for each map, as queueHistogram() does.
void queueHistograms(const SampleMaps& samples, unsigned long long* histograms, const Stream& stream);

/// Where sums go: map m has its own from sums + m · stride on.
struct SumsOfMaps {
  double* sums;
  int stride;
};

/// Queues what the histograms say of each map: how many samples are compared, and the nats that they tell.
void queueInformation(const SampleMaps& samples, const unsigned long long* histograms, SumsOfMaps result,
                      const Stream& stream);
/// Queues kSlopeSums sums of each block of samples, see addSlope().
void queueSlopes(const SampleMaps& samples, const unsigned long long* histograms, SumsOfMaps result,
                 const Stream& stream);
/// Likewise kSquareSums of addSquare().
void queueSquares(const SampleMaps& samples, const unsigned long long* histograms, SumsOfMaps result,
                  const Stream& stream);

}  // namespace sulcus::gpu::registration
