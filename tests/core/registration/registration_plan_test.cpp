#include "core/registration/registration_plan.h"

#include "core/base/error.h"
#include "tests/support/expect_error.h"

#include <atomic>
#include <cmath>
#include <functional>

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

using ::testing::ElementsAre, ::testing::HasSubstr;

Grid gridOf(const Vec3<int>& size, double spacing = 2) {
  Grid grid;
  grid.size = size;
  for (int i = 0; i < 3; ++i) grid.worldFromVoxel.m[i][i] = spacing;
  return grid;
}

/// An image of a bright ball on a dark background, at `center` mm.
std::shared_ptr<Series<float>> ball(const Grid& grid, const Vec3<double>& center, double radius,
                                    float bright = 100) {
  auto image = std::make_shared<Series<float>>(grid, 1);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const auto v = grid.voxel(i);
    const auto p = grid.worldFromVoxel.point({double(v.x), double(v.y), double(v.z)});
    image->at(i, 0) = float(bright / (1 + std::exp(norm(p - center) - radius)) + 0.01 * v.x);
  }
  return image;
}

RegistrationInput goodInput() {
  const Grid grid = gridOf({32, 34, 36});
  RegistrationInput input;
  input.templateImage = ball(grid, grid.center() + Vec3<double>{4, 0, 0}, 20);
  input.reference = ball(grid, grid.center(), 22);
  return input;
}

std::string complaint(const RegistrationInput& input) {
  return test::errorOf([&] { planRegistration(input, {}, {}); });
}

TEST(RegistrationPlan, RefusesEachBadInputWithItsSentence) {
  struct Bad {
    std::function<void(RegistrationInput&)> spoil;
    const char* says;
  };
  const auto changed = [](std::shared_ptr<const Series<float>>& image,
                          const std::function<void(Series<float>&)>& change) {
    auto copy = std::make_shared<Series<float>>(*image);
    change(*copy);
    image = copy;
  };
  const std::vector<Bad> bad{
      {[](auto& in) { in.templateImage = nullptr; }, "No template was given"},
      {[](auto& in) { in.reference = nullptr; }, "No reference was given"},
      {[](auto& in) { in.reference = std::make_shared<Series<float>>(in.reference->grid, 45); },
       "has 45 volumes"},
      {[](auto& in) { in.templateImage = std::make_shared<Series<float>>(Grid{}, 1); }, "has no voxels"},
      {[](auto& in) { in.reference = std::make_shared<Series<float>>(in.reference->grid, 1, 7.f); },
       "The reference is constant (7 everywhere)"},
      {[&](auto& in) {
         changed(in.templateImage, [](auto& s) { s.values[5] = NAN, s.values[9] = INFINITY; });
       },
       "The template holds 2 values that are not finite"},
      {[&](auto& in) { changed(in.reference, [](auto& s) { s.values[5] = NAN; }); },
       "The reference holds 1 values that are not finite"},
      {[&](auto& in) { changed(in.reference, [](auto& s) { s.values[5] = 1e20F; }); },
       "too large: 1 beyond ±1e+15"},
      {[](auto& in) {
         in.templateImage = ball(gridOf({32, 34, 1}), {32, 34, 0}, 20);
       },
       "The template has 2 dimensions, the reference 3"},
      {[](auto& in) {
         in.reference = ball(gridOf({32, 34, 3}), {32, 34, 3}, 20);
       },
       "3 voxels along one axis"},
      {[](auto& in) {
         in.initial.emplace().t = {1000, 0, 0};
       },
       "do not overlap"},
      {[](auto& in) { in.initial.emplace().m = {}; }, "initial transform is singular"},
      {[](auto& in) {
         in.initial.emplace().m = {{{1e300, 0, 0}, {0, 1e300, 0}, {0, 0, 1e300}}};
       },
       "stretches the image more than 1e+04 times"},
      {[](auto& in) {
         in.initial.emplace().m = {{{1, 0, 0}, {0, 1e-6, 0}, {0, 0, 1}}};
       },
       "stretches the image more than 1e+04 times"},
      {[](auto& in) {
         in.alignLinearly = [](auto&&...) {
           Affine flat;
           flat.m = {};
           return flat;
         };
       },
       "pre-alignment is singular"},
      {[](auto& in) {
         in.mask = std::make_shared<Mask>(gridOf({8, 8, 8}), std::uint8_t(1));
       },
       "The mask has 8 × 8 × 8 voxels"},
      {[](auto& in) { in.mask = std::make_shared<Mask>(in.reference->grid); }, "The mask leaves no voxel"},
      {[](auto& in) {
         auto mask = std::make_shared<Mask>(in.reference->grid);
         mask->values[7] = 1;
         in.mask = mask;
       },
       "is constant"},
      {[&](auto& in) { changed(in.templateImage, [](auto& s) { s.grid.worldFromVoxel.m[2] = {}; }); },
       "voxels without volume"},
  };
  for (const auto& b : bad) {
    RegistrationInput input = goodInput();
    b.spoil(input);
    EXPECT_THAT(complaint(input), HasSubstr(b.says));
  }
  EXPECT_EQ(complaint(goodInput()), "");
}

