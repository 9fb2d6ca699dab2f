#include "ui/model/text/localize.h"
#include "ui/widgets/commands/commands.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/panels/study_panel.h"
#include "ui/widgets/window/status_line.h"

#include <QApplication>
#include <QClipboard>

namespace sulcus::ui::widgets {

void addStudyCommands(WindowParts& window) {
  model::StudyModel& study = window.workspace.study();
  window.commands.add("file.openStudy", QObject::tr("Open s&tudy…"), "", [&window] {
    window.dialogs.chooseFolder(QObject::tr("Open study"), QStringLiteral("folder"),
                                [&window](const QString& path) { window.workspace.study().open(path); });
  });
  const std::tuple<const char*, QString, const char*, int> steps[] = {
      {"study.next", QObject::tr("&Next participant"), "Ctrl+PgDown", 1},
      {"study.previous", QObject::tr("&Previous participant"), "Ctrl+PgUp", -1}};
  for (const auto& [name, text, key, rows] : steps)
    window.commands.add(
        name, text, key, [&study, rows = rows] { study.step(rows); },
        [&study, rows = rows] { return study.canStep(rows); });
  window.commands.addSwitch(
      "study.flag", QObject::tr("F&lag participant"), "Ctrl+Shift+F",
      [&study] { study.setFlagged(!study.flagged()); }, [&study] { return study.flagged(); },
      [&study] { return study.current() >= 0; });
  window.commands.add(
      "study.openScans", QObject::tr("Open the &other scans of the participant"), "",
      [&study] { study.openScans(); }, [&study] { return !study.unopenedScans().isEmpty(); });
  window.commands.add(
      "study.copyCommand", QObject::tr("&Copy the command that runs the study"), "",
      [&window] {
        QApplication::clipboard()->setText(studyCommand(window));
        window.status->showPassingNote(QObject::tr("copied the command that runs the study"));
      },
      [&window] { return !studyCommand(window).isEmpty(); });
  QObject::connect(window.studyPanel, &StudyPanel::scansRequested, &window.widget,
                   [&window] { window.trigger(QStringLiteral("study.openScans")); });
  QObject::connect(window.studyPanel, &StudyPanel::copyRequested, &window.widget,
                   [&window] { window.trigger(QStringLiteral("study.copyCommand")); });
  QObject::connect(&window.workspace.preferences(), &model::PreferenceStore::changed, &window.menus,
                   &WindowMenus::fillHosts,
                   Qt::QueuedConnection);  // its entries change the preferences
  QObject::connect(&window.workspace.preferences(), &model::PreferenceStore::changed, &window.menus,
                   &WindowMenus::refresh);
  for (const auto changed : {&model::StudyModel::closed, &model::StudyModel::opened})
    QObject::connect(&study, changed, &window.menus, &WindowMenus::refresh);
  QObject::connect(&study, &model::StudyModel::shown, &window.menus, &WindowMenus::refresh);
  QObject::connect(&study, &model::StudyModel::dataChanged, &window.menus, &WindowMenus::refresh);
}

QString studyCommand(const WindowParts& window) {
  const QString folder = window.workspace.study().rawFolder();
  const model::AnalysisPresenter* presenter = window.workspace.presenters().current();
  const bool runs =
      !folder.isEmpty() && presenter && window.workspace.study().hasScansFor(presenter->analysis().name);
  return runs ? presenter->studyCommandLine(folder) : QString();
}

QString whyNoStudyCommand(const WindowParts& window) {
  const model::AnalysisPresenter* presenter = window.workspace.presenters().current();
  if (window.workspace.study().rawFolder().isEmpty() || !presenter || !studyCommand(window).isEmpty())
    return {};
  return QObject::tr("%1 cannot be run on the study (the study has no scans for it): choose another analysis")
      .arg(model::words(presenter->analysis().title));
}

}  // namespace sulcus::ui::widgets
