#include "core/smooth/smooth_kernel.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/launch.cuh"
#include "gpu/smooth/smooth.h"

namespace sulcus::gpu::smooth {

double smoothDeviceBytes(std::int64_t voxels) { return 2.0 * sizeof(float) * double(voxels); }

Volume<float> smooth(const SmoothInput& input, const SmoothOptions& options, const Progress& progress) {
  requireImage(input);
  requireDevice();
  const Stream stream;
  const VolumeView<const float> image = input.image->volume(0);
  const auto values = uploaded<float>({image.data, std::size_t(image.voxels())}, stream);
  Volume<float> result(input.image->grid);
  Buffer<float> means(image.voxels(), stream);
  parallelFor(image.voxels(), stream, progress,
              [=, view = VolumeView<const float>{values.data(), image.size}, out = means.data(),
               radius = options.radius] __device__(std::int64_t i) { out[i] = meanAround(view, i, radius); });
  means.download(result.values, stream);
  stream.synchronize();
  return result;
}

}  // namespace sulcus::gpu::smooth
