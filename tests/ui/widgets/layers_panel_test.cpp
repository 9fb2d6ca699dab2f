#include "ui/widgets/layers_panel.h"

#include "tests/ui/fake_analysis.h"

#include <QListView>
#include <QTest>

#include <gtest/gtest.h>

namespace sulcus::ui {
namespace {

using test::shared;
using test::volumeLayer;

TEST(LayersPanelTest, ClosesTheEyeThatIsClickedAndMakesClickedRowsCurrent) {
  LayerStack layers;
  LayersPanel panel(layers);
  panel.resize(260, 300);
  panel.show();
  const LayerId below = layers.add(shared(volumeLayer("below"))),
                top = layers.add(shared(volumeLayer("top")));
  QWidget* view = panel.list()->viewport();
  const QRect row = panel.list()->visualRect(panel.list()->model()->index(1, 0));
  QTest::mouseClick(view, Qt::LeftButton, {}, QPoint(row.left() + 12, row.center().y()));
  EXPECT_FALSE(layers.find(below)->display.visible);
  EXPECT_TRUE(layers.find(top)->display.visible);
  QTest::mouseClick(view, Qt::LeftButton, {}, QPoint(row.left() + 100, row.center().y()));
  EXPECT_EQ(layers.current(), below);
  EXPECT_EQ(panel.selected(), std::vector<LayerId>{below});
}

}  // namespace
}  // namespace sulcus::ui
