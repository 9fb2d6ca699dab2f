#include "core/registration/deformation/registration_level.h"

#include "core/base/parallel/parallel_for.h"
#include "core/registration/deformation/fold_guard.h"
#include "core/registration/deformation/force.h"
#include "core/registration/deformation/gaussian.h"
#include "core/registration/similarity/level_channels.h"
#include "core/registration/similarity/similarity.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace sulcus::registration {
namespace {

/// The contribution of one row of voxels to the energies.
struct RowSums {
  double similarity = 0, bias = 0;
  double smallestChange = std::numeric_limits<double>::infinity();  ///< smallest J − 1
  std::int64_t vanishing = 0;                                       ///< voxels that do not keep their volume
};

/// The sum of term(x) for x = 0…n − 1 in double over eight interleaved partial sums, which gives the same
/// result for every vector width.
template <class Term>
double sumOf(int n, const Term& term) {
  double lanes[8] = {};
  int x = 0;
  for (; x + 8 <= n; x += 8)
    for (int l = 0; l < 8; ++l) lanes[l] += term(x + l);
  for (; x < n; ++x) lanes[x % 8] += term(x);
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

/// J − 1 and regularizerDensity() of a row of voxels.
template <class Real>
struct BiasRow {
  std::vector<Real> change, density;
};

template <class Real>
void computeBiasRow(const VectorField<Real>& u, int y, int z, Vec3<Real> half, Real membrane,
                    BiasRow<Real>& bias) {
  Real* __restrict__ change = bias.change.data(), * __restrict__ density = bias.density.data();
  const Real *ux = u.at(0, 0, y, z), *uy = u.at(1, 0, y, z), *uz = u.at(2, 0, y, z);
  const std::int64_t row = u.row, plane = u.plane;
  for (int x = 0; x < u.size.x; ++x) {
    const Mat3<Real> g = centralGradient(ux + x, uy + x, uz + x, row, plane, half);
    change[x] = volumeChange(g);
    density[x] = regularizerDensity(change[x], g, membrane);
  }
}

/// Sums over the voxels of a row, and writes there: use(x, y, z, texel, reference) is called with the
/// template and its gradient at x − u.
template <class Real, class Use>
RowSums evaluateRow(const DisplacedTemplate<Real>& displaced, const RegistrationOptions& options,
                    std::int64_t row, BiasRow<Real>& bias, const Use& use) {
  const auto& [images, samples, u] = displaced;
  const Vec3<int> size = images.size;
  const int y = int(row % size.y), z = int(row / size.y);
  const Vec3<Real> inverse = inverseOf<Real>(images.spacing);
  const bool exact = options.gradient == TemplateGradient::exact;
  RowSums sums;
  computeBiasRow(u, y, z, Real(0.5) * inverse, Real(options.membrane), bias);
  sums.bias = sumOf(size.x, [&](int x) { return double(bias.density[x]); });
  for (const Real j : bias.change) {
    sums.smallestChange = std::min(sums.smallestChange, double(j));
    sums.vanishing += !keepsVolume(j);
  }
  const Real *ux = u.at(0, 0, y, z), *uy = u.at(1, 0, y, z), *uz = u.at(2, 0, y, z);
  const Real* const reference = images.reference.data() + (std::int64_t(z) * size.y + y) * size.x;
  for (int x = 0; x < size.x; ++x)
    use(x, y, z, displacedSample(samples, size, {x, y, z}, Vec3<Real>{ux[x], uy[x], uz[x]}, inverse, exact),
        reference[x], sums);
  return sums;
}

/// Evaluates all rows, see evaluateRow(), and returns the means of their sums.
template <class Real, class Use>
LevelEnergy evaluateRows(const DisplacedTemplate<Real>& displaced, const RegistrationOptions& options,
                         const Progress& progress, const Use& use) {
  const Vec3<int> size = displaced.images.size;
  const std::int64_t rows = std::int64_t(size.y) * size.z;
  std::vector<RowSums> sums(rows);
  const auto evaluateBlock = [&](std::int64_t begin, std::int64_t end) {
    BiasRow<Real> bias{std::vector<Real>(std::size_t(size.x)), std::vector<Real>(std::size_t(size.x))};
    for (std::int64_t r = begin; r < end; ++r) sums[r] = evaluateRow(displaced, options, r, bias, use);
  };
  parallelForBlocks(rows, std::max<std::int64_t>(1, kVoxelsPerBlock / size.x), progress, evaluateBlock);

  LevelEnergy energy;
  double smallestChange = std::numeric_limits<double>::infinity();
  std::int64_t vanishing = 0;
  for (const RowSums& sum : sums) {
    energy.similarity += sum.similarity;
    energy.bias += sum.bias;
    smallestChange = std::min(smallestChange, sum.smallestChange);
    vanishing += sum.vanishing;
  }
  const double voxels = double(displaced.images.reference.size());
  energy.similarity /= voxels;
  energy.bias /= voxels;
  energy.smallestJ = 1 + smallestChange;
  energy.vanishing = double(vanishing) / voxels;
  return energy;
}

/// Σ a · b over the voxels of plane z.
template <class Real>
double productOfPlane(const VectorField<Real>& a, const VectorField<Real>& b, int z) {
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int y = 0; y < a.size.y; ++y) {
      const Real *p = a.at(i, 0, y, z), *q = b.at(i, 0, y, z);
      sum += sumOf(a.size.x, [&](int x) { return double(p[x]) * double(q[x]); });
    }
  return sum;
}

/// The step along v, and the inverse spacing.
template <class Real>
struct ComposeStep {
  Real dt;
  Vec3<Real> inverse;
};

template <class Real>
void composeRow(const VectorField<Real>& u, const VectorField<Real>& v, const ComposeStep<Real>& step, int y,
                int z, VectorField<Real>& result) {
  const auto& [dt, inverse] = step;
  const Interior xs = interior(u.size.x);
  const Real *ux = u.at(0, 0, y, z), *uy = u.at(1, 0, y, z), *uz = u.at(2, 0, y, z);
  const Real *vx = v.at(0, 0, y, z), *vy = v.at(1, 0, y, z), *vz = v.at(2, 0, y, z);
  Real *__restrict__ rx = result.at(0, 0, y, z), *__restrict__ ry = result.at(1, 0, y, z),
                     *__restrict__ rz = result.at(2, 0, y, z);
  const std::int64_t row = u.row, plane = u.plane;
#pragma GCC ivdep
  for (int x = xs.first; x <= xs.last; ++x) {
    const Vec3<Real> move{dt * vx[x], dt * vy[x], dt * vz[x]};
    const Vec3<Real> sum = composed(FieldAround<Real>{ux + x, uy + x, uz + x, row, plane}, move, inverse);
    rx[x] = sum.x;
    ry[x] = sum.y;
    rz[x] = sum.z;
  }
}

}  // namespace

