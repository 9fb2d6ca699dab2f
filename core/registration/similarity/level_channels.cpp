#include "core/registration/similarity/level_channels.h"

#include "core/base/parallel/parallel_for.h"

#include <algorithm>

namespace sulcus::registration {
namespace {

/// Calls use(x, y, z, index, texel) with the template and its gradient at x − u for the voxels that are
/// compared.
template <class Real, class Use>
void forEachDisplaced(const DisplacedTemplate<Real>& channel, TemplateGradient kind, const Progress& progress,
                      const Use& use) {
  const LevelImages<Real>& images = channel.images;
  const TemplateSamples<Real>& samples = channel.samples;
  const VectorField<Real>& u = channel.u;
  const Vec3<int> n = images.size;
  const Vec3<Real> inverse = inverseOf<Real>(images.spacing);
  const bool exact = kind == TemplateGradient::exact;
  parallelForBlocks(
      std::int64_t(n.y) * n.z, std::max<std::int64_t>(1, kVoxelsPerBlock / n.x), progress,
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
          const int y = int(row % n.y), z = int(row / n.y);
          for (int x = 0; x < n.x; ++x) {
            const auto i = std::size_t(row * n.x + x);
            if (images.reference[i] == images.reference[i])
              use(x, y, z, i, displacedSample(samples, n, {x, y, z}, u(x, y, z), inverse, exact));
          }
        }
      });
}

}  // namespace

template <class Real>
void displaceChannel(const DisplacedTemplate<Real>& channel, TemplateGradient kind, std::vector<Real>& warped,
                     const Progress& progress) {
  std::fill(warped.begin(), warped.end(), Real(0));
  forEachDisplaced(channel, kind, progress,
                   [&](int, int, int, std::size_t i, const Texel<Real>& texel) { warped[i] = texel.v[0]; });
}

template <class Real>
void addChannelForce(const DisplacedTemplate<Real>& channel, TemplateGradient kind,
                     const std::vector<Real>& slope, double share, VectorField<Real>& imageForce,
                     const Progress& progress) {
  forEachDisplaced(
      channel, kind, progress, [&](int x, int y, int z, std::size_t i, const Texel<Real>& texel) {
        if (mayMove(channel.images.size, x, y, z))
          imageForce.set(x, y, z, withChannelForce(imageForce(x, y, z), Real(share) * slope[i], texel));
      });
}

template void displaceChannel(const DisplacedTemplate<float>&, TemplateGradient, std::vector<float>&,
                              const Progress&);
template void displaceChannel(const DisplacedTemplate<double>&, TemplateGradient, std::vector<double>&,
                              const Progress&);
template void addChannelForce(const DisplacedTemplate<float>&, TemplateGradient, const std::vector<float>&,
                              double, VectorField<float>&, const Progress&);
template void addChannelForce(const DisplacedTemplate<double>&, TemplateGradient, const std::vector<double>&,
                              double, VectorField<double>&, const Progress&);

}  // namespace sulcus::registration
