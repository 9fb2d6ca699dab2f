// The example of resources/help/adding-an-analysis.md as the fifth tab of the window.
#include "app/analyses/table.h"
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/widgets/panels/analysis_panel.h"

#include <algorithm>

namespace sulcus::app::analyses {
namespace {

struct FifthAnalysis : ui::widgets::WindowFixture {
  FifthAnalysis() : WindowFixture(table()) {}
};

TEST_F(FifthAnalysis, IsATabThatRunsItsDemo) {
  open();
  QSignalSpy loaded(workspace.get(), &ui::model::Workspace::demoLoaded);

  workspace->loadDemo("smooth");
  ASSERT_TRUE(loaded.count() > 0 || loaded.wait(ui::widgets::kWait));
  EXPECT_EQ(&window->panel("smooth")->presenter(), workspace->presenters().current());
  run("run.cpu");

  const auto& shown = layers().layers();
  EXPECT_TRUE(std::any_of(shown.begin(), shown.end(),
                          [](const auto& layer) { return layer.name.startsWith("smoothed"); }));
}

}  // namespace
}  // namespace sulcus::app::analyses
