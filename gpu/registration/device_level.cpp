#include "gpu/registration/device_level.h"

#include "core/registration/deformation/gaussian.h"
#include "core/registration/similarity/similarity.h"
#include "gpu/registration/similarity/differences.h"
#include "gpu/registration/similarity/local_correlation.h"
#include "gpu/runtime/blocks.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
namespace {

constexpr int kReachOfForce = 2;  // planes: second differences are used

/// The weights along an axis of `size` voxels, for σ in voxels.
HalfGaussian halfGaussian(int size, double sigma) {
  HalfGaussian half;
  if (size == 1) return half;
  const auto weights = gaussianWeights(sigma);
  half.radius = int(weights.size() / 2);
  for (int k = 0; k <= half.radius; ++k)
    half.w[k] = float(weights[std::size_t(half.radius) + std::size_t(k)]);
  return half;
}

/// The planes of each of `parts`, fewer parts if there are too few planes; each starts with a whole block of
/// every kernel that makes sums.
std::vector<Planes> sharedPlanes(const Vec3<int>& size, int parts) {
  const int depth = std::lcm(planesOfEvaluate(size), planesOfWindows(size)),
            each = roundedUp(ceilDivide(size.z, parts), depth);
  std::vector<Planes> shares;
  for (int first = 0; first < size.z; first += each)
    shares.push_back({first, std::min(first + each, size.z)});
  return shares;
}

}  // namespace

bool canShareLevel(const LevelInput<float>& input, const RegistrationOptions& options) {
  const bool local =
      options.similarity == Similarity::lcc && input.channels.size() == 1 && !options.symmetric;
  return (local || !comparesByMeasures(input.channels.size(), !input.weights.empty(), options)) &&
         landmarkTables<float>(input.size(), input.spacing(), input.landmarks, options).places.empty();
}

DeviceLevel::DeviceLevel(const LevelInput<float>& input, VectorField<float> u,
                         const RegistrationOptions& options, const DeviceQueues& queues, Progress progress)
    : sigma_(options.sigma),
      voxels_(double(input.channels.front().reference.size())),
      window_(reachOf(options)),
      reach_(std::max(kReachOfForce, window_)),
      guardsCorners_(guardsCorners(options)),
      queues_(&queues),
      progress_(std::move(progress)),
      host_(std::move(u)) {
  const auto shares = sharedPlanes(input.size(), canShareLevel(input, options) ? int(queues.size()) : 1);
  std::vector<int> devices;
  for (std::size_t i = 0; i < shares.size(); ++i) devices.push_back(queues[i].device());
  parts_.resize(shares.size());
  onEachDevice(devices, [&](int i) {
    const auto at = std::size_t(i);
    parts_[at] = std::make_unique<LevelPart>(input, host_, options, shares[at], reach_, queues[at]);
  });
}

template <class Copy>
void DeviceLevel::exchange(int reach, const Copy& copy) const {
  if (parts_.size() == 1) return;
  queues_->synchronizeAll();
  onEachPart([&](LevelPart& part) {
    const Planes known = planesAround(part.job(), reach);
    for (const auto& other : parts_) {
      const Planes planes{std::max(known.first, other->job().first), std::min(known.last, other->job().last)};
      if (other.get() != &part && planes.first < planes.last) copy(part, planes, *other);
    }
  });
  queues_->synchronizeAll();
}

void DeviceLevel::exchange(int field, int reach) const {
  exchange(reach, [&](LevelPart& part, const Planes& planes, LevelPart& other) {
    part.queueCopy(field, planes, other);
  });
}

template <class SumsOf>
void DeviceLevel::queueSums(const SumsOf& sumsOf) const {
  if (parts_.size() == 1) return;
  queues_->synchronizeAll();
  const OnDevice there(only().queue().device());
  const BlockSums all = sumsOf(*parts_.front());
  const Vec3<int> size = only().job().size;
  const std::int64_t ofLayer = blocksOfPlane(size);
  std::int64_t begin = 0;
  for (const auto& part : parts_) {
    const std::int64_t count = ofLayer * ceilDivide(part->job().last - part->job().first, all.depth);
    if (begin > 0)
      SULCUS_CUDA(cudaMemcpyPeerAsync(all.blocks + begin, only().queue().device(), sumsOf(*part).blocks,
                                      part->queue().device(), std::size_t(count) * sizeof *all.blocks,
                                      only().stream().get()));
    begin += count;
  }
  sumBlocks(all.blocks, begin, all.total, only().stream());
}

