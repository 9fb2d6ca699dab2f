// What the window does with a study, and with another machine.
#include "ui/model/text/localize.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/panels/study_panel.h"
#include "ui/widgets/window/main_window.h"
#include "ui/widgets/window/status_line.h"

#include <QApplication>
#include <QClipboard>

namespace sulcus::ui::widgets {

void MainWindow::addStudyCommands() {
  model::StudyModel& study = workspace_.study();
  commands_.add({QStringLiteral("file.openStudy"), tr("Open s&tudy…"), {}, [this] {
                   chooseFolder(tr("Open study"), QStringLiteral("folder"),
                                [this](const QString& path) { workspace_.study().open(path); });
                 }});
  const std::tuple<const char*, QString, const char*, int> steps[] = {
      {"study.next", tr("&Next participant"), "Ctrl+PgDown", 1},
      {"study.previous", tr("&Previous participant"), "Ctrl+PgUp", -1}};
  for (const auto& [name, text, key, rows] : steps)
    commands_.add({QLatin1String(name),
                   text,
                   QLatin1String(key),
                   [&study, rows = rows] { study.step(rows); },
                   {},
                   [&study, rows = rows] { return study.canStep(rows); }});
  commands_.add({QStringLiteral("study.flag"), tr("F&lag participant"), QStringLiteral("Ctrl+Shift+F"),
                 [&study] { study.setFlagged(!study.flagged()); }, [&study] { return study.flagged(); },
                 [&study] { return study.current() >= 0; }});
  commands_.add({QStringLiteral("study.openScans"),
                 tr("Open the &other scans of the participant"),
                 {},
                 [&study] { study.openScans(); },
                 {},
                 [&study] { return !study.unopenedScans().isEmpty(); }});
  commands_.add({QStringLiteral("study.copyCommand"),
                 tr("&Copy the command that runs the study"),
                 {},
                 [this] {
                   QApplication::clipboard()->setText(studyCommand());
                   status_->showPassingNote(tr("copied the command that runs the study"));
                 },
                 {},
                 [this] { return !studyCommand().isEmpty(); }});
  connect(studyPanel_, &StudyPanel::scansRequested, this,
          [this] { trigger(QStringLiteral("study.openScans")); });
  connect(studyPanel_, &StudyPanel::copyRequested, this,
          [this] { trigger(QStringLiteral("study.copyCommand")); });
  connect(&workspace_, &model::Workspace::preferencesChanged, this, &MainWindow::fillPlacesMenu,
          Qt::QueuedConnection);  // its entries change the preferences
  connect(&workspace_, &model::Workspace::preferencesChanged, this, &MainWindow::refreshActions);
  connect(&study, &model::StudyModel::opened, this, [this] {
    updatePages();
    setWanted(bottomSide_, true);
    bottom_->open(studyPanel_);
  });
  for (const auto changed : {&model::StudyModel::closed, &model::StudyModel::opened})
    connect(&study, changed, this, &MainWindow::refreshActions);
  connect(&study, &model::StudyModel::closed, this, &MainWindow::updatePages);
  connect(&study, &model::StudyModel::shown, this, &MainWindow::refreshActions);
  connect(&study, &model::StudyModel::dataChanged, this, &MainWindow::refreshActions);
}

QString MainWindow::studyCommand() const {
  const QString folder = workspace_.study().rawFolder();
  const model::AnalysisPresenter* presenter = workspace_.current();
  const bool runs =
      !folder.isEmpty() && presenter && workspace_.study().hasScansFor(presenter->analysis().name);
  return runs ? presenter->studyCommandLine(folder) : QString();
}

QString MainWindow::whyNoStudyCommand() const {
  const model::AnalysisPresenter* presenter = workspace_.current();
  if (workspace_.study().rawFolder().isEmpty() || !presenter || !studyCommand().isEmpty()) return {};
  return tr("%1 cannot be run on the study (it has no scans for it): choose another analysis")
      .arg(model::words(presenter->analysis().title));
}

}  // namespace sulcus::ui::widgets
