#include "ui/widgets/controls/elided_combo_box.h"

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

TEST(ElidedComboBox, ShowsWhatDistinguishesANameWhereThereIsRoomForLess) {
  ElidedComboBox box;
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

TEST(ElidedComboBox, WritesOnlyWhatDiffers) {
  ElidedComboBox box;
  box.setItems({{"none", 0}, {"a", 1}, {"c", 3}});
  int written = 0;
  for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    QObject::connect(box.model(), signal, &box, [&written] { ++written; });
  const auto texts = [&box] {
    QStringList all;
    for (int row = 0; row < box.count(); ++row) all << box.itemText(row) + box.itemData(row).toString();
    return all;
  };
  box.setCurrentIndex(2);
  box.setItems({{"none", 0}, {"a", 1}, {"b", 2}, {"c", 3}});
  EXPECT_EQ(written, 1);
  EXPECT_EQ(box.currentData(), 3);
  EXPECT_EQ(texts(), (QStringList{"none0", "a1", "b2", "c3"}));
  box.setItems({{"none", 0}, {"a", 1}, {"b", 2}, {"c", 3}});
  EXPECT_EQ(written, 1);
  box.setItems({{"none", 0}, {"c", 3}});
  EXPECT_EQ(texts(), (QStringList{"none0", "c3"}));
  box.setItems({});
  EXPECT_EQ(box.count(), 0);
}

}  // namespace
}  // namespace sulcus::ui::widgets
