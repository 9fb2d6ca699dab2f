#include "tests/bench/papers/force_variants.h"

#include "core/base/parallel/parallel_for.h"
#include "core/registration/deformation/force.h"
#include "tests/bench/papers/force_kernel.h"

#include <cmath>

namespace sulcus::bench {

std::string nameOf(ForceVariant variant) {
  switch (variant) {
    case ForceVariant::recompute:
      return "recompute (registers)";
    case ForceVariant::recomputeLocal:
      return "recompute (local memory)";
    default:
      return "reuse";
  }
}

ForceWork forceWork(const Vec3<int>& size) {
  ForceWork work{size, {}, {}, registration::VectorField<float>(size)};
  work.warped.resize(std::size_t(size.x) * size.y * size.z), work.reference.resize(work.warped.size());
  parallelFor(std::int64_t(size.y) * size.z, 256, {}, [&](std::int64_t r) {
    const int y = int(r % size.y), z = int(r / size.y);
    for (int x = 0; x < size.x; ++x) {
      const std::size_t at = std::size_t(r) * size.x + std::size_t(x);
      work.warped[at] = float(0.5 + 0.4 * std::sin(0.21 * x) * std::cos(0.17 * y + 0.1 * z));
      work.reference[at] = float(0.5 + 0.4 * std::sin(0.19 * x + 0.3) * std::cos(0.18 * y + 0.12 * z));
      if (registration::mayMove(size, x, y, z))
        work.u.set(x, y, z,
                   {float(0.8 * std::sin(0.15 * y + 0.1 * x)), float(0.8 * std::sin(0.13 * z + 0.09 * y)),
                    float(0.8 * std::sin(0.11 * x + 0.14 * z))});
    }
  });
  return work;
}

void forceOnCpu(const ForceWork& work, registration::VectorField<float>& force) {
  const Vec3<float> half{0.5f, 0.5f, 0.5f};
  parallelFor(std::int64_t(work.size.y) * work.size.z, 256, {}, [&](std::int64_t r) {
    const int y = int(r % work.size.y), z = int(r / work.size.y);
    for (int x = 0; x < work.size.x; ++x)
      if (registration::mayMove(work.size, x, y, z))
        force.set(x, y, z, imageForce(work.warped.data(), work.reference.data(), work.size, x, y, z, half));
  });
  registration::RegistrationOptions options;
  options.lambda = work.lambda, options.force = registration::RegistrationForce::paper;
  registration::addBiasForce(work.u, Vec3<double>{1, 1, 1}, options, force, {},
                             [](int, std::vector<float>&) {});
}

}  // namespace sulcus::bench
