#include "gpu/registration/similarity/device_similarity.h"

#include "core/registration/similarity/mutual_information.h"
#include "gpu/registration/similarity/differences.h"
#include "gpu/registration/similarity/local_correlation.h"
#include "gpu/registration/similarity/mutual_information.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/device_time.h"

#include <algorithm>

namespace sulcus::gpu::registration {
namespace {

class DeviceCorrelation : public DeviceSimilarity {
 public:
  DeviceCorrelation(const LevelImages<float>& images, const LevelJob& job, int radius, const Stream& stream)
      : radius_(radius),
        size_(images.size),
        voxels_(std::int64_t(images.reference.size())),
        arrays_(kWindowArrays * voxels_, stream, kWhat),
        blocks_(blocksOfWindows(images.size), stream, kWhat),
        total_(1) {
    takeReference(job, stream);
  }

  void takeReference(const LevelJob& job, const Stream& stream) override {
    queueReferenceWindows(job, radius_, windows(), stream);
  }

  void queueTerms(const LevelJob& job, float* warped, GridBarrier* meeting, const Stream& stream) override {
    queueWindowTerms(job, radius_, warped, windows(), {blocks_.data(), meeting, total_.data()}, stream);
  }

  void replaceBySlope(const LevelJob& job, float* warped, const Stream& stream) override {
    queueCorrelationSlope(job, radius_, windows(), warped, stream);
  }

  double energy() const override { return total_.data()->similarity; }

  std::vector<float*> terms() override { return {windows().p, windows().q, windows().r}; }
  BlockSums sums() override { return {blocks_.data(), planesOfWindows(size_), total_.data()}; }

 private:
  WindowArrays windows() {
    float* const a = arrays_.data();
    return {a, a + voxels_, a + 2 * voxels_, a + 3 * voxels_, a + 4 * voxels_, a + 5 * voxels_};
  }

  int radius_;
  Vec3<int> size_;
  std::int64_t voxels_;
  Buffer<float> arrays_;
  Buffer<EnergySums> blocks_;
  PinnedBuffer<EnergySums> total_;
};

class DeviceDifferences : public DeviceSimilarity {
 public:
  DeviceDifferences(const LevelImages<float>& images, const Stream& stream)
      : blocks_(blocksOfDifferences(std::int64_t(images.reference.size())), stream, kWhat), total_(1) {}

  void takeReference(const LevelJob&, const Stream&) override {}

  void queueTerms(const LevelJob& job, float* warped, GridBarrier* meeting, const Stream& stream) override {
    queueDifferences(job, warped, {blocks_.data(), meeting, total_.data()}, stream);
  }

  void replaceBySlope(const LevelJob&, float*, const Stream&) override {}  // the values are already the slope

  double energy() const override { return total_.data()->similarity; }

 private:
  Buffer<EnergySums> blocks_;
  PinnedBuffer<EnergySums> total_;
};

/// The histogram is counted on the device; its logarithms are computed on the host, by the same function as
/// on the CPU, so that both get the same bits.
class DeviceInformation : public DeviceSimilarity {
 public:
  DeviceInformation(const InformationBins<float>& bins, const Stream& stream)
      : bins_(bins),
        histogram_(kBins * kBins, stream, kWhat),
        logShares_(kBins * kBins, stream, kWhat),
        hostHistogram_(kBins * kBins),
        hostLogShares_(kBins * kBins) {}

  void takeReference(const LevelJob&, const Stream&) override {}  // the job refers to its values

  void queueTerms(const LevelJob& job, float* warped, GridBarrier*, const Stream& stream) override {
    histogram_.fillBytes(0, stream);
    queueHistogram(job, warped, {bins_.range, bins_.reference}, histogram_.data(), stream);
    histogram_.download(hostHistogram_.first(histogram_.size()), stream);
  }

  void replaceBySlope(const LevelJob& job, float* warped, const Stream& stream) override {
    TimedQueue<Stream>{stream}.synchronize();
    JointHistogram counts;
    std::copy_n(hostHistogram_.data(), counts.size(), counts.begin());
    const HistogramEntropy<float> entropy = entropyOf<float>(counts, &bins_);
    energy_ = entropy.energy;
    std::copy(entropy.logShares.begin(), entropy.logShares.end(), hostLogShares_.data());
    logShares_.upload(hostLogShares_.first(logShares_.size()), stream);
    queueInformationSlope(job, {bins_.range, bins_.reference}, logShares_.data(), warped, stream);
  }

  double energy() const override { return energy_; }

 private:
  InformationBins<float> bins_;
  Buffer<unsigned long long> histogram_;
  Buffer<float> logShares_;
  PinnedBuffer<unsigned long long> hostHistogram_;
  PinnedBuffer<float> hostLogShares_;
  double energy_ = 0;
};

}  // namespace

std::unique_ptr<DeviceSimilarity> deviceSimilarity(const LevelImages<float>& images,
                                                   std::span<const float> weights, const LevelJob& job,
                                                   const RegistrationOptions& options, const Stream& stream) {
  switch (options.similarity) {
    case Similarity::lcc:
      return std::make_unique<DeviceCorrelation>(images, job, options.window, stream);
    case Similarity::mi:
      return std::make_unique<DeviceInformation>(informationBins(images, weights, options.symmetric, {}),
                                                 stream);
    case Similarity::automatic:  // already replaced by the plan
    case Similarity::l2:
      break;
  }
  return std::make_unique<DeviceDifferences>(images, stream);
}

std::int64_t similarityBytes(const Vec3<int>& size, const RegistrationOptions& options) {
  const std::int64_t voxels = std::int64_t(size.x) * size.y * size.z;
  const std::int64_t image = voxels * std::int64_t(sizeof(float)), both = 2 * image;  // T, and T(x − u)
  constexpr std::int64_t histogram = kBins * kBins;
  switch (options.similarity) {
    case Similarity::automatic:  // upper bound
    case Similarity::lcc:
      return both + kWindowArrays * image + blocksOfWindows(size) * std::int64_t(sizeof(EnergySums));
    case Similarity::mi:
      return both + histogram * std::int64_t(sizeof(unsigned long long) + sizeof(float));
    case Similarity::l2:
      break;
  }
  return both + blocksOfDifferences(voxels) * std::int64_t(sizeof(EnergySums));
}

}  // namespace sulcus::gpu::registration
