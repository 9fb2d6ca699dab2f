#include "core/preparation/diffusion/denoise.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/preparation/diffusion/denoise_kernel.h"
#include "core/preparation/diffusion/double_pack.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sulcus::preparation {

namespace {

constexpr int kLanes = DoublePack::kLanes;

/// A series, its windows, and the results.
struct Windows {
  const Series<float>& series;
  const Mask* mask;
  Vec3<int> window;   ///< voxels along its edges, odd
  Vec3<int> windows;  ///< number of different windows along each axis
  DenoisedSeries* result;

  int volumes() const { return series.count; }
  int voxels() const { return window.x * window.y * window.z; }
};

/// The voxels along one axis that use a window: the one at its middle; for the first and the last window also
/// all voxels beyond.
struct Span {
  int begin, end;
};
Span voxelsOfWindow(int at, int window, int windows) {
  const int middle = at + window / 2;
  Span span{middle, middle + 1};
  if (at == 0) span.begin = 0;
  if (at + 1 == windows) span.end = at + window;
  return span;
}

/// Working memory of one thread for kLanes consecutive windows along x.
class WindowSolver {
 public:
  explicit WindowSolver(const Windows& w)
      : w_(w),
        n_(w.volumes()),
        entries_(n_ * (n_ + 1) / 2),
        planes_(w.window.x - 1 + kLanes),
        values_(std::size_t(n_) * w.window.y * w.window.z),
        planeGrams_(std::size_t(entries_) * planes_),
        a_(entries_),
        d_(n_),
        e_(n_),
        tau_(n_),
        scratch_(2 * n_),
        z_(n_),
        sorted_(n_) {
    for (auto& lane : rotations_) lane.resize(std::size_t(4) * n_ * n_ + 64);
  }

  /// Denoises all voxels of the windows that begin in this row.
  void denoiseRow(int wy, int wz) {
    const int before = w_.window.x - 1;
    addPlanes(0, before, wy, wz);
    for (int wx = 0; wx < w_.windows.x; wx += kLanes) {
      addPlanes(wx + before, kLanes, wy, wz);
      sumPlanes();
      solve(wx, wy, wz);
    }
  }

 private:
  static double* numbers(std::vector<DoublePack>& packs) { return reinterpret_cast<double*>(packs.data()); }

  /// Shifts the planes and appends those from x on: the volumes × volumes Gram matrix of each.
  void addPlanes(int x, int count, int wy, int wz) {
    double* grams = planeGrams_.data();
    const int kept = planes_ - count;
    for (int k = 0; k < entries_; ++k) std::copy_n(grams + k * planes_ + count, kept, grams + k * planes_);
    for (int first = 0; first < count; first += kLanes) {
      loadPlanes(x + first, wy, wz);
      addGrams(kept + first, std::min(kLanes, count - first));
    }
  }

  void loadPlanes(int x, int wy, int wz) {
    const Vec3<int> size = w_.series.grid.size;
    const int lanes = std::clamp(size.x - x, 0, kLanes);
    DoublePack* to = values_.data();
    for (int v = 0; v < n_; ++v) {
      const VolumeView<const float> volume = w_.series.volume(v);
      for (int z = wz; z < wz + w_.window.z; ++z)
        for (int y = wy; y < wy + w_.window.y; ++y, ++to) {
          const float* from = volume.data + std::int64_t(size.x) * (y + std::int64_t(size.y) * z) + x;
          *to = 0.0;
          for (int lane = 0; lane < lanes; ++lane) to->v[lane] = from[lane];
        }
    }
  }

  /// Computes the Gram matrices of the planes in values_ and stores them from `plane` on. Two rows and two
  /// columns at a time, so that each number is used twice once it is loaded.
  void addGrams(int plane, int count) {
    const int area = w_.window.y * w_.window.z;
    const auto keep = [&](int i, int j, DoublePack sum) {
      if (i >= n_ || j > i) return;
      double* to = planeGrams_.data() + triangleIndex(i, j) * planes_ + plane;
      for (int lane = 0; lane < count; ++lane) to[lane] = sum.v[lane];
    };
    for (int i = 0; i < n_; i += 2) {
      const DoublePack *a = values_.data() + i * area, *b = i + 1 < n_ ? a + area : a;
      for (int j = 0; j <= i; j += 2) {
        const DoublePack *c = values_.data() + j * area, *d = j + 1 < n_ ? c + area : c;
        DoublePack ac = 0.0, ad = 0.0, bc = 0.0, bd = 0.0;
        for (int k = 0; k < area; ++k) {
          ac = fusedMultiplyAdd(a[k], c[k], ac);
          ad = fusedMultiplyAdd(a[k], d[k], ad);
          bc = fusedMultiplyAdd(b[k], c[k], bc);
          bd = fusedMultiplyAdd(b[k], d[k], bd);
        }
        keep(i, j, ac);
        keep(i, j + 1, ad);
        keep(i + 1, j, bc);
        keep(i + 1, j + 1, bd);
      }
    }
  }

