#include "gpu/registration/preparation.h"

#include "core/registration/deformation/gaussian.h"
#include "core/registration/preparation/cubic_spline.h"
#include "gpu/registration/similarity/device_similarity.h"
#include "gpu/registration/similarity/images.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/device_time.h"

#include <algorithm>

namespace sulcus::gpu::registration {
using namespace sulcus::registration;
namespace {

/// Weighted sums along an axis, see sumAlong().
struct AxisSums {
  int axis;
  const std::vector<float>& weights;
  bool continued;
};

/// Replaces an image by its sums along an axis. `other`: working memory of its size.
void replaceBySums(const AxisSums& sums, Buffer<float>& image, const Vec3<int>& size, Buffer<float>& other,
                   const Stream& stream, const Progress& progress) {
  const auto onDevice = uploaded<float>(sums.weights, stream, kWhat);
  sumAlong(sums.axis, {image.data(), size}, {onDevice.data(), int(sums.weights.size() / 2), sums.continued},
           other.data(), stream, progress);
  std::swap(image, other);
}

/// smoothed() of the CPU.
Buffer<float> smoothed(Buffer<float> image, const Vec3<int>& size, const Vec3<double>& sigma,
                       const Stream& stream, const Progress& progress) {
  Buffer<float> other(image.size(), stream, kWhat);
  for (int axis = 0; axis < 3; ++axis)
    replaceBySums({axis, smoothingWeights(size[axis], sigma[axis]), true}, image, size, other, stream,
                  progress);
  return image;
}

}  // namespace

std::vector<float> coarsened(const std::vector<float>& image, const std::vector<std::uint8_t>& mask,
                             const Grid& fine, const Grid& coarse, const Progress& progress) {
  if (devicesAreStarting()) return sulcus::registration::coarsened(image, mask, fine, coarse, progress);
  requireDevice();
  const Stream stream;
  const WaitTimer waiting(WaitKind::work);
  const auto [sigma, step] = coarseningOf(fine.size, coarse.size);
  const std::int64_t voxels = fine.voxels();
  Buffer<float> whole = uploaded<float>(image, stream, kWhat), soft;
  if (std::find(mask.begin(), mask.end(), 0) == mask.end()) {
    soft = smoothed(std::move(whole), fine.size, sigma, stream, progress);
  } else {
    const auto kept = uploaded<std::uint8_t>(mask, stream, kWhat);
    Buffer<float> share(voxels, stream, kWhat);
    soft = Buffer<float>(voxels, stream, kWhat);
    takeMasked({whole.data(), kept.data(), voxels}, soft.data(), share.data(), stream, progress);
    share = smoothed(std::move(share), fine.size, sigma, stream, progress);
    soft = smoothed(std::move(soft), fine.size, sigma, stream, progress);
    divideByShare(whole.data(), share.data(), voxels, soft.data(), stream, progress);
  }
  Buffer<float> taken(coarse.voxels(), stream, kWhat);
  takeStepped({soft.data(), fine.size}, coarse.size, step, taken.data(), stream, progress);
  std::vector<float> result(std::size_t(coarse.voxels()));
  taken.download(result, stream);
  stream.synchronize();
  return result;
}

SplineView splineOf(Buffer<float>& image, const std::vector<float>& values, const Vec3<int>& size,
                    const Stream& stream, const Progress& progress) {
  replaceByCoefficients(image.data(), size, stream, progress);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {image.data(), size, *low, *high};
}

Volume<float> alignedImage(const Series<float>& image, const Grid& grid, const Affine& imageFromGrid,
                           Interpolation interpolation, Mask& covered, const Progress& progress) {
  if (devicesAreStarting())
    return sulcus::registration::alignedImage(image, grid, imageFromGrid, interpolation, covered, progress);
  requireDevice();
  const Stream stream;
  const WaitTimer waiting(WaitKind::work);
  const Vec3<int>& size = image.grid.size;
  Buffer<float> source = uploaded<float>(image.values, stream, kWhat);
  std::vector<float> soft;
  if (const Vec3<double> sigma = alignmentSigma(image.grid, grid, imageFromGrid); sigma != Vec3<double>{}) {
    source = smoothed(std::move(source), size, sigma, stream, progress);
    soft.resize(image.values.size());
    source.download(soft, stream);
    stream.synchronize();
  }
  Buffer<float> values(grid.voxels(), stream, kWhat);
  Buffer<std::uint8_t> inside(grid.voxels(), stream, kWhat);
  const Affine map = image.grid.worldFromVoxel.inverse() * imageFromGrid * grid.worldFromVoxel;
  const auto continued = [&](const auto& from) {
    continueImage(from, map, {grid.size, values.data(), inside.data()}, stream, progress);
  };
  if (interpolation == Interpolation::cubic && !leadsToVoxels(map))
    continued(splineOf(source, soft.empty() ? image.values : soft, size, stream, progress));
  else
    continued(VolumeView<const float>{source.data(), size});
  Volume<float> result(grid);
  covered = Mask(grid);
  values.download(result.values, stream);
  inside.download(covered.values, stream);
  stream.synchronize();
  return result;
}

double texturedShare(const LevelImages<float>& images, int radius, const std::vector<std::uint8_t>& region,
                     const Progress& progress) {
  if (devicesAreStarting()) return sulcus::registration::texturedShare(images, radius, region, progress);
  requireDevice();
  const Stream stream;
  const WaitTimer waiting(WaitKind::work);
  const auto voxels = std::int64_t(images.reference.size());
  Buffer<float> other = uploaded<float>(images.reference, stream, kWhat);
  const auto inside = uploaded<std::uint8_t>(region, stream, kWhat);
  Buffer<float> sums[3];
  for (Buffer<float>& one : sums) one = Buffer<float>(voxels, stream, kWhat);
  const auto views = [&] { return ReferenceSums{sums[0].data(), sums[1].data(), sums[2].data()}; };
  takeWindowTerms(other.data(), voxels, views(), stream, progress);
  const std::vector<float> ones(2 * std::size_t(radius) + 1, 1.f);
  for (Buffer<float>& one : sums)
    for (int axis = 0; axis < 3; ++axis)
      replaceBySums({axis, ones, false}, one, images.size, other, stream, progress);
  TextureCount all{};
  Buffer<TextureCount> count(1, stream, kWhat);
  count.fillBytes(0, stream);
  countTextured(inside.data(), voxels, views(), count.data(), stream, progress);
  count.download({&all, 1}, stream);
  stream.synchronize();
  return all.voxels > 0 ? double(all.textured) / double(all.voxels) : 0;
}

std::int64_t preparationBytes(const RegistrationInput& input) {
  // The template is coarsened, with room for sums, beside the reference, which also has its mask and the
  // share of that. Before that, both images of a channel are aligned, or those of the first one coarsened, or
  // their intensities matched, which takes 21 bytes per voxel and the working memory of a sort.
  const std::int64_t voxels = input.reference->grid.voxels();
  std::int64_t most = std::max((8 + 17) * voxels, measureBytes(input));
  for (const RegistrationChannel& channel : channelsOf(input))
    most = std::max(
        most, 8 * (channel.templateImage->grid.voxels() + channel.reference->grid.voxels()) + 2 * 5 * voxels);
  return most;
}

}  // namespace sulcus::gpu::registration