TEST(RegistrationPlan, ReadsTheIterationsOfEachLevel) {
  EXPECT_THAT(iterationsPerLevel("100/80/60", 3), ElementsAre(100, 80, 60));
  EXPECT_THAT(iterationsPerLevel("100/80/60", 1), ElementsAre(60));
  EXPECT_THAT(iterationsPerLevel("100/60", 4), ElementsAre(100, 100, 100, 60));
  EXPECT_THAT(iterationsPerLevel("0", 2), ElementsAre(0, 0));
  for (const char* bad : {"", "/", "100/", "a", "10,20", "-3", "5/x", "9999999"})
    EXPECT_THROW(iterationsPerLevel(bad, 3), Error) << bad;
}

/// Squared differences, which cause no notes.
RegistrationOptions plainL2() {
  RegistrationOptions options;
  options.similarity = Similarity::l2;
  return options;
}

TEST(RegistrationPlan, GoesFromCoarseToFineWithTheReferenceLast) {
  const auto input = goodInput();
  const auto plan = planRegistration(input, plainL2(), {});
  ASSERT_EQ(plan.levels.size(), 3u);
  EXPECT_EQ(plan.levels[0].grid.size, (Vec3<int>{8, 9, 9}));
  EXPECT_EQ(plan.levels[1].grid.size, (Vec3<int>{16, 17, 18}));
  EXPECT_TRUE(sameGrid(plan.levels[2].grid, input.reference->grid));
  for (const auto& level : plan.levels) {
    EXPECT_EQ(std::int64_t(level.images().moving.size()), level.grid.voxels());
    EXPECT_EQ(std::int64_t(level.images().reference.size()), level.grid.voxels());
  }
  for (const auto& level : plan.levels) EXPECT_FALSE(level.images().cubic);
  RegistrationOptions options = plainL2();
  options.symmetric = true;
  const auto both = planRegistration(input, options, {});
  for (const auto& level : both.levels) EXPECT_EQ(level.images().cubic, &level == &both.levels.back());
  options = RegistrationOptions{};
  options.similarity = Similarity::mi;
  EXPECT_TRUE(planRegistration(input, options, {}).levels.back().images().cubic);
  options = plainL2();
  options.levels = 6;
  const auto small = planRegistration(input, options, {});
  EXPECT_EQ(small.levels.size(), 3u);
}

/// How often the steps were requested, possibly concurrently.
struct StepCounts {
  std::atomic<int> coarsened = 0, aligned = 0, looked = 0;
};
StepCounts steps;

