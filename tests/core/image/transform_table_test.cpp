#include "core/image/transform_table.h"

#include "tests/support/expect_error.h"

#include <gmock/gmock.h>

namespace sulcus {
namespace {

Layer layerOf(TableLayer table) {
  Layer layer;
  layer.name = "map";
  layer.content = std::move(table);
  return layer;
}

TEST(TransformTable, HoldsTheMap) {
  Affine map;
  map.m = {{{1, 2, 3}, {4, 5, 6}, {7, 8, 1.0 / 3}}}, map.t = {0.1, -2e-30, 5e8};
  const Layer layer = layerOf(transformTable(map));
  EXPECT_TRUE(isTransform(layer));
  EXPECT_EQ(transformOf(layer, "start"), map);
}

TEST(TransformTable, OfNumbersBeyondAnyImageIsRefused) {
  for (const double number : {1e300, -1e10}) {
    Layer layer;
    Affine map;
    map.t.y = number;
    layer.content = transformTable(map);
    EXPECT_THAT(test::errorOf([&] { transformOf(layer, "test"); }), testing::HasSubstr("too large a number"));
  }
}

TEST(TransformTable, IsNotConfusedWithOtherTables) {
  const auto expectRefused = [](TableLayer table, const std::string& word) {
    test::expectError([&] { transformOf(layerOf(std::move(table)), "start"); },
                      {"'map' cannot be used as start", word, "affine.txt"});
  };
  TableLayer table = transformTable({});
  table.columns = {"reg1", "reg2", "reg3", "reg4"};
  EXPECT_FALSE(isTransform(layerOf(table)));
  expectRefused(table, "does not say what its numbers map");
  table = transformTable({});
  table.rows.pop_back();
  expectRefused(table, "3 rows");
  for (const char* bad : {"nan", "inf", "n/a", "", "1e999"}) {
    table = transformTable({});
    table.rows[1][2] = bad;
    expectRefused(table, "one of its numbers is not finite");
  }
  table = transformTable({});
  table.rows[3][0] = "1";
  expectRefused(table, "0 0 0 1");
}

}  // namespace
}  // namespace sulcus
