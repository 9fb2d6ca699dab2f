#include "ui/model/views/bookmarks.h"

#include "tests/ui/fake_analysis.h"
#include "tests/ui/model/session/session_fixture.h"

namespace sulcus::ui::model {
namespace {

struct BookmarksTest : SessionTest {
  Bookmarks& places() { return workspace->bookmarks(); }
  ViewState& view() { return workspace->view(); }
  QStringList placeNames() {
    QStringList all;
    for (const auto& place : places().all()) all << place.name;
    return all;
  }
  void keepAt(const Vec3<double>& at) {
    view().setCrosshair(at);
    places().keep();
  }
};

TEST_F(BookmarksTest, LeadFromOneToTheNextAndBack) {
  openScan("scan");
  places().go(1);
  EXPECT_EQ(places().layer(), 0) << "none is kept";
  keepAt({1, 2, 3});
  keepAt({-100.123456, 0, 3.5});
  EXPECT_EQ(placeNames(), (QStringList{"Bookmark 1", "Bookmark 2"}));
  EXPECT_EQ(layers().current(), named("scan")->id) << "what is worked on stays chosen";
  places().go(1);
  EXPECT_EQ(view().crosshair(), (Vec3<double>{1, 2, 3})) << "after the last comes the first";
  places().go(1);
  EXPECT_NEAR(view().crosshair().x, -100.123, 1e-3);
  places().go(-1);
  EXPECT_EQ(view().crosshair(), (Vec3<double>{1, 2, 3}));
  view().setCrosshair({50, 50, 50});
  places().go(-1);
  EXPECT_NEAR(view().crosshair().x, -100.123, 1e-3) << "from elsewhere to the last one";
}

TEST_F(BookmarksTest, AreRenamedAndRemovedAndComeBackByUndo) {
  openScan("scan");
  keepAt({1, 2, 3});
  keepAt({4, 5, 6});
  step();
  places().rename(places().layer(), 0, " hand knob ");
  places().rename(places().layer(), 1, "  ");
  EXPECT_EQ(placeNames(), (QStringList{"hand knob", "Bookmark 2"})) << "a name is not nothing";
  step();
  places().remove(places().layer(), 0);
  keepAt({7, 8, 9});
  EXPECT_EQ(placeNames(), (QStringList{"Bookmark 2", "Bookmark 3"})) << "no two have one name";
  step();
  session().undo();
  EXPECT_EQ(placeNames(), (QStringList{"hand knob", "Bookmark 2"}));
  places().remove(places().layer(), 0);
  places().remove(places().layer(), 0);
  EXPECT_FALSE(named("bookmarks")) << "the layer goes with its last bookmark";
}

TEST_F(BookmarksTest, ComeBackWithTheSession) {
  openScan("scan");
  keepAt({1, 2, 3});
  places().rename(places().layer(), 0, "hand knob");
  save();
  start();
  open();
  EXPECT_EQ(placeNames(), QStringList{"hand knob"});
  places().go(1);
  EXPECT_EQ(view().crosshair(), (Vec3<double>{1, 2, 3}));
}

TEST_F(BookmarksTest, OfAFileAreChangedInTheSessionAlone) {
  const QString path = folder.filePath("places.tsv");
  QFile table(path);
  ASSERT_TRUE(table.open(QIODevice::WriteOnly));
  table.write("landmark\tx_mm\ty_mm\tz_mm\nknob\t1\t2\t3\n");
  table.close();
  workspace->files().open({path});
  ASSERT_TRUE(settle());
  keepAt({4, 5, 6});
  EXPECT_EQ(placeNames(), (QStringList{"knob", "Bookmark 2"}));
  save();
  start();
  open();
  EXPECT_EQ(placeNames(), (QStringList{"knob", "Bookmark 2"}));
  ASSERT_TRUE(table.open(QIODevice::ReadOnly));
  EXPECT_FALSE(table.readAll().contains("Bookmark 2"));
}

}  // namespace
}  // namespace sulcus::ui::model