TEST(RegistrationPlan, IsMadeByTheStepsThatAreGiven) {
  const PreparationSteps counted{[](const std::vector<float>& image, const std::vector<std::uint8_t>& mask,
                                    const Grid& fine, const Grid& to, const Progress& progress) {
                                   return ++steps.coarsened, coarsened(image, mask, fine, to, progress);
                                 },
                                 [](const Series<float>& image, const Grid& grid, const Affine& map,
                                    Interpolation kind, Mask& covered, const Progress& progress) {
                                   return ++steps.aligned,
                                          alignedImage(image, grid, map, kind, covered, progress);
                                 },
                                 [](const LevelImages<float>&, int, const std::vector<std::uint8_t>&,
                                    const Progress&) { return ++steps.looked, 0.0; }};
  RegistrationInput input = goodInput();
  const Grid wide = gridOf({20, 20, 20}, 4);
  input.further = {{ball(wide, wide.center(), 22), ball(wide, wide.center(), 25)}};

  const auto plan = planRegistration(input, {}, {}, PlanUse::flow, counted);

  EXPECT_EQ(steps.coarsened, 2 * 2 * 2) << "of two levels, two channels, two images";
  EXPECT_EQ(steps.aligned, 3) << "the first reference stays as it is";
  EXPECT_EQ(steps.looked, 1);
  EXPECT_EQ(plan.similarity, Similarity::l2) << "what has no texture is drawn";
}

TEST(RegistrationPlan, OfResultsHasTheFinestLevelAlone) {
  const auto input = goodInput();
  RegistrationOptions options = plainL2();
  options.symmetric = true;
  const auto flow = planRegistration(input, options, {});
  const auto results = planRegistration(input, options, {}, PlanUse::results);
  ASSERT_EQ(flow.levels.size(), 3u);
  ASSERT_EQ(results.levels.size(), 1u);
  const PlannedLevel &all = flow.levels.back(), &finest = results.levels.back();
  EXPECT_TRUE(sameGrid(finest.grid, input.reference->grid));
  EXPECT_EQ(finest.images().moving, all.images().moving);
  EXPECT_EQ(finest.images().reference, all.images().reference);
  EXPECT_EQ(results.region, flow.region);
  ASSERT_EQ(all.wholeReferences.size(), 1u);
  EXPECT_EQ(std::int64_t(all.wholeReferences[0].size()), all.grid.voxels());
  EXPECT_TRUE(finest.wholeReferences.empty());
}

TEST(RegistrationPlan, DividesByTheReferencesForeground) {
  auto input = goodInput();
  for (const float factor : {1.f, 250.f}) {
    const Grid grid = input.reference->grid;
    input.reference = ball(grid, grid.center(), 22, 100 * factor);
    const auto plan = planRegistration(input, plainL2(), {});
    EXPECT_NEAR(plan.scale, 100 * factor, 2 * factor);
    for (const float v : plan.levels.back().images().moving) EXPECT_NEAR(v, 0.5, 0.6);
  }
}

TEST(RegistrationPlan, ComparesWhereMaskAndTemplateAre) {
  auto input = goodInput();
  const Grid grid = input.reference->grid;
  input.initial.emplace().t = {10, 0, 0};  // the last five columns are outside
  auto mask = std::make_shared<Mask>(grid, std::uint8_t(1));
  for (int y = 0; y < grid.size.y; ++y)
    for (int z = 0; z < grid.size.z; ++z) (*mask)(20, y, z) = 0;
  input.mask = mask;
  const auto plan = planRegistration(input, plainL2(), {});
  const auto& reference = plan.levels.back().images().reference;
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    const int x = grid.voxel(i).x;
    EXPECT_EQ(std::isnan(reference[std::size_t(i)]), x == 20 || x > 26);
    EXPECT_EQ(plan.region[std::size_t(i)] != 0, x != 20 && x <= 26);
  }
  EXPECT_THAT(plan.notes, ElementsAre(HasSubstr("15.6 % of the fixed image lies outside the moving image")));
}

TEST(RegistrationPlan, SmoothsATemplateOfFinerVoxels) {
  // A checkerboard of 1 mm would only cause aliasing at 4 mm.
  auto input = goodInput();
  const Grid fine = gridOf({64, 64, 64}, 1);
  auto board = std::make_shared<Series<float>>(fine, 1);
  for (std::int64_t i = 0; i < fine.voxels(); ++i) {
    const auto v = fine.voxel(i);
    board->at(i, 0) = float(50 + ((v.x + v.y + v.z) % 2 ? 50 : -50));
  }
  input.templateImage = board;
  const Grid coarse = gridOf({14, 14, 14}, 4);
  input.reference = ball(coarse, coarse.center(), 20);
  RegistrationOptions options = plainL2();
  options.match = IntensityMatch::off;
  const auto plan = planRegistration(input, options, {});
  const auto& moving = plan.levels.back().images().moving;
  const double middle = moving[moving.size() / 2];
  for (const Vec3<int> v : {Vec3<int>{5, 5, 5}, Vec3<int>{6, 5, 7}, Vec3<int>{8, 9, 4}})
    EXPECT_NEAR(moving[std::size_t(coarse.index(v.x, v.y, v.z))], middle, 0.01);
}

