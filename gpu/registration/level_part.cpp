#include "gpu/registration/level_part.h"

#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/registration/similarity/similarity.h"
#include "gpu/registration/preparation.h"
#include "gpu/registration/similarity/channels.h"
#include "gpu/runtime/device_time.h"

#include <algorithm>
#include <limits>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
namespace {

constexpr int kFields = 4;

}  // namespace

LevelPart::LevelPart(const LevelInput<float>& input, const VectorField<float>& from,
                     const RegistrationOptions& options, Planes planes, int reach, const DeviceQueue& queue)
    : job_{},
      reach_(reachOf(options)),
      queue_(&queue),
      layout_(VectorField<float>::layoutOf(input.size())),
      component_(VectorField<float>::valuesOf(input.size())),
      fields_(kFields * 3 * component_, stream(), kWhat),
      blocks_(blocksOfEvaluate(input.size()), stream(), kWhat),
      meeting_(1, stream(), kWhat),
      report_(1),
      landmarks_(landmarkTables<float>(input.size(), input.spacing(), input.landmarks, options), stream()) {
  if (component_ > std::numeric_limits<int>::max())
    throw Error(text("The GPU registers at most ", std::numeric_limits<int>::max(), " voxels"),
                text("these images have ", input.channels.front().reference.size()),
                "resample them, or run on the CPU");
  const Vec3<float> inverse = inverseOf<float>(input.spacing());
  job_ = {.size = input.size(),
          .row = int(layout_.row),
          .plane = int(layout_.plane),
          .first = planes.first,
          .last = planes.last,
          .inverse = inverse,
          .half = 0.5f * inverse,
          .lambda = float(options.lambda),
          .membrane = float(options.membrane),
          .exact = options.gradient == TemplateGradient::exact,
          .descent = options.force == RegistrationForce::descent,
          .texels = nullptr,
          .moving = nullptr,
          .spline = {},
          .reference = nullptr,
          .weights = nullptr,
          .slope = nullptr};
  const WaitTimer waiting(WaitKind::copies);
  fields_.fillBytes(0, stream());
  meeting_.fillBytes(0, stream());
  const Planes known = planesAround(job_, reach);
  if (from.size == input.size())
    upload(from, known);
  else
    refine(from, known);
  if (!input.weights.empty()) {
    weights_ = uploaded<float>(input.weights, stream(), kWhat);
    job_.weights = weights_.data();
  }
  for (std::size_t c = 0; c < input.channels.size(); ++c)
    channels_.push_back(uploadedChannel(input, c, options));
  job_ = channels_.front().job;
  stream().synchronize();
}

void LevelPart::upload(const VectorField<float>& from, Planes planes) {
  const std::int64_t begin = layout_.plane * (planes.first + 1), end = layout_.plane * (planes.last + 1);
  for (int i = 0; i < 3; ++i)
    SULCUS_CUDA(
        cudaMemcpyAsync(arraysOf(u).x + i * component_ + begin, from.values[std::size_t(i)].data() + begin,
                        std::size_t(end - begin) * sizeof(float), cudaMemcpyHostToDevice, stream().get()));
}

void LevelPart::refine(const VectorField<float>& coarse, Planes planes) {
  const std::size_t count = coarse.values[0].size();
  float* const there = valuesOf(trial);
  for (std::size_t i = 0; i < 3; ++i)
    SULCUS_CUDA(cudaMemcpyAsync(there + i * count, coarse.values[i].data(), count * sizeof(float),
                                cudaMemcpyHostToDevice, stream().get()));
  const float* const first = there + coarse.index(0, 0, 0);
  refineDisplacement(job_, {{first, first + count, first + 2 * count}, coarse.size, coarse.row, coarse.plane},
                     planes, view(u), stream());
  SULCUS_CUDA(cudaMemsetAsync(there, 0, 3 * count * sizeof(float), stream().get()));
}

LevelPart::Channel LevelPart::uploadedChannel(const LevelInput<float>& input, std::size_t number,
                                              const RegistrationOptions& options) {
  const LevelImages<float>& images = input.channels[number];
  const auto voxels = std::int64_t(images.reference.size());
  Channel channel{.job = job_,
                  .share = input.shares[number],
                  .reference = Buffer<float>(voxels, stream(), kWhat),
                  .texels = Buffer<Texel<float>>(voxels, stream(), kWhat),
                  .moving = {},
                  .similarity = nullptr,
                  .warped = {}};
  channel.job.texels = channel.texels.data();
  channel.job.reference = channel.reference.data();
  channel.reference.upload(images.reference, stream());
  const bool measured = comparesByMeasures(input.channels.size(), !input.weights.empty(), options);
  // Otherwise the template itself is only needed until its texels are made.
  const bool kept = measured || images.cubic;
  if (kept) channel.moving = Buffer<float>(voxels, stream(), kWhat);
  float* const moving = kept ? channel.moving.data() : valuesOf(velocity);
  SULCUS_CUDA(cudaMemcpyAsync(moving, images.moving.data(), images.moving.size() * sizeof(float),
                              cudaMemcpyHostToDevice, stream().get()));
  makeTexels(channel.job, moving, channel.texels.data(), stream());
  if (images.cubic) channel.job.spline = splineOf(channel.moving, images.moving, images.size, stream(), {});
  if (measured) {
    channel.job.moving = moving;
    channel.similarity = deviceSimilarity(images, input.weights, channel.job, options, stream());
    channel.warped = Buffer<float>(voxels, stream(), kWhat);
    channel.job.slope = channel.warped.data();
  } else if (!kept) {
    SULCUS_CUDA(cudaMemsetAsync(moving, 0, images.moving.size() * sizeof(float), stream().get()));
  }
  return channel;
}

