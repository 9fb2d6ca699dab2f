#include "gpu/registration/device_similarity.h"

#include "core/registration/mutual_information.h"
#include "gpu/registration/differences.h"
#include "gpu/registration/local_correlation.h"
#include "gpu/registration/mutual_information.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/device_time.h"

#include <algorithm>
#include <optional>

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

  void queueTerms(const LevelJob& job, float* warped, LevelMeeting* meeting, const Stream& stream) override {
    queueWindowTerms(job, radius_, warped, windows(), blocks_.data(), meeting, total_.data(), stream);
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

  void queueTerms(const LevelJob& job, float* warped, LevelMeeting* meeting, const Stream& stream) override {
    queueDifferences(job, warped, blocks_.data(), meeting, total_.data(), stream);
  }

  void replaceBySlope(const LevelJob&, float*, const Stream&) override {}  // they are it

  double energy() const override { return total_.data()->similarity; }

 private:
  Buffer<EnergySums> blocks_;
  PinnedBuffer<EnergySums> total_;
};

/// The histogram is counted on the device; its logarithms are taken on the host, by the function that the CPU
/// calls, so that both get the same bits.
class DeviceInformation : public DeviceSimilarity {
 public:
  /// @param whole  see entropyOf()
  DeviceInformation(BinRange<float> range, std::optional<double> whole, const Stream& stream)
      : range_(range),
        whole_(whole),
        histogram_(kBins * kBins, stream, kWhat),
        logShares_(kBins * kBins, stream, kWhat),
        hostHistogram_(kBins * kBins),
        hostLogShares_(kBins * kBins) {}

  void queueTerms(const LevelJob& job, float* warped, LevelMeeting*, const Stream& stream) override {
    histogram_.fillBytes(0, stream);
    queueCount(job, warped, histogram_.data(), stream);
    histogram_.download(hostHistogram_.first(histogram_.size()), stream);
  }

  void replaceBySlope(const LevelJob& job, float* warped, const Stream& stream) override {
    Awaiting<Stream>{stream}.synchronize();
    JointHistogram counts;
    std::copy_n(hostHistogram_.data(), counts.size(), counts.begin());
    const HistogramEntropy<float> entropy = entropyOf<float>(counts, whole_);
    energy_ = entropy.energy;
    std::copy(entropy.logShares.begin(), entropy.logShares.end(), hostLogShares_.data());
    logShares_.upload(hostLogShares_.first(logShares_.size()), stream);
    queueSlope(job, logShares_.data(), warped, stream);
  }

  double energy() const override { return energy_; }

 protected:
  virtual void queueCount(const LevelJob& job, const float* warped, unsigned long long* histogram,
                          const Stream& stream) = 0;
  virtual void queueSlope(const LevelJob& job, const float* logShares, float* warped,
                          const Stream& stream) = 0;

  BinRange<float> range_;

 private:
  std::optional<double> whole_;
  Buffer<unsigned long long> histogram_;
  Buffer<float> logShares_;
  PinnedBuffer<unsigned long long> hostHistogram_;
  PinnedBuffer<float> hostLogShares_;
  double energy_ = 0;
};

/// The mutual information with a reference that stays as it is: MutualInformation of the CPU.
class DeviceOneSidedInformation : public DeviceInformation {
 public:
  DeviceOneSidedInformation(const LevelImages<float>& images, const Stream& stream)
      : DeviceInformation(comparedRange(images.moving, images.reference), {}, stream),
        hostBins_(referenceBins(images.reference)),
        bins_(uploaded<std::uint8_t>(hostBins_, stream, kWhat)) {}

  void takeReference(const LevelJob&, const Stream&) override {}  // of symmetric levels alone

 private:
  void queueCount(const LevelJob& job, const float* warped, unsigned long long* histogram,
                  const Stream& stream) override {
    queueHistogram(bins_.size(), warped, bins_.data(), job.weights, range_, histogram, stream);
  }
  void queueSlope(const LevelJob& job, const float* logShares, float* warped, const Stream& stream) override {
    queueInformationSlope(bins_.size(), bins_.data(), job.weights, range_, logShares, warped, stream);
  }

  std::vector<std::uint8_t> hostBins_;  ///< lives until they are uploaded, and longer
  Buffer<std::uint8_t> bins_;
};

/// The mutual information of two images that both move: SymmetricInformation of the CPU.
class DeviceSymmetricInformation : public DeviceInformation {
 public:
  DeviceSymmetricInformation(const SymmetricBins<float>& bins, std::int64_t voxels, const Stream& stream)
      : DeviceInformation(bins.range, bins.whole, stream), referenceRange_(bins.reference), voxels_(voxels) {}

  void takeReference(const LevelJob&, const Stream&) override {}  // the job has its values

 private:
  void queueCount(const LevelJob& job, const float* warped, unsigned long long* histogram,
                  const Stream& stream) override {
    queueSmoothHistogram(voxels_, warped, job.reference, job.weights, range_, referenceRange_, histogram,
                         stream);
  }
  void queueSlope(const LevelJob& job, const float* logShares, float* warped, const Stream& stream) override {
    queueSmoothSlope(voxels_, job.reference, job.weights, range_, referenceRange_, logShares, warped, stream);
  }

  BinRange<float> referenceRange_;
  std::int64_t voxels_;
};

}  // namespace

std::unique_ptr<DeviceSimilarity> deviceSimilarity(const LevelImages<float>& images,
                                                   std::span<const float> weights, const LevelJob& job,
                                                   const RegistrationOptions& options, const Stream& stream) {
  switch (options.similarity) {
    case Similarity::lcc:
      return std::make_unique<DeviceCorrelation>(images, job, options.window, stream);
    case Similarity::mi:
      if (options.symmetric)
        return std::make_unique<DeviceSymmetricInformation>(symmetricBins(images, weights, {}),
                                                            std::int64_t(images.reference.size()), stream);
      return std::make_unique<DeviceOneSidedInformation>(images, stream);
    case Similarity::automatic:  // a plan has chosen
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
    case Similarity::automatic:  // at most
    case Similarity::lcc:
      return both + kWindowArrays * image + blocksOfWindows(size) * std::int64_t(sizeof(EnergySums));
    case Similarity::mi:
      return both + voxels + histogram * std::int64_t(sizeof(unsigned long long) + sizeof(float));
    case Similarity::l2:
      break;
  }
  return both + blocksOfDifferences(voxels) * std::int64_t(sizeof(EnergySums));
}

}  // namespace sulcus::gpu::registration
