#pragma once

#include "core/base/parallel/parallel_for.h"
#include "core/phantom/moved_head.h"
#include "core/phantom/registration_shapes.h"
#include "core/preparation/distortion/distortion.h"
#include "core/preparation/distortion/unwarp.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace sulcus::test {

/// A head in an inhomogeneous field, as echo-planar imaging shows it: all signal is moved by the shift of the
/// field.
struct DistortedHead {
  phantom::MovedHead head{{48, 60, 20}, {3.6, 3.6, 5}, 1.5};
  double largestShift = 3;  ///< voxels, at a readout time of 1

  Grid grid() const { return head.grid(); }

  /// The field as a shift in voxels at a readout time of 1: from the sinuses, the ears and the magnet.
  double shiftAt(const Vec3<double>& p) const {
    const auto bump = [&](const Vec3<double>& c, double width) {
      const Vec3<double> d = p - c;
      return std::exp(-dot(d, d) / (2 * width * width));
    };
    return largestShift *
               (bump({0, 60, -20}, 20) - 0.6 * bump({-55, -5, -25}, 16) - 0.6 * bump({55, -5, -25}, 16)) +
           0.004 * p.y + 0.00008 * p.x * p.z;
  }

  Volume<float> field() const {
    Volume<float> field(grid());
    for (std::int64_t i = 0; i < field.grid.voxels(); ++i) {
      const Vec3<int> v = field.grid.voxel(i);
      field.values[std::size_t(i)] =
          float(shiftAt(field.grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)})));
    }
    return field;
  }

  preparation::EpiImage scan(const PhaseEncoding& encoding, const preparation::Motion& motion = {},
                             double gain = 1) const {
    constexpr int kParts = 24;  // for each voxel, along the column
    const Grid g = grid();
    preparation::EpiImage epi{Volume<float>(g), encoding};
    const int axis = encoding.axis, n = g.size[axis];
    std::vector<double> sums(epi.image.values.size());
    const Affine headFromScan = preparation::volumeFromRest(motion, g.center()).inverse();
    parallelFor(g.voxels() / n, 256, {}, [&](std::int64_t column) {
      Vec3<int> v;
      const int p = axis == 0 ? 1 : 0, q = axis == 2 ? 1 : 2;
      v[p] = int(column % g.size[p]), v[q] = int(column / g.size[p]);
      for (int part = 0; part < n * kParts; ++part) {
        Vec3<double> place{double(v.x), double(v.y), double(v.z)};
        place[axis] = (part + 0.5) / kParts - 0.5;
        const Vec3<double> inHead = headFromScan.point(g.worldFromVoxel.point(place));
        const double t = place[axis] + encoding.voxelsPerHz() * shiftAt(inHead) + 0.5;
        if (t < 0 || t >= n) continue;
        v[axis] = int(t);
        sums[std::size_t(g.index(v.x, v.y, v.z))] += gain * head.at(inHead, 0) / kParts;
      }
    });
    std::mt19937_64 random(head.seed + std::uint64_t(10 + encoding.sign));
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < sums.size(); ++i)
      epi.image.values[i] = float(sums[i] + 0.01 * gain * head.noise * phantom::kBright * normal(random));
    return epi;
  }
};

/// Mean errors over the head: of the shift, voxels, and of the brightness, percent of the head's.
struct FieldErrors {
  double shift = 0, largestShift = 0, brightness = 0;
};

inline FieldErrors errorsOf(const DistortedHead& head, const Volume<float>& found,
                            const preparation::EpiImage& scan) {
  DistortedHead clear = head;
  clear.head.noise = 0;
  const Volume<float> truth = head.field(), straight = clear.scan({scan.encoding.axis, 1, 0}).image,
                      taken = preparation::unwarped(clear.scan(scan.encoding).image,
                                                    preparation::unwarpOf(found, scan.encoding));
  FieldErrors errors;
  double count = 0, bright = 0;
  for (std::size_t i = 0; i < truth.values.size(); ++i) {
    const Vec3<int> v = truth.grid.voxel(std::int64_t(i));
    if (head.head.at(truth.grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)}), 0) <= 0)
      continue;
    const double off = std::fabs(found.values[i] - truth.values[i]) * scan.encoding.readoutTime;
    errors.shift += off, errors.largestShift = std::max(errors.largestShift, off);
    errors.brightness += std::fabs(taken.values[i] - straight.values[i]);
    bright += straight.values[i];
    ++count;
  }
  errors.shift /= count, errors.brightness *= 100 / bright;
  return errors;
}

}  // namespace sulcus::test
