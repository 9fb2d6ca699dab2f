#include "core/registration/results/apply_field.h"

#include "core/base/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/grid.h"

#include <numeric>

#include <gmock/gmock.h>

namespace sulcus::registration {
namespace {

using test::gridOf;
using testing::HasSubstr;

/// A uniform displacement in mm.
Series<float> shift(const Grid& grid, Vec3<float> by) {
  Series<float> field(grid, 3);
  for (int c = 0; c < 3; ++c) std::fill_n(field.volume(c).data, grid.voxels(), by[c]);
  return field;
}

/// A series with 100 z + 10 y + x in its first volume and twice that in its second.
Layer ramp(const Grid& grid, int volumes) {
  Series<float> series(grid, volumes);
  for (std::int64_t i = 0; i < grid.voxels(); ++i)
    for (int v = 0; v < volumes; ++v) {
      const Vec3<int> at = grid.voxel(i);
      series.at(i, v) = float((v + 1) * (100 * at.z + 10 * at.y + at.x));
    }
  Layer layer;
  layer.name = "ramp";
  layer.content = VolumeLayer{std::make_shared<const Series<float>>(std::move(series)), {}, 0, {}};
  return layer;
}

Layer labeled(const Volume<Label>& labels) {
  Layer layer;
  layer.name = "regions";
  layer.content = LabelsLayer{std::make_shared<const Volume<Label>>(labels)};
  return layer;
}

const Series<float>& seriesOf(const Layer& layer) { return *std::get<VolumeLayer>(layer.content).series; }

/// With one field.
Layer applyField(const Layer& layer, const Series<float>& field, const Grid& grid,
                 std::optional<Interpolation> interpolation, const Progress& progress) {
  return registration::applyField(layer, {{{}, std::make_shared<const Series<float>>(field)}}, grid,
                                  {interpolation, {}}, progress);
}

TEST(ApplyField, TakesTheImageWhereTheFieldLeads) {
  const Grid grid = gridOf({6, 6, 6}, {2, 2, 2});
  const auto applied = applyField(ramp(grid, 2), shift(grid, {2, 4, 0}), grid, {}, {});
  const auto& moved = seriesOf(applied);
  ASSERT_EQ(moved.count, 2);
  for (const Vec3<int> v : {Vec3<int>{0, 0, 0}, Vec3<int>{4, 3, 5}}) {
    const float wanted = float(100 * v.z + 10 * (v.y + 2) + v.x + 1);
    EXPECT_FLOAT_EQ(moved.at(grid.index(v.x, v.y, v.z), 0), wanted);
    EXPECT_FLOAT_EQ(moved.at(grid.index(v.x, v.y, v.z), 1), 2 * wanted);
  }
  EXPECT_EQ(moved.at(grid.index(5, 0, 0), 0), 0) << "outside the image";
  EXPECT_TRUE(applied.notes.empty());
}

TEST(ApplyField, InterpolatesTheFieldOnAFinerGrid) {
  const Grid coarse = gridOf({6, 6, 6}, {2, 2, 2}), fine = gridOf({11, 11, 11}, {1, 1, 1});
  Series<float> field(coarse, 3);  // u = 0.25 x along x
  for (std::int64_t i = 0; i < coarse.voxels(); ++i) field.at(i, 0) = 0.25F * 2 * float(coarse.voxel(i).x);
  const auto applied = applyField(ramp(coarse, 1), field, fine, Interpolation::linear, {});
  const auto& moved = seriesOf(applied);
  ASSERT_TRUE(sameGrid(moved.grid, fine));
  EXPECT_FLOAT_EQ(moved.at(fine.index(3, 4, 2), 0), 100 * 1 + 10 * 2 + 0.5F * 1.25F * 3);
  EXPECT_THAT(applied.notes, testing::ElementsAre(HasSubstr("interpolated")));
}

TEST(ApplyField, LeavesZeroWhereThereIsNoField) {
  const Grid field = gridOf({6, 6, 6}, {1, 1, 1}), like = gridOf({6, 6, 12}, {1, 1, 1});
  const auto applied = applyField(ramp(like, 1), shift(field, {}), like, Interpolation::linear, {});
  const auto& moved = seriesOf(applied);
  EXPECT_EQ(moved.at(like.index(1, 1, 5), 0), 511);
  EXPECT_EQ(moved.at(like.index(1, 1, 6), 0), 0);
  EXPECT_THAT(applied.notes, testing::Contains(HasSubstr("50 % of the result lies outside the field")));
}

TEST(ApplyField, KeepsEveryLabelWhateverItsNumber) {
  const Grid grid = gridOf({8, 4, 4}, {1, 1, 1});
  Volume<Label> labels(grid);
  for (std::int64_t i = 0; i < grid.voxels(); ++i)
    labels.values[std::size_t(i)] = grid.voxel(i).x < 4 ? 2000000001 : -7;
  const auto applied = applyField(labeled(labels), shift(grid, {0.4F, 0, 0}), grid, {}, {});
  const auto& moved = *std::get<LabelsLayer>(applied.content).labels;
  EXPECT_EQ(moved(3, 1, 1), 2000000001) << "0.6 of its weight";
  EXPECT_EQ(moved(4, 1, 1), -7);
  const auto far = applyField(labeled(labels), shift(grid, {5, 0, 0}), grid, {}, {});
  EXPECT_EQ((*std::get<LabelsLayer>(far.content).labels)(4, 1, 1), 0) << "outside the labels";
}

TEST(ApplyField, MixesLabelsWhereItIsToldTo) {
  const Grid grid = gridOf({4, 4, 4}, {1, 1, 1});
  Volume<Label> labels(grid, 3);
  labels(2, 1, 1) = 5;
  const auto applied =
      applyField(labeled(labels), shift(grid, {0.5F, 0, 0}), grid, Interpolation::linear, {});
  EXPECT_FLOAT_EQ(seriesOf(applied).at(grid.index(1, 1, 1), 0), 4);
}

TEST(ApplyField, KeepsLabelsByTheNearestVoxelToo) {
  const Grid grid = gridOf({4, 4, 4}, {1, 1, 1});
  Volume<Label> labels(grid, 312782546);
  labels(2, 1, 1) = 312782550;
  const auto applied =
      applyField(labeled(labels), shift(grid, {0.6F, 0, 0}), grid, Interpolation::nearest, {});
  const auto& moved = *std::get<LabelsLayer>(applied.content).labels;
  EXPECT_EQ(moved(1, 1, 1), 312782550);
  EXPECT_EQ(moved(2, 1, 1), 312782546);
}

TEST(ApplyField, InterpolatesOnceWhatGoesThroughSeveral) {
  const Grid grid = gridOf({6, 6, 6}, {2, 2, 2});
  Affine half;
  half.t = {1, 0, 0};  // half a voxel, twice: interpolating twice would blur a peak
  Layer peak = ramp(grid, 1);
  auto series = std::make_shared<Series<float>>(grid, 1);
  series->at(grid.index(3, 2, 2), 0) = 8;
  peak.content = VolumeLayer{series, {}, 0, {}};
  const auto twice = registration::applyField(peak, {{half}, {half}}, grid, {}, {});
  EXPECT_FLOAT_EQ(seriesOf(twice).at(grid.index(2, 2, 2), 0), 8);
  EXPECT_THAT(twice.notes, testing::Contains(HasSubstr("interpolated once")));
  const auto mixed = registration::applyField(
      peak, {{half}, {{}, std::make_shared<const Series<float>>(shift(grid, {1, 0, 0}))}}, grid, {}, {});
  EXPECT_FLOAT_EQ(seriesOf(mixed).at(grid.index(2, 2, 2), 0), 8);
}

TEST(ApplyField, FillsWhatLiesOutside) {
  const Grid grid = gridOf({6, 6, 6}, {1, 1, 1});
  Layer scan = ramp(grid, 1);
  auto hounsfield = std::make_shared<Series<float>>(grid, 1, -1000.F);  // air around a body in the middle
  for (const int x : {2, 3}) hounsfield->at(grid.index(x, 3, 3), 0) = 40;
  scan.content = VolumeLayer{hounsfield, {}, 0, {}};
  const auto outside = [&](const Layer& layer, std::optional<double> fill) {
    const auto moved = registration::applyField(
        layer, {{{}, std::make_shared<const Series<float>>(shift(grid, {4, 0, 0}))}}, grid, {{}, fill}, {});
    return std::pair(seriesOf(moved).at(grid.index(5, 3, 3), 0), moved.notes);
  };
  EXPECT_EQ(outside(scan, {}).first, -1000) << "air";
  EXPECT_THAT(outside(scan, {}).second, testing::Contains(HasSubstr("another value can be given (--fill)")));
  EXPECT_EQ(outside(scan, 5).first, 5);
  EXPECT_EQ(outside(ramp(grid, 1), {}).first, 0);
  auto map = std::make_shared<Series<float>>(grid, 1);  // of a statistic, whose lowest value is meaningful
  map->at(grid.index(3, 3, 3), 0) = -7;
  scan.content = VolumeLayer{map, {}, 0, {}};
  EXPECT_EQ(outside(scan, {}).first, 0);
  EXPECT_THAT(test::errorOf([&] {
                registration::applyField(labeled(Volume<Label>(grid, 3)),
                                         {{{}, std::make_shared<const Series<float>>(grid, 3)}}, grid,
                                         {{}, 0.5}, {});
              }),
              HasSubstr("Labels cannot be filled with 0.5"));
}

TEST(ApplyField, RefusesWhatLeadsNowhere) {
  const Grid grid = gridOf({6, 6, 6}, {1, 1, 1}), away = gridOf({6, 6, 6}, {1, 1, 1}, {100, 0, 0});
  const auto image = ramp(grid, 1);
  EXPECT_THAT(test::errorOf([&] { applyField(image, shift(grid, {}), away, {}, {}); }),
              HasSubstr("does not reach the image"));
  EXPECT_THAT(test::errorOf([&] {
                applyField(image, shift(grid, {50, 0, 0}), grid, {}, {});
              }),
              HasSubstr("maps no voxel into 'ramp'"));
  EXPECT_THAT(test::errorOf([&] { applyField(image, Series<float>(grid, 2), grid, {}, {}); }),
              HasSubstr("has 2 volumes"));
  Layer table;
  table.name = "table", table.content = TableLayer{};
  EXPECT_THAT(test::errorOf([&] { applyField(table, shift(grid, {}), grid, {}, {}); }),
              HasSubstr("'table' cannot be deformed"));
  auto bad = shift(grid, {});
  bad.values[5] = NAN;
  EXPECT_THAT(test::errorOf([&] { applyField(image, bad, grid, {}, {}); }), HasSubstr("not finite"));
  bad.values[5] = 1e30F;
  EXPECT_THAT(test::errorOf([&] { applyField(image, bad, grid, {}, {}); }), HasSubstr("1 beyond"));
}

TEST(ApplyField, SaysWhatCannotBeWorkedOnInTheImage) {
  const Grid grid = gridOf({6, 6, 6}, {1, 1, 1});
  Layer image = ramp(grid, 1);
  auto series = std::make_shared<Series<float>>(*std::get<VolumeLayer>(image.content).series);
  series->values[3] = NAN;
  image.content = VolumeLayer{series, {}, 0, {}};
  const auto applied = applyField(image, shift(grid, {}), grid, {}, {});
  ASSERT_EQ(applied.notes.size(), 1U);
  EXPECT_THAT(applied.notes[0], HasSubstr("1 not a number"));
}

TEST(ApplyField, MovesThePointsOfASurfaceWhereItLeads) {
  const Grid grid = gridOf({6, 6, 6}, {2, 2, 2});
  Series<float> field(grid, 3);  // u = 0.5 x along y
  for (std::int64_t i = 0; i < grid.voxels(); ++i) field.at(i, 1) = 0.5F * 2 * float(grid.voxel(i).x);
  Layer surface;
  surface.name = "white", surface.source = "white.vtp";
  surface.content =
      MeshLayer{std::make_shared<const Mesh>(Mesh{{{0, 0, 0}, {3, 1, 1}, {8, 2, 2}}, {{0, 1, 2}}, {}, {}})};
  const Layer moved = applyField(surface, field, grid, {}, {});
  const Mesh& mesh = *std::get<MeshLayer>(moved.content).mesh;
  EXPECT_EQ(mesh.points[0], (Vec3<float>{0, 0, 0}));
  EXPECT_EQ(mesh.points[1], (Vec3<float>{3, 2.5F, 1}));
  EXPECT_EQ(mesh.points[2], (Vec3<float>{8, 6, 2}));
  EXPECT_EQ(mesh.triangles.size(), 1U);
  EXPECT_EQ(moved.source, "") << "no file holds it";
  EXPECT_THAT(moved.notes, testing::ElementsAre(HasSubstr("from the reference to the template")));
  EXPECT_THAT(test::errorOf([&] {
                const Grid away = gridOf({6, 6, 6}, {1, 1, 1}, {100, 0, 0});
                applyField(surface, shift(away, {}), away, {}, {});
              }),
              HasSubstr("does not reach 'white'"));
}

TEST(ApplyField, MovesThePlacesOfATable) {
  const Grid grid = gridOf({6, 6, 6}, {1, 1, 1});
  Layer table;
  table.name = "peaks";
  table.content = TableLayer{{"name", "x_mm", "y_mm", "z_mm", "value"},
                             {{"a", "1", "2", "3", "7"}, {"b", "", "", "", "8"}, {"c", "9", "0", "0", "9"}}};
  const Layer moved = applyField(table, shift(grid, {0.5F, 0, -1}), grid, {}, {});
  const auto& rows = std::get<TableLayer>(moved.content).rows;
  EXPECT_EQ(rows[0], (std::vector<std::string>{"a", "1.5", "2", "2", "7"}));
  EXPECT_EQ(rows[1], (std::vector<std::string>{"b", "", "", "", "8"})) << "a row without a place";
  EXPECT_EQ(rows[2][1], "9.5") << "as the nearest place within the field";
  EXPECT_THAT(moved.notes, testing::Contains(HasSubstr("50 % of the points lie outside of the field")));
}

TEST(ApplyField, LeavesGradientsOut) {
  const Grid grid = gridOf({4, 4, 4}, {1, 1, 1});
  Layer scan = ramp(grid, 2);
  std::get<VolumeLayer>(scan.content).gradients.rows.resize(2);
  const auto applied = applyField(scan, shift(grid, {}), grid, {}, {});
  EXPECT_TRUE(std::get<VolumeLayer>(applied.content).gradients.empty());
  EXPECT_THAT(applied.notes, testing::ElementsAre(HasSubstr("gradients")));
}

}  // namespace
}  // namespace sulcus::registration
