#include "ui/model/views/view_state.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

TEST(ViewStateTest, SignalsOnlyRealChanges) {
  ViewState view;
  QSignalSpy crosshair(&view, &ViewState::crosshairChanged), framing(&view, &ViewState::framingChanged),
      decoration(&view, &ViewState::decorationChanged);
  for (int i = 0; i < 2; ++i) {
    view.setCrosshair({1, 2, 3});
    view.setCenter({4, 5, 6});
    view.setExtent(100);
    view.setRadiological(false);
    view.setLettersVisible(false);
    view.setCrosshairVisible(false);
  }
  EXPECT_EQ(crosshair.count(), 1);
  EXPECT_EQ(framing.count(), 2);
  EXPECT_EQ(decoration.count(), 3);
}

TEST(ViewStateTest, LooksAtAPlaceAndMovesOnlyWhereItWouldNotBeSeen) {
  ViewState view;
  view.setExtent(100);
  view.setCenter({0, 0, 0});
  view.lookAt({49, -49, 0});
  EXPECT_EQ(view.crosshair(), Vec3<double>(49, -49, 0));
  EXPECT_EQ(view.center(), Vec3<double>(0, 0, 0));
  view.lookAt({0, 60, 0});
  EXPECT_EQ(view.crosshair(), Vec3<double>(0, 60, 0));
  EXPECT_EQ(view.center(), Vec3<double>(0, 60, 0));
}

TEST(ViewStateTest, RefusesAnExtentThatShowsNothing) {
  ViewState view;
  const double before = view.extent();
  view.setExtent(0);
  view.setExtent(-1);
  EXPECT_EQ(view.extent(), before);
}

}  // namespace
}  // namespace sulcus::ui::model
