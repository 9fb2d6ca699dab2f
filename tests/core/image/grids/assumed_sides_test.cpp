#include "core/image/grids/assumed_sides.h"

#include <memory>

#include <gmock/gmock.h>

namespace sulcus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Layer image(const std::string& name, bool assumed) {
  Layer layer;
  layer.name = name;
  layer.content = VolumeLayer{std::make_shared<const Series<float>>(Grid{{2, 2, 2}, {}}, 1)};
  if (assumed) layer.notes = {assumedSides("No orientation.")};
  return layer;
}

TEST(AssumedSides, AreAWarningWhereImagesMeet) {
  const Layer known = image("known", false), assumed = image("assumed", true);
  EXPECT_THAT(sideWarnings({&known, &assumed}),
              ElementsAre(testing::AllOf(testing::StartsWith("Warning: "), HasSubstr("'assumed'"),
                                         HasSubstr("orientation"))));
  EXPECT_THAT(sideWarnings({&assumed, nullptr, &known, &assumed}), testing::SizeIs(1)) << "each once";
  EXPECT_THAT(sideWarnings({&known, &known}), IsEmpty());
}

TEST(AssumedSides, AreNoneOfASingleImage) {
  const Layer assumed = image("assumed", true);
  Layer table;
  table.content = TableLayer{};
  EXPECT_THAT(sideWarnings({&assumed}), IsEmpty());
  EXPECT_THAT(sideWarnings({&assumed, &table}), IsEmpty()) << "a table lies nowhere";
  Layer mesh;
  mesh.content = MeshLayer{std::make_shared<const Mesh>()};
  EXPECT_THAT(sideWarnings({&assumed, &mesh}), testing::SizeIs(1)) << "a surface does";
}

}  // namespace
}  // namespace sulcus