  void sumPlanes() {
    for (int k = 0; k < entries_; ++k) {
      const double* from = planeGrams_.data() + k * planes_;
      DoublePack sum = load<DoublePack>(from);
      for (int plane = 1; plane < w_.window.x; ++plane) sum = sum + load<DoublePack>(from + plane);
      a_[k] = sum;
    }
  }

  void solve(int wx, int wy, int wz) {
    tridiagonalize(a_.data(), n_, d_.data(), e_.data(), tau_.data(), scratch_.data());
    const int lanes = std::min(kLanes, w_.windows.x - wx);
    for (int lane = 0; lane < lanes; ++lane)
      ql_[lane] = {numbers(d_) + lane,      numbers(e_) + lane,          kLanes, n_,
                   rotations_[lane].data(), int(rotations_[lane].size())};
    for (bool left = true; left;) {
      left = false;
      for (int lane = 0; lane < lanes; ++lane) {
        if (!ql_[lane].isDone) ql_[lane].step();
        left |= !ql_[lane].isDone;
      }
    }
    int most = 0;
    for (int lane = 0; lane < lanes; ++lane) {
      findNoise(lane);
      spans_[lane] = voxelsOfWindow(wx + lane, w_.window.x, w_.windows.x);
      most = std::max(most, spans_[lane].end - spans_[lane].begin);
    }
    const Span ySpan = voxelsOfWindow(wy, w_.window.y, w_.windows.y);
    const Span zSpan = voxelsOfWindow(wz, w_.window.z, w_.windows.z);
    for (int z = zSpan.begin; z < zSpan.end; ++z)
      for (int y = ySpan.begin; y < ySpan.end; ++y)
        for (int k = 0; k < most; ++k) project(k, lanes, y, z);
  }

  void findNoise(int lane) {
    const int voxels = w_.voxels(), count = std::min(n_, voxels);
    for (int i = 0; i < n_; ++i) sorted_[i] = d_[i].v[lane];
    std::sort(sorted_.begin(), sorted_.end());
    const double* eigenvalues = sorted_.data() + (n_ - count);
    noise_[lane] = noiseOfWindow(eigenvalues, count, std::max(n_, voxels));
    noise_[lane].limit = noise_[lane].rank < count ? eigenvalues[count - noise_[lane].rank - 1] : -1;
  }

  /// The k-th voxel of a window in a row; −1 if there is none, or the mask leaves it out.
  std::int64_t voxelOf(int lane, int k, int y, int z) const {
    const int x = spans_[lane].begin + k;
    if (x >= spans_[lane].end) return -1;
    const std::int64_t voxel = w_.series.grid.index(x, y, z);
    return w_.mask && !w_.mask->values[voxel] ? -1 : voxel;
  }

  /// Projects the k-th voxel of each window onto its signal components.
  void project(int k, int lanes, int y, int z) {
    std::array<std::int64_t, kLanes> voxel;
    for (int lane = 0; lane < lanes; ++lane) voxel[lane] = voxelOf(lane, k, y, z);
    for (int v = 0; v < n_; ++v) {
      z_[v] = 0.0;
      for (int lane = 0; lane < lanes; ++lane)
        if (voxel[lane] >= 0) z_[v].v[lane] = w_.series.at(voxel[lane], v);
    }
    reflect(a_.data(), tau_.data(), n_, z_.data(), false);
    rotate(ql_.data(), lanes, kLanes, numbers(z_));
    for (int lane = 0; lane < lanes; ++lane)
      for (int i = 0; i < n_; ++i)
        if (d_[i].v[lane] <= noise_[lane].limit) z_[i].v[lane] = 0;
    rotateBack(ql_.data(), lanes, kLanes, numbers(z_));
    reflect(a_.data(), tau_.data(), n_, z_.data(), true);
    for (int lane = 0; lane < lanes; ++lane)
      if (voxel[lane] >= 0) keep(lane, voxel[lane]);
  }

