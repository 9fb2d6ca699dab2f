#include "core/toolkits/bias_field.h"

#include "core/base/error.h"
#include "core/phantom/registration_phantom.h"
#include "tests/support/bias_field.h"
#include "tests/support/expect_error.h"
#include "tests/support/same_bits.h"

#include <gtest/gtest.h>
#include <itkMultiThreaderBase.h>

namespace sulcus::toolkits {
namespace {

const phantom::RegistrationPhantom& head() {
  static const phantom::RegistrationPhantom phantom = [] {
    phantom::RegistrationPhantomOptions options;
    options.size = 64, options.noise = 1;
    return phantom::makeRegistrationPhantom(options);
  }();
  return phantom;
}

TEST(N4BiasField, IsRecovered) {
  const Series<float>& image = *head().reference;
  const auto truth = test::smoothField(image.grid);
  EXPECT_GT(test::logError(Volume<float>(image.grid, 1.f), truth, *head().object), 0.07);
  auto field = n4BiasField(test::times(image, truth), nullptr, {});
  EXPECT_LT(test::logError(field, truth, *head().object), 0.04);  // the tissues themselves resemble a field
  const auto without = n4BiasField(image, nullptr, {});
  for (std::size_t i = 0; i < field.values.size(); ++i) field.values[i] /= without.values[i];
  EXPECT_LT(test::logError(field, truth, *head().object), 0.03);
}

TEST(N4BiasField, LooksAtTheMaskOnly) {
  auto image = test::times(*head().reference, test::smoothField(head().reference->grid));
  const Mask& mask = *head().object;
  const auto field = n4BiasField(image, &mask, {});
  for (std::size_t i = 0; i < mask.values.size(); ++i)
    if (!mask.values[i]) image.values[i] += 1e6f;
  EXPECT_TRUE(test::sameBits(n4BiasField(image, &mask, {}).values, field.values));
  EXPECT_FALSE(test::sameBits(n4BiasField(image, nullptr, {}).values, field.values));
}

TEST(N4BiasField, DoesNotDependOnThreads) {
  const auto image = test::times(*head().reference, test::smoothField(head().reference->grid));
  const auto threads = itk::MultiThreaderBase::GetGlobalDefaultNumberOfThreads();
  itk::MultiThreaderBase::SetGlobalDefaultNumberOfThreads(1);
  const auto one = n4BiasField(image, nullptr, {});
  itk::MultiThreaderBase::SetGlobalDefaultNumberOfThreads(5);
  const auto five = n4BiasField(image, nullptr, {});
  EXPECT_EQ(itk::MultiThreaderBase::GetGlobalDefaultNumberOfThreads(), 5u);
  itk::MultiThreaderBase::SetGlobalDefaultNumberOfThreads(threads);
  EXPECT_TRUE(test::sameBits(one.values, five.values));
}

TEST(N4BiasField, NeedsWhatIsBright) {
  Series<float> dark = *head().reference;
  for (float& v : dark.values) v = -std::abs(v) - 1;
  test::expectError([&] { n4BiasField(dark, nullptr, {}); }, {"no voxel above 0", "--bias-field none"});
}

TEST(N4BiasField, NeedsAVolume) {
  const Series<float> plane(Grid{{16, 16, 1}, {}}, 1);
  test::expectError([&] { n4BiasField(plane, nullptr, {}); }, {"a plane", "--bias-field fit"});
}

TEST(N4BiasField, IsCancelledOnTheWay) {
  std::stop_source stop;
  const Progress progress(stop.get_token(), [&](double fraction, std::string_view) {
    if (fraction > 0.2) stop.request_stop();
  });
  EXPECT_THROW(n4BiasField(*head().reference, nullptr, progress), Cancelled);
}

}  // namespace
}  // namespace sulcus::toolkits
