// The palette, the collapsible panels and the help for the focused widget, with the keyboard.
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/controls/option_form.h"
#include "ui/widgets/dialogs/command_palette.h"
#include "ui/widgets/help/help_pages.h"
#include "ui/widgets/panels/analysis_panel.h"
#include "ui/widgets/panels/compare_panel.h"
#include "ui/widgets/panels/jobs_panel.h"
#include "ui/widgets/panels/plots_panel.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/theme.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QScrollBar>
#include <QSlider>
#include <QTabBar>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolButton>
#include <tuple>

#include <gtest/gtest.h>

namespace sulcus::ui::widgets {
namespace {

using test::volumeLayer;

struct SearchWindow : WindowFixture {
  void SetUp() override {
    open();
    image = add(volumeLayer("image"));
    add(volumeLayer("other"));
    ASSERT_TRUE(waitForFocus(*window));
  }
  QLineEdit* query() { return child<QLineEdit>("paletteQuery"); }
  bool offered() { return child<QFrame>("palette")->isVisible(); }
  void search(const QString& typed) {
    QTest::keyClick(window.get(), Qt::Key_K, Qt::ControlModifier);
    ASSERT_TRUE(offered());
    ASSERT_TRUE(waitForFocus(*child<QFrame>("palette")));
    ASSERT_EQ(QApplication::focusWidget(), query());
    QTest::keyClicks(query(), typed);
  }
  model::LayerId image = 0;
};

TEST_F(SearchWindow, DoesAnActionThatIsFoundByItsWords) {
  search("neurol");
  QTest::keyClick(query(), Qt::Key_Return);
  EXPECT_FALSE(view().radiological());
  EXPECT_FALSE(offered());
  search("a s c");  // no shortcuts of the window while something is typed
  EXPECT_EQ(window->views().layoutShown(), ViewLayout::grid);
}

TEST_F(SearchWindow, GivesTheKeysToTheFieldOfAParameterEvenOfOneThatIsFoldedAway) {
  for (const auto& [typed, name] : {std::pair("gain", "option.gain"), {"tolerance", "option.tolerance"}}) {
    search(typed);
    QTest::keyClick(query(), Qt::Key_Return);
    QWidget* field = window->panel("fake")->findChild<QWidget*>(QLatin1String(name));
    ASSERT_TRUE(field);
    EXPECT_TRUE(waitFor([&] { return field->isVisible() && field->hasFocus(); })) << typed;
  }
}

TEST_F(SearchWindow, SelectsALayerAndGoesThroughTheListByArrows) {
  ASSERT_NE(layers().current(), image);
  search("image layer");
  QTest::keyClick(query(), Qt::Key_Return);
  EXPECT_EQ(layers().current(), image);
  search("alone");
  auto* list = child<QListView>("paletteEntries");
  EXPECT_EQ(list->currentIndex().row(), 0);
  QTest::keyClick(query(), Qt::Key_Down);
  EXPECT_EQ(list->currentIndex().row(), 1);
  QTest::keyClick(query(), Qt::Key_Up);
  QTest::keyClick(query(), Qt::Key_Up);
  EXPECT_GT(list->currentIndex().row(), 1) << "from the first to the last";
}

TEST_F(SearchWindow, ChangesHowTheCurrentLayerIsShown) {
  search("volume rendering");
  QTest::keyClick(query(), Qt::Key_Return);
  EXPECT_TRUE(layers().find(layers().current())->display.rendered);
  search("opacity");
  QTest::keyClick(query(), Qt::Key_Return);
  EXPECT_TRUE(waitFor([this] { return child<QSlider>("opacity")->hasFocus(); }));
}

TEST_F(SearchWindow, IsClosedByEscapeAndGivesTheKeysBack) {
  QWidget* before = QApplication::focusWidget();
  search("gain");
  keep("palette");
  QTest::keyClick(query(), Qt::Key_Escape);
  EXPECT_FALSE(offered());
  EXPECT_EQ(QApplication::focusWidget(), before);
}

TEST_F(SearchWindow, DoesNotDoWhatCannotBeDoneNow) {
  search("run on gpu");
  QTest::keyClick(query(), Qt::Key_Return);
  EXPECT_TRUE(offered());
  EXPECT_EQ(workspace->jobs().rowCount(), 0);
}

TEST_F(SearchWindow, FoldsItsPanelsByKeysAndFromTheViewsAloneBackAgain) {
  auto* left = child<QDockWidget>("layersDock");
  auto* right = child<QDockWidget>("analysisDock");
  ASSERT_TRUE(left->isVisible() && right->isVisible());
  QTest::keyClick(window.get(), Qt::Key_F7);
  EXPECT_FALSE(left->isVisible());
  QTest::keyClick(window.get(), Qt::Key_F7);
  EXPECT_TRUE(left->isVisible());
  QTest::keyClick(window.get(), Qt::Key_F9);
  EXPECT_FALSE(right->isVisible());
  QTest::keyClick(window.get(), Qt::Key_F10);
  EXPECT_FALSE(left->isVisible() || window->bottom().isVisible());
  QTest::keyClick(window.get(), Qt::Key_F10);
  EXPECT_TRUE(left->isVisible() && right->isVisible() && window->bottom().isVisible());
}

TEST_F(SearchWindow, OpensTheRowOfTabsWhenSomethingRunsUnlessItWasFoldedByHand) {
  FoldingTabs& bottom = window->bottom();
  EXPECT_TRUE(bottom.folded());
  EXPECT_FALSE(window->jobsPanel().isVisible());
  auto* tabs = bottom.findChild<QTabBar*>();
  const int folded = bottom.height();
  EXPECT_GE(folded, tabs->sizeHint().height()) << "no tab is cut off";
  run("run.cpu");
  EXPECT_FALSE(bottom.folded());
  EXPECT_TRUE(window->jobsPanel().isVisible());
  EXPECT_TRUE(waitFor([&] { return bottom.height() > 4 * folded; })) << bottom.height();
  QTest::keyClick(window.get(), Qt::Key_F8);
  EXPECT_TRUE(bottom.folded());
  EXPECT_TRUE(waitFor([&] { return bottom.height() == folded; }));
  run("run.cpu");
  EXPECT_TRUE(bottom.folded());
  QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
  EXPECT_FALSE(bottom.folded());
  EXPECT_EQ(bottom.current(), static_cast<QWidget*>(&window->plotsPanel()));
  QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
  EXPECT_TRUE(bottom.folded());
}

TEST_F(SearchWindow, SaysInOneLineWhyNothingCanBeRun) {
  auto* reason = child<QLabel>("activityReason");
  EXPECT_EQ(reason->text(), "");
  workspace->presenters().named("fake")->inputs().choose("image", 0);
  EXPECT_EQ(reason->text(), "Choose “Image” first.");
}

TEST_F(SearchWindow, ShowsTheHelpOfWhatHasTheKeys) {
  QWidget* list = child<QListView>("layers");
  list->setFocus();
  QTest::keyClick(list, Qt::Key_F1);
  auto* page = child<QDialog>("helpPage");
  ASSERT_TRUE(page);
  EXPECT_TRUE(page->findChild<QTextBrowser*>()->toPlainText().startsWith("The window"));
  delete page;
  window->panel("fake")->focusOption("gain");  // an analysis without its own page has that of the window
  QTest::keyClick(window->panel("fake")->form()->editor("gain"), Qt::Key_F1);
  page = child<QDialog>("helpPage");
  ASSERT_TRUE(page);
  EXPECT_TRUE(page->findChild<QTextBrowser*>()->toPlainText().startsWith("The window"));
}

TEST_F(SearchWindow, LeadsToEveryPageOfTheHelp) {
  search("beside other viewers");
  QTest::keyClick(query(), Qt::Key_Return);
  auto* page = child<QDialog>("helpPage");
  ASSERT_TRUE(page);
  EXPECT_TRUE(page->findChild<QTextBrowser*>()->toPlainText().startsWith("Beside other viewers"));
  delete page;
  ASSERT_TRUE(window->trigger("help.pages"));
  auto* all = child<QDialog>("helpPage")->findChild<QListWidget*>("helpContents");
  EXPECT_GE(helpPages().size(), 14u);
  for (const auto& [title, name] : helpPages())
    EXPECT_EQ(all->findItems(title, Qt::MatchExactly).size(), 1) << name.toStdString();
  EXPECT_EQ(all->item(0)->text(), "Ten minutes") << "what a newcomer reads comes first";
}

TEST_F(SearchWindow, ShowsAllKeysOnOneSheet) {
  ASSERT_TRUE(window->trigger("help.keys"));
  const auto* sheet = child<QDialog>("keys")->findChild<QTextBrowser*>();
  QCoreApplication::processEvents();
  EXPECT_EQ(sheet->verticalScrollBar()->maximum(), 0) << "nothing is scrolled";
  EXPECT_EQ(sheet->horizontalScrollBar()->maximum(), 0);
  for (const QAction* action : window->findChildren<QAction*>())
    if (!action->objectName().isEmpty() && !action->shortcut().isEmpty())
      EXPECT_TRUE(sheet->toPlainText().contains(action->shortcut().toString(QKeySequence::NativeText)))
          << action->objectName().toStdString();
}

TEST_F(SearchWindow, SearchesAllPagesOfTheHelpAndListsTheHeadingsOfOne) {
  showHelpPage(window.get(), QStringLiteral("registration"), nullptr);
  auto* page = child<QDialog>("helpPage");
  ASSERT_TRUE(page);
  auto* list = page->findChild<QListWidget*>("helpContents");
  auto* browser = page->findChild<QTextBrowser*>();
  const auto texts = [&] {
    QStringList all;
    for (int i = 0; i < list->count(); ++i) all << list->item(i)->text().trimmed();
    return all;
  };
  ASSERT_TRUE(waitFor([&] { return list->count() > int(helpPages().size()); })) << "its headings, too";
  for (const auto& [title, name] : helpPages()) EXPECT_TRUE(texts().contains(title)) << name.toStdString();
  page->findChild<QLineEdit*>("helpSearch")->setText("crosshair wheel");
  ASSERT_GT(list->count(), 0);
  EXPECT_LT(list->count(), 20);
  emit list->itemClicked(list->item(0));
  EXPECT_TRUE(browser->toPlainText().contains("crosshair", Qt::CaseInsensitive));
  QTest::keyClick(page->findChild<QLineEdit*>("helpSearch"), Qt::Key_Return);
  EXPECT_TRUE(page->isVisible()) << "Return opens what was found";
  page->findChild<QLineEdit*>("helpSearch")->setText("no such word anywhere");
  EXPECT_EQ(list->count(), 0);
  delete page;
}

TEST_F(SearchWindow, OpensHelpWhereTheFieldIsDescribed) {
  QWidget field(window.get());
  for (const auto& [name, label, place] :
       {std::tuple("option.lambda", "Bias weight λ", "Bias weight λ:"),
        std::tuple("input.mask", "Mask", "A mask on the fixed image's grid"),
        std::tuple("option.bias-field", "Bias field", "Bias field: coils")}) {
    field.setObjectName(QLatin1String(name));
    field.setAccessibleName(QString::fromUtf8(label));
    showHelpPage(window.get(), QStringLiteral("registration"), &field);
    auto* page = child<QDialog>("helpPage");
    ASSERT_TRUE(page);
    auto* browser = page->findChild<QTextBrowser*>();
    EXPECT_TRUE(browser->textCursor().block().text().startsWith(QString::fromUtf8(place)))
        << browser->textCursor().block().text().toStdString();
    EXPECT_GE(browser->cursorRect().top(), 0);
    const auto* bar = browser->verticalScrollBar();
    EXPECT_LT(browser->cursorRect().top(),
              browser->viewport()->height() / (bar->value() < bar->maximum() ? 4 : 1))
        << name << " is seen at once, at the top unless the page ends there";
    delete page;
  }
}

TEST_F(SearchWindow, RemembersItsAppearance) {
  ASSERT_TRUE(window->trigger("view.light"));
  EXPECT_EQ(theme().panel, lightTheme().panel);
  window.reset();
  applyAppearance(Appearance::dark);
  open();
  EXPECT_EQ(theme().panel, lightTheme().panel);
  ASSERT_TRUE(window->trigger("view.dark"));
  EXPECT_EQ(theme().panel, darkTheme().panel);
  EXPECT_GT(window->comparePanel().tablePicture().pixelColor(1, 1).lightness(), 240)
      << "what is saved is light";
}

}  // namespace
}  // namespace sulcus::ui::widgets
