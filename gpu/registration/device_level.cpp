#include "gpu/registration/device_level.h"

#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/registration/gaussian.h"
#include "core/registration/similarity.h"
#include "gpu/registration/channels.h"
#include "gpu/registration/differences.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
namespace {

constexpr int kFields = 4;

/// For an axis of `size` voxels.
HalfGaussian halfGaussian(int size, double sigma) {
  HalfGaussian half;
  if (size == 1) return half;
  const auto weights = gaussianWeights(sigma);
  half.radius = int(weights.size() / 2);
  for (int k = 0; k <= half.radius; ++k)
    half.w[k] = float(weights[std::size_t(half.radius) + std::size_t(k)]);
  return half;
}

}  // namespace

DeviceLevel::DeviceLevel(const LevelInput<float>& input, VectorField<float> u,
                         const RegistrationOptions& options, const Stream& stream, Progress progress)
    : job_{},
      alongX_(halfGaussian(input.size().x, options.sigma)),
      alongY_(halfGaussian(input.size().y, options.sigma)),
      alongZ_(halfGaussian(input.size().z, options.sigma)),
      stream_(&stream),
      progress_(std::move(progress)),
      guardsCorners_(guardsCorners(options)),
      host_(std::move(u)),
      component_(std::int64_t(host_.values[0].size())),
      fields_(kFields * 3 * component_, stream, kWhat),
      blocks_(blocksOfEvaluate(input.size()), stream, kWhat),
      meeting_(1, stream, kWhat),
      report_(1),
      landmarks_(landmarkTables<float>(input.size(), input.spacing(), input.landmarks, options), stream) {
  if (component_ > std::numeric_limits<int>::max())
    throw Error(text("The GPU registers at most ", std::numeric_limits<int>::max(), " voxels"),
                text("these images have ", input.channels.front().reference.size()),
                "resample them, or run on the CPU");
  const Vec3<float> inverse = inverseOf<float>(input.spacing());
  job_ = {.size = input.size(),
          .row = int(host_.row),
          .plane = int(host_.plane),
          .inverse = inverse,
          .half = 0.5f * inverse,
          .lambda = float(options.lambda),
          .exact = options.gradient == TemplateGradient::exact,
          .descent = options.force == RegistrationForce::descent,
          .texels = nullptr,
          .reference = nullptr,
          .weights = nullptr,
          .slope = nullptr};
  fields_.fillBytes(0, stream);
  meeting_.fillBytes(0, stream);
  for (int i = 0; i < 3; ++i) {
    const auto& values = host_.values[std::size_t(i)];
    SULCUS_CUDA(cudaMemcpyAsync(fields_.data() + (3 * u_ + i) * component_, values.data(),
                                values.size() * sizeof(float), cudaMemcpyHostToDevice, stream.get()));
  }
  if (!input.weights.empty()) {
    weights_ = uploaded<float>(input.weights, stream, kWhat);
    job_.weights = weights_.data();
  }
  const bool measured = comparesByMeasures(input.channels.size(), !input.weights.empty(), options);
  for (std::size_t c = 0; c < input.channels.size(); ++c)
    channels_.push_back(uploadedChannel(input.channels[c], input.shares[c], measured, options));
  job_ = channels_.front().job;
  stream.synchronize();
}

DeviceLevel::Channel DeviceLevel::uploadedChannel(const LevelImages<float>& images, double share,
                                                  bool measured, const RegistrationOptions& options) {
  const auto voxels = std::int64_t(images.reference.size());
  Channel channel{.job = job_,
                  .share = share,
                  .reference = Buffer<float>(voxels, *stream_, kWhat),
                  .texels = Buffer<Texel<float>>(voxels, *stream_, kWhat),
                  .similarity = nullptr,
                  .warped = {}};
  channel.job.texels = channel.texels.data(), channel.job.reference = channel.reference.data();
  channel.reference.upload(images.reference, *stream_);
  // The template itself is needed until its texels are made only.
  float* const moving = valuesOf(velocity_);
  SULCUS_CUDA(cudaMemcpyAsync(moving, images.moving.data(), images.moving.size() * sizeof(float),
                              cudaMemcpyHostToDevice, stream_->get()));
  makeTexels(channel.job, moving, channel.texels.data(), *stream_);
  SULCUS_CUDA(cudaMemsetAsync(moving, 0, images.moving.size() * sizeof(float), stream_->get()));
  if (measured) {
    channel.similarity = deviceSimilarity(images, channel.job, options, *stream_);
    channel.warped = Buffer<float>(voxels, *stream_, kWhat);
    channel.job.slope = channel.warped.data();
  }
  return channel;
}

