#include "ui/model/session/recent_files.h"

#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace sulcus::ui::model {
namespace {

TEST(RecentFilesTest, KeepsTheNewestFirstOnceEachAndAtMostTen) {
  const test::TemporaryFolder folder;
  const QString ini = QString::fromStdString(folder / "settings.ini");
  {
    QSettings settings(ini, QSettings::IniFormat);
    RecentFiles recent(settings);
    for (int i = 0; i < 12; ++i) recent.add(QStringLiteral("/scans/%1.nii").arg(i));
    recent.add("/scans/5.nii");
  }
  QSettings settings(ini, QSettings::IniFormat);
  RecentFiles recent(settings);
  EXPECT_EQ(recent.paths().size(), RecentFiles::kMost);
  EXPECT_EQ(recent.paths().front(), "/scans/5.nii");
  EXPECT_EQ(recent.paths().count("/scans/5.nii"), 1);
  EXPECT_FALSE(recent.paths().contains("/scans/0.nii"));
  recent.clear();
  EXPECT_TRUE(recent.paths().isEmpty());
}

}  // namespace
}  // namespace sulcus::ui::model
