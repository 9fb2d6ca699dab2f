#include "core/phantom/registration_phantom.h"
#include "core/registration/registration.h"

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

/// The mean distance to the known warp of a noisy head, in voxels of 2 mm.
double errorWithMembrane(double membrane) {
  phantom::RegistrationPhantomOptions head;
  head.kind = phantom::RegistrationPhantomKind::brain, head.size = 64, head.noise = 2, head.seed = 3;
  const auto phantom = phantom::makeRegistrationPhantom(head);
  RegistrationOptions options;
  options.similarity = Similarity::l2, options.membrane = membrane;
  RegistrationInput input;
  input.templateImage = phantom.templateImage, input.reference = phantom.reference;
  const auto result = registerImages(input, options, {});
  double sum = 0, count = 0;
  for (std::int64_t i = 0; i < phantom.object->grid.voxels(); ++i) {
    if (!phantom.object->values[std::size_t(i)]) continue;
    Vec3<double> miss;
    for (int k = 0; k < 3; ++k) miss[k] = result.displacement.at(i, k) - phantom.truth->at(i, k);
    sum += norm(miss) / 2, ++count;
  }
  return sum / count;
}

TEST(Membrane, BringsAWarpNearerToTheTruthThatNoiseWouldShear) {
  EXPECT_LT(errorWithMembrane(1), 0.9 * errorWithMembrane(0));
}

}  // namespace
}  // namespace sulcus::registration
