#include "ui/widgets/name_box.h"

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

TEST(NameBox, ShowsWhatTellsANameApartWhereThereIsRoomForLess) {
  NameBox box;
  const QString one = "sub-01_task-rest_run-1_space-MNI152NLin2009cAsym_desc-preproc_bold",
                two = "sub-01_task-rest_run-2_space-MNI152NLin2009cAsym_desc-preproc_bold";
  box.addItems({one, two});
  box.setCurrentIndex(1);
  box.resize(4 * box.fontMetrics().horizontalAdvance(two), box.sizeHint().height());
  EXPECT_EQ(box.shownText(), two);
  box.resize(box.fontMetrics().horizontalAdvance("sub-01_run-2 and the arrow"), box.sizeHint().height());
  EXPECT_TRUE(box.shownText().contains("run-2")) << box.shownText().toStdString();
  EXPECT_LT(box.shownText().size(), two.size());
}

}  // namespace
}  // namespace sulcus::ui::widgets
