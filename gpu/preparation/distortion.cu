#include "core/preparation/distortion/distortion_steps.h"
#include "gpu/preparation/distortion.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/check.h"
#include "gpu/runtime/device_time.h"
#include "gpu/runtime/launch.cuh"

namespace sulcus::gpu::preparation {
using namespace sulcus::preparation;
inline namespace distortion_kernels {

constexpr const char* kWhat = "finding the distortion";
constexpr int kColumnThreads = 64;  // columns are few and long: small blocks keep more multiprocessors busy

/// Steps the columns of one color of a checkerboard, one thread each.
///
/// @param room  2 × faces × columns numbers
__global__ void __launch_bounds__(kColumnThreads) stepColumns(SweepView view, int color, double* room) {
  const std::int64_t half = (view.width + 1) / 2, i = std::int64_t(blockIdx.x) * kColumnThreads + threadIdx.x;
  const int q = int(i / half), p = int(2 * (i % half)) + (q + color) % 2;
  if (q >= view.depth || p >= view.width) return;
  double* const upper = room + std::int64_t(q) * view.width + p;
  stepColumnAt(view, p, q, upper, upper + (view.first.n + 1) * view.columns(), view.columns());
}

void sweep(const SweepView& host, int sweeps, const Progress& progress) {
  Stream stream;
  const std::int64_t columns = host.columns(), voxels = columns * host.first.n, faces = voxels + columns;
  SweepView view = host;
  Buffer<float> values[2];
  Buffer<double> before[2];
  EpiColumn* const images[] = {&view.first, &view.second};
  for (int k = 0; k < 2; ++k) {
    values[k] = uploaded<float>({images[k]->values, std::size_t(voxels)}, stream, kWhat);
    before[k] = uploaded<double>({images[k]->before, std::size_t(voxels)}, stream, kWhat);
    images[k]->values = values[k].data();
    images[k]->before = before[k].data();
  }
  auto shift = uploaded<double>({host.shift, std::size_t(faces)}, stream, kWhat);
  view.shift = shift.data();
  Buffer<double> room(2 * faces, stream, kWhat);
  const std::int64_t threads = std::int64_t(host.depth) * ((host.width + 1) / 2);
  for (int s = 0; s < 2 * sweeps; ++s) {
    stepColumns<<<blocksFor(threads, kColumnThreads), kColumnThreads, 0, stream.get()>>>(view, s % 2,
                                                                                         room.data());
    SULCUS_CUDA_LAUNCHED("stepColumns");
  }
  shift.download({host.shift, std::size_t(faces)}, stream);
  stream.synchronize();
  progress.update(1);
}

}  // namespace distortion_kernels

DistortionField findDistortion(const EpiImage& first, const EpiImage& second, const Progress& progress) {
  requireDevice();
  const WaitTimer waiting(WaitKind::work);
  return findDistortionBy(sweep, first, second, progress);
}

}  // namespace sulcus::gpu::preparation