LevelEnergy DeviceLevel::readEnergy() {
  queues_->synchronize();
  const EnergySums sums = only().report()->energy;
  double similarity = sums.similarity;
  if (only().channels().front().similarity) {
    similarity = 0;
    for (const auto& channel : only().channels()) similarity += channel.share * channel.similarity->energy();
  }
  return {similarity / voxels_, sums.bias / voxels_, 1 + double(sums.smallest), sums.refused / voxels_,
          only().landmarks().energy()};
}

double DeviceLevel::vanishingIn(int field) {
  if (!guardsCorners_) return 0;
  onEachPart([&](LevelPart& part) {
    countVanishing(part.job(), part.view(field), part.meeting(), part.report(), part.stream());
  });
  queues_->synchronize();
  double count = 0;
  for (const auto& part : parts_) count += part->report()->vanishing;
  return count / voxels_;
}

void DeviceLevel::queueEvaluation(int field) {
  if (only().channels().front().similarity)
    onEachPart([&](LevelPart& part) { part.queueDisplacement(field); });
  queueComparison(field);
}

void DeviceLevel::queueComparison(int field) {
  if (only().channels().front().similarity) {
    onEachPart([](LevelPart& part) { part.queueTerms(); });
    exchange(window_, [](LevelPart& part, const Planes& planes, LevelPart& other) {
      part.queueCopyOfTerms(planes, other);
    });
    queueSums([](LevelPart& part) { return part.channels().front().similarity->sums(); });
  }
  onEachPart([&](LevelPart& part) { part.queueForce(field); });
  queueSums([](LevelPart& part) { return part.sums(); });
}

LevelEnergy DeviceLevel::start() {
  progress_.throwIfCancelled();
  queueEvaluation(only().u);
  LevelEnergy energy = readEnergy();
  energy.vanishing = std::max(energy.vanishing, vanishingIn(only().u));
  return energy;
}

void DeviceLevel::queueSmoothing(int from, int to, double sigma, double momentum) {
  const Vec3<int> n = only().job().size;
  const HalfGaussian alongX = halfGaussian(n.x, sigma), alongY = halfGaussian(n.y, sigma),
                     alongZ = halfGaussian(n.z, sigma);
  const int between = only().trial;
  onEachPart([&](LevelPart& part) {
    smoothPlanes(part.job(), alongX, alongY, part.view(from), part.view(between), part.stream());
  });
  exchange(between, alongZ.radius);
  onEachPart([&](LevelPart& part) {
    smoothDepth(part.job(), {part.view(between), part.view(to), alongZ, float(momentum)}, part.meeting(),
                part.report(), part.stream());
  });
}

void DeviceLevel::queueVelocity(double momentum) {
  queueSmoothing(only().force, only().velocity, sigma_, momentum);
}

Direction DeviceLevel::velocity(double momentum) {
  progress_.update(0);  // one update per iteration
  const double slope = (only().report()->energy.uphill + only().landmarks().uphill()) / voxels_;
  queueVelocity(slope > 0 ? 0 : momentum);
  queues_->synchronize();
  float largest = 0;
  for (const auto& part : parts_)
    largest = std::max(largest, std::bit_cast<float>(part->report()->largestSquare));
  return {std::sqrt(double(largest)), slope};
}

void DeviceLevel::queueMove(double dt) {
  onEachPart([&](LevelPart& part) {
    compose(part.job(), part.view(part.u), part.view(part.velocity), float(dt), part.view(part.trial),
            part.stream());
  });
  exchange(only().trial, reach_);
}

void DeviceLevel::queueAttempt(double dt) {
  queueMove(dt);
  if (guardsCorners_)
    onEachPart([&](LevelPart& part) {
      countVanishing(part.job(), part.view(part.trial), part.meeting(), part.report(), part.stream());
    });
  queueEvaluation(only().trial);
}

