#include "core/base/error.h"
#include "core/fibers/fibers.h"
#include "core/phantom/fibers_phantom.h"
#include "gpu/fibers/fibers.h"

#include <cstdio>
#include <span>

namespace {

/// The largest peak of one voxel: three of the volumes of FiberMaps::peaks.
void tell(const char* processor, const sulcus::fibers::FiberMaps& maps) {
  const auto at = [&](int axis) { return double(maps.peaks.volume(axis)(4, 16, 0)); };
  std::printf("%s: %lld voxels, first fiber of voxel (4, 16, 0) along (%.3f, %.3f, %.3f)\n", processor,
              static_cast<long long>(maps.voxels), at(0), at(1), at(2));
}

}  // namespace

int main() {
  const sulcus::phantom::FibersPhantom phantom = sulcus::phantom::makeFibersPhantom({});
  sulcus::fibers::FiberInput input;
  input.dwi = phantom.dwi, input.gradients = phantom.gradients, input.mask = phantom.mask;
  try {
    tell("CPU", sulcus::fibers::findFibers(input, {}, {}));
    tell("GPU", sulcus::gpu::fibers::findFibers(input, {}, {}));
  } catch (const sulcus::Error& error) {
    std::printf("%s\n", error.what());
    return error.kind() == sulcus::ErrorKind::unavailable ? 0 : 1;
  }
  return 0;
}
