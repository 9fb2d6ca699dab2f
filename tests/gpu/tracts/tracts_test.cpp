#include "gpu/tracts/tracts.h"

#include "core/phantom/tracts_phantom.h"
#include "core/tracts/growth.h"
#include "core/tracts/tract_plan.h"
#include "gpu/tracts/line_weights.h"
#include "tests/core/tracts/tract_fields.h"
#include "tests/support/gpu.h"

#include <gtest/gtest.h>

namespace sulcus::tracts {
namespace {

struct GpuTracts : test::NeedsGpu {};

void expectSame(const TractResult& a, const TractResult& b) {
  EXPECT_GT(a.tracts->lines(), 100u);
  EXPECT_EQ(a.tracts->first, b.tracts->first);
  EXPECT_EQ(a.tracts->points, b.tracts->points);
  EXPECT_EQ(a.counts.verdicts, b.counts.verdicts);
  EXPECT_EQ(a.counts.endings, b.counts.endings);
}

TractInput phantomInput(TractMethod method) {
  const auto phantom = phantom::makeTractsPhantom({});
  TractInput input;
  if (method == TractMethod::peaks)
    input.peaks = phantom.peaks;
  else
    input.functions = phantom.functions;
  input.seeds = phantom.bundles;
  return input;
}

TractOptions optionsOf(TractMethod method) {
  TractOptions options;
  options.method = method;
  options.minLength = 10;
  return options;
}

constexpr TractMethod kMethods[] = {TractMethod::peaks, TractMethod::fod, TractMethod::probable,
                                    TractMethod::transport};

TEST_F(GpuTracts, HaveTheBitsOfTheCpu) {
  for (const TractMethod method : kMethods) {
    SCOPED_TRACE(int(method));
    const TractInput input = phantomInput(method);
    TractOptions options = optionsOf(method);
    expectSame(findTracts(input, options, {}), gpu::tracts::findTracts(input, options, {}));
    options.includeRegions = "0,0,4,8", options.excludeRegions = "0,25,4,8",
    options.stopRegions = "20,0,-25,8; box:0,30,4,40,2,40";
    options.lines = 300;
    expectSame(findTracts(input, options, {}), gpu::tracts::findTracts(input, options, {}));
  }
}

TEST_F(GpuTracts, EndInTheTissuesOfTheCpu) {
  for (const TractMethod method : kMethods) {
    TractInput input = phantomInput(method);
    const Grid grid = (input.functions ? input.functions : input.peaks)->grid;
    input.tissues = tissuesOfSlab(grid);
    expectSame(findTracts(input, optionsOf(method), {}),
               gpu::tracts::findTracts(input, optionsOf(method), {}));
  }
}

TEST_F(GpuTracts, HaveTheWeightsOfTheCpu) {
  for (const TractMethod method : {TractMethod::peaks, TractMethod::fod}) {
    TractOptions options = optionsOf(method);
    options.weights = true;
    const TractInput input = phantomInput(method);
    const TractResult a = findTracts(input, options, {}), b = gpu::tracts::findTracts(input, options, {});
    expectSame(a, b);
    EXPECT_EQ(a.tracts->perLine.at(0).values, b.tracts->perLine.at(0).values);
  }
}

template <int Order>
std::shared_ptr<const Series<float>> functionsOfOrder() {
  const Grid grid = cube(24, 2);
  constexpr auto classes = indexClasses<Order>();
  Series<float> functions(grid, int(classes.size()));
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    const Vec3<int> at = grid.voxel(v);
    const Vec3<double> t = upAroundZ(grid.worldFromVoxel.point({double(at.x), double(at.y), double(at.z)}));
    for (std::size_t u = 0; u < classes.size(); ++u)
      functions.at(v, int(u)) =
          float(std::pow(t.x, classes[u].i) * std::pow(t.y, classes[u].j) * std::pow(t.z, classes[u].k));
  }
  return std::make_shared<const Series<float>>(std::move(functions));
}

TEST_F(GpuTracts, HaveTheBitsOfTheCpuForEachOrder) {
  const std::shared_ptr<const Series<float>> fields[] = {functionsOfOrder<2>(),  functionsOfOrder<4>(),
                                                         functionsOfOrder<6>(),  functionsOfOrder<8>(),
                                                         functionsOfOrder<10>(), functionsOfOrder<12>()};
  for (const auto& field : fields)
    for (const TractMethod method : {TractMethod::fod, TractMethod::probable, TractMethod::transport}) {
      TractInput input;
      input.functions = field;
      TractOptions options = optionsOf(method);
      options.seedCount = 400;
      expectSame(findTracts(input, options, {}), gpu::tracts::findTracts(input, options, {}));
    }
}

TEST_F(GpuTracts, DoNotDependOnBatchesAndDevices) {
  for (const TractMethod method : kMethods) {
    const TractInput input = phantomInput(method);
    const TractOptions options = optionsOf(method);
    const TractResult one = gpu::tracts::findTracts(input, options, {});
    FollowSeeds* const inSmallBatches = [](const TractPlan& plan, const TakeBatch& take,
                                           const Progress& progress) {
      gpu::tracts::followSeedsInBatches(plan, take, progress, 777);
    };
    expectSame(one, findTractsWith(*inSmallBatches, gpu::tracts::fitWeights, input, options, {}));
    for (const auto& devices : test::sharingDevices()) {
      const test::OnDevices shared(devices);
      expectSame(one, findTractsWith(*inSmallBatches, gpu::tracts::fitWeights, input, options, {}));
    }
  }
}

TEST_F(GpuTracts, GrowAsOnTheCpu) {
  for (const TractMethod method : kMethods) {
    SCOPED_TRACE(int(method));
    const TractInput input = phantomInput(method);
    TractOptions options = optionsOf(method);
    options.seedCount = 3000;
    options.seedRegions = "sphere:0,0,4,6; box:0,-25,4,10,4,6";
    const auto plan = std::make_shared<const TractPlan>(planTracts(input, options, {}));
    const HeldPlan held = gpu::tracts::holdPlan(plan);
    for (const char* regions : {"sphere:0,0,4,6; box:0,-25,4,10,4,6", "sphere:0,-20,4,8"}) {
      options.seedRegions = regions;
      LineGrowth growth(held, seedsFor(*plan, input, options), 0);
      while (!growth.isComplete()) growth.growFor(0.01, {});
      EXPECT_EQ(growth.lines().points, findTracts(input, options, {}).tracts->points);
    }
  }
}

}  // namespace
}  // namespace sulcus::tracts