template <class Real>
TemplateSamples<Real> samplesOf(const LevelImages<Real>& images, const Progress& progress) {
  const Vec3<int> size = images.size;
  TemplateSamples<Real> samples;
  samples.texels.resize(images.moving.size());
  const Vec3<Real> half = Real(0.5) * inverseOf<Real>(images.spacing);
  parallelForBlocks(std::int64_t(size.y) * size.z, 64, progress, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r)
      for (int x = 0; x < size.x; ++x)
        samples.texels[r * size.x + x] =
            texelAt(images.moving.data(), size, x, int(r % size.y), int(r / size.y), half);
  });
  if (images.cubic)
    samples.spline.emplace(std::vector<float>(images.moving.begin(), images.moving.end()), size, progress);
  return samples;
}

template <class Real>
LevelEnergy evaluate(const LevelImages<Real>& images, const TemplateSamples<Real>& samples,
                     const VectorField<Real>& u, const RegistrationOptions& options,
                     VectorField<Real>& imageForce, const Progress& progress) {
  return evaluateRows(DisplacedTemplate<Real>{images, samples, u}, options, progress,
                      [&](int x, int y, int z, const Texel<Real>& t, Real reference, RowSums& sums) {
                        const Real difference = misfit(t.v[0], reference);
                        sums.similarity += 0.5 * double(difference) * double(difference);
                        const Vec3<Real> f{difference * t.v[1], difference * t.v[2], difference * t.v[3]};
                        imageForce.set(x, y, z, mayMove(images.size, x, y, z) ? f : Vec3<Real>{});
                      });
}

