#include "core/base/parallel/lane_sums.h"
#include "core/registration/linear/linear_starts.h"
#include "gpu/registration/linear/linear_samples.h"
#include "gpu/registration/preparation.h"
#include "gpu/registration/similarity/device_similarity.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/device_time.h"

#include <algorithm>
#include <optional>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
namespace {

constexpr int kInformationSums = 2;  // see queueInformation()
constexpr std::int64_t kHistogram = kBins * kBins;

/// An image of a level on the device.
struct DeviceImage {
  DeviceImage(const AlignLevel& level, const Stream& stream)
      : samples(uploaded<AlignSample>(level.samples, stream, kWhat)),
        values(uploaded<float>(level.values, stream, kWhat)),
        compared(uploaded<std::uint8_t>(level.compared, stream, kWhat)),
        size(level.grid.size),
        range(level.range) {}

  Buffer<AlignSample> samples;
  Buffer<float> values;
  Buffer<std::uint8_t> compared;  ///< empty if the image is compared everywhere
  Vec3<int> size;
  BinRange<float> range;
};

DirectionArrays directionOf(const DeviceImage& from, const DeviceImage& to) {
  return {
      from.samples.data(), int(from.samples.size()), to.values.data(), to.compared.data(), to.size, to.range};
}

/// Ensures room for at least `count` values.
template <class T>
void makeRoom(Buffer<T>& buffer, std::int64_t count, const Stream& stream) {
  if (buffer.size() < count) buffer = Buffer<T>(count, stream, kWhat);
}

/// The device data of a Measure.
class DeviceMeasure {
 public:
  DeviceMeasure(const AlignLevel& templateImage, const AlignLevel& reference, LinearSimilarity similarity)
      : template_(templateImage, stream_), reference_(reference, stream_), similarity_(similarity) {}

  std::vector<OfDirections<DirectionSums>> operator()(const std::vector<OfDirections<VoxelMap>>& maps,
                                                      bool squares) {
    if (maps.empty()) return {};
    const auto count = 2 * std::int64_t(maps.size());
    makeRoom(maps_, count, stream_);
    makeRoom(histograms_, count * kHistogram, stream_);
    maps_.upload({maps.front().data(), std::size_t(count)}, stream_);
    histograms_.fillBytes(0, stream_);
    const SampleMaps samples{{directionOf(reference_, template_), directionOf(template_, reference_)},
                             maps_.data(),
                             int(count),
                             similarity_};
    const int blocks = blocksOfSamples(samples), ofSlopes = kInformationSums,
              ofSquares = ofSlopes + blocks * kSlopeSums,
              stride = ofSquares + (squares ? blocks * kSquareSums : 0);
    makeRoom(sums_, count * stride, stream_);
    queueHistograms(samples, histograms_.data(), stream_);
    queueInformation(samples, histograms_.data(), {sums_.data(), stride}, stream_);
    queueSlopes(samples, histograms_.data(), {sums_.data() + ofSlopes, stride}, stream_);
    if (squares) queueSquares(samples, histograms_.data(), {sums_.data() + ofSquares, stride}, stream_);
    std::vector<double> sums(std::size_t(count * stride));
    {
      const WaitTimer waiting(WaitKind::work);
      sums_.download(sums, stream_);
      stream_.synchronize();
    }
    std::vector<OfDirections<DirectionSums>> result(maps.size());
    for (std::size_t i = 0; i < std::size_t(count); ++i) {
      const double* const own = sums.data() + i * std::size_t(stride);
      const int n = samples.directions[i % 2].count;
      DirectionSums& of = result[i / 2][i % 2];
      of.counted = own[0];
      of.information = own[1];
      of.slopes = sumOfBlocks<kSlopeSums>(own + ofSlopes, n);
      if (squares) of.squares = sumOfBlocks<kSquareSums>(own + ofSquares, n);
    }
    return result;
  }

 private:
  Stream stream_;
  DeviceImage template_, reference_;
  LinearSimilarity similarity_;
  Buffer<VoxelMap> maps_;
  Buffer<unsigned long long> histograms_;
  Buffer<double> sums_;
};

}  // namespace

Measure measureOf(const AlignLevel& templateImage, const AlignLevel& reference, LinearSimilarity similarity) {
  const Measure onProcessor = sulcus::registration::measureOf(templateImage, reference, similarity);
  const auto onDevice = std::make_shared<std::optional<DeviceMeasure>>();
  return [&templateImage, &reference, similarity, onProcessor, onDevice](const auto& maps, bool squares) {
    if (!*onDevice) {
      if (devicesAreStarting()) return onProcessor(maps, squares);
      requireDevice();
      onDevice->emplace(templateImage, reference, similarity);
    }
    return (**onDevice)(maps, squares);
  };
}

std::int64_t measureBytes(const RegistrationInput& input) {
  // Images at most as large as the originals and the reference's mask, 50 000 samples of each, and the
  // histograms and sums of the maps that a search without an initial map starts with.
  const auto maps = 2 * std::int64_t(turnsAndShifts(3).size());
  return 4 * input.templateImage->grid.voxels() + 5 * input.reference->grid.voxels() +
         2 * 50'000 * std::int64_t(sizeof(AlignSample)) +
         maps * (std::int64_t(sizeof(VoxelMap)) + kHistogram * std::int64_t(sizeof(unsigned long long))) +
         500'000;
}

}  // namespace sulcus::gpu::registration