TEST(RegistrationPlan, TakesImagesOfAnyUnitWhereTheUnitSaysNothing) {
  const auto input = goodInput();
  auto other = input;
  auto scaled = std::make_shared<Series<float>>(*input.templateImage);
  for (float& value : scaled->values) value = 4096 * value - 1024;
  other.templateImage = scaled;
  RegistrationOptions options;
  options.match = IntensityMatch::off, options.affine = LinearAlignment::none;
  for (const auto similarity : {Similarity::mi, Similarity::lcc, Similarity::l2}) {
    options.similarity = similarity;
    const auto one = planRegistration(input, options, {}), many = planRegistration(other, options, {});
    const auto& moving = one.levels.back().images().moving;
    const auto& of = many.levels.back().images().moving;
    float farthest = 0;
    for (std::size_t i = 0; i < moving.size(); ++i)
      farthest = std::max(farthest, std::abs(of[i] - moving[i]));
    if (similarity == Similarity::l2)
      EXPECT_GT(farthest, 100);
    else
      EXPECT_LT(farthest, 1e-4);
  }
}

/// The image with a pattern of waves, `length` voxels long, and a relative amplitude of `depth`.
std::shared_ptr<Series<float>> textured(const Series<float>& image, float depth, int length = 8) {
  auto result = std::make_shared<Series<float>>(image);
  for (std::int64_t i = 0; i < image.grid.voxels(); ++i) {
    const auto v = image.grid.voxel(i);
    const double turn = 2 * M_PI / length;
    const double waves = std::sin(v.x * turn) * std::sin(v.y * turn) * std::sin(v.z * turn);
    result->at(i, 0) *= 1 + depth * float(waves);
  }
  return result;
}

TEST(RegistrationPlan, TakesMutualInformationWhereOnlyHeadAndAirCorrelate) {
  auto input = goodInput();
  input.reference = textured(*input.reference, 0.4F);
  auto ct = std::make_shared<Series<float>>(*input.reference);
  for (float& v : ct->values) v = v < 50 ? -1000 : v > 125 ? 900 : 60 - 0.2F * v;  // with some bone
  input.templateImage = ct;
  EXPECT_EQ(planRegistration(input, {}, {}).similarity, Similarity::mi);
}

TEST(RegistrationPlan, ChoosesTheSimilarityByHowTheImagesCorrelate) {
  auto input = goodInput();
  input.reference = textured(*input.reference, 0.4F);
  const auto alike = planRegistration(input, {}, {});
  EXPECT_EQ(alike.similarity, Similarity::lcc);
  EXPECT_THAT(alike.notes, ElementsAre(HasSubstr("Compared by local correlation")));
  auto inverted = std::make_shared<Series<float>>(*input.templateImage);
  for (float& v : inverted->values) v = 500 - v;
  input.templateImage = inverted;
  const auto unlike = planRegistration(input, {}, {});
  EXPECT_EQ(unlike.similarity, Similarity::mi);
  EXPECT_THAT(unlike.notes, ElementsAre(AllOf(HasSubstr("Compared by mutual information"),
                                              HasSubstr("do not belong together"))));
  RegistrationOptions options;
  options.similarity = Similarity::lcc;
  EXPECT_EQ(planRegistration(input, options, {}).similarity, Similarity::lcc);
}

