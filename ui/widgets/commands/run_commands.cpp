#include "core/analysis/command_line.h"
#include "core/base/error.h"
#include "core/io/files.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/commands/commands.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/panels/jobs_panel.h"
#include "ui/widgets/window/status_line.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <memory>

namespace sulcus::ui::widgets {

namespace {

void openParameters(WindowParts& window) {
  model::AnalysisPresenter* const presenter = window.workspace.presenters().current();
  window.dialogs.chooseFile(
      QObject::tr("Parameters of %1").arg(model::words(presenter->analysis().title)),
      {QObject::tr("Parameters (*.json)"), QObject::tr("All files (*)")},
      [&window, presenter](const QString& path) {
        const auto read = std::make_shared<OptionValues>();
        const QString title = QObject::tr("Open %1").arg(QFileInfo(path).fileName());
        window.files.work(
            title, [read, file = path.toStdString()](const Progress&) { *read = io::openOptions(file); },
            [&window, presenter, read, title] {
              try {
                presenter->options().takeParameters(*read);
              } catch (const Error& fault) {
                showError(&window.widget, title, model::localizeForWindow(fault.message()));
              }
            });
      },
      QStringLiteral("saveFolder"));
}

}  // namespace

void startRun(WindowParts& window, model::RunChoice choice) {
  WindowParts::takeTyped();
  if (window.workspace.run(choice)) window.lower->offer(window.jobsPanel);
}

void addRunCommands(WindowParts& window) {
  const std::tuple<const char*, QString, const char*, model::RunChoice> runs[] = {
      {"run.cpu", QObject::tr("Run on &CPU"), "Ctrl+Return", model::RunChoice::cpu},
      {"run.gpu", QObject::tr("Run on &GPU"), "Ctrl+Shift+Return", model::RunChoice::gpu},
      {"run.both", QObject::tr("Run &both and compare"), "Ctrl+Alt+Return", model::RunChoice::both}};
  for (const auto& [name, text, key, choice] : runs)
    window.commands.add(
        name, text, key, [&window, choice = choice] { startRun(window, choice); },
        [&window, choice = choice] { return window.workspace.canRun(choice); });
  window.commands.add(
      "run.again", QObject::tr("Run a&gain"), "",
      [&window] { window.runs.makeAgain(window.workspace.currentRun()); },
      [&window] {
        const model::RunPtr run = window.workspace.currentRun();
        return run && run->stored;
      });
  model::JobListModel& jobs = window.workspace.jobs();
  window.commands.add(
      "run.cancel", QObject::tr("C&ancel all jobs"), "", [&jobs] { jobs.cancelAll(); },
      [&jobs] { return jobs.active() > 0; });
  window.commands.add(
      "run.clearJobs", QObject::tr("Clear &finished jobs"), "", [&jobs] { jobs.clearFinished(); },
      [&jobs] { return jobs.rowCount() > jobs.active(); });
  const auto anyAnalysis = [&window] { return window.workspace.presenters().current() != nullptr; };
  window.commands.add(
      "run.reset", QObject::tr("&Reset parameters"), "",
      [&window] { window.workspace.presenters().current()->options().reset(); }, anyAnalysis);
  window.commands.add(
      "run.openParameters", QObject::tr("Open &parameters…"), "", [&window] { openParameters(window); },
      anyAnalysis);
  window.commands.add(
      "run.saveParameters", QObject::tr("Sa&ve parameters…"), "",
      [&window] {
        const model::AnalysisPresenter& presenter = *window.workspace.presenters().current();
        window.dialogs.askSave(
            QObject::tr("Save parameters"), QString::fromStdString(presenter.analysis().name) + ".json",
            QObject::tr("Parameters (*.json)"),
            [&window, text = QString::fromStdString(io::optionsJson(presenter.options().values()))](
                const QString& file) { window.files.saveText(text, file); });
      },
      anyAnalysis);
  window.commands.add(
      "run.copyCommand", QObject::tr("Copy c&ommand line"), "",
      [&window] {
        const model::AnalysisPresenter& presenter = *window.workspace.presenters().current();
        const bool both = window.workspace.canRun(model::RunChoice::both);
        QApplication::clipboard()->setText(
            presenter.commandLine(both ? model::RunChoice::both : model::RunChoice::cpu));
      },
      anyAnalysis);
  window.commands.add(
      "run.copyCommandOfRun", QObject::tr("Copy command line of the chosen run"), "",
      [&window] {
        const model::RunPtr run = window.workspace.currentRun();
        QApplication::clipboard()->setText(QString::fromStdString(
            commandLine(*run->analysis, run->inputs, run->options, model::backendFlag(*run))));
        window.status->showPassingNote(QObject::tr("copied the command line of %1").arg(run->title));
      },
      [&window] { return window.workspace.currentRun() != nullptr; });
  for (const auto& analysis : window.workspace.analyses()) {
    if (!analysis.demo) continue;
    const QString name = QString::fromStdString(analysis.name);
    window.commands.add(QStringLiteral("demo.") + name,
                        QObject::tr("Demo: %1").arg(model::words(analysis.demoTitle)), "",
                        [&window, name] { window.workspace.loadDemo(name); });
  }
}

}  // namespace sulcus::ui::widgets
