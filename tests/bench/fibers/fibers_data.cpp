#include "tests/bench/fibers/fibers_data.h"

#include "core/fibers/peaks/eigenpairs_kernel.h"
#include "core/fibers/peaks/peaks_kernel.h"
#include "core/fibers/peaks/starts.h"
#include "core/phantom/fibers_phantom.h"
#include "tests/support/tissue_phantom.h"

#include <cmath>
#include <random>

namespace sulcus::bench {
namespace {

constexpr int kReferenceStarts = 1024;
constexpr double kMissedAngle = 5;  // degrees

Grid row(std::int64_t voxels) {
  Grid grid;
  grid.size = {int(voxels), 1, 1};
  return grid;
}

template <int Order>
void addLobes(Series<float>& forms, std::int64_t begin, std::int64_t end) {
  constexpr auto classes = indexClasses<Order>();
  std::mt19937 generator(1);  // with the transform below: the same numbers with every library
  const auto normal = [&] {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += generator() * 0x1p-32;
    return sum;
  };
  for (std::int64_t voxel = begin; voxel < end; ++voxel) {
    const int lobes = 1 + int(voxel % 3);
    double entries[tensorEntries(Order)] = {};
    for (int lobe = 0; lobe < lobes; ++lobe) {
      const Vec3<double> d = normalized(Vec3<double>{normal(), normal(), normal()});
      for (int u = 0; u < tensorEntries(Order); ++u)
        entries[u] +=
            std::pow(d.x, classes[u].i) * std::pow(d.y, classes[u].j) * std::pow(d.z, classes[u].k) / lobes;
    }
    for (int u = 0; u < tensorEntries(Order); ++u)
      forms.at(voxel, u) = float(entries[u] + 0.02 * normal() / std::sqrt(classes[u].multiplicity));
  }
}

template <int Order>
std::vector<Vec3<double>> maximaOf(const float* entries, const std::vector<Vec3<double>>& starts,
                                   const fibers::FiberOptions& options) {
  double exact[tensorEntries(Order)];
  const double unit = fibers::tensorUnit(entries, tensorEntries(Order));
  for (int u = 0; u < tensorEntries(Order); ++u) exact[u] = entries[u] / unit;
  fibers::FiberOptions fast;
  fast.maxIterations = 1000;
  const auto rules = searchRules<Order>(fast, exact);
  std::vector<fibers::SearchEnd> ends;
  std::vector<Vec3<double>> directions;
  for (const auto& start : starts) {
    fibers::Search<double> s(start);
    auto status = searchStep<Order>(exact, rules, s);
    while (!status.finished) status = searchStep<Order>(exact, rules, s);
    ends.push_back({{float(s.x.x), float(s.x.y), float(s.x.z)},
                    float(s.value),
                    float(s.startValue),
                    int(s.iterations),
                    status.converged,
                    status.maximum});
  }
  std::vector<fibers::Peak> peaks(options.maxPeaks);
  const int found = fibers::selectPeaks(ends.data(), int(ends.size()), options, 0, peaks.data());
  for (int p = 0; p < found; ++p) directions.push_back({peaks[p].x.x, peaks[p].x.y, peaks[p].x.z});
  return directions;
}

/// The voxels of a series, repeated to `voxels` in a row.
Series<float> repeated(const Series<float>& distinct, std::int64_t voxels) {
  Series<float> many(row(voxels), distinct.count);
  for (int v = 0; v < many.count; ++v)
    for (std::int64_t i = 0; i < voxels; ++i) many.at(i, v) = distinct.at(i % distinct.grid.voxels(), v);
  return many;
}

}  // namespace

Series<float> fiberForms(Forms kind, int order, std::int64_t voxels) {
  fibers::FiberOptions options;
  options.model = kind == Forms::adc ? fibers::FiberModel::adc : fibers::FiberModel::csd;
  options.order = order, options.starts = 1;
  const auto fitted = fibers::findFibers(fiberScan(kDistinctVoxels / 2), options, {}).tensor;
  Series<float> distinct(row(kDistinctVoxels), tensorEntries(order));
  order == 4 ? addLobes<4>(distinct, 0, kDistinctVoxels) : addLobes<6>(distinct, 0, kDistinctVoxels);
  const bool all = kind == Forms::adc;
  for (int u = 0; u < distinct.count; ++u)
    for (std::int64_t i = 0; i < kDistinctVoxels; i += all ? 1 : 2)
      distinct.at(i, u) = fitted.at(all ? i % (kDistinctVoxels / 2) : i / 2, u);

  return repeated(distinct, voxels);
}

fibers::FiberInput fiberScan(std::int64_t voxels) {
  const auto phantom = phantom::makeFibersPhantom({});
  fibers::FiberInput input;
  input.dwi = std::make_shared<const Series<float>>(repeated(*phantom.dwi, voxels));
  input.mask = std::make_shared<const Mask>(input.dwi->grid, std::uint8_t(1));
  input.gradients = phantom.gradients;
  return input;
}

fibers::FiberInput tissueScan(std::int64_t voxels) {
  fibers::FiberInput input = test::tissuePhantom(row(kDistinctVoxels), 30, 1, {94, 94, 94}).input;
  test::giveTrueResponses(input);
  input.dwi = std::make_shared<const Series<float>>(repeated(*input.dwi, voxels));
  input.mask = std::make_shared<const Mask>(input.dwi->grid, std::uint8_t(1));
  return input;
}

std::vector<std::vector<Vec3<double>>> referenceMaxima(const Series<float>& forms, std::int64_t sample,
                                                       const fibers::FiberOptions& options) {
  const auto starts = fibers::evenDirections(kReferenceStarts);
  std::vector<std::vector<Vec3<double>>> maxima;
  for (std::int64_t voxel = 0; voxel < std::min(sample, forms.grid.voxels()); ++voxel) {
    std::vector<float> entries(forms.count);
    for (int u = 0; u < forms.count; ++u) entries[std::size_t(u)] = forms.at(voxel, u);
    maxima.push_back(forms.count == tensorEntries(4) ? maximaOf<4>(entries.data(), starts, options)
                                                     : maximaOf<6>(entries.data(), starts, options));
  }
  return maxima;
}

double missedMaxima(const std::vector<std::vector<Vec3<double>>>& reference, const Series<float>& peaks) {
  const double cosine = std::cos(kMissedAngle * 3.14159265358979 / 180);
  std::int64_t missed = 0, all = 0;
  for (std::size_t voxel = 0; voxel < reference.size(); ++voxel)
    for (const auto& direction : reference[voxel]) {
      bool found = false;
      for (int p = 0; 3 * p < peaks.count; ++p) {
        const Vec3<double> peak{peaks.at(std::int64_t(voxel), 3 * p),
                                peaks.at(std::int64_t(voxel), 3 * p + 1),
                                peaks.at(std::int64_t(voxel), 3 * p + 2)};
        found = found || std::abs(dot(peak, direction)) >= cosine * norm(peak);
      }
      missed += !found;
      ++all;
    }
  return all ? double(missed) / double(all) : 0;
}

}  // namespace sulcus::bench
