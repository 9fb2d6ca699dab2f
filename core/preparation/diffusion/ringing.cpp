#include "core/preparation/diffusion/ringing.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sentence.h"
#include "core/preparation/diffusion/double_pack.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <Eigen/Core>

namespace sulcus::preparation {
namespace {

constexpr int kShifts = 20;               // to either side, up to half a voxel
constexpr int kCopies = 2 * kShifts + 1;  // of a line: unshifted, then to the right, then to the left
constexpr int kRoom = 44;                 // kCopies in whole packs
constexpr int kLinesAtOnce = 4;           // whose copies are made by one matrix product
constexpr int kPacks = kRoom / DoublePack::kLanes;
constexpr int kBefore = 4;  // positions beyond the ends of a line that are used
static_assert(kRoom % DoublePack::kLanes == 0 && kRoom >= kCopies);

/// The shift of a copy, in parts of half a voxel.
int shiftOf(int copy) { return copy <= kShifts ? copy : kShifts - copy; }

/// Lines of one length and their real Fourier coefficients: cosines 0 … n/2, then sines 1 … (n − 1)/2. Only
/// the first half of a line is computed, or the first quarter if the length is even: cosines and sines, and
/// the even and odd ones of these, are equal at mirrored positions up to their signs.
struct LineTransform {
  int n, cosines, sines;
  int parts;   ///< groups of coefficients: 2 for even lengths, else 1
  int places;  ///< that are computed from the coefficients; the others mirror them
  Eigen::MatrixXd coefficientsFromLine, lineFromCoefficients;  ///< n × n
  Eigen::MatrixXd cosine[2], sine[2];                          ///< of each part, coefficients × places
  Eigen::MatrixXd turnCos, turnSin;  ///< kRoom × (n/2 + 1): rotates cosine and sine by a shift
  std::vector<double> smoothness;    ///< of each coefficient: (1 + cos ω)/2

  explicit LineTransform(int length)
      : n(length),
        cosines(n / 2 + 1),
        sines((n - 1) / 2),
        parts(n % 2 == 0 ? 2 : 1),
        places(n / (2 * parts) + 1),
        coefficientsFromLine(n, n),
        turnCos(Eigen::MatrixXd::Zero(kRoom, cosines)),
        turnSin(Eigen::MatrixXd::Zero(kRoom, cosines)),
        smoothness(std::size_t(n)) {
    setTransform();
    setTurns();
    for (int part = 0; part < parts; ++part) setPart(part);
  }

 private:
  void setTransform() {
    for (int k = 0; k < cosines; ++k)
      for (int t = 0; t < n; ++t) {
        coefficientsFromLine(k, t) = std::cos(angle(k, t));
        if (isSine(k)) coefficientsFromLine(cosines + k - 1, t) = std::sin(angle(k, t));
      }
    lineFromCoefficients = coefficientsFromLine.transpose();
    for (int c = 0; c < n; ++c) {
      const int k = c < cosines ? c : c - cosines + 1;
      lineFromCoefficients.col(c) *= weight(k);
      smoothness[c] = (1 + std::cos(angle(k, 1))) / 2;
    }
  }

  /// The highest frequency of an even length cannot be shifted: only the unshifted copy keeps it.
  void setTurns() {
    for (int k = 0; k < cosines; ++k)
      for (int copy = 0; copy < kCopies; ++copy) {
        const double turn = std::numbers::pi * shiftOf(copy) * k / (double(n) * kShifts);
        const bool isKept = copy == 0 || k == 0 || isSine(k);
        turnCos(copy, k) = isKept ? std::cos(turn) : 0;
        turnSin(copy, k) = isKept ? std::sin(turn) : 0;
      }
  }

  void setPart(int part) {
    const int count = (cosines - part + parts - 1) / parts;
    cosine[part].resize(count, places);
    sine[part].resize(count, places);
    for (int t = 0; t < places; ++t)
      for (int i = 0; i < count; ++i) {
        const int k = part + parts * i;
        cosine[part](i, t) = weight(k) * std::cos(angle(k, t));
        sine[part](i, t) = isSine(k) ? weight(k) * std::sin(angle(k, t)) : 0;
      }
  }

  double angle(int k, int t) const { return 2 * std::numbers::pi * (std::int64_t(k) * t % n) / n; }
  bool isSine(int k) const { return k >= 1 && k <= sines; }
  double weight(int k) const { return (isSine(k) ? 2.0 : 1.0) / n; }
};

/// Removes ringing from lines given by their coefficients.
class LineUnringer {
 public:
  explicit LineUnringer(const LineTransform& transform)
      : t_(transform),
        cosines_(kRoom * kLinesAtOnce, t_.cosines),
        sines_(kRoom * kLinesAtOnce, t_.cosines),
        copies_(std::size_t(t_.n) * kPacks),
        steps_(std::size_t(t_.n) + 2 * kBefore),
        variation_(steps_.size()),
        least_(t_.n),
        chosen_(t_.n) {}