template <class Real>
LevelEnergy displaceTemplate(const DisplacedTemplate<Real>& displaced, const RegistrationOptions& options,
                             std::vector<Real>& warped, VectorField<Real>& gradient,
                             const Progress& progress) {
  const Vec3<int> n = displaced.images.size;
  return evaluateRows(displaced, options, progress,
                      [&](int x, int y, int z, const Texel<Real>& t, Real reference, RowSums&) {
                        const bool compared = reference == reference;
                        warped[(std::size_t(z) * n.y + y) * n.x + x] = compared ? t.v[0] : Real(0);
                        const Vec3<Real> g{t.v[1], t.v[2], t.v[3]};
                        gradient.set(x, y, z, compared && mayMove(n, x, y, z) ? g : Vec3<Real>{});
                      });
}

template <class Real>
void compose(const VectorField<Real>& u, const VectorField<Real>& v, double dt, const Vec3<double>& spacing,
             VectorField<Real>& result, const Progress& progress) {
  const Interior ys = interior(u.size.y), zs = interior(u.size.z);
  const std::int64_t rows = ys.last - ys.first + 1, planes = zs.last - zs.first + 1;
  const Vec3<Real> inverse = inverseOf<Real>(spacing);
  const auto composeRows = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r)
      composeRow(u, v, ComposeStep<Real>{Real(dt), inverse}, ys.first + int(r % rows),
                 zs.first + int(r / rows), result);
  };
  parallelForBlocks(rows * planes, std::max<std::int64_t>(1, kVoxelsPerBlock / u.size.x), progress,
                    composeRows);
}

template <class Real>
RegistrationLevel<Real>::RegistrationLevel(LevelInput<Real> input, VectorField<Real> u,
                                           const RegistrationOptions& options, Progress progress)
    : size_(input.size()),
      spacing_(input.spacing()),
      options_(options),
      progress_(std::move(progress)),
      voxelWeights_(std::move(input.weights)),
      weights_(gaussianWeights(options.sigma)),
      landmarks_(landmarkTables<Real>(size_, spacing_, input.landmarks, options)),
      u_(std::move(u)),
      trial_(size_),
      force_(size_),
      velocity_(size_) {
  const bool measured = comparesByMeasures(input.channels.size(), !voxelWeights_.empty(), options);
  for (std::size_t c = 0; c < input.channels.size(); ++c) {
    Channel& channel = channels_.emplace_back();
    channel.images = std::move(input.channels[c]);
    channel.share = input.shares[c];
    channel.samples = samplesOf(channel.images, progress_);
    if (!measured) continue;
    channel.measure = similarityMeasure<Real>(channel.images, options, progress_, voxelWeights_);
    channel.warped.resize(channel.images.reference.size());
  }
}

template <class Real>
RegistrationLevel<Real>::~RegistrationLevel() = default;

template <class Real>
LevelEnergy RegistrationLevel<Real>::energyOf(const VectorField<Real>& u) {
  const Channel& first = channels_.front();
  if (first.measure) {
    displace(u);
    return compare();
  }
  LevelEnergy energy = evaluate(first.images, first.samples, u, options_, force_, progress_);
  energy.landmarks = landmarkEnergy(landmarks_, u);
  return energy;
}

template <class Real>
void RegistrationLevel<Real>::displace(const VectorField<Real>& u) {
  Channel& first = channels_.front();
  displaced_ = displaceTemplate({first.images, first.samples, u}, options_, first.warped, force_, progress_);
  for (std::size_t c = 1; c < channels_.size(); ++c)
    displaceChannel({channels_[c].images, channels_[c].samples, u}, options_.gradient, channels_[c].warped,
                    progress_);
  displaced_.landmarks = landmarkEnergy(landmarks_, u);
  displacedBy_ = &u;
}

template <class Real>
double RegistrationLevel<Real>::vanishingIn(const VectorField<Real>& u) const {
  return guardsCorners(options_) ? foldedShare(u, spacing_, progress_) : 0;
}

template <class Real>
const VectorField<Real>& RegistrationLevel<Real>::difference(const VectorField<Real>& a,
                                                             const VectorField<Real>& b) {
  for (std::size_t i = 0; i < 3; ++i)
    std::transform(a.values[i].begin(), a.values[i].end(), b.values[i].begin(), force_.values[i].begin(),
                   std::minus<Real>());
  return force_;
}