std::int64_t DeviceLevel::bytes(const Vec3<int>& size, const RegistrationOptions& options,
                                std::size_t channels, bool weighted) {
  const std::int64_t voxels = std::int64_t(size.x) * size.y * size.z;
  const std::int64_t fields = kFields * 3 * VectorField<float>::valuesOf(size);
  const bool measured = options.similarity == Similarity::automatic ||  // at most
                        comparesByMeasures(channels, weighted, options);
  const std::int64_t channel = voxels * std::int64_t(sizeof(float) + sizeof(Texel<float>)) +
                               (measured ? similarityBytes(size, options) : 0);
  return (fields + (weighted ? voxels : 0)) * std::int64_t(sizeof(float)) + std::int64_t(channels) * channel +
         blocksOfEvaluate(size) * std::int64_t(sizeof(EnergySums)) + std::int64_t(sizeof(LevelMeeting));
}

FieldView DeviceLevel::view(int field) {
  float* const first = fields_.data() + 3 * field * component_ + host_.index(0, 0, 0);
  return {first, first + component_, first + 2 * component_};
}

LevelEnergy DeviceLevel::readEnergy() {
  stream_->synchronize();
  const EnergySums sums = report_.data()->energy;
  double similarity = sums.similarity;
  if (channels_.front().similarity) {
    similarity = 0;
    for (const Channel& channel : channels_) similarity += channel.share * channel.similarity->energy();
  }
  const double voxels = double(channels_.front().reference.size());
  return {similarity / voxels, sums.bias / voxels, 1 + double(sums.smallest), sums.refused / voxels,
          landmarks_.energy()};
}

double DeviceLevel::vanishingIn(int field) {
  if (!guardsCorners_) return 0;
  countVanishing(job_, view(field), meeting_.data(), report_.data(), *stream_);
  stream_->synchronize();
  return report_.data()->vanishing / double(channels_.front().reference.size());
}

void DeviceLevel::queueEvaluation(int field) {
  if (channels_.front().similarity) {
    queueDisplacement(field);
    queueComparison(field);
  } else {
    queueForce(field);
  }
}

void DeviceLevel::queueForce(int field) {
  evaluate(job_, view(field), view(velocity_), view(force_), blocks_.data(), meeting_.data(), report_.data(),
           *stream_);
  landmarks_.queueForce(job_, arraysOf(field), arraysOf(velocity_), arraysOf(force_), *stream_);
}

void DeviceLevel::queueDisplacement(int field) {
  displaceTemplate(job_, view(field), channels_.front().warped.data(), view(force_), *stream_);
  for (std::size_t c = 1; c < channels_.size(); ++c)
    displaceChannel(channels_[c].job, view(field), channels_[c].warped.data(), *stream_);
  displaced_ = field;
}

void DeviceLevel::queueComparison(int field) {
  for (Channel& channel : channels_)
    channel.similarity->replaceBySlope(channel.job, channel.warped.data(), meeting_.data(), *stream_);
  if (channels_.size() > 1) {
    Channel& first = channels_.front();
    weighFirstChannel(job_, float(first.share), first.warped.data(), view(force_), *stream_);
    for (std::size_t c = 1; c < channels_.size(); ++c)
      addChannelForce(channels_[c].job, view(field), float(channels_[c].share), view(force_), *stream_);
  }
  queueForce(field);
}

LevelEnergy DeviceLevel::start() {
  progress_.throwIfCancelled();
  queueEvaluation(u_);
  LevelEnergy energy = readEnergy();
  energy.vanishing = std::max(energy.vanishing, vanishingIn(u_));
  return energy;
}

void DeviceLevel::queueVelocity(double momentum) {
  smoothPlanes(job_, alongX_, alongY_, view(force_), view(trial_), *stream_);
  smoothDepth(job_, alongZ_, view(trial_), view(velocity_), float(momentum), meeting_.data(), report_.data(),
              *stream_);
}

Direction DeviceLevel::velocity(double momentum) {
  progress_.throwIfCancelled();
  const double slope =
      (report_.data()->energy.uphill + landmarks_.uphill()) / double(channels_.front().reference.size());
  queueVelocity(slope > 0 ? 0 : momentum);
  stream_->synchronize();
  return {std::sqrt(double(std::bit_cast<float>(report_.data()->largestSquare))), slope};
}