  /// Converts columns of coefficients to columns of values.
  void unring(Eigen::MatrixXd& lines) {
    for (Eigen::Index first = 0; first < lines.cols(); first += kLinesAtOnce) {
      const int count = int(std::min<Eigen::Index>(kLinesAtOnce, lines.cols() - first));
      for (int line = 0; line < count; ++line) turn(lines.col(first + line).data(), line);
      for (int part = 0; part < t_.parts; ++part) {
        even_[part].noalias() = coefficientsOf(cosines_, part) * t_.cosine[part];
        odd_[part].noalias() = coefficientsOf(sines_, part) * t_.sine[part];
      }
      for (int line = 0; line < count; ++line) {
        std::fill(least_.begin(), least_.end(), std::numeric_limits<double>::infinity());
        for (int pack = 0; pack < kPacks; ++pack) {
          makeCopies(line, pack);
          measure(pack);
        }
        choose(lines.col(first + line).data());
      }
    }
  }

 private:
  /// The coefficients of all copies of a line.
  void turn(const double* coefficients, int line) {
    for (int k = 0; k < t_.cosines; ++k) {
      const double c = coefficients[k];
      const double s = k >= 1 && k <= t_.sines ? coefficients[t_.cosines + k - 1] : 0;
      const auto copies = Eigen::seqN(line * kRoom, kRoom);
      cosines_.col(k)(copies) = c * t_.turnCos.col(k) + s * t_.turnSin.col(k);
      sines_.col(k)(copies) = s * t_.turnCos.col(k) - c * t_.turnSin.col(k);
    }
  }

  using Part = Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
  Part coefficientsOf(const Eigen::MatrixXd& all, int part) const {
    return Part(all.data() + part * all.rows(), all.rows(), t_.cosine[part].rows(),
                Eigen::OuterStride<>(t_.parts * all.rows()));
  }

  /// One pack of copies of a line.
  void makeCopies(int line, int pack) {
    const int n = t_.n, half = n / 2;
    const Eigen::Index row = line * kRoom + pack * DoublePack::kLanes;
    const auto at = [&](const Eigen::MatrixXd& m, int t) {
      return load<DoublePack>(m.data() + t * m.rows() + row);
    };
    DoublePack* copies = copies_.data() + pack * n;
    for (int t = 0; t < t_.places; ++t) {
      DoublePack even = at(even_[0], t), odd = at(odd_[0], t);
      if (t_.parts == 2) {
        const DoublePack otherEven = at(even_[1], t), otherOdd = at(odd_[1], t);
        copies[half - t] = (even - otherEven) + (otherOdd - odd);
        copies[half + t] = (even - otherEven) - (otherOdd - odd);
        even = even + otherEven;
        odd = odd + otherOdd;
      }
      copies[t] = even + odd;
      copies[(n - t) % n] = even - odd;
    }
  }

  /// Finds, for each lane, the first copy with the least variation over three steps to the left or to the
  /// right.
  void measure(int pack) {
    const int n = t_.n;
    const DoublePack* copies = copies_.data() + pack * n;
    DoublePack *steps = steps_.data() + kBefore, *variation = variation_.data() + kBefore;
    for (int t = 0; t + 1 < n; ++t) steps[t] = magnitude(copies[t] - copies[t + 1]);
    steps[n - 1] = magnitude(copies[n - 1] - copies[0]);
    wrap(steps);
    for (int t = -kBefore; t <= n; ++t) variation[t] = (steps[t] + steps[t + 1]) + steps[t + 2];
    const DoublePack first = DoublePack::Vector{0, 1, 2, 3}, copy = first + double(pack * DoublePack::kLanes);
    const auto isCopy = copy < double(kCopies);
    const DoublePack most = std::numeric_limits<double>::max();
    for (int t = 0; t < n; ++t) {
      const DoublePack left = variation[t - 4], right = variation[t + 1];
      const DoublePack smaller = select(isCopy, select(right < left, right, left), most);
      const auto better = smaller < least_[t];
      least_[t] = select(better, smaller, least_[t]);
      chosen_[t] = select(better, copy, chosen_[t]);
    }
  }

  /// Extends a line periodically at both ends.
  void wrap(DoublePack* values) const {
    for (int t = 1; t <= kBefore; ++t) values[-t] = values[t_.n - t];
    for (int t = 0; t < kBefore; ++t) values[t_.n + t] = values[t];
  }

