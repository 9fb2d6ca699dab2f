#pragma once

#include "core/fibers/fibers.h"

#include <cstdint>
#include <vector>

namespace sulcus::bench {

/// Distinct voxels of the benchmark, which are repeated for larger sizes.
inline constexpr std::int64_t kDistinctVoxels = 2048;

enum class Forms {
  fibers,  ///< half distributions of the crossing-fibers phantom (b = 3000, SNR 30, deconvolved at this
           ///< order), half sums of one to three lobes with 2 % noise
  adc      ///< diffusion profiles of that phantom, as in the paper
};

/// The tensors of `voxels` voxels in a row.
Series<float> fiberForms(Forms kind, int order, std::int64_t voxels);

/// The first `voxels` of the phantom's scan, repeated, in a row, with its gradients and a full mask.
fibers::FiberInput fiberScan(std::int64_t voxels);

/// A scan of white matter, gray matter and CSF with 6 volumes with b = 0 and 94 in each of three shells, as
/// in HCP: kDistinctVoxels voxels in a row, repeated, with their responses and a full mask.
fibers::FiberInput tissueScan(std::int64_t voxels);

/// Directions of the maxima of the first `sample` voxels that count under `options` (threshold, number),
/// found in double precision from 1024 evenly spread starts.
std::vector<std::vector<Vec3<double>>> referenceMaxima(const Series<float>& forms, std::int64_t sample,
                                                       const fibers::FiberOptions& options);

/// The share of the reference's maxima with no peak (3 per row of `peaks`) within 5°.
double missedMaxima(const std::vector<std::vector<Vec3<double>>>& reference, const Series<float>& peaks);

}  // namespace sulcus::bench
