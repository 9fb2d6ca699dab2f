#include "core/registration/registration_memory.h"

#include "core/phantom/registration_phantom.h"
#include "tests/support/heap.h"

#include <algorithm>
#include <stop_token>

#include <gtest/gtest.h>

namespace sulcus::registration {
namespace {

/// The memory of a run during the flow, without its input; 0 if it cannot be measured.
double heapOfAFlow(RegistrationInput input, RegistrationOptions options) {
  options.affine = LinearAlignment::none, options.levels = 1, options.iterations = "100000",
  options.tolerance = 0;
  const std::size_t before = test::heapInUse();
  std::stop_source stop;
  double held = 0;
  input.preview = [&](const RegistrationPreview& preview) {
    // The field, the image and the map of the preview do not count.
    held = double(test::heapInUse()) - double(before) - 20.0 * double(preview.warped.grid.voxels());
    stop.request_stop();
  };
  EXPECT_THROW(registerImages(input, options, Progress(stop.get_token(), {})), Cancelled);
  return before > 0 ? held : 0;
}

TEST(RegistrationHostBytes, AreWhatARunAllocates) {
  phantom::RegistrationPhantomOptions brain;
  brain.kind = phantom::RegistrationPhantomKind::brain, brain.size = 64;
  const auto made = phantom::makeRegistrationPhantom(brain);
  RegistrationInput input;
  input.templateImage = made.templateImage, input.reference = made.reference;
  for (const bool symmetric : {false, true})
    for (const auto similarity : {Similarity::l2, Similarity::lcc, Similarity::mi}) {
      SCOPED_TRACE(testing::Message() << int(similarity) << (symmetric ? ", symmetric" : ""));
      RegistrationOptions options;
      options.similarity = similarity, options.symmetric = symmetric;
      options.affine = LinearAlignment::none, options.iterations = "3";
      const double allocated = test::mostAllocated(
          [&](const Progress& progress) { return registerImages(input, options, progress); });
      if (allocated == 0) GTEST_SKIP() << "another allocator counts here";
      const double promised = registrationHostBytes(input, options);
      EXPECT_LE(allocated, 1.05 * promised);
      EXPECT_GE(allocated, 0.7 * promised);
    }
}

TEST(RegistrationHostBytes, GrowWithChannelsAndWeightsAsMuchAsARun) {
  phantom::RegistrationPhantomOptions brain;
  brain.kind = phantom::RegistrationPhantomKind::brain, brain.size = 64;
  const auto made = phantom::makeRegistrationPhantom(brain);
  for (const bool symmetric : {false, true})
    for (const auto similarity : {Similarity::l2, Similarity::lcc, Similarity::mi}) {
      SCOPED_TRACE(testing::Message() << int(similarity) << (symmetric ? ", symmetric" : ""));
      RegistrationOptions options;
      options.similarity = similarity, options.symmetric = symmetric;
      RegistrationInput one;
      one.templateImage = made.templateImage, one.reference = made.reference;
      RegistrationInput more = one;
      more.further = {{made.templateImage, made.reference}, {made.templateImage, made.reference}};
      more.weights = std::make_shared<const Volume<float>>(made.reference->grid, 1.f);
      const double before = heapOfAFlow(one, options), after = heapOfAFlow(more, options);
      if (before == 0) GTEST_SKIP() << "another allocator counts here";
      const double said = registrationHostBytes(more, options) - registrationHostBytes(one, options);
      EXPECT_LE(after - before, 1.15 * said);
      EXPECT_GE(after - before, 0.7 * said);
    }
}

}  // namespace
}  // namespace sulcus::registration
