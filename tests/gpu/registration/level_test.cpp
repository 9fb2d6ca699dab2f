#include "core/base/error.h"
#include "core/registration/deformation/fold_guard.h"
#include "core/registration/deformation/force.h"
#include "core/registration/deformation/gaussian.h"
#include "core/registration/deformation/pyramid.h"
#include "core/registration/similarity/level_channels.h"
#include "core/registration/similarity/similarity.h"
#include "gpu/registration/device_level.h"
#include "gpu/registration/registration.h"
#include "tests/core/registration/deformation/level_inputs.h"
#include "tests/support/device_memory.h"
#include "tests/support/gpu.h"

#include <bit>
#include <ostream>

namespace sulcus::registration {
namespace {

struct LevelCase {
  Vec3<int> size;
  Vec3<double> spacing{1, 1, 1};
  double sigma = 2;
  RegistrationForce force = RegistrationForce::descent;
  TemplateGradient gradient = TemplateGradient::central;
  Similarity similarity = Similarity::l2;
  int window = 2;
  int landmarks = 0;
  std::size_t channels = 1;
  bool weighted = false;
  bool cubic = false;
};
std::ostream& operator<<(std::ostream& out, const LevelCase& c) {
  return out << c.size.x << "x" << c.size.y << "x" << c.size.z << ", sigma " << c.sigma << ", force "
             << int(c.force) << ", gradient " << int(c.gradient) << ", similarity " << int(c.similarity)
             << ", window " << c.window << ", landmarks " << c.landmarks << ", channels " << c.channels
             << (c.weighted ? ", weighted" : "") << (c.cubic ? ", cubic" : "");
}

std::vector<LevelCase> levelCases() {
  std::vector<LevelCase> cases;
  for (const Vec3<int> size : {Vec3<int>{31, 32, 33},
                               {33, 31, 32},
                               {32, 33, 31},
                               {64, 15, 16},
                               {65, 17, 18},
                               {4, 70, 5},
                               {5, 4, 130},
                               {129, 63, 4},
                               {1, 64, 33},
                               {33, 1, 64},
                               {64, 33, 1}})
    cases.push_back({size});
  const Vec3<int> size{40, 37, 35};
  for (const double sigma : {0.5, 1.0, 2.25, 4.0, 8.0}) cases.push_back({size, {1, 1, 1}, sigma});
  cases.push_back({size, {0.9, 2, 3.1}});
  cases.push_back({size, {0.9, 2, 3.1}, 2, RegistrationForce::paper, TemplateGradient::exact});
  cases.push_back({size, {1, 1, 1}, 2, RegistrationForce::descent, TemplateGradient::exact});
  for (const Vec3<int> shape : {Vec3<int>{31, 32, 33}, {64, 15, 16}, {4, 70, 5}, {1, 64, 33}, {64, 33, 1}})
    for (const Similarity similarity : {Similarity::lcc, Similarity::mi})
      cases.push_back(
          {shape, {1, 1.5, 1}, 2, RegistrationForce::descent, TemplateGradient::central, similarity});
  for (const int window : {1, 2, 3, 4})
    cases.push_back(
        {size, {1, 1, 1}, 2, RegistrationForce::descent, TemplateGradient::exact, Similarity::lcc, window});
  for (const Vec3<int> shape : {Vec3<int>{31, 32, 33}, {4, 70, 5}, {1, 64, 33}, {64, 33, 1}})
    for (const Similarity similarity : {Similarity::l2, Similarity::lcc, Similarity::mi})
      for (const auto force : {RegistrationForce::descent, RegistrationForce::paper})
        cases.push_back({shape, {1, 1.5, 1}, 2, force, TemplateGradient::central, similarity, 2, 300});
  for (const Vec3<int> shape : {Vec3<int>{31, 32, 33}, {4, 70, 5}, {1, 64, 33}, {64, 33, 1}})
    for (const Similarity similarity : {Similarity::l2, Similarity::lcc, Similarity::mi})
      for (const auto gradient : {TemplateGradient::central, TemplateGradient::exact})
        cases.push_back({shape, {1, 1.5, 1}, 2, RegistrationForce::descent, gradient, similarity, 2, 0, 3});
  for (const Vec3<int> shape : {Vec3<int>{31, 32, 33}, {4, 70, 5}, {1, 64, 33}, {64, 33, 1}})
    for (const Similarity similarity : {Similarity::l2, Similarity::lcc, Similarity::mi})
      for (const std::size_t channels : {1, 3})
        cases.push_back({shape,
                         {1, 1.5, 1},
                         2,
                         RegistrationForce::descent,
                         TemplateGradient::central,
                         similarity,
                         2,
                         0,
                         channels,
                         true});
  for (const Vec3<int> shape : {Vec3<int>{31, 32, 33}, {4, 70, 5}, {1, 64, 33}, {64, 33, 1}})
    for (const Similarity similarity : {Similarity::l2, Similarity::lcc, Similarity::mi})
      for (const std::size_t channels : {1, 3})
        cases.push_back({shape,
                         {1, 1.5, 1},
                         2,
                         RegistrationForce::descent,
                         TemplateGradient::central,
                         similarity,
                         2,
                         0,
                         channels,
                         false,
                         true});
  return cases;
}

/// Σ a · b over the voxels of the grid.
double productOf(const VectorField<float>& a, const VectorField<float>& b) {
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int z = 0; z < a.size.z; ++z)
      for (int y = 0; y < a.size.y; ++y)
        for (int x = 0; x < a.size.x; ++x) sum += double(*a.at(i, x, y, z)) * double(*b.at(i, x, y, z));
  return sum;
}

/// This many landmarks, several of which share voxels on a small grid.
LevelLandmarks landmarksOn(const Vec3<int>& size, int count, test::Rng& rng) {
  LevelLandmarks landmarks;
  for (int k = 0; k < count; ++k) {
    LevelLandmark& landmark = landmarks.pairs.emplace_back();
    for (int i = 0; i < 3; ++i) {
      landmark.point[i] = rng.uniform(0, size[i] - 1);
      landmark.target[i] = landmark.point[i] + (size[i] > 1 ? rng.uniform(-1, 1) : 0);
    }
  }
  return landmarks;
}

/// The stages of a level on the CPU and on the device, with the same input.
class GpuRegistrationLevel : public testing::TestWithParam<LevelCase> {
 protected:
  void SetUp() override {
    test::requireGpuOrSkip();
    const LevelCase& c = GetParam();
    options_.sigma = c.sigma, options_.force = c.force, options_.gradient = c.gradient;
    options_.similarity = c.similarity, options_.window = c.window, options_.membrane = 1.5;
    test::Rng rng(7);
    images_ = test::imagesOf<float>(c.size, c.spacing, rng);
    images_.cubic = c.cubic;
    u_ = test::displacementOf<float>(c.size, 0.2, 0.05, rng);
    input_ = {images_, landmarksOn(c.size, c.landmarks, rng)};
    while (input_.channels.size() < c.channels) {
      input_.channels.push_back(test::imagesOf<float>(c.size, c.spacing, rng));
      input_.channels.back().cubic = c.cubic;
      input_.shares = {0.5, 0.2, 0.3};
    }
    for (std::size_t i = 0; c.weighted && i < images_.reference.size(); ++i)
      input_.weights.push_back(float(std::max(0.0, rng.uniform(-0.2, 1))));
    landmarks_ = landmarkTables<float>(c.size, c.spacing, input_.landmarks, options_);
    samples_ = samplesOf(images_, {});
    weights_ = gaussianWeights(c.sigma);
  }