  /// The first copy with the least variation at a position.
  int calmest(int t) const {
    const DoublePack least = least_[t], chosen = chosen_[t];
    int lane = 0;
    for (int i = 1; i < DoublePack::kLanes; ++i)
      if (least.v[i] < least.v[lane] || (least.v[i] == least.v[lane] && chosen.v[i] < chosen.v[lane]))
        lane = i;
    return int(chosen.v[lane]);
  }

  /// Takes each value from the copy with the least variation there, shifted back.
  void choose(double* values) const {
    for (int t = 0; t < t_.n; ++t) {
      const int copy = calmest(t);
      const DoublePack* copies = copies_.data() + copy / DoublePack::kLanes * t_.n;
      const double shift = shiftOf(copy) / (2.0 * kShifts), size = std::fabs(shift);
      const int beside = shift > 0 ? t - 1 : t + 1;
      values[t] = copies[t].v[copy % DoublePack::kLanes] * (1 - size) +
                  copies[(beside + t_.n) % t_.n].v[copy % DoublePack::kLanes] * size;
    }
  }

  const LineTransform& t_;
  Eigen::MatrixXd cosines_, sines_;            ///< coefficients; rows: line, then copy
  Eigen::MatrixXd even_[2], odd_[2];           ///< of each part, values at the positions
  std::vector<DoublePack> copies_;             ///< pack, then position
  std::vector<DoublePack> steps_, variation_;  ///< of a pack, starting kBefore positions before the line
  std::vector<DoublePack> least_, chosen_;  ///< at each position: the least variation, and the copy with it
};

/// Removes ringing from slices. Frequencies along x and y are split smoothly into two images, each with
/// ringing along one axis only.
class SliceUnringer {
 public:
  SliceUnringer(const LineTransform& alongX, const LineTransform& alongY)
      : x_(alongX), y_(alongY), unringX_(alongX), unringY_(alongY) {}

  void unring(Eigen::MatrixXd& slice) {
    Eigen::MatrixXd all = x_.coefficientsFromLine * slice * y_.coefficientsFromLine.transpose(), other = all;
    for (int j = 0; j < y_.n; ++j)
      for (int i = 0; i < x_.n; ++i) {
        const double a = y_.smoothness[j], b = x_.smoothness[i];
        const bool isKept = a + b != 0;
        other(i, j) *= isKept ? b / (a + b) : 0;
        all(i, j) *= isKept ? a / (a + b) : 0;
      }
    Eigen::MatrixXd alongX = all * y_.lineFromCoefficients.transpose();
    Eigen::MatrixXd alongY = (x_.lineFromCoefficients * other).transpose();
    unringX_.unring(alongX);
    unringY_.unring(alongY);
    slice = alongX + alongY.transpose();
  }

 private:
  const LineTransform &x_, &y_;
  LineUnringer unringX_, unringY_;
};

}  // namespace

UnrungSeries removeRinging(const Series<float>& series, const Progress& progress) {
  const Vec3<int> size = series.grid.size;
  if (std::min(size.x, size.y) < kFewestForRinging)
    throw Error(
        "The slices are too small to distinguish ringing from the image",
        text("they have ", size.x, " × ", size.y, " voxels"),
        text("give slices of at least ", kFewestForRinging, " voxels along each axis, or keep the ringing"));
  UnrungSeries result{series, {}};
  const LineTransform alongX(size.x), alongY(size.y);
  const std::int64_t slices = std::int64_t(size.z) * series.count, area = std::int64_t(size.x) * size.y;
  std::vector<std::int64_t> notFinite(slices, 0);
  parallelForBlocks(slices, 8, progress, [&](std::int64_t begin, std::int64_t end) {
    SliceUnringer unringer(alongX, alongY);
    for (std::int64_t slice = begin; slice < end; ++slice) {
      Eigen::Map<Eigen::MatrixXf> values(result.series.values.data() + slice * area, size.x, size.y);
      Eigen::MatrixXd plane = values.cast<double>();
      const auto isFinite = (plane.array() - plane.array() == 0).eval();
      notFinite[slice] = area - isFinite.count();
      plane = isFinite.select(plane, 0.0);
      if ((plane.array() == 0).all()) continue;
      unringer.unring(plane);
      values = isFinite.select(plane.cast<float>(), values);
    }
  });
  std::int64_t count = 0;
  for (const std::int64_t one : notFinite) count += one;
  if (count > 0)
    result.notes.push_back(count == 1 ? "1 value that is not finite: left unchanged."
                                      : counted(count, "value") + " that are not finite: left unchanged.");
  return result;
}

}  // namespace sulcus::preparation