std::int64_t LevelPart::bytes(const Vec3<int>& size, const RegistrationOptions& options, std::size_t channels,
                              bool weighted) {
  const std::int64_t voxels = std::int64_t(size.x) * size.y * size.z;
  const std::int64_t fields = kFields * 3 * VectorField<float>::valuesOf(size);
  const bool measured = options.similarity == Similarity::automatic ||  // upper bound
                        comparesByMeasures(channels, weighted, options);
  std::int64_t channel = voxels * std::int64_t(sizeof(float) + sizeof(Texel<float>));
  if (measured)
    channel += similarityBytes(size, options);
  else if (options.symmetric)
    channel += voxels * std::int64_t(sizeof(float));  // the spline
  return (fields + (weighted ? voxels : 0)) * std::int64_t(sizeof(float)) + std::int64_t(channels) * channel +
         blocksOfEvaluate(size) * std::int64_t(sizeof(EnergySums)) + std::int64_t(sizeof(GridBarrier));
}

FieldView LevelPart::view(int field) {
  float* const first = valuesOf(field) + layout_.index(0, 0, 0);
  return {first, first + component_, first + 2 * component_};
}

void LevelPart::queueDisplacement(int field) {
  for (Channel& channel : channels_)
    displaceTemplate(channel.job, view(field), reach_, channel.warped.data(), stream());
}

void LevelPart::queueTerms() {
  for (Channel& channel : channels_)
    channel.similarity->queueTerms(channel.job, channel.warped.data(), meeting_.data(), stream());
}

void LevelPart::queueForce(int field) {
  for (Channel& channel : channels_)
    if (channel.similarity) channel.similarity->replaceBySlope(channel.job, channel.warped.data(), stream());
  const bool several = channels_.size() > 1;
  if (several)
    for (Channel& channel : channels_)
      addChannelForce(channel.job, view(field), float(channel.share), &channel == &channels_.front(),
                      view(force), stream());
  ImageForce images = channels_.front().similarity ? ImageForce::slope : ImageForce::differences;
  if (several) images = ImageForce::given;
  evaluate(job_, images, {view(field), view(velocity), view(force)},
           {blocks_.data(), meeting_.data(), &report_.data()->energy}, stream());
  landmarks_.queueForce(job_, {arraysOf(field), arraysOf(velocity), arraysOf(force)}, stream());
}

void LevelPart::queueCopy(float* to, const LevelPart& other, const float* from, std::int64_t count) {
  SULCUS_CUDA(cudaMemcpyPeerAsync(to, queue_->device(), from, other.queue_->device(),
                                  std::size_t(count) * sizeof(float), stream().get()));
}

void LevelPart::queueCopy(int field, Planes planes, const LevelPart& other) {
  for (int i = 0; i < 3; ++i) {
    const std::int64_t at = (3 * field + i) * component_ + layout_.plane * (planes.first + 1);
    queueCopy(fields_.data() + at, other, other.fields_.data() + at,
              layout_.plane * (planes.last - planes.first));
  }
}

void LevelPart::queueCopyOfTerms(Planes planes, LevelPart& other) {
  const std::int64_t plane = std::int64_t(job_.size.x) * job_.size.y;
  const auto own = channels_.front().similarity->terms(),
             theirs = other.channels_.front().similarity->terms();
  for (std::size_t i = 0; i < own.size(); ++i)
    queueCopy(own[i] + plane * planes.first, other, theirs[i] + plane * planes.first,
              plane * (planes.last - planes.first));
}

void LevelPart::queueDownload(int field, VectorField<float>& to) const {
  const WaitTimer waiting(WaitKind::copies);
  const std::int64_t begin = layout_.plane * (job_.first + 1);
  const auto bytes = std::size_t(layout_.plane * (job_.last - job_.first)) * sizeof(float);
  for (int i = 0; i < 3; ++i)
    SULCUS_CUDA(cudaMemcpyAsync(to.values[std::size_t(i)].data() + begin,
                                fields_.data() + (3 * field + i) * component_ + begin, bytes,
                                cudaMemcpyDeviceToHost, stream().get()));
}

}  // namespace sulcus::gpu::registration
