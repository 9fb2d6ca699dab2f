#include "core/fibers/fiber_memory.h"

#include "core/fibers/deconvolution/tissues.h"
#include "tests/core/fibers/fiber_inputs.h"
#include "tests/support/grid.h"
#include "tests/support/heap.h"
#include "tests/support/tissue_phantom.h"

#include <gtest/gtest.h>

namespace sulcus::fibers {
namespace {

using test::gridOf, test::optionsFor;

TEST(FiberHostBytes, AreWhatARunAllocates) {
  FiberInput input = test::tissuePhantom(gridOf({40, 40, 40}, {2, 2, 2}), 30, 1).input;
  Mask some(input.dwi->grid);  // maps cover the whole grid
  for (std::int64_t i = 0; i < some.grid.voxels(); ++i) {
    const Vec3<int> v = some.grid.voxel(i);
    some.values[std::size_t(i)] = v.x < 12 && v.y < 12 && v.z < 12;
  }
  input.mask = std::make_shared<const Mask>(std::move(some));
  findFibers(input, optionsFor(FiberModel::adc, 2), {});  // allocates the threads' permanent memory
  for (const auto& [model, order] :
       {std::pair{FiberModel::adc, 4}, std::pair{FiberModel::csd, 8}, std::pair{FiberModel::msmt, 6}}) {
    SCOPED_TRACE(testing::Message() << int(model) << ", order " << order);
    FiberOptions options = optionsFor(model, order);
    options.starts = 4;
    const double allocated =
        test::mostAllocated([&](const Progress& progress) { return findFibers(input, options, progress); });
    if (allocated == 0) GTEST_SKIP() << "another allocator counts here";
    const double promised = fiberHostBytes(input, options);
    EXPECT_LE(allocated, 1.05 * promised);
    EXPECT_GE(allocated, 0.8 * promised);
  }
}

TEST(FiberHostBytes, HoldTheCopyInWhichMissingValuesAreReplaced) {
  FiberInput input = test::tissuePhantom(gridOf({40, 40, 40}, {2, 2, 2}), 30, 1).input;
  const FiberOptions options = optionsFor(FiberModel::adc, 2);
  const double whole = fiberHostBytes(input, options);
  Series<float> cut = *input.dwi;
  for (std::int64_t i = 0; i < 900; ++i) cut.at(20'000 + i, 5) = 0;
  input.dwi = std::make_shared<const Series<float>>(std::move(cut));
  EXPECT_EQ(fiberHostBytes(input, options) - whole, 4. * double(input.dwi->values.size()));
  findFibers(input, options, {});
  const double allocated =
      test::mostAllocated([&](const Progress& progress) { return findFibers(input, options, progress); });
  if (allocated == 0) GTEST_SKIP() << "another allocator counts here";
  EXPECT_LE(allocated, 1.05 * fiberHostBytes(input, options));
  EXPECT_GE(allocated, 0.8 * fiberHostBytes(input, options));
}

TEST(FiberHostBytes, HoldTheVolumesOfTissues) {
  const auto phantom = test::tissuePhantom(gridOf({24, 2, 2}, {2, 2, 2}), 30, 1);
  const double voxels = double(phantom.input.dwi->grid.voxels());
  EXPECT_EQ(fiberHostBytes(phantom.input, optionsFor(FiberModel::msmt, 8)) -
                fiberHostBytes(phantom.input, optionsFor(FiberModel::csd, 8)),
            4 * voxels * 2 * kTissues);
}

}  // namespace
}  // namespace sulcus::fibers
