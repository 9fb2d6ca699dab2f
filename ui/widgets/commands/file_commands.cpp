#include "ui/model/session/file_names.h"
#include "ui/widgets/commands/commands.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/session_control.h"

namespace sulcus::ui::widgets {

namespace {

void saveCurrentLayer(WindowParts& window) {
  const model::LayerState* state = window.current();
  window.dialogs.askSave(QObject::tr("Save %1").arg(state->name), model::saveName(*state->layer, state->name),
                         model::saveFilters(*state->layer),
                         [&window, id = state->id](const QString& file) { window.files.save(id, file); });
}

void saveCurrentRun(WindowParts& window) {
  const model::RunPtr run = window.workspace.currentRun();
  const QString name =
      model::fileStem(QStringLiteral("%1 %2").arg(QString::fromStdString(run->analysis->name), run->title));
  window.dialogs.askSave(QObject::tr("Save run to a folder"), name, {},
                         [&window, run](const QString& folder) { window.files.saveRun(run, folder); });
}

}  // namespace

void addFileCommands(WindowParts& window) {
  const auto current = [&window] { return window.layers.current() != 0; };
  window.commands.add("file.open", QObject::tr("&Open…"), "Ctrl+O", [&window] {
    window.dialogs.chooseFiles(QObject::tr("Open scans"),
                               [&window](const QStringList& paths) { window.sessions->openFiles(paths); });
  });
  window.commands.add("file.openFolder", QObject::tr("Open &DICOM folder…"), "Ctrl+Shift+O", [&window] {
    window.dialogs.chooseFolder(QObject::tr("Open DICOM folder"), QStringLiteral("folder"),
                                [&window](const QString& path) { window.sessions->openFiles({path}); });
  });
  window.commands.add("file.openRun", QObject::tr("Open r&un…"), "", [&window] {
    window.dialogs.chooseFolder(QObject::tr("Open run"), QStringLiteral("saveFolder"),
                                [&window](const QString& path) { window.workspace.openRun(path); });
  });
  window.commands.add(
      "file.save", QObject::tr("&Save layer…"), "Ctrl+E", [&window] { saveCurrentLayer(window); }, current);
  window.commands.add(
      "file.saveRun", QObject::tr("Save &run…"), "", [&window] { saveCurrentRun(window); },
      [&window] { return window.workspace.currentRun() != nullptr; });
  window.commands.add(
      "file.closeAll", QObject::tr("Close &all"), "",
      [&window] {
        window.sessions->replaceAll(QObject::tr("Close all"), [&window] {
          window.session.close();
          window.workspace.study().close();
          window.views->setLayoutShown(ViewLayout::grid);  // as at the start
        });
      },
      [&window] { return !window.layers.empty() || window.workspace.study().isOpen(); });
  window.commands.add("file.quit", QObject::tr("&Quit"), "Ctrl+Q", [&window] { window.widget.close(); });
}

}  // namespace sulcus::ui::widgets
