// The window in a language in which each text of the catalog is in brackets. The catalog and its .qm are made
// as for any language. A text of the catalog that is shown without brackets is one that a translation would
// not reach.
#include "app/analyses/table.h"
#include "core/image/display/layer_kinds.h"
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/help/help_pages.h"
#include "ui/widgets/panels/plots_panel.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProcess>
#include <QSet>
#include <QTabBar>
#include <QTextEdit>
#include <QTranslator>
#include <QXmlStreamReader>
#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

namespace sulcus::app {
namespace {

/// The translator that adds brackets, and the texts that it knows.
struct Brackets {
  QTranslator translator;
  QSet<QString> texts;
};

/// Made once; null if the tools of Qt are not installed.
Brackets* brackets() {
  static const auto made = []() -> std::unique_ptr<Brackets> {
    test::QtFolder folder;
    const QString catalogue = folder.filePath("sulcus_xx.ts");
    if (QProcess::execute(QStringLiteral("resources/translations/update"), {"--pseudo", catalogue}) != 0)
      return nullptr;
    auto all = std::make_unique<Brackets>();
    QFile file(catalogue);
    if (!all->translator.load(folder.filePath("sulcus_xx.qm")) || !file.open(QIODevice::ReadOnly))
      return nullptr;
    for (QXmlStreamReader xml(&file); !xml.atEnd();)
      if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("source"))
        all->texts.insert(xml.readElementText());
    return all;
  }();
  return made.get();
}

struct Translation : ui::widgets::WindowFixture {
  Translation() : WindowFixture(analyses::table()) {}
  ~Translation() override { QCoreApplication::removeTranslator(&brackets()->translator); }

  void SetUp() override {
    if (!brackets()) GTEST_SKIP() << "lupdate and lrelease are not installed";
    ASSERT_TRUE(QCoreApplication::installTranslator(&brackets()->translator));
    open();
    window->resize(1500, 950);
  }

  void look(const QString& text, const QString& where = {}) {
    // Qt has its own translations; the help is in English; regressors and layers of the demo are data.
    static const QStringList kOthers{"Close",  "OK",        "Cancel", "Save",  "Sulcus", "auditory",
                                     "visual", "intercept", "mean",   "100 %", "A",      "S"};
    const bool isPage =
        std::ranges::any_of(ui::widgets::helpPages(), [&](const auto& page) { return page.first == text; });
    const bool isLayer =
        std::ranges::any_of(layers().layers(), [&](const auto& layer) { return layer.name == text; });
    if (brackets()->texts.contains(text) && !kOthers.contains(text) && !isPage && !isLayer)
      found << QStringLiteral("%1: %2").arg(where, text);
  }

  void lookAtModel(const QAbstractItemModel* model, const QString& where) {
    constexpr int kMost = 200;
    for (int column = 0; column < model->columnCount(); ++column) {
      look(model->headerData(column, Qt::Horizontal).toString(), where);
      for (int row = 0; row < std::min(kMost, model->rowCount()); ++row)
        for (const int role : {int(Qt::DisplayRole), int(Qt::ToolTipRole)})
          look(model->data(model->index(row, column), role).toString(), where);
    }
  }

  void lookAt(const QWidget& top) {
    QList<QWidget*> all = top.findChildren<QWidget*>();
    for (const QWidget* widget : all) {
      const QString where = QLatin1String(widget->metaObject()->className()) + " " + widget->objectName();
      look(widget->toolTip(), where);
      look(widget->accessibleName(), where);
      if (widget->isWindow()) look(widget->windowTitle(), where);
      if (const auto* label = qobject_cast<const QLabel*>(widget)) look(label->text(), where);
      if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) look(button->text(), where);
      if (const auto* group = qobject_cast<const QGroupBox*>(widget)) look(group->title(), where);
      if (const auto* text = qobject_cast<const QPlainTextEdit*>(widget)) look(text->toPlainText(), where);
      if (const auto* text = qobject_cast<const QTextEdit*>(widget)) look(text->toPlainText(), where);
      if (const auto* box = qobject_cast<const QComboBox*>(widget)) lookAtModel(box->model(), where);
      if (const auto* view = qobject_cast<const QAbstractItemView*>(widget); view && view->model())
        lookAtModel(view->model(), where);
      if (const auto* tabs = qobject_cast<const QTabBar*>(widget))
        for (int i = 0; i < tabs->count(); ++i) look(tabs->tabText(i), where);
    }
    for (const QAction* action : top.findChildren<QAction*>()) look(action->text(), "action");
  }

  void lookAtChart(const Chart& plain, const QString& where) {
    const Chart chart = ui::model::localizeForWindow(plain);
    for (const std::string* text : {&chart.title, &chart.xLabel, &chart.yLabel})
      look(QString::fromStdString(*text), where);
    for (const Chart::Series& series : chart.series) look(QString::fromStdString(series.name), where);
  }

  void expectAllInside() {
    found.removeDuplicates();
    EXPECT_TRUE(found.empty()) << found.join('\n').toStdString();
    found.clear();
  }

  QStringList found;
};

struct TranslationOf : Translation, testing::WithParamInterface<const char*> {};

TEST_P(TranslationOf, ReachesWhatAnAnalysisShows) {
  workspace->loadDemo(GetParam());
  ASSERT_TRUE(waitUntilIdle());
  lookAt(*window);
  run("run.cpu");
  run("run.cpu");
  const auto& runs = workspace->runs().runs();
  ASSERT_EQ(runs.size(), 2u);
  workspace->runs().comparer().compare(runs[0], runs[1]);
  ASSERT_TRUE(waitUntilIdle());
  for (const ui::model::LayerState& state : layers().layers()) {
    layers().setCurrent(state.id);
    QCoreApplication::processEvents();
    lookAt(*window);
  }
  for (const Plot& plot : runs[0]->result->plots) {
    look(ui::model::words(plot.name), "plot");
    lookAtChart(plot.make(view().crosshair()), QString::fromStdString(plot.name));
  }
  EXPECT_TRUE(waitUntilDrawn());
  keep((std::string("translation-") + GetParam()).c_str());
  window->bottom().open(&window->plotsPanel());
  workspace->evaluation().plots.setCurrent(QString::fromStdString(runs[0]->result->plots.front().name));
  ASSERT_TRUE(waitFor([this] { return !workspace->evaluation().plots.charts().empty(); }) &&
              waitUntilDrawn());
  lookAt(*window);
  keep((std::string("translation-plots-") + GetParam()).c_str());
  expectAllInside();
}

TEST_F(Translation, ReachesDialogs) {
  add(test::volumeLayer("T1"));
  add(test::volumeLayer("T2"));
  for (const char* command : {"edit.preferences", "file.picture", "file.movie", "help.keys", "help.contents",
                              "layer.applyField", "layer.rename", "clusters.show", "compare.layers",
                              "view.listBookmarks", "regions.paint", "edit.search"}) {
    window->trigger(QLatin1String(command));
    QCoreApplication::processEvents();
    lookAt(*window);
    keep((std::string("translation-") + command).c_str());
    for (QDialog* dialog : window->findChildren<QDialog*>()) {
      if (const char* kept = std::getenv("SULCUS_KEEP_PICTURES"))
        dialog->grab().save(QStringLiteral("%1/translation-dialog-%2.png").arg(kept, QLatin1String(command)));
      dialog->close();
    }
    QCoreApplication::processEvents();
  }
  expectAllInside();
}

INSTANTIATE_TEST_SUITE_P(Each, TranslationOf,
                         testing::Values("fibers", "activation", "registration", "surface"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace sulcus::app
