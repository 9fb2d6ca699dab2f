// The commands of the window.
#include "core/analysis/command_line.h"
#include "core/base/about.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/table_places.h"
#include "core/io/files.h"
#include "ui/jobs/picture_note.h"
#include "ui/model/text/localize.h"
#include "ui/widgets/controls/folding_tabs.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/panels/compare_panel.h"
#include "ui/widgets/panels/layers_panel.h"
#include "ui/widgets/panels/plots_panel.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/dialogs.h"
#include "ui/widgets/window/help_pages.h"
#include "ui/widgets/window/main_window.h"
#include "ui/widgets/window/preferences_dialog.h"
#include "ui/widgets/window/status_line.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>

namespace sulcus::ui::widgets {

void MainWindow::addFileCommands() {
  const auto current = [this] { return layers_.current() != 0; };
  commands_.add({QStringLiteral("file.open"), tr("&Open…"), QStringLiteral("Ctrl+O"), [this] {
                   chooseFiles(tr("Open scans"), [this](const QStringList& paths) { openFiles(paths); });
                 }});
  commands_.add(
      {QStringLiteral("file.openFolder"), tr("Open &DICOM folder…"), QStringLiteral("Ctrl+Shift+O"), [this] {
         chooseFolder(tr("Open DICOM folder"), QStringLiteral("folder"),
                      [this](const QString& path) { openFiles({path}); });
       }});
  commands_.add({QStringLiteral("file.openRun"), tr("Open r&un…"), {}, [this] {
                   chooseFolder(tr("Open run"), QStringLiteral("saveFolder"),
                                [this](const QString& path) { workspace_.openRun(path); });
                 }});
  commands_.add({QStringLiteral("file.save"),
                 tr("&Save layer…"),
                 QStringLiteral("Ctrl+E"),
                 [this] { saveCurrentLayer(); },
                 {},
                 current});
  commands_.add({QStringLiteral("file.saveRun"),
                 tr("Save &run…"),
                 {},
                 [this] { saveCurrentRun(); },
                 {},
                 [this] { return workspace_.currentRun() != nullptr; }});
  commands_.add({QStringLiteral("file.closeAll"),
                 tr("Close &all"),
                 {},
                 [this] {
                   replaceAll(tr("Close all"), [this] {
                     session_.close();
                     workspace_.study().close();
                     views_->setLayoutShown(ViewLayout::grid);  // as at the start
                   });
                 },
                 {},
                 [this] { return !layers_.empty() || workspace_.study().isOpen(); }});
  commands_.add({QStringLiteral("file.quit"), tr("&Quit"), QStringLiteral("Ctrl+Q"), [this] { close(); }});
}

void MainWindow::addLayerCommands() {
  const auto current = [this] { return layers_.current() != 0; };
  const auto moveBy = [this](int steps) {
    const model::LayerId id = layers_.current();
    layers_.move(id, layers_.positionOf(id) + steps);
  };
  const auto topDrawn = [this]() -> const model::LayerState* {
    const auto& all = layers_.layers();
    const auto top = std::find_if(all.rbegin(), all.rend(),
                                  [](const model::LayerState& state) { return isDrawn(*state.layer); });
    return top == all.rend() ? nullptr : &*top;
  };
  commands_.add({QStringLiteral("layer.toggleTop"),
                 tr("Show or hide the &top layer"),
                 QStringLiteral("Space"),
                 [this, topDrawn] {
                   if (const model::LayerState* top = topDrawn())
                     layers_.setVisible(top->id, !top->display.visible);
                 },
                 {},
                 [topDrawn] { return topDrawn() != nullptr; }});
  commands_.add({QStringLiteral("layer.toggle"),
                 tr("&Show or hide"),
                 {},
                 [this] {
                   for (const model::LayerId id : layersPanel_->selected())
                     layers_.setVisible(id, !layers_.find(id)->display.visible);
                 },
                 {},
                 current});
  commands_.add({QStringLiteral("layer.up"),
                 tr("Move &up"),
                 QStringLiteral("Ctrl+Up"),
                 [moveBy] { moveBy(1); },
                 {},
                 current});
  commands_.add({QStringLiteral("layer.down"),
                 tr("Move &down"),
                 QStringLiteral("Ctrl+Down"),
                 [moveBy] { moveBy(-1); },
                 {},
                 current});
  commands_.add({QStringLiteral("layer.frame"),
                 tr("&Center the views on it"),
                 {},
                 [this] {
                   if (workspace_.frameCurrent()) views_->resetCameras();
                 },
                 {},
                 current});
  commands_.add(
      {QStringLiteral("layer.gradients"),
       tr("Load &gradients…"),
       {},
       [this] {
         chooseFile(
             tr("Gradients of this series"),
             {tr("Gradient tables (*.bvec *.bvecs *.bval *.bvals *.b *.grad *.txt)"), tr("All files (*)")},
             [this, id = layers_.current()](const QString& file) { files_.loadGradients(id, file); });
       },
       {},
       [this] {
         const model::LayerState* state = layers_.find(layers_.current());
         const auto* volume = state ? std::get_if<VolumeLayer>(&state->layer->content) : nullptr;
         return volume && volume->series->count > 1;
       }});
  commands_.add({QStringLiteral("layer.takeAsLabels"),
                 tr("Interpret as &labels"),
                 {},
                 [this] { files_.takeAsLabels(layers_.current()); },
                 {},
                 [this] {
                   const model::LayerState* state = layers_.find(layers_.current());
                   return state && isImage(*state->layer);
                 }});
  const auto isLabels = [this] {
    const model::LayerState* state = layers_.find(layers_.current());
    return state && std::holds_alternative<LabelsLayer>(state->layer->content);
  };
  commands_.add({QStringLiteral("layer.takeAsVolume"),
                 tr("Interpret as a &volume"),
                 {},
                 [this] { files_.takeAsVolume(layers_.current()); },
                 {},
                 isLabels});
  commands_.add({QStringLiteral("layer.labelNames"),
                 tr("Load names of la&bels…"),
                 {},
                 [this] {
                   chooseFile(
                       tr("Names of the labels"),
                       {tr("Tables of labels (*.tsv *.csv *.txt *.label *.lut *.ctab)"), tr("All files (*)")},
                       [this, id = layers_.current()](const QString& file) { files_.nameLabels(id, file); });
                 },
                 {},
                 isLabels});
  model::SeriesPlayer& player = workspace_.player();
  commands_.add({QStringLiteral("layer.play"), tr("&Play the volumes"), QStringLiteral("V"),
                 [&player] { player.setPlaying(!player.isPlaying()); },
                 [&player] { return player.isPlaying(); }, [&player] { return player.canPlay(); }});
  for (const auto& [name, text, key, by] : {std::tuple("layer.nextVolume", tr("Next volume"), "N", 1),
                                            {"layer.previousVolume", tr("Previous volume"), "Shift+N", -1}})
    commands_.add({QLatin1String(name),
                   text,
                   QLatin1String(key),
                   [&player, by = by] { player.step(by); },
                   {},
                   [&player] { return player.canPlay(); }});
  commands_.add({QStringLiteral("layer.mean"),
                 tr("&Mean over the volumes as a layer"),
                 {},
                 [this] { workspace_.makeMean(); },
                 {},
                 [&player] { return player.canPlay(); }});
  commands_.add({QStringLiteral("layer.deviation"),
                 tr("Standard deviation over the volumes as a layer"),
                 {},
                 [this] { workspace_.makeDeviation(); },
                 {},
                 [&player] { return player.canPlay(); }});
  commands_.add({QStringLiteral("layer.showTable"),
                 tr("Show ta&ble"),
                 {},
                 [this] { showTableOf(layers_.current()); },
                 {},
                 [this] {
                   const model::LayerState* state = layers_.find(layers_.current());
                   return state && std::holds_alternative<TableLayer>(state->layer->content);
                 }});
  commands_.add({QStringLiteral("layer.rename"),
                 tr("Re&name"),
                 QStringLiteral("F2"),
                 [this] { layersPanel_->editName(); },
                 {},
                 current});
  commands_.add({QStringLiteral("layer.remove"),
                 tr("&Remove"),
                 QStringLiteral("Del"),
                 [this] {
                   const std::vector<model::LayerId> chosen = layersPanel_->selected();
                   const bool comesBack = session_.canBringBack(chosen);
                   const QString what = chosen.size() == 1 ? layers_.find(chosen.front())->name
                                                           : tr("%1 layers").arg(chosen.size());
                   unlessLost(comesBack ? QString() : workspace_.lossOf(chosen), tr("Remove"),
                              [this, chosen, comesBack, what] {
                                {
                                  const model::LayerStack::BatchUpdate together(layers_);
                                  for (const model::LayerId id : chosen) layers_.remove(id);
                                }
                                if (comesBack) status_->offerUndo(tr("removed %1").arg(what));
                              });
                 },
                 {},
                 current});
}

void MainWindow::addRunCommands() {
  const std::tuple<const char*, QString, const char*, model::RunChoice> runs[] = {
      {"run.cpu", tr("Run on &CPU"), "Ctrl+Return", model::RunChoice::cpu},
      {"run.gpu", tr("Run on &GPU"), "Ctrl+Shift+Return", model::RunChoice::gpu},
      {"run.both", tr("Run &both and compare"), "Ctrl+Alt+Return", model::RunChoice::both}};
  for (const auto& [name, text, key, choice] : runs)
    commands_.add({QLatin1String(name),
                   text,
                   QLatin1String(key),
                   [this, choice = choice] { run(choice); },
                   {},
                   [this, choice = choice] { return workspace_.canRun(choice); }});
  commands_.add({QStringLiteral("run.again"),
                 tr("Run a&gain"),
                 {},
                 [this] { runs_.makeAgain(workspace_.currentRun()); },
                 {},
                 [this] {
                   const model::RunPtr run = workspace_.currentRun();
                   return run && run->stored;
                 }});
  commands_.add({QStringLiteral("run.cancel"),
                 tr("C&ancel all jobs"),
                 {},
                 [this] { jobs_.cancelAll(); },
                 {},
                 [this] { return jobs_.active() > 0; }});
  commands_.add({QStringLiteral("run.clearJobs"),
                 tr("Clear &finished jobs"),
                 {},
                 [this] { jobs_.clearFinished(); },
                 {},
                 [this] { return jobs_.rowCount() > jobs_.active(); }});
  commands_.add({QStringLiteral("run.reset"),
                 tr("&Reset parameters"),
                 {},
                 [this] { workspace_.current()->resetOptions(); },
                 {},
                 [this] { return workspace_.current() != nullptr; }});
  const auto anyAnalysis = [this] { return workspace_.current() != nullptr; };
  commands_.add({QStringLiteral("run.openParameters"),
                 tr("Open &parameters…"),
                 {},
                 [this] { openParameters(); },
                 {},
                 anyAnalysis});
  commands_.add({QStringLiteral("run.saveParameters"),
                 tr("Sa&ve parameters…"),
                 {},
                 [this] {
                   const model::AnalysisPresenter& presenter = *workspace_.current();
                   askSave(tr("Save parameters"), QString::fromStdString(presenter.analysis().name) + ".json",
                           tr("Parameters (*.json)"),
                           [this, text = QString::fromStdString(io::optionsJson(presenter.options()))](
                               const QString& file) { files_.saveText(text, file); });
                 },
                 {},
                 anyAnalysis});
  commands_.add({QStringLiteral("run.copyCommand"),
                 tr("Copy c&ommand line"),
                 {},
                 [this] {
                   const model::AnalysisPresenter& presenter = *workspace_.current();
                   const bool both = workspace_.canRun(model::RunChoice::both);
                   QApplication::clipboard()->setText(
                       presenter.commandLine(both ? model::RunChoice::both : model::RunChoice::cpu));
                 },
                 {},
                 [this] { return workspace_.current() != nullptr; }});
  commands_.add({QStringLiteral("run.copyCommandOfRun"),
                 tr("Copy command line of the chosen run"),
                 {},
                 [this] {
                   const model::RunPtr run = workspace_.currentRun();
                   QApplication::clipboard()->setText(QString::fromStdString(
                       commandLine(*run->analysis, run->inputs, run->options, model::backendFlag(*run))));
                   status_->showPassingNote(tr("copied the command line of %1").arg(run->title));
                 },
                 {},
                 [this] { return workspace_.currentRun() != nullptr; }});
  for (const auto& analysis : workspace_.analyses()) {
    if (!analysis.demo) continue;
    const QString name = QString::fromStdString(analysis.name);
    commands_.add({QStringLiteral("demo.") + name,
                   tr("Demo: %1").arg(model::words(analysis.demoTitle)),
                   {},
                   [this, name] { workspace_.loadDemo(name); }});
  }
}

void MainWindow::addPlotCommands() {
  const std::tuple<const char*, QString, const char*> formats[] = {
      {"plot.savePng", tr("Save p&lot as PNG…"), "png"},
      {"plot.saveSvg", tr("Save plot as S&VG…"), "svg"},
      {"plot.savePdf", tr("Save plot as P&DF…"), "pdf"},
      {"plot.saveCsv", tr("Save plot as &numbers (CSV)…"), "csv"}};
  for (const auto& [name, text, format] : formats)
    commands_.add({QLatin1String(name),
                   text,
                   {},
                   [this, format = QLatin1String(format)] { savePlot(format); },
                   {},
                   [this] { return !workspace_.plots().charts().empty(); }});
}

void MainWindow::addHelpCommands() {
  commands_.add({QStringLiteral("edit.preferences"), tr("Pre&ferences…"), QStringLiteral("Ctrl+,"), [this] {
                   if (auto* open = findChild<PreferencesDialog*>()) return open->raise();
                   auto* dialog = new PreferencesDialog(workspace_, this);
                   dialog->setAttribute(Qt::WA_DeleteOnClose);
                   setHelpPage(dialog, QStringLiteral("window#Preferences"));
                   dialog->show();
                 }});
  commands_.add({QStringLiteral("help.contents"), tr("&Help"), QStringLiteral("F1"),
                 [this] { showHelpOf(this, QApplication::focusWidget(), commands_); }});
  commands_.add({QStringLiteral("help.pages"), tr("&All pages"), {}, [this] { showHelp(this, commands_); }});
  commands_.add({QStringLiteral("help.paper"), tr("The &paper"), {}, [this] {
                   const auto* analysis = workspace_.current();
                   showHelpPage(this,
                                QStringLiteral("papers#%1")
                                    .arg(analysis ? model::words(analysis->analysis().title) : QString()));
                 }});
  commands_.add({QStringLiteral("help.keys"), tr("&Keys and mouse"), QStringLiteral("H"),
                 [this] { showKeys(this, commands_); }});
  commands_.add({QStringLiteral("help.about"), tr("&About Sulcus"), {}, [this] {
                   showAbout(this, aboutText(components_, deviceReport_));
                 }});
}

}  // namespace sulcus::ui::widgets
