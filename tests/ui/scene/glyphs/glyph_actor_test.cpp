#include "ui/scene/glyphs/glyph_actor.h"

#include "ui/scene/glyphs/glyphs.h"

#include <gtest/gtest.h>
#include <vtkNew.h>
#include <vtkPropCollection.h>
#include <vtkRenderer.h>

namespace sulcus::ui::scene {
namespace {

/// 3 × 3 × 3 voxels with two peaks each and a form.
SceneLayer peaks() {
  Grid grid;
  grid.size = {3, 3, 3};
  auto content = std::make_shared<Series<float>>(grid, 6);
  auto tensor = std::make_shared<Series<float>>(grid, 6);
  for (std::int64_t i = 0; i < grid.voxels(); ++i) {
    content->at(i, 0) = 1;
    content->at(i, 4) = 0.5f;
    tensor->at(i, 0) = 1;
  }
  auto layer = std::make_shared<Layer>();
  layer->content = PeaksLayer{content, tensor};
  return {1, layer, {}, 0};
}

class Glyphs : public testing::Test {
 protected:
  bool show(const GlyphStyle& style, const std::vector<double>& place, int oneIn = 1) {
    return actor.show(layer, style, place, oneIn, [&] {
      const auto voxels = allVoxels(*gridOf(*layer.layer));
      return GlyphActor::Place{voxels, {0, 1}, 1};
    });
  }
  SceneLayer layer = peaks();
  vtkNew<vtkRenderer> renderer;
  GlyphActor actor{renderer};
};

TEST_F(Glyphs, AreBuiltOnlyWhenSomethingChanged) {
  GlyphStyle style;
  EXPECT_TRUE(show(style, {1}));
  EXPECT_FALSE(show(style, {1}));
  style.lineWidth = 4;
  layer.display.opacity = 0.5;
  EXPECT_FALSE(show(style, {1})) << "width and opacity are looks";
  EXPECT_TRUE(show(style, {2})) << "other voxels";
  EXPECT_TRUE(show(style, {2}, 3)) << "other thinning";
  style.scale = 2;
  EXPECT_TRUE(show(style, {2}, 3));
  layer.layer = peaks().layer;
  EXPECT_TRUE(show(style, {2}, 3)) << "new content";
}

TEST_F(Glyphs, AreLobesWhereOnlyFunctionsAreKnown) {
  auto functions = std::make_shared<Layer>(*layer.layer);
  auto& content = std::get<PeaksLayer>(functions->content);
  content.peaks = std::make_shared<const Series<float>>(content.peaks->grid, 0);
  layer.layer = functions;
  for (const auto shape :
       {GlyphStyle::Shape::sticks, GlyphStyle::Shape::lobes, GlyphStyle::Shape::ellipsoids}) {
    GlyphStyle style;
    style.shape = shape;
    show(style, {double(shape)});
    EXPECT_EQ(actor.weight(), 2 * 80 / 10) << "two spheres of 80 triangles, no sticks";
  }
}

TEST_F(Glyphs, AreSticksOrLobesOrBothByTheirStyle) {
  GlyphStyle style;
  show(style, {});
  EXPECT_EQ(actor.weight(), 54) << "two peaks in 27 voxels";
  style.shape = GlyphStyle::Shape::both;
  show(style, {});
  const std::int64_t both = actor.weight();
  EXPECT_GT(both, 54);
  style.shape = GlyphStyle::Shape::lobes;
  show(style, {});
  EXPECT_EQ(actor.weight(), both - 54);
}

TEST_F(Glyphs, AreSticksWhereThereIsNoForm) {
  auto plain = std::make_shared<Layer>(*layer.layer);
  std::get<PeaksLayer>(plain->content).tensor = nullptr;
  layer.layer = plain;
  GlyphStyle style;
  style.shape = GlyphStyle::Shape::lobes;
  show(style, {});
  EXPECT_EQ(actor.weight(), 54);
}

TEST_F(Glyphs, LeaveTheRendererWithTheirActor) {
  vtkNew<vtkRenderer> other;
  {
    GlyphActor passing(other);
    EXPECT_EQ(other->GetViewProps()->GetNumberOfItems(), 2);
  }
  EXPECT_EQ(other->GetViewProps()->GetNumberOfItems(), 0);
}

}  // namespace
}  // namespace sulcus::ui::scene