template <class Real>
LevelEnergy RegistrationLevel<Real>::compare() {
  Channel& first = channels_.front();
  displaced_.similarity =
      first.share * applyMeasure(*first.measure, first.warped, force_, progress_, first.share);
  for (std::size_t c = 1; c < channels_.size(); ++c) {
    Channel& channel = channels_[c];
    displaced_.similarity += channel.share * channel.measure->replaceBySlope(channel.warped, progress_);
    addChannelForce({channel.images, channel.samples, *displacedBy_}, options_.gradient, channel.warped,
                    channel.share, force_, progress_);
  }
  return displaced_;
}

template <class Real>
void RegistrationLevel<Real>::compareWith(const RegistrationLevel& other) {
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    LevelImages<Real>& images = channels_[c].images;
    for (std::size_t i = 0; i < images.reference.size(); ++i)
      if (images.reference[i] == images.reference[i]) images.reference[i] = other.channels_[c].warped[i];
    channels_[c].measure->takeReference(images, progress_);
  }
}

template <class Real>
LevelEnergy RegistrationLevel<Real>::start() {
  LevelEnergy energy = energyOf(u_);
  energy.vanishing = std::max(energy.vanishing, vanishingIn(u_));
  return energy;
}

template <class Real>
Direction RegistrationLevel<Real>::velocity(double momentum) {
  std::vector<double> uphill(size_.z);
  addBiasForce(u_, spacing_, options_, force_, progress_, [&](int z, std::vector<Real>& scratch) {
    addLandmarkForce(landmarks_, u_, spacing_, z, force_);
    uphill[z] = -productOfPlane(force_, velocity_, z);
    smoothPlane(force_, force_, z, weights_, scratch);
  });
  const double slope =
      std::accumulate(uphill.begin(), uphill.end(), 0.0) / (double(size_.x) * size_.y * size_.z);
  const double speed = smoothDepth(force_, velocity_, slope > 0 ? 0 : momentum, weights_,
                                   inverseOf<Real>(spacing_), progress_);
  return {speed, slope};
}

template <class Real>
LevelEnergy RegistrationLevel<Real>::attempt(double dt) {
  compose(u_, velocity_, dt, spacing_, trial_, progress_);
  if (const double share = vanishingIn(trial_); share > 0) return vanishing(share);
  return energyOf(trial_);
}

template <class Real>
void RegistrationLevel<Real>::hold() {
  guardAgainstFolds(trial_, spacing_, velocity_, progress_);
}

template <class Real>
void RegistrationLevel<Real>::accept() {
  std::swap(u_, trial_);
}

template <class Real>
void RegistrationLevel<Real>::relax(double sigma) {
  const auto weights = gaussianWeights(sigma);
  parallelForBlocks(u_.size.z, 1, progress_, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Real> scratch;
    for (int z = int(begin); z < int(end); ++z) smoothPlane(u_, u_, z, weights, scratch);
  });
  smoothDepth(u_, u_, 0, weights, inverseOf<Real>(spacing_), progress_);
}

template TemplateSamples<float> samplesOf(const LevelImages<float>&, const Progress&);
template LevelEnergy evaluate(const LevelImages<float>&, const TemplateSamples<float>&,
                              const VectorField<float>&, const RegistrationOptions&, VectorField<float>&,
                              const Progress&);
template LevelEnergy displaceTemplate(const DisplacedTemplate<float>&, const RegistrationOptions&,
                                      std::vector<float>&, VectorField<float>&, const Progress&);
template void compose(const VectorField<float>&, const VectorField<float>&, double, const Vec3<double>&,
                      VectorField<float>&, const Progress&);
template class RegistrationLevel<float>;
template TemplateSamples<double> samplesOf(const LevelImages<double>&, const Progress&);
template LevelEnergy evaluate(const LevelImages<double>&, const TemplateSamples<double>&,
                              const VectorField<double>&, const RegistrationOptions&, VectorField<double>&,
                              const Progress&);
template LevelEnergy displaceTemplate(const DisplacedTemplate<double>&, const RegistrationOptions&,
                                      std::vector<double>&, VectorField<double>&, const Progress&);
template void compose(const VectorField<double>&, const VectorField<double>&, double, const Vec3<double>&,
                      VectorField<double>&, const Progress&);
template class RegistrationLevel<double>;

}  // namespace sulcus::registration
