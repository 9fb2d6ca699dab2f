#include "ui/model/views/framing.h"

#include "tests/ui/rich_analysis.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

using test::shared;
using test::volumeLayer;

struct FramingTest : testing::Test {
  LayerStack layers;
  ViewState view;
  Framing framing{layers, view};
};

TEST_F(FramingTest, FramesTheFirstImageAndAgainWhenAllWereClosed) {
  QSignalSpy framed(&framing, &Framing::firstLayerFramed);
  layers.add(shared(volumeLayer("first", {20, 20, 20})));
  EXPECT_EQ(view.crosshair(), (Vec3<double>{10, 10, 10}));
  layers.add(shared(volumeLayer("second", {4, 4, 4})));
  EXPECT_EQ(view.crosshair(), (Vec3<double>{10, 10, 10}));
  ASSERT_EQ(framed.count(), 1);
  EXPECT_TRUE(framing.frameCurrent());
  EXPECT_EQ(view.crosshair(), (Vec3<double>{2, 2, 2}));

  layers.clear();
  EXPECT_TRUE(layers.empty());
  layers.add(shared(volumeLayer("slice", {8, 8, 1})));
  EXPECT_EQ(framed.count(), 2);
}

TEST_F(FramingTest, FramesALargerImageUntilTheViewIsMoved) {
  layers.add(shared(volumeLayer("small", {4, 4, 4})));
  layers.add(shared(volumeLayer("large", {20, 20, 20})));
  EXPECT_EQ(view.crosshair(), (Vec3<double>{10, 10, 10}));
  const double extent = view.extent();
  layers.add(shared(volumeLayer("result", {40, 40, 40})), Origin::computed);
  EXPECT_EQ(view.extent(), extent);
  view.setCrosshair({3, 3, 3});
  layers.add(shared(volumeLayer("larger", {40, 40, 40})));
  EXPECT_EQ(view.extent(), extent);
}

TEST_F(FramingTest, FramesAnotherLayerWhereTheCurrentOneHasNoPlace) {
  layers.add(shared(volumeLayer("image", {20, 20, 20})));
  layers.add(shared(test::designTable()));
  view.setCrosshair({1, 1, 1});
  EXPECT_FALSE(framing.frameCurrent());
  framing.frameAny();
  EXPECT_EQ(view.crosshair(), (Vec3<double>{10, 10, 10}));
}

}  // namespace
}  // namespace sulcus::ui::model
