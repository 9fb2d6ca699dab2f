#pragma once

#include "core/math/simd.h"

#include <cstdint>

// The computation in a column of voxels along the phase-encoding axis when distortion is estimated, for CPU
// and GPU, with the same bits: no product is fused with a sum.
//
// An inhomogeneous field shifts signal along the column but loses none: the signal between two positions of
// the undistorted head is between their shifted positions in the image. Two images that are shifted by
// different multiples of one field therefore have the same signal between the shifted positions of any two
// faces of voxels. This is a least-squares problem in the shifts of the faces, with a tridiagonal normal
// matrix.

namespace sulcus::preparation {

/// A column of an image. Value i stands at values[i·stride].
struct EpiColumn {
  const float* values;
  const double* before;  ///< signal between the start of the column and the middle of voxel i, same stride
  std::int64_t stride;
  int n;
  double scale;  ///< the shift in this image, voxels, for a shift of 1; negative: in the other direction
  double gain;   ///< brightness, by which this image is divided
};

/// The signal before a position, and at it.
struct EpiSignal {
  double before, here;
};

/// @param t  voxels from the middle of the first one; the signal is linear between two voxels and 0 outside
SULCUS_HD_INLINE EpiSignal signalAt(const EpiColumn& column, double t) {
  const std::int64_t last = column.n - 1;
  if (!(t > -0.5)) return {0, 0};
  const double begin = column.values[0], end = column.values[last * column.stride];
  if (t <= 0) return {begin * (t + 0.5), begin};
  if (t >= double(last)) {
    const double total = column.before[last * column.stride];
    return t >= double(last) + 0.5 ? EpiSignal{total + 0.5 * end, 0}
                                   : EpiSignal{total + end * (t - double(last)), end};
  }
  const auto i = std::int64_t(t);
  const double part = t - double(i);
  const double a = column.values[i * column.stride], slope = column.values[(i + 1) * column.stride] - a;
  return {column.before[i * column.stride] + part * (a + 0.5 * part * slope), a + part * slope};
}

/// The shifts of a column and of its neighbors. Face h lies before voxel h and is at shift[h·stride].
struct ShiftColumn {
  double* shift;
  std::int64_t stride;
  const double* neighbor[4];  ///< null beyond the border
  double likeNeighbor[4];     ///< the cost of differing from it
  double likeNext;            ///< and from the next face of the column
};

/// The smallest distance, voxels, that shifts may leave between two faces, and the largest shift in one step.
inline constexpr double kLeastWidth = 0.1, kLongestStep = 0.7;

/// The shift at a face, and the difference of both images there with its slope.
struct EpiFace {
  double shift, slope, difference;
};

SULCUS_HD_INLINE EpiFace faceAt(const EpiColumn& a, const EpiColumn& b, const ShiftColumn& u, int h) {
  const double shift = u.shift[h * u.stride], place = h - 0.5;
  const EpiSignal inA = signalAt(a, place + a.scale * shift), inB = signalAt(b, place + b.scale * shift);
  return {shift, a.scale * inA.here / a.gain - b.scale * inB.here / b.gain,
          inA.before / a.gain - inB.before / b.gain};
}

/// The fraction of a step that keeps faces at their smallest distance and is not too long.
SULCUS_HD_INLINE double allowedPart(const EpiColumn& a, const EpiColumn& b, const ShiftColumn& u,
                                    const double* step, std::int64_t stride) {
  double longest = kLongestStep, part = 1;
  for (int h = 0; h <= a.n; ++h) {
    const double length = step[h * stride] < 0 ? -step[h * stride] : step[h * stride];
    longest = length > longest ? length : longest;
  }
  part = kLongestStep / longest;
  for (int h = 0; h < a.n; ++h) {
    const double width = u.shift[(h + 1) * u.stride] - u.shift[h * u.stride];
    const double change = step[(h + 1) * stride] - step[h * stride];
    for (int image = 0; image < 2; ++image) {
      const double scale = image == 0 ? a.scale : b.scale;
      const double room = 1 + scale * width - kLeastWidth, narrower = -scale * change;
      if (part * narrower > room) part = room > 0 ? room / narrower : 0;
    }
  }
  return part;
}

/// One Gauss-Newton step of the shifts of a column, with those of its neighbors fixed.
///
/// @param a, b         the column in both images
/// @param upper, step scratch memory for n + 1 numbers each, `stride` apart
SULCUS_HD inline void stepColumn(const EpiColumn& a, const EpiColumn& b, const ShiftColumn& u, double* upper,
                                 double* step, std::int64_t stride) {
  const int n = a.n;
  EpiFace face = faceAt(a, b, u, 0), before = face;
  double residualBefore = 0, coupling = 0, upperBefore = 0, stepBefore = 0;
  for (int h = 0; h <= n; ++h) {
    const EpiFace next = h < n ? faceAt(a, b, u, h + 1) : face;
    const double residual =
        next.difference - face.difference;  // of the voxel behind the face; 0 behind the last
    const double voxels = double(h > 0) + double(h < n);
    double diagonal = voxels * (face.slope * face.slope + u.likeNext);
    double right = face.slope * (residual - residualBefore) +
                   u.likeNext * ((before.shift - face.shift) + (next.shift - face.shift));
    for (int k = 0; k < 4; ++k) {
      if (!u.neighbor[k]) continue;
      diagonal = diagonal + u.likeNeighbor[k];
      right = right + u.likeNeighbor[k] * (u.neighbor[k][h * u.stride] - face.shift);
    }
    const double pivot = diagonal - coupling * upperBefore;
    stepBefore = (right - coupling * stepBefore) / pivot;
    coupling = -(face.slope * next.slope) - u.likeNext;
    upperBefore = coupling / pivot;
    upper[h * stride] = upperBefore;
    step[h * stride] = stepBefore;
    residualBefore = residual;
    before = face;
    face = next;
  }
  for (int h = n - 1; h >= 0; --h)
    step[h * stride] = step[h * stride] - upper[h * stride] * step[(h + 1) * stride];
  const double part = allowedPart(a, b, u, step, stride);
  for (int h = 0; h <= n; ++h) u.shift[h * u.stride] = u.shift[h * u.stride] + part * step[h * stride];
}

/// All columns of two images and their shifts. Pointers are to the first column; the column at (p, q) is
/// q·width + p values further, and the stride of all is the number of columns.
struct SweepView {
  EpiColumn first, second;
  double* shift;
  int width, depth;
  double likeP, likeQ;  ///< the cost of differing from a neighbor along p and q
  double likeNext;      ///< and from the next face of the column

  SULCUS_HD_INLINE std::int64_t columns() const { return std::int64_t(width) * depth; }
};

/// stepColumn() of the column at (p, q).
SULCUS_HD_INLINE void stepColumnAt(const SweepView& view, int p, int q, double* upper, double* step,
                                   std::int64_t stride) {
  const std::int64_t c = std::int64_t(q) * view.width + p;
  EpiColumn a = view.first, b = view.second;
  for (EpiColumn* const column : {&a, &b}) {
    column->values += c;
    column->before += c;
  }
  double* const own = view.shift + c;
  ShiftColumn u{own, view.columns(), {}, {view.likeP, view.likeP, view.likeQ, view.likeQ}, view.likeNext};
  if (p > 0) u.neighbor[0] = own - 1;
  if (p + 1 < view.width) u.neighbor[1] = own + 1;
  if (q > 0) u.neighbor[2] = own - view.width;
  if (q + 1 < view.depth) u.neighbor[3] = own + view.width;
  stepColumn(a, b, u, upper, step, stride);
}

}  // namespace sulcus::preparation