TEST(RegistrationPlan, ChoosesTheSimilarityByTheChannelThatCorrelatesLeast) {
  auto input = goodInput();
  input.reference = textured(*input.reference, 0.4F);
  auto inverted = std::make_shared<Series<float>>(*input.templateImage);
  for (float& v : inverted->values) v = 500 - v;
  input.further = {{inverted, input.reference}};
  const auto unlike = planRegistration(input, {}, {});
  EXPECT_EQ(unlike.similarity, Similarity::mi);
  EXPECT_THAT(unlike.notes, ElementsAre(HasSubstr("the images of channel 2 correlate by -0.")));
  RegistrationOptions options;
  options.channelWeights = "1 0";
  EXPECT_EQ(planRegistration(input, options, {}).similarity, Similarity::lcc) << "the second counts nothing";
}

TEST(RegistrationPlan, SeesTheTextureOfAHeadBetweenSmallVoxels) {
  const Grid grid = gridOf({80, 80, 80}, 1);
  RegistrationInput input;
  input.templateImage = textured(*ball(grid, grid.center(), 34), 0.2F, 16);
  input.reference = textured(*ball(grid, grid.center(), 35), 0.2F, 16);
  RegistrationOptions options;
  options.affine = LinearAlignment::none;
  EXPECT_EQ(planRegistration(input, options, {}).similarity, Similarity::lcc);
}

TEST(RegistrationPlan, DoesNotTakeTheAirInAWideMaskForAFlatShape) {
  const Grid grid = gridOf({48, 48, 48});
  RegistrationInput input;
  input.templateImage = textured(*ball(grid, grid.center(), 38), 0.4F);
  input.reference = textured(*ball(grid, grid.center(), 40), 0.4F);
  input.mask = std::make_shared<const Mask>(grid, 1);
  RegistrationOptions options;
  options.affine = LinearAlignment::none;
  EXPECT_EQ(planRegistration(input, options, {}).similarity, Similarity::lcc);
  input.templateImage = ball(grid, grid.center(), 38), input.reference = ball(grid, grid.center(), 40);
  EXPECT_EQ(planRegistration(input, options, {}).similarity, Similarity::l2) << "drawn, with the mask too";
}

TEST(RegistrationPlan, ComparesDrawnShapesBySquaredDifferences) {
  const Grid grid = gridOf({48, 48, 48});
  RegistrationInput input;
  input.templateImage = ball(grid, grid.center(), 38), input.reference = ball(grid, grid.center(), 40);
  const auto plan = planRegistration(input, {}, {});
  EXPECT_EQ(plan.similarity, Similarity::l2);
  EXPECT_THAT(plan.notes, ElementsAre(HasSubstr("% of the fixed image is flat, as in a drawn shape")));
}

TEST(RegistrationPlan, DoesNotTakeTheSizeOfADrawnShapeForItsBrightness) {
  const Grid grid = gridOf({48, 48, 48});
  RegistrationInput input;
  input.templateImage = ball(grid, grid.center(), 30), input.reference = ball(grid, grid.center(), 40);
  RegistrationOptions options;
  options.affine = LinearAlignment::none;
  const auto plan = planRegistration(input, options, {});
  ASSERT_EQ(plan.similarity, Similarity::l2);
  // As with one factor, however much of the grid the balls fill.
  const auto& finest = plan.levels.back().images();
  const auto center = std::size_t(grid.index(24, 24, 24));
  EXPECT_NEAR(finest.moving[center], finest.reference[center], 0.01 * finest.reference[center]);
  const float factor = finest.moving[center] / input.templateImage->values[center];
  for (std::size_t i = 0; i < finest.moving.size(); ++i)
    ASSERT_NEAR(finest.moving[i], factor * input.templateImage->values[i], 1e-3 * finest.moving[center]);
}

TEST(RegistrationOptions, AreDescribedUnderTheNamesOfTheCommandLine) {
  std::vector<std::string> names;
  for (const auto& info : describeOptions<RegistrationOptions>()) {
    names.push_back(info.name);
    EXPECT_FALSE(info.help.empty()) << info.name;
  }
  for (const char* name : {"lambda", "sigma", "levels", "iterations", "tolerance", "max-step", "match",
                           "force", "gradient", "field-convention"})
    EXPECT_THAT(names, ::testing::Contains(name));
}

}  // namespace
}  // namespace sulcus::registration