  void keep(int lane, std::int64_t voxel) {
    const NoiseOfWindow& noise = noise_[lane];
    w_.result->noise.values[voxel] = float(std::sqrt(noise.variance));
    w_.result->rank.values[voxel] = float(noise.rank);
    if (noise.limit < 0) return;  // no component is removed
    for (int v = 0; v < n_; ++v) w_.result->series.at(voxel, v) = float(z_[v].v[lane]);
  }

  const Windows& w_;
  int n_, entries_, planes_;
  std::vector<DoublePack> values_;  ///< of kLanes planes: volume, then voxel of the plane
  std::vector<double> planeGrams_;  ///< entries × planes
  std::vector<DoublePack> a_, d_, e_, tau_, scratch_, z_;
  std::vector<double> sorted_;
  std::array<std::vector<Rotation>, kLanes> rotations_;
  std::array<TridiagonalQl, kLanes> ql_;
  std::array<NoiseOfWindow, kLanes> noise_;
  std::array<Span, kLanes> spans_;
};

int oddAtMost(int size) { return size % 2 ? size : size - 1; }

void checkSeries(const Series<float>& series, const Vec3<int>& window) {
  if (series.count < 2)
    throw Error("Noise cannot be distinguished from signal in a single volume",
                "it is what the volumes of a series do not share",
                "give the whole diffusion series, or keep the noise");
  const int voxels = window.x * window.y * window.z;
  if (voxels < 9 || 2 * voxels < series.count)
    throw Error("The image is too small to distinguish noise from signal",
                text("a window of ", window.x, " × ", window.y, " × ", window.z, " voxels is compared with ",
                     counted(series.count, "volume")),
                "give the whole image, or keep the noise");
}

/// Sets voxels with values that are not finite to 0 and returns them.
std::vector<std::int64_t> takeOutNotFinite(Series<float>& series) {
  std::vector<std::int64_t> found;
  const std::int64_t voxels = series.grid.voxels();
  std::vector<std::uint8_t> bad(voxels, 0);
  for (int v = 0; v < series.count; ++v)
    for (std::int64_t i = 0; i < voxels; ++i) bad[i] |= !std::isfinite(series.at(i, v));
  for (std::int64_t i = 0; i < voxels; ++i) {
    if (!bad[i]) continue;
    found.push_back(i);
    for (int v = 0; v < series.count; ++v) series.at(i, v) = 0;
  }
  return found;
}

}  // namespace

Vec3<int> denoisingWindow(const Vec3<int>& size, int volumes) {
  const int longest = std::max({size.x, size.y, size.z});
  Vec3<int> window{1, 1, 1};
  for (int edge = 1; edge <= longest && window.x * window.y * window.z < volumes; edge += 2)
    for (int i = 0; i < 3; ++i) window[i] = std::min(edge, oddAtMost(size[i]));
  return window;
}

DenoisedSeries denoise(const Series<float>& series, const Mask* mask, const Progress& progress) {
  const Vec3<int> window = denoisingWindow(series.grid.size, series.count);
  checkSeries(series, window);
  DenoisedSeries result{series, Volume<float>(series.grid), Volume<float>(series.grid), {}};
  const std::vector<std::int64_t> notFinite = takeOutNotFinite(result.series);
  const Series<float> finite = notFinite.empty() ? Series<float>() : result.series;
  const Vec3<int> size = series.grid.size;
  const Windows windows{notFinite.empty() ? series : finite,
                        mask,
                        window,
                        {size.x - window.x + 1, size.y - window.y + 1, size.z - window.z + 1},
                        &result};
  parallelForBlocks(std::int64_t(windows.windows.y) * windows.windows.z, 2, progress,
                    [&](std::int64_t begin, std::int64_t end) {
                      WindowSolver solver(windows);
                      for (std::int64_t row = begin; row < end; ++row)
                        solver.denoiseRow(int(row % windows.windows.y), int(row / windows.windows.y));
                    });
  for (const std::int64_t voxel : notFinite)
    for (int v = 0; v < series.count; ++v) result.series.at(voxel, v) = series.at(voxel, v);
  if (!notFinite.empty())
    result.notes.push_back(counted(std::ssize(notFinite), "voxel") +
                           " with values that are not finite: left unchanged.");
  return result;
}

}  // namespace sulcus::preparation