  /// Energies of a displacement without folds, and the force before smoothing.
  LevelEnergy evaluated(const VectorField<float>& u, VectorField<float>& force) const {
    EXPECT_EQ(foldedShare(u, images_.spacing, {}), 0);
    LevelEnergy energy;
    if (comparesByMeasures(input_.channels.size(), !input_.weights.empty(), options_)) {
      std::vector<float> warped(images_.reference.size());
      energy = displaceTemplate({images_, samples_, u}, options_, warped, force, {});
      const double share = input_.shares[0];
      energy.similarity = share * applyMeasure(*similarityMeasure(images_, options_, {}, input_.weights),
                                               warped, force, {}, share);
      for (std::size_t c = 1; c < input_.channels.size(); ++c) {
        const LevelImages<float>& images = input_.channels[c];
        const auto samples = samplesOf(images, {});
        displaceChannel({images, samples, u}, options_.gradient, warped, {});
        energy.similarity +=
            input_.shares[c] *
            similarityMeasure(images, options_, {}, input_.weights)->replaceBySlope(warped, {});
        addChannelForce({images, samples, u}, options_.gradient, warped, input_.shares[c], force, {});
      }
    } else {
      energy = evaluate(images_, samples_, u, options_, force, {});
    }
    addBiasForce(u, images_.spacing, options_, force, {}, [&](int z, std::vector<float>&) {
      addLandmarkForce(landmarks_, u, images_.spacing, z, force);
    });
    energy.landmarks = landmarkEnergy(landmarks_, u);
    return energy;
  }
  double velocityOf(VectorField<float> force, double momentum, VectorField<float>& velocity) const {
    std::vector<float> scratch;
    for (int z = 0; z < images_.size.z; ++z) smoothPlane(force, force, z, weights_, scratch);
    return smoothDepth(force, velocity, momentum, weights_, inverseOf<float>(images_.spacing), {});
  }

