#include "tests/bench/registration/registration_gpu.h"

#include "gpu/registration/device_level.h"
#include "gpu/runtime/device.h"
#include "tests/bench/measure.h"

namespace sulcus::bench {

GpuIteration timeGpuIteration(const registration::LevelImages<float>& images,
                              const registration::RegistrationOptions& options,
                              const std::vector<int>& devices) {
  gpu::requireDevice();
  GpuIteration result;
  const gpu::DeviceQueues queues(devices);
  const gpu::Stream& stream = queues.front().stream();
  const std::int64_t before = gpu::freeMemory();
  gpu::registration::DeviceLevel level(images, registration::VectorField<float>(images.size), options, queues,
                                       {});
  result.deviceBytes = double(before - gpu::freeMemory());
  constexpr int count = 20;
  result.iteration = iterationSeconds(level, count, [](const auto& work) { return medianSeconds(work); });
  const double dt = 0.01 / level.velocity(0).speed;
  level.attempt(dt);
  level.accept();
  const gpu::Event begin, end;
  std::vector<double> seconds;
  for (int repeat = 0; repeat < 6; ++repeat) {
    begin.record(stream);
    for (int i = 0; i < count; ++i) {
      level.queueVelocity(0.5);
      level.queueAttempt(dt);
      level.accept();
    }
    queues.synchronizeAll();
    end.record(stream);
    queues.synchronize();
    if (repeat > 0) seconds.push_back(end.secondsSince(begin) / count);
  }
  result.kernel = median(seconds);
  return result;
}

double gpuCopyBandwidth() {
  gpu::requireDevice();
  constexpr std::int64_t bytes = 1 << 30;
  const gpu::Stream stream;
  gpu::Buffer<char> from(bytes, stream), to(bytes, stream);
  from.fillBytes(1, stream);
  const gpu::Event begin, end;
  std::vector<double> seconds;
  for (int repeat = 0; repeat < 10; ++repeat) {
    begin.record(stream);
    SULCUS_CUDA(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, stream.get()));
    end.record(stream);
    stream.synchronize();
    if (repeat > 0) seconds.push_back(end.secondsSince(begin));
  }
  return 2.0 * double(bytes) / median(seconds);
}

double timeGpuDescent(const registration::LevelImages<float>& images,
                      const registration::RegistrationOptions& options, int& iterations) {
  gpu::requireDevice();
  const gpu::DeviceQueues queues;
  const int most = iterations;
  return medianSeconds([&] {
    gpu::registration::DeviceLevel level(images, registration::VectorField<float>(images.size), options,
                                         queues, {});
    registration::descend(level, 0, most, options,
                          [&](const registration::RegistrationIteration& i) { iterations = i.iteration; });
    (void)level.takeDisplacement();
  });
}

}  // namespace sulcus::bench
