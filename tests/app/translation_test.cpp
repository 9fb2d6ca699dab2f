// The window in a language in which each text of the catalogue stands in brackets. The catalogue and its .qm
// are made as for any language, so that what stands outside of brackets is what a translation would not
// reach.
#include "app/analyses/table.h"
#include "core/base/provenance.h"
#include "core/image/display/layer_kinds.h"
#include "tests/ui/widgets/window/window_fixture.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/panels/plots_panel.h"
#include "ui/widgets/window/help_pages.h"

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
#include <QRegularExpression>
#include <QTabBar>
#include <QTextEdit>
#include <QTranslator>
#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

namespace sulcus::app {
namespace {

/// The translator of brackets, made once; null where the tools of Qt are not installed.
QTranslator* brackets() {
  static const auto made = []() -> std::unique_ptr<QTranslator> {
    test::QtFolder folder;
    const QString catalogue = folder.filePath("sulcus_xx.ts");
    if (QProcess::execute(QStringLiteral("resources/translations/update"), {"--pseudo", catalogue}) != 0)
      return nullptr;
    auto translator = std::make_unique<QTranslator>();
    return translator->load(folder.filePath("sulcus_xx.qm")) ? std::move(translator) : nullptr;
  }();
  return made.get();
}

/// What stands outside of brackets, but for what stays in any language: names in quotes, of files and
/// folders, of the program and the processor, of layers and regressors, and symbols of the field.
QString outside(QString text, const QStringList& names) {
  static const QRegularExpression kInside(QStringLiteral("⟦[^⟦⟧]*⟧"));
  static const QRegularExpression kQuoted(QStringLiteral("'[^']*'|<[^>]*>|&[a-z]+;"));
  static const QRegularExpression kFile(QStringLiteral("\\S*/\\S*|\\S+\\.[a-z]+\\b"));
  // Of keys, which Qt names; true values of a demo, which are called as their files; statistics.
  static const QRegularExpression kSymbol(
      QStringLiteral("\\b(Ctrl|Shift|Alt|Space|Up|Down|Del|Return|Pg(Up|Down)|true_\\w+|R-hat|ESS|RAS)\\b"));
  static const QRegularExpression kWord(QStringLiteral("[A-Za-z]{3,}"));
  for (qsizetype size = -1; size != text.size();) {  // a label may stand in a sentence
    size = text.size();
    text.remove(kInside);
  }
  text.remove(kQuoted).remove(kFile).remove(kSymbol);
  for (const QString& name : names) text.remove(name);
  return text.contains(kWord) ? text.simplified() : QString();
}

struct Translation : ui::widgets::WindowFixture {
  Translation() : WindowFixture(analyses::table()) {}
  ~Translation() override { QCoreApplication::removeTranslator(brackets()); }

  void SetUp() override {
    if (!brackets()) GTEST_SKIP() << "lupdate and lrelease are not installed";
    ASSERT_TRUE(QCoreApplication::installTranslator(brackets()));
    open();
    window->resize(1500, 950);
  }

  void look(const QString& text, const QString& where = {}) {
    // Qt has translations of its own.
    static const QStringList kOfQt{"Float",  "Close", "Scroll Left",     "Scroll Right",
                                   "OK",     "&OK",   "Cancel",          "&Cancel",
                                   "&Close", "Save",  "Show Details...", "Restore Defaults"};
    if (kOfQt.contains(text)) return;
    QStringList names;
    for (const auto& [title, page] : ui::widgets::helpPages()) names << title;  // help is English
    names << QStringLiteral("Sulcus") << QString::fromStdString(cpuName()).section(QLatin1Char(','), 0, 0)
          << QStringLiteral("auditory") << QStringLiteral("visual")
          << QStringLiteral("intercept");  // regressors of the demo
    if (const QString rest = outside(text, names); !rest.isEmpty())
      found << QStringLiteral("%1: %2 [%3]").arg(where, text, rest);
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
  workspace->runs().compare(runs[0], runs[1]);
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
  workspace->plots().setCurrent(QString::fromStdString(runs[0]->result->plots.front().name));
  ASSERT_TRUE(waitFor([this] { return !workspace->plots().charts().empty(); }) && waitUntilDrawn());
  lookAt(*window);
  keep((std::string("translation-plots-") + GetParam()).c_str());
  expectAllInside();
}

TEST_F(Translation, ReachesDialogs) {
  add(test::volumeLayer("T1"));
  add(test::volumeLayer("T2"));
  for (const char* command : {"edit.preferences", "file.picture", "file.movie", "help.keys", "help.contents",
                              "layer.applyField", "layer.rename", "clusters.show", "compare.layers",
                              "view.listPlaces", "regions.paint", "edit.search"}) {
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

TEST_F(Translation, ReachesWhatIsSaidOfBrokenFiles) {
  const auto write = [this](const char* name, const QByteArray& bytes) {
    QFile file(folder.filePath(name));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
  };
  QByteArray header(352, '\0');
  header[0] = 92, header[1] = 1;  // 348, its own length
  header.replace(344, 4, QByteArray("n+1\0", 4));
  write("empty.nii", {});
  write("header.nii", header);
  write("cut.nii.gz", QByteArray("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10));
  write("words.nrrd", "NRRD0004\ntype: words\ndimension: 3\nsizes: 2 2 2\nencoding: raw\n\n");
  write("mesh.ply", "ply\nformat ascii 1.0\nelement vertex 3\nend_header\n1 2\n");
  write("noise.xyz", "no scan at all");
  write("rows.tsv", "a\tb\n1\n");
  for (const char* name :
       {"empty.nii", "header.nii", "cut.nii.gz", "words.nrrd", "mesh.ply", "noise.xyz", "rows.tsv"}) {
    window->openFiles({folder.filePath(name)});
    ASSERT_TRUE(waitFor([this] { return workspace->files().pending() == 0; }));
    QCoreApplication::processEvents();
    lookAt(*window);
    const auto said = window->findChildren<QMessageBox*>();
    EXPECT_FALSE(said.empty()) << name;
    for (QMessageBox* box : said) {
      if (const char* kept = std::getenv("SULCUS_KEEP_PICTURES"))
        box->grab().save(QStringLiteral("%1/translation-said-of-%2.png").arg(kept, QLatin1String(name)));
      box->close();
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