void DeviceLevel::queueAttempt(double dt) {
  compose(job_, view(u_), view(velocity_), float(dt), view(trial_), *stream_);
  if (guardsCorners_) countVanishing(job_, view(trial_), meeting_.data(), report_.data(), *stream_);
  queueEvaluation(trial_);
}

void DeviceLevel::move(double dt) {
  progress_.throwIfCancelled();
  compose(job_, view(u_), view(velocity_), float(dt), view(trial_), *stream_);
}

void DeviceLevel::queueDifferenceOf(const float* first, const float* second) {
  queueDifference(first, second, valuesOf(force_), 3 * component_, *stream_);
}

double DeviceLevel::vanishingBetween(const float* first, const float* second) {
  queueDifferenceOf(first, second);
  const double share = vanishingIn(force_);
  queueDifferenceOf(second, first);
  return (share + vanishingIn(force_)) / 2;
}

void holdBoth(DeviceLevel& a, DeviceLevel& b) {
  const float *ofA = a.valuesOf(a.trial_), *ofB = b.valuesOf(b.trial_);
  // The force of b will be made anew, too: meanwhile its memory holds the shares.
  float* const shares = b.valuesOf(b.force_);
  for (const bool forth : {true, false}) {
    a.queueDifferenceOf(forth ? ofA : ofB, forth ? ofB : ofA);
    for (DeviceLevel* level : {&a, &b}) {
      SULCUS_CUDA(cudaMemsetAsync(shares, 0, std::size_t(b.component_) * sizeof(float), b.stream_->get()));
      holdBack(a.job_, a.view(a.force_), b.view(b.force_).x, level->view(level->velocity_), *a.stream_);
    }
  }
}

LevelEnergy DeviceLevel::compare() {
  queueComparison(displaced_);
  return readEnergy();
}

void DeviceLevel::compareWith(const DeviceLevel& other) {
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    Channel& channel = channels_[c];
    queueReference(other.channels_[c].warped.data(), channel.reference.data(), channel.reference.size(),
                   *stream_);
    channel.similarity->takeReference(channel.job, *stream_);
  }
}

void oppose(DeviceLevel& a, DeviceLevel& b) {
  queueOpposition(a.valuesOf(a.velocity_), b.valuesOf(b.velocity_), 3 * a.component_, *a.stream_);
}

LevelEnergy DeviceLevel::attempt(double dt) {
  progress_.throwIfCancelled();
  compose(job_, view(u_), view(velocity_), float(dt), view(trial_), *stream_);
  if (const double share = vanishingIn(trial_); share > 0) return vanishing(share);
  queueEvaluation(trial_);
  return readEnergy();
}

void DeviceLevel::hold() {
  // The next attempt makes the force anew: meanwhile its memory holds the shares.
  float* const shares = fields_.data() + 3 * force_ * component_;
  SULCUS_CUDA(cudaMemsetAsync(shares, 0, std::size_t(component_) * sizeof(float), stream_->get()));
  holdBack(job_, view(trial_), view(force_).x, view(velocity_), *stream_);
}

void DeviceLevel::accept() { std::swap(u_, trial_); }

void DeviceLevel::relax(double sigma) {
  const Vec3<int> n = job_.size;
  smoothPlanes(job_, halfGaussian(n.x, sigma), halfGaussian(n.y, sigma), view(u_), view(trial_), *stream_);
  smoothDepth(job_, halfGaussian(n.z, sigma), view(trial_), view(u_), 0, meeting_.data(), report_.data(),
              *stream_);
}

void DeviceLevel::fetch(int field, VectorField<float>& to) const {
  for (int i = 0; i < 3; ++i) {
    auto& values = to.values[std::size_t(i)];
    SULCUS_CUDA(cudaMemcpyAsync(values.data(), fields_.data() + (3 * field + i) * component_,
                                values.size() * sizeof(float), cudaMemcpyDeviceToHost, stream_->get()));
  }
  stream_->synchronize();
}

VectorField<float> DeviceLevel::fetched(int field) const {
  VectorField<float> result(job_.size);
  fetch(field, result);
  return result;
}

const VectorField<float>& DeviceLevel::displacement() {
  fetch(u_, host_);
  return host_;
}

VectorField<float> DeviceLevel::takeDisplacement() {
  fetch(u_, host_);
  return std::move(host_);
}

}  // namespace sulcus::gpu::registration