void DeviceLevel::move(double dt) {
  progress_.throwIfCancelled();
  queueMove(dt);
}

void DeviceLevel::displace(int field) {
  only().queueDisplacement(field);
  displaced_ = field;
}

void DeviceLevel::queueDifferenceOf(const float* first, const float* second) {
  queueDifference(first, second, only().valuesOf(only().force), 3 * only().component(), only().stream());
}

double DeviceLevel::vanishingBetween(const float* first, const float* second) {
  queueDifferenceOf(first, second);
  const double share = vanishingIn(only().force);
  queueDifferenceOf(second, first);
  return (share + vanishingIn(only().force)) / 2;
}

void holdBoth(DeviceLevel& first, DeviceLevel& second) {
  LevelPart &a = first.only(), &b = second.only();
  const float *ofA = a.valuesOf(a.trial), *ofB = b.valuesOf(b.trial);
  // The force of b will be recomputed, too: meanwhile its memory holds the shares.
  float* const shares = b.valuesOf(b.force);
  for (const bool forth : {true, false}) {
    if (forth)
      first.queueDifferenceOf(ofA, ofB);
    else
      first.queueDifferenceOf(ofB, ofA);
    for (LevelPart* part : {&a, &b}) {
      SULCUS_CUDA(cudaMemsetAsync(shares, 0, std::size_t(b.component()) * sizeof(float), b.stream().get()));
      guardAgainstFolds(a.job(), a.view(a.force), b.view(b.force).x, part->view(part->velocity), a.stream());
    }
  }
}

LevelEnergy DeviceLevel::compare() {
  queueComparison(displaced_);
  return readEnergy();
}

void DeviceLevel::compareWith(const DeviceLevel& other) {
  for (std::size_t c = 0; c < only().channels().size(); ++c) {
    LevelPart::Channel& channel = only().channels()[c];
    queueReference(other.only().channels()[c].warped.data(), channel.reference.data(),
                   channel.reference.size(), only().stream());
    channel.similarity->takeReference(channel.job, only().stream());
  }
}

void oppose(DeviceLevel& first, DeviceLevel& second) {
  LevelPart &a = first.only(), &b = second.only();
  queueOpposition(a.valuesOf(a.velocity), b.valuesOf(b.velocity), 3 * a.component(), a.stream());
}

LevelEnergy DeviceLevel::attempt(double dt) {
  progress_.throwIfCancelled();
  queueMove(dt);
  if (const double share = vanishingIn(only().trial); share > 0) return vanishing(share);
  queueEvaluation(only().trial);
  return readEnergy();
}

void DeviceLevel::hold() {
  exchange(only().trial, kHoldRadius + 1);
  onEachPart([](LevelPart& part) {
    // The next attempt recomputes the force: meanwhile its memory holds the shares.
    float* const shares = part.valuesOf(part.force);
    SULCUS_CUDA(
        cudaMemsetAsync(shares, 0, std::size_t(part.component()) * sizeof(float), part.stream().get()));
    guardAgainstFolds(part.job(), part.view(part.trial), part.view(part.force).x, part.view(part.velocity),
                      part.stream());
  });
}

void DeviceLevel::accept() {
  for (const auto& part : parts_) std::swap(part->u, part->trial);
}

void DeviceLevel::relax(double sigma) {
  queueSmoothing(only().u, only().u, sigma, 0);
  exchange(only().u, reach_);
}

void DeviceLevel::fetch(int field, VectorField<float>& to) const {
  onEachPart([&](const LevelPart& part) { part.queueDownload(field, to); });
  queues_->synchronize();
}

VectorField<float> DeviceLevel::fetched(int field) const {
  VectorField<float> result(only().job().size);
  fetch(field, result);
  return result;
}

void DeviceLevel::fetchDisplacement() {
  if (const Vec3<int>& size = only().job().size; host_.size != size) host_ = VectorField<float>(size);
  fetch(only().u, host_);
}

const VectorField<float>& DeviceLevel::displacement() {
  fetchDisplacement();
  return host_;
}

VectorField<float> DeviceLevel::takeDisplacement() {
  fetchDisplacement();
  return std::move(host_);
}

}  // namespace sulcus::gpu::registration
