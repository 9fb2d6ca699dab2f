#include "core/phantom/activation_phantom.h"

#include "core/activation/design/hemodynamics.h"
#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/math/distributions.h"
#include "core/math/linear_algebra.h"
#include "core/math/philox.h"
#include "core/phantom/centered_grid.h"

#include <array>
#include <cmath>
#include <limits>

namespace sulcus::phantom {
namespace {

constexpr double kSecondsPerVolume = 3;
constexpr int kRegressors = 3;  // intercept, visual, auditory
constexpr int kCovariates = 4;  // intercept, csf, gm, wm
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

enum class ActivationDraw : std::uint32_t { noise, variance, coefficients };

/// Four standard normal numbers that depend on seed, kind, voxel and block only.
std::array<float, 4> normals(int seed, ActivationDraw kind, std::int64_t voxel, int block) {
  std::uint32_t words[4]{std::uint32_t(voxel), std::uint32_t(block), std::uint32_t(kind), 0x666d7269u};
  philox(words, PhiloxKey(std::uint64_t(seed)));
  std::array<float, 4> x;
  normalPair(words[0], words[1], x[0], x[1]);
  normalPair(words[2], words[3], x[2], x[3]);
  return x;
}

/// The distance of p from the center of an ellipsoid, 1 on its surface. Positions and half axes in mm.
double ellipsoidRadius(const Vec3<double>& p, const Vec3<double>& center, const Vec3<double>& halfAxes) {
  const Vec3<double> d = p - center;
  return std::hypot(d.x / halfAxes.x, d.y / halfAxes.y, d.z / halfAxes.z);
}

/// 1 well inside the edge, 0 well outside, with a transition of width `blur`.
double inside(double radius, double edge, double blur) { return 1 / (1 + std::exp((radius - edge) / blur)); }

double headRadius(const Vec3<double>& p) { return ellipsoidRadius(p, {0, 0, 0}, {40, 46, 34}); }

/// Probabilities of CSF, gray and white matter at p (mm, RAS+); near the skull their sum is below 1.
std::array<double, 3> tissueAt(const Vec3<double>& p) {
  constexpr double kBlur = 0.04;
  const double r = headRadius(p), fold = 0.05 * std::sin(7 * std::atan2(p.y, p.x)) * std::cos(p.z / 9);
  double ventricles = 0;
  for (const double side : {-1, 1})
    ventricles = std::max(ventricles, inside(ellipsoidRadius(p, {side * 7, 2, 4}, {4, 13, 9}), 1, 0.15));
  const double brain = inside(r, 0.90, kBlur), core = inside(r, 0.68 + fold, kBlur),
               skull = inside(r, 1.03, kBlur);
  const double wm = brain * core * (1 - ventricles), gm = brain * (1 - core);
  return {skull * ((1 - brain) + brain * core * ventricles), skull * gm, skull * wm};
}

/// How strongly the cortex at p responds, 0…1: a Gaussian around a center and around its mirror image on the
/// left, mm.
double blob(const Vec3<double>& p, const Vec3<double>& rightCenter, double width) {
  double most = 0;
  for (const double side : {-1, 1}) {
    const Vec3<double> d = p - Vec3<double>{side * rightCenter.x, rightCenter.y, rightCenter.z};
    most = std::max(most, std::exp(-dot(d, d) / (2 * width * width)));
  }
  return most;
}

/// Alternating blocks of rest and stimulation: 30 s each for pictures, 45 s each for sound.
activation::EventTable blockDesign(int scans) {
  activation::EventTable table;
  table.types = {"visual", "auditory"};
  const double runSeconds = kSecondsPerVolume * scans;
  const std::array<double, 2> blocks{30, 45};
  for (int type = 0; type < 2; ++type)
    for (int block = 0; (2 * block + 1) * blocks[type] < runSeconds; ++block)
      table.events.push_back({(2 * block + 1) * blocks[type], blocks[type], 1, type, {}});
  return table;
}

activation::Design designOf(const activation::EventTable& events, int scans) {
  activation::Design design;
  design.names = {"intercept"};
  design.matrix = Eigen::MatrixXd::Ones(scans, kRegressors);
  design.confounds.resize(scans, 0);
  for (std::size_t type = 0; type < events.types.size(); ++type) {
    std::vector<activation::Event> ofType;
    for (const activation::Event& event : events.events)
      if (event.type == int(type)) ofType.push_back(event);
    const auto signal = activation::expectedSignal(ofType, kSecondsPerVolume, scans);
    design.names.push_back(events.types[type]);
    design.matrix.col(Eigen::Index(type) + 1) = Eigen::Map<const Eigen::VectorXd>(signal.data(), scans);
  }
  return design;
}

/// The factor of each regressor's response: 1 for the intercept, the contrast for a stimulus, 0 for a
/// stimulus without a response.
Eigen::VectorXd responses(const ActivationPhantomOptions& options) {
  using Active = ActivationPhantomOptions::Active;
  const auto strengthOf = [&](Active stimulus) {
    return options.active == Active::both || options.active == stimulus ? options.contrast : 0;
  };
  return Eigen::Vector3d(1, strengthOf(Active::visual), strengthOf(Active::auditory));
}

Eigen::MatrixXd modelDelta() {
  Eigen::MatrixXd delta(kCovariates, kRegressors);
  delta << 100, 0.4, 0.3,  // whole head
      20, -0.6, -0.5,      // CSF: bright, no response
      5, 1.2, 0.9,         // gray matter
      -10, -0.3, -0.3;     // white matter
  return delta;
}

Eigen::MatrixXd modelVBeta() {
  Eigen::MatrixXd v(kRegressors, kRegressors);
  v << 16, 0, 0,      //
      0, 0.64, 0.15,  //
      0, 0.15, 0.49;
  return v;
}

/// The anatomy of the phantom.
struct Head {
  struct Centers {
    Vec3<double> visual, auditory;  ///< on the right, mm
  };
  Mask mask;
  Series<float> tissue;
  std::vector<std::int64_t> voxels;  ///< grid indices of the mask's voxels, ascending
  Eigen::MatrixXd z;  ///< a row for each of these voxels: 1 and the demeaned tissue probabilities
  Centers centers;    ///< of the responses
};

void listVoxels(Head& head) {
  for (std::int64_t voxel = 0; voxel < head.mask.grid.voxels(); ++voxel)
    if (head.mask.values[voxel] != 0) head.voxels.push_back(voxel);
  head.z = Eigen::MatrixXd::Ones(std::ssize(head.voxels), kCovariates);
  for (int t = 0; t < head.tissue.count; ++t) {
    auto column = head.z.col(t + 1);
    for (Eigen::Index i = 0; i < head.z.rows(); ++i) column[i] = head.tissue.at(head.voxels[i], t);
    column.array() -= column.mean();
  }
}

Head computedHead() {
  const Grid grid = centeredGrid({32, 32, 12}, {3, 3, 4});
  Head head{Mask(grid), Series<float>(grid, kCovariates - 1), {}, {}, {{10, -36, 0}, {34, -4, 2}}};
  for (std::int64_t voxel = 0; voxel < grid.voxels(); ++voxel) {
    const auto p = grid.positionOf(voxel);
    const auto shares = tissueAt(p);
    for (int t = 0; t < head.tissue.count; ++t) head.tissue.at(voxel, t) = float(shares[t]);
    head.mask.values[voxel] = headRadius(p) < 1;
  }
  listVoxels(head);
  return head;
}

Head headOf(const Series<float>& tissue) {
  if (tissue.count != kCovariates - 1)
    throw Error(text("The tissue has ", tissue.count, " volumes"), "csf, gm and wm are one each",
                "give three maps", ErrorKind::usage);
  Head head{Mask(tissue.grid), tissue, {}, {}, {{10, -84, 4}, {56, -22, 8}}};
  for (std::int64_t voxel = 0; voxel < tissue.grid.voxels(); ++voxel)
    head.mask.values[voxel] = tissue.at(voxel, 0) + tissue.at(voxel, 1) + tissue.at(voxel, 2) >= 0.5f;
  listVoxels(head);
  return head;
}

/// The true coefficients β, a row for each voxel of the head, and the parameters of their distribution.
struct Coefficients {
  Eigen::MatrixXd beta, delta, vBeta;
};

Coefficients makeCoefficients(const ActivationPhantomOptions& options, const Head& head) {
  const bool blobs = options.pattern == ActivationPhantomOptions::Pattern::blobs;
  const Eigen::VectorXd strength = responses(options);
  const Eigen::MatrixXd v = modelVBeta(), root = choleskyFactor(v);
  Coefficients c;
  c.delta = modelDelta() * strength.asDiagonal();
  c.vBeta = strength.asDiagonal() * v * strength.asDiagonal();
  c.beta = head.z * c.delta;
  for (Eigen::Index i = 0; i < c.beta.rows(); ++i) {
    const std::int64_t voxel = head.voxels[i];
    const auto x = normals(options.seed, ActivationDraw::coefficients, voxel, 0);
    const Eigen::VectorXd nu = root * Eigen::Vector3d(x[0], x[1], x[2]);
    c.beta.row(i) += nu.cwiseProduct(strength).transpose();
    if (!blobs) continue;
    const auto p = head.mask.grid.positionOf(voxel);
    const double peak = 3 * head.tissue.at(voxel, 1);
    c.beta(i, 1) = strength[1] * (peak * blob(p, head.centers.visual, 11) + 0.1 * x[1]);
    c.beta(i, 2) = strength[2] * (peak * blob(p, head.centers.auditory, 10) + 0.1 * x[2]);
  }
  if (blobs) {
    c.delta = solveLeastSquares(head.z, c.beta).solution;
    const Eigen::MatrixXd rest = c.beta - head.z * c.delta;
    c.vBeta = rest.transpose() * rest / double(rest.rows() - kCovariates);
  }
  return c;
}

double errorVariance(const ActivationPhantomOptions& options, std::int64_t voxel) {
  const auto x = normals(options.seed, ActivationDraw::variance, voxel, 0);
  const double chiSquare = double(x[0]) * x[0] + double(x[1]) * x[1] + double(x[2]) * x[2];
  return 3 * options.noise * options.noise / chiSquare;
}

/// Sets the series of a voxel to signal(noise, scan), of noise with this standard deviation.
template <class Signal>
void fillSeries(int seed, std::int64_t voxel, double sd, Series<float>& bold, const Signal& signal) {
  std::array<float, 4> noise{};
  for (int scan = 0; scan < bold.count; ++scan) {
    if (scan % 4 == 0) noise = normals(seed, ActivationDraw::noise, voxel, scan / 4);
    bold.at(voxel, scan) = float(signal(sd * noise[scan % 4], scan));
  }
}

ActivationPhantom phantomOf(const ActivationPhantomOptions& options, Head head) {
  const Grid grid = head.mask.grid;
  const Coefficients truth = makeCoefficients(options, head);
  ActivationPhantom phantom;
  phantom.secondsPerVolume = kSecondsPerVolume;
  phantom.events = blockDesign(options.scans);
  phantom.design = designOf(phantom.events, options.scans);
  phantom.tissueNames = {"csf", "gm", "wm"};
  phantom.delta = truth.delta;
  phantom.vBeta = truth.vBeta;

  auto beta = std::make_shared<Series<float>>(grid, kRegressors, kNan);
  auto sigma2 = std::make_shared<Volume<float>>(grid, kNan);
  for (std::size_t i = 0; i < head.voxels.size(); ++i) {
    const std::int64_t voxel = head.voxels[i];
    sigma2->values[voxel] = float(errorVariance(options, voxel));
    for (int j = 0; j < kRegressors; ++j) beta->at(voxel, j) = float(truth.beta(Eigen::Index(i), j));
  }
  auto bold = std::make_shared<Series<float>>(grid, options.scans);
  for (std::int64_t voxel = 0; voxel < grid.voxels(); ++voxel) {
    if (head.mask.values[voxel] != 0) {
      const double sd = std::sqrt(double(sigma2->values[voxel]));
      fillSeries(options.seed, voxel, sd, *bold, [&](double noise, int scan) {
        for (int j = 0; j < kRegressors; ++j) noise += phantom.design.matrix(scan, j) * beta->at(voxel, j);
        return noise;
      });
    } else {
      fillSeries(options.seed, voxel, options.noise, *bold,
                 [](double noise, int) { return std::abs(noise); });  // air: magnitude noise
    }
  }
  phantom.bold = std::move(bold);
  phantom.beta = std::move(beta);
  phantom.sigma2 = std::move(sigma2);
  phantom.mask = std::make_shared<const Mask>(std::move(head.mask));
  phantom.tissue = std::make_shared<const Series<float>>(std::move(head.tissue));
  return phantom;
}

}  // namespace

ActivationPhantom makeActivationPhantom(const ActivationPhantomOptions& options) {
  return phantomOf(options, computedHead());
}

ActivationPhantom makeActivationPhantom(const ActivationPhantomOptions& options,
                                        const Series<float>& tissue) {
  return phantomOf(options, headOf(tissue));
}

}  // namespace sulcus::phantom
