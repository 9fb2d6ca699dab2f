#include "ui/jobs/session_page.h"

#include "tests/ui/model/session/session_fixture.h"
#include "ui/jobs/picture_note.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sulcus::ui::jobs {
namespace {

using testing::HasSubstr;
using testing::Not;

struct SessionPage : model::SessionTest {
  std::string page() {
    const model::SessionState state = workspace->snapshots().take();
    return sessionPage("study <1>", state, {{"The views", [] { return std::string("Man"); }}},
                       {{"Chain", [] { return std::string("<svg/>"); }, "image/svg+xml"}}, {});
  }
};

TEST_F(SessionPage, HoldsRunsTablesLayersAndPicturesAndNeedsNoOtherFile) {
  Layer image = test::volumeLayer("T1 & more");
  image.source = "/data/t1.nii.gz";
  const model::LayerId id = layers().add(test::shared(image));
  Display display = layers().find(id)->display;
  display.hideBelow = 2.5;
  layers().setDisplay(id, display);
  Layer table;
  table.name = "peaks";
  table.content = TableLayer{{"x_mm"}, {{"3.5"}}};
  layers().add(test::shared(table));
  model::AnalysisPresenter& fake = *workspace->presenters().named("fake");
  fake.setDevices({true, test::oneDevice()});
  fake.options().set("gain", 3.0);
  workspace->runs().start(fake, model::RunChoice::both);
  ASSERT_TRUE(settle());
  const std::string html = page();
  EXPECT_THAT(html, HasSubstr("<title>study &lt;1&gt;</title>"));
  EXPECT_THAT(html, HasSubstr("data:image/png;base64,TWFu"));
  EXPECT_THAT(html, HasSubstr("data:image/svg+xml;base64,"));
  EXPECT_THAT(html, HasSubstr("<h2>Comparison</h2>"));
  EXPECT_THAT(html, HasSubstr("sulcus-cli fake --image /data/t1.nii.gz --gain 3"));
  EXPECT_THAT(html, HasSubstr("<b>3 mm</b>")) << "other than the default";
  EXPECT_THAT(html, HasSubstr("<td>3.5</td>"));
  EXPECT_THAT(html, HasSubstr("T1 &amp; more"));
  EXPECT_THAT(html, HasSubstr("values above 2.5"));
  for (const char* reference : {"src=\"http", "href=\"http", "<script", "<link"})
    EXPECT_THAT(html, Not(HasSubstr(reference)));
}

TEST_F(SessionPage, SaysOnOneScreenWhatWasFoundAndHowAndFoldsAllElse) {
  Layer image = test::volumeLayer("map");
  const model::LayerId id = layers().add(test::shared(image));
  Display display = layers().find(id)->display;
  display.hideBelow = 2.5;
  layers().setDisplay(id, display);
  model::AnalysisPresenter& fake = *workspace->presenters().named("fake");
  fake.setDevices({true, test::oneDevice()});
  workspace->runs().start(fake, model::RunChoice::cpu);
  ASSERT_TRUE(settle());
  layers().setVisible(id, true);
  const model::SessionState state = workspace->snapshots().take();
  EXPECT_EQ(pageTitle(state), "Fake: map");
  const std::string html = page();
  const std::size_t folded = html.find("<details>"), methods = html.find("<h2>Methods</h2>");
  ASSERT_NE(methods, html.npos);
  EXPECT_LT(methods, folded);
  EXPECT_LT(html.find("<h2>Clusters</h2>"), folded);
  EXPECT_LT(html.find("data:image/png"), html.find("<h2>Clusters</h2>")) << "pictures in the left column";
  EXPECT_GT(html.find("sulcus-cli fake"), folded);
  EXPECT_GT(html.find("data:image/svg+xml"), folded);
  EXPECT_NE(html.find("computed with Sulcus"), html.npos);
}

TEST_F(SessionPage, IsThereWithoutRuns) {
  layers().add(test::shared(test::volumeLayer("image")));
  const std::string html = page();
  EXPECT_THAT(html, Not(HasSubstr("<b>Runs</b>")));
  EXPECT_THAT(html, HasSubstr("<b>Layers</b>"));
}

TEST_F(SessionPage, PutsPlotsOfOneNameTogether) {
  layers().add(test::shared(test::volumeLayer("image")));
  rich().setDevices({true, test::oneDevice()});
  workspace->runs().start(rich(), model::RunChoice::both);
  ASSERT_TRUE(settle());
  const auto plots = plotsOf(workspace->snapshots().take(), {3, 0, 0}, 60, {});
  ASSERT_EQ(plots.size(), 2u);
  EXPECT_EQ(plots[0].name, "Trace");
  ASSERT_EQ(plots[0].charts.size(), 2u);
  EXPECT_NE(plots[0].charts[0].run, plots[0].charts[1].run);
  EXPECT_EQ(plots[0].charts[0].chart.title, "x = 3 mm");
  EXPECT_EQ(plotsOf(workspace->snapshots().take(), {}, 1, {}).size(), 1u);
}

TEST_F(SessionPage, ANoteOfAPictureSaysWhatItShows) {
  Layer image = test::volumeLayer("T1");
  image.source = "t1.nii.gz";
  layers().add(test::shared(image));
  const model::LayerId hidden = layers().add(test::shared(test::volumeLayer("other")));
  layers().setVisible(hidden, false);
  workspace->view().setCrosshair({1, 2, 3});
  const std::string note = pictureNote(workspace->snapshots().take());
  EXPECT_THAT(note, HasSubstr("\"File\": \"t1.nii.gz\""));
  EXPECT_THAT(note, Not(HasSubstr("other")));
  EXPECT_THAT(note, HasSubstr("\"CoordinateSpace\": \"RAS+ mm\""));
}

TEST_F(SessionPage, ANoteOfAPlotNamesItsRuns) {
  layers().add(test::shared(test::volumeLayer("image")));
  rich().setDevices({true, test::oneDevice()});
  workspace->runs().start(rich(), model::RunChoice::cpu);
  ASSERT_TRUE(settle());
  const std::string note = plotNote("Trace", workspace->runs().runs());
  EXPECT_THAT(note, HasSubstr("\"Plot\": \"Trace\""));
  EXPECT_THAT(note, HasSubstr("sulcus-cli rich"));
}

}  // namespace
}  // namespace sulcus::ui::jobs