  RegistrationOptions options_;
  LevelImages<float> images_;
  LevelInput<float> input_;
  LandmarkTables<float> landmarks_;
  VectorField<float> u_;
  TemplateSamples<float> samples_;
  std::vector<double> weights_;
};

/// Every number is equal, with 0 equal to −0. Only voxels of the grid and the zeros around them count.
void expectTheSame(const VectorField<float>& a, const VectorField<float>& b, const char* what) {
  int shown = 0;
  for (int i = 0; i < 3; ++i)
    for (int z = 0; z < b.size.z; ++z)
      for (int y = 0; y < b.size.y; ++y)
        for (int x = 0; x < b.size.x; ++x)
          if (*a.at(i, x, y, z) != *b.at(i, x, y, z) && shown++ < 5)
            ADD_FAILURE() << what << " differs in component " << i << " at " << x << ", " << y << ", " << z
                          << ": " << *a.at(i, x, y, z) << " instead of " << *b.at(i, x, y, z);
  EXPECT_EQ(shown, 0) << what;
}

void expectTheSame(const LevelEnergy& a, const LevelEnergy& b) {
  EXPECT_NEAR(a.similarity, b.similarity, 1e-12 * b.similarity);
  EXPECT_NEAR(a.bias, b.bias, 1e-12 * std::abs(b.bias));
  EXPECT_NEAR(a.landmarks, b.landmarks, 1e-12 * b.landmarks);
  EXPECT_EQ(a.smallestJ, b.smallestJ);
  EXPECT_EQ(a.vanishing, b.vanishing);
}

/// One device, and several that share the planes of a level.
std::vector<std::vector<int>> deviceSets() {
  auto sets = test::sharingDevices();
  sets.insert(sets.begin(), {0});
  return sets;
}

class GpuRegistrationStages : public GpuRegistrationLevel {
 protected:
  void expectStagesOfTheCpu(const gpu::DeviceQueues& queues);
};

void GpuRegistrationStages::expectStagesOfTheCpu(const gpu::DeviceQueues& queues) {
  const Vec3<int> size = images_.size;
  gpu::registration::DeviceLevel device(input_, u_, options_, queues, {});
  VectorField<float> force(size), velocity(size), moved(size);

  expectTheSame(device.start(), evaluated(u_, force));
  expectTheSame(device.force(), force, "force");

  const double speed = velocityOf(force, 0, velocity);
  EXPECT_EQ(device.velocity(0).speed, speed);
  expectTheSame(device.lastVelocity(), velocity, "velocity");
  ASSERT_GT(speed, 0);

  const double dt = 0.25 / speed;
  compose(u_, velocity, dt, images_.spacing, moved, {});
  expectTheSame(device.attempt(dt), evaluated(moved, force));
  expectTheSame(device.force(), force, "force after a step");
  expectTheSame(device.displacement(), u_, "displacement before it is accepted");
  device.accept();
  expectTheSame(device.displacement(), moved, "displacement");

  const double uphill = -productOf(force, velocity) / double(images_.reference.size());
  const Direction direction = device.velocity(0.8);
  EXPECT_NEAR(direction.slope, uphill, 1e-12 * std::abs(uphill));
  EXPECT_EQ(direction.speed, velocityOf(force, uphill > 0 ? 0 : 0.8, velocity));
  expectTheSame(device.lastVelocity(), velocity, "velocity with momentum");
}

TEST_P(GpuRegistrationStages, AreBitForBitThoseOfTheCpu) {
  for (const auto& devices : deviceSets()) {
    SCOPED_TRACE(testing::PrintToString(devices));
    expectStagesOfTheCpu(gpu::DeviceQueues(devices));
  }
}

/// The first energies of a flow, exactly.
std::vector<double> firstEnergies(gpu::registration::DeviceLevel& level) {
  std::vector<double> all;
  const auto add = [&](const LevelEnergy& e) {
    all.insert(all.end(), {e.similarity, e.bias, e.landmarks, e.smallestJ, e.vanishing});
  };
  add(level.start());
  for (int i = 0; i < 3; ++i) {
    const Direction direction = level.velocity(0.8);
    all.insert(all.end(), {direction.speed, direction.slope});
    add(level.attempt(0.25 / direction.speed));
    level.accept();
  }
  return all;
}

TEST_P(GpuRegistrationLevel, HasTheSameEnergiesOnSeveralDevices) {
  const gpu::DeviceQueues one;
  gpu::registration::DeviceLevel alone(input_, u_, options_, one, {});
  const std::vector<double> expected = firstEnergies(alone);
  for (const auto& devices : test::sharingDevices()) {
    SCOPED_TRACE(testing::PrintToString(devices));
    const gpu::DeviceQueues queues(devices);
    gpu::registration::DeviceLevel shared(input_, u_, options_, queues, {});
    EXPECT_EQ(firstEnergies(shared), expected);
    expectTheSame(shared.displacement(), alone.displacement(), "displacement");
  }
}

TEST_P(GpuRegistrationLevel, StartsAtTheRefinedDisplacementOfACoarserLevel) {
  const Vec3<int>& size = images_.size;
  test::Rng rng(12);
  const Vec3<int> half{(size.x + 1) / 2, (size.y + 1) / 2, (size.z + 1) / 2};
  const auto coarse = test::displacementOf<float>(half, 0.2, 0.05, rng);
  const VectorField<float> u = refined(coarse, size, {});
  for (const auto& devices : deviceSets()) {
    SCOPED_TRACE(testing::PrintToString(devices));
    const gpu::DeviceQueues queues(devices);
    gpu::registration::DeviceLevel device(input_, coarse, options_, queues, {});

    expectTheSame(device.displacement(), u, "displacement");
    VectorField<float> force(size);
    expectTheSame(device.start(), evaluated(u, force));
    expectTheSame(device.force(), force, "force");
  }
}

TEST_P(GpuRegistrationLevel, RelaxesBitForBitAsTheCpuDoes) {
  for (const auto& devices : deviceSets()) {
    SCOPED_TRACE(testing::PrintToString(devices));
    const gpu::DeviceQueues queues(devices);
    gpu::registration::DeviceLevel device(input_, u_, options_, queues, {});
    RegistrationLevel<float> host(input_, u_, options_, {});

    for (const double sigma : {1.0, 2.0, 3.0}) device.relax(sigma), host.relax(sigma);

    expectTheSame(device.displacement(), host.displacement(), "relaxed displacement");
    expectTheSame(device.start(), host.start());
  }
}

TEST_P(GpuRegistrationLevel, HoldsTheVelocityBackBitForBitAsTheCpuDoes) {
  const Vec3<int> size = images_.size;
  test::Rng rng(11);
  options_.force = RegistrationForce::descent;                      // the force of the paper limits nothing
  const auto u = test::displacementOf<float>(size, 1.5, 0.8, rng);  // volumes vanish under it
  for (const auto& devices : deviceSets()) {
    SCOPED_TRACE(testing::PrintToString(devices));
    const gpu::DeviceQueues queues(devices);
    gpu::registration::DeviceLevel device(input_, u, options_, queues, {});
    VectorField<float> velocity(size), moved(size);
    EXPECT_EQ(device.start().vanishing, foldedShare(u, images_.spacing, {}));
    const double speed = device.velocity(0).speed;
    velocity = device.lastVelocity();
    const double dt = 0.5 / speed;

    for (int round = 0; round < 3; ++round) {
      compose(u, velocity, dt, images_.spacing, moved, {});
      const double vanishing = foldedShare(moved, images_.spacing, {});
      ASSERT_GT(vanishing, 0);
      EXPECT_EQ(device.attempt(dt).vanishing, vanishing);
      guardAgainstFolds(moved, images_.spacing, velocity, {});
      device.hold();
      expectTheSame(device.lastVelocity(), velocity, "velocity held back");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, GpuRegistrationLevel, testing::ValuesIn(levelCases()));
INSTANTIATE_TEST_SUITE_P(Sizes, GpuRegistrationStages, testing::ValuesIn(levelCases()));

class GpuRegistrationMemory : public test::NeedsGpu {};

TEST_F(GpuRegistrationMemory, IsTheStatedAmount) {
  test::Rng rng(5);
  for (const Similarity similarity : {Similarity::l2, Similarity::lcc, Similarity::mi})
    for (const Vec3<int> size : {Vec3<int>{40, 41, 42}, {1, 300, 200}, {200, 190, 3}}) {
      SCOPED_TRACE(testing::Message()
                   << size.x << "x" << size.y << "x" << size.z << ", similarity " << int(similarity));
      RegistrationOptions options;
      options.similarity = similarity;
      const LevelImages<float> images = test::imagesOf<float>(size, {1, 1, 1}, rng);
      RegistrationInput input;
      auto reference = std::make_shared<Series<float>>();
      reference->grid.size = size, reference->count = 1;
      input.reference = input.templateImage = reference;
      for (const std::size_t channels : {1, 2}) {
        LevelInput<float> several(images);
        several.channels.resize(channels, images), several.shares.assign(channels, 1.0 / double(channels));
        input.further.resize(channels - 1, {reference, reference});
        const gpu::DeviceQueues queues;
        const std::int64_t before = test::deviceBytesInUse();

        const gpu::registration::DeviceLevel level(several, VectorField<float>(size), options, queues, {});

        const double used = double(test::deviceBytesInUse() - before);
        EXPECT_NEAR(used, gpu::registration::registrationDeviceBytes(input, options), 0.03 * used);
      }
    }
}

TEST(RegistrationDeviceBytes, AreNoneWithoutImages) {
  EXPECT_EQ(gpu::registration::registrationDeviceBytes({}, {}), 0);
}

class GpuRegistrationFold : public test::NeedsGpu {};

TEST_F(GpuRegistrationFold, IsSeenByBoth) {
  test::Rng rng(3);
  const LevelImages<float> images = test::imagesOf<float>({20, 21, 22}, {1, 1, 1}, rng);
  const auto u = test::displacementOf<float>(images.size, 3, 0.5, rng);
  const gpu::DeviceQueues queues;
  gpu::registration::DeviceLevel device(images, u, {}, queues, {});
  RegistrationLevel<float> host(images, u, {}, {});

  const LevelEnergy there = device.start(), here = host.start();

  EXPECT_FALSE(here.positive());
  EXPECT_EQ(there.vanishing, here.vanishing);
  EXPECT_EQ(there.smallestJ, here.smallestJ);
}

}  // namespace
}  // namespace sulcus::registration
