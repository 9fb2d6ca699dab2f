// The commands of the window.
#include "ui/model/readout.h"
#include "ui/widgets/analysis_panel.h"
#include "ui/widgets/compare_panel.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/layers_panel.h"
#include "ui/widgets/main_window.h"
#include "ui/widgets/plots_panel.h"
#include "ui/widgets/table_window.h"
#include "ui/widgets/view_area.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>

namespace sulcus::ui {

void MainWindow::addFileCommands() {
  const auto current = [this] { return layers_.current() != 0; };
  const auto any = [this] { return !layers_.empty(); };
  commands_.add({QStringLiteral("file.open"), tr("&Open…"), QStringLiteral("Ctrl+O"),
                 [this] { chooseFiles(tr("Open scans"), {}); }});
  commands_.add(
      {QStringLiteral("file.openFolder"), tr("Open &DICOM folder…"), QStringLiteral("Ctrl+Shift+O"), [this] {
         auto* dialog = new QFileDialog(this, tr("Open DICOM folder"));
         dialog->setAttribute(Qt::WA_DeleteOnClose);
         dialog->setFileMode(QFileDialog::Directory);
         connect(dialog, &QFileDialog::fileSelected, this,
                 [this](const QString& path) { openFiles({path}); });
         dialog->open();
       }});
  commands_.add({QStringLiteral("file.save"),
                 tr("&Save layer…"),
                 QStringLiteral("Ctrl+S"),
                 [this] { saveCurrentLayer(); },
                 {},
                 current});
  commands_.add(
      {QStringLiteral("file.screenshot"),
       tr("S&creenshot of the views…"),
       QStringLiteral("Ctrl+Shift+S"),
       [this] { savePicture(QStringLiteral("views.png"), [this] { return views_->screenshot(1); }); },
       {},
       any});
  for (const int scale : {2, 4})
    commands_.add({QStringLiteral("file.screenshot%1").arg(scale),
                   tr("Screenshot of the views at %1×…").arg(scale),
                   {},
                   [this, scale] {
                     savePicture(QStringLiteral("views.png"),
                                 [this, scale] { return views_->screenshot(scale); });
                   },
                   {},
                   any});
  commands_.add({QStringLiteral("file.screenshotWindow"), tr("Screenshot of the &window…"), {}, [this] {
                   savePicture(QStringLiteral("window.png"), [this] { return windowPicture(); });
                 }});
  commands_.add({QStringLiteral("file.closeAll"),
                 tr("Close &all"),
                 {},
                 [this] {
                   while (!layers_.empty()) layers_.remove(layers_.layers().back().id);
                 },
                 {},
                 any});
  commands_.add({QStringLiteral("file.quit"), tr("&Quit"), QStringLiteral("Ctrl+Q"), [this] { close(); }});
}

void MainWindow::addLayerCommands() {
  const auto current = [this] { return layers_.current() != 0; };
  const auto place = [this] {
    const auto& all = layers_.layers();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].id == layers_.current()) return int(i);
    return 0;
  };
  commands_.add({QStringLiteral("layer.toggleTop"),
                 tr("Show or hide the &top layer"),
                 QStringLiteral("Space"),
                 [this] {
                   const LayerState& top = layers_.layers().back();
                   layers_.setVisible(top.id, !top.display.visible);
                 },
                 {},
                 [this] { return !layers_.empty(); }});
  commands_.add({QStringLiteral("layer.toggle"),
                 tr("&Show or hide"),
                 {},
                 [this] {
                   for (const LayerId id : layersPanel_->selected())
                     layers_.setVisible(id, !layers_.find(id)->display.visible);
                 },
                 {},
                 current});
  commands_.add({QStringLiteral("layer.up"),
                 tr("Move &up"),
                 QStringLiteral("Ctrl+Up"),
                 [this, place] { layers_.move(layers_.current(), place() + 1); },
                 {},
                 current});
  commands_.add({QStringLiteral("layer.down"),
                 tr("Move &down"),
                 QStringLiteral("Ctrl+Down"),
                 [this, place] { layers_.move(layers_.current(), std::max(0, place() - 1)); },
                 {},
                 current});
  commands_.add({QStringLiteral("layer.frame"),
                 tr("&Center the views on it"),
                 {},
                 [this] {
                   if (frameOn(*layers_.find(layers_.current())->layer, view_)) views_->resetCameras();
                 },
                 {},
                 current});
  commands_.add(
      {QStringLiteral("layer.gradients"),
       tr("Load &gradients…"),
       {},
       [this] {
         auto* dialog = new QFileDialog(this, tr("Gradients of this series"));
         dialog->setAttribute(Qt::WA_DeleteOnClose);
         dialog->setNameFilters(
             {tr("Gradient tables (*.bvec *.bvecs *.bval *.bvals *.b *.grad *.txt)"), tr("All files (*)")});
         const LayerId id = layers_.current();
         connect(dialog, &QFileDialog::fileSelected, this,
                 [this, id](const QString& file) { fileJobs_.loadGradients(id, file); });
         dialog->open();
       },
       {},
       [this] {
         const LayerState* state = layers_.find(layers_.current());
         const auto* volume = state ? std::get_if<VolumeLayer>(&state->layer->content) : nullptr;
         return volume && volume->series->count > 1;
       }});
  commands_.add({QStringLiteral("layer.showTable"),
                 tr("Show ta&ble"),
                 {},
                 [this] { showTable(this, layers_, layers_.current()); },
                 {},
                 [this] {
                   const LayerState* state = layers_.find(layers_.current());
                   return state && std::holds_alternative<TableLayer>(state->layer->content);
                 }});
  commands_.add({QStringLiteral("layer.remove"),
                 tr("&Remove"),
                 QStringLiteral("Del"),
                 [this] { removeSelected(); },
                 {},
                 current});
}

void MainWindow::addViewCommands() {
  struct LayoutEntry {
    const char* name;
    QString text;
    const char* key;
    ViewLayout layout;
  };
  const LayoutEntry layouts[] = {{"view.grid", tr("All &four views"), "0", ViewLayout::grid},
                                 {"view.axial", tr("&Axial alone"), "1", ViewLayout::axial},
                                 {"view.coronal", tr("&Coronal alone"), "2", ViewLayout::coronal},
                                 {"view.sagittal", tr("&Sagittal alone"), "3", ViewLayout::sagittal},
                                 {"view.scene", tr("&3D alone"), "4", ViewLayout::scene},
                                 {"view.compare", tr("Co&mpare"), "5", ViewLayout::compare}};
  for (const auto& entry : layouts)
    commands_.add(
        {QLatin1String(entry.name), entry.text, QLatin1String(entry.key),
         [this, layout = entry.layout] { views_->setLayoutShown(layout); },
         [this, layout = entry.layout] { return views_->layoutShown() == layout; },
         [this, layout = entry.layout] { return layout != ViewLayout::compare || views_->canCompare(); }});
  commands_.add({QStringLiteral("view.compareIn3d"), tr("Compare in 3&D"), QStringLiteral("6"),
                 [this] { views_->setCompareIn3d(!views_->compareIn3d()); },
                 [this] { return views_->compareIn3d(); },
                 [this] { return views_->layoutShown() == ViewLayout::compare; }});
  const std::tuple<const char*, QString, const char*, Plane> planes[] = {
      {"view.planeAxial", tr("Axial plane"), "A", Plane::axial},
      {"view.planeCoronal", tr("Coronal plane"), "C", Plane::coronal},
      {"view.planeSagittal", tr("Sagittal plane"), "S", Plane::sagittal}};
  for (const auto& [name, text, key, plane] : planes)
    commands_.add(
        {QLatin1String(name), text, QLatin1String(key), [this, plane = plane] { views_->showPlane(plane); }});
  commands_.add({QStringLiteral("view.crosshair"), tr("Cross&hair"), QStringLiteral("F"),
                 [this] { view_.setCrosshairVisible(!view_.crosshairVisible()); },
                 [this] { return view_.crosshairVisible(); }});
  const std::tuple<const char*, QString, const char*, ImagePair::Mode> pairs[] = {
      {"view.checkerboard", tr("Chec&kerboard"), "K", ImagePair::Mode::checkerboard},
      {"view.blink", tr("&Blink"), "B", ImagePair::Mode::blink},
      {"view.blend", tr("&Mixture"), "M", ImagePair::Mode::blend}};
  for (const auto& [name, text, key, mode] : pairs)
    commands_.add({QLatin1String(name), text, QLatin1String(key),
                   [this, mode = mode] { views_->imagePair().toggle(mode); },
                   [this, mode = mode] { return views_->imagePair().mode() == mode; },
                   [this] { return views_->imagePair().candidates().size() > 1; }});
  commands_.add({QStringLiteral("view.planesBesideSurfaces"), tr("&Planes beside surfaces in 3D"),
                 QStringLiteral("P"),
                 [this] { views_->setPlanesBesideSurfaces(!views_->planesBesideSurfaces()); },
                 [this] { return views_->planesBesideSurfaces(); }});
  commands_.add({QStringLiteral("view.letters"), tr("&Letters"), QStringLiteral("O"),
                 [this] { view_.setLettersVisible(!view_.lettersVisible()); },
                 [this] { return view_.lettersVisible(); }});
  commands_.add({QStringLiteral("view.radiological"),
                 tr("&Radiological (right is left)"),
                 {},
                 [this] { view_.setRadiological(true); },
                 [this] { return view_.radiological(); }});
  commands_.add({QStringLiteral("view.neurological"),
                 tr("&Neurological (right is right)"),
                 {},
                 [this] { view_.setRadiological(false); },
                 [this] { return !view_.radiological(); }});
  commands_.add({QStringLiteral("view.mouseWindowLevel"),
                 tr("Changes &window and level (mrview, FSLeyes)"),
                 {},
                 [this] { view_.setMouseScheme(MouseScheme::windowLevel); },
                 [this] { return view_.mouseScheme() == MouseScheme::windowLevel; }});
  commands_.add({QStringLiteral("view.mouseZoom"),
                 tr("&Zooms (ITK-SNAP, Slicer)"),
                 {},
                 [this] { view_.setMouseScheme(MouseScheme::zoom); },
                 [this] { return view_.mouseScheme() == MouseScheme::zoom; }});
  const std::pair<char, QString> sides[] = {{'A', tr("&Front")}, {'P', tr("&Back")},  {'L', tr("&Left")},
                                            {'R', tr("&Right")}, {'S', tr("&Above")}, {'I', tr("B&elow")}};
  for (const auto& [side, text] : sides)
    commands_.add({QStringLiteral("view.from") + QLatin1Char(side), text, {}, [this, side = side] {
                     views_->lookFrom(side);
                   }});
  commands_.add({QStringLiteral("view.reset"), tr("R&eset views"), QStringLiteral("R"), [this] {
                   const LayerState* state = layers_.find(layers_.current());
                   if (state && !frameOn(*state->layer, view_))
                     for (const auto& other : layers_.layers())
                       if (frameOn(*other.layer, view_)) break;
                   views_->resetCameras();
                 }});
}

void MainWindow::addRunCommands() {
  const std::tuple<const char*, QString, const char*, RunChoice> runs[] = {
      {"run.cpu", tr("Run on &CPU"), "Ctrl+Return", RunChoice::cpu},
      {"run.gpu", tr("Run on &GPU"), "Ctrl+Shift+Return", RunChoice::gpu},
      {"run.both", tr("Run &both and compare"), "Ctrl+Alt+Return", RunChoice::both}};
  for (const auto& [name, text, key, choice] : runs)
    commands_.add({QLatin1String(name),
                   text,
                   QLatin1String(key),
                   [this, choice = choice] { run(choice); },
                   {},
                   [this, choice = choice] {
                     return currentPanel() && currentPanel()->presenter().whyNot(choice).isEmpty();
                   }});
  commands_.add({QStringLiteral("run.cancel"), tr("C&ancel all jobs"), {}, [this] {
                   for (int row = 0; row < jobs_.rowCount(); ++row) jobs_.cancel(jobs_.idAt(row));
                 }});
  commands_.add(
      {QStringLiteral("run.clearJobs"), tr("Clear &finished jobs"), {}, [this] { jobs_.clearFinished(); }});
  commands_.add({QStringLiteral("run.reset"),
                 tr("&Reset parameters"),
                 {},
                 [this] { currentPanel()->presenter().resetOptions(); },
                 {},
                 [this] { return currentPanel() != nullptr; }});
  commands_.add({QStringLiteral("run.copyCommand"),
                 tr("Copy c&ommand line"),
                 {},
                 [this] {
                   const AnalysisPresenter& presenter = currentPanel()->presenter();
                   const bool both = presenter.whyNot(RunChoice::both).isEmpty();
                   QApplication::clipboard()->setText(
                       presenter.commandLine(both ? RunChoice::both : RunChoice::cpu));
                 },
                 {},
                 [this] { return currentPanel() != nullptr; }});
  for (const auto& analysis : analyses_) {
    if (!analysis.demo) continue;
    const QString name = QString::fromStdString(analysis.name);
    commands_.add({QStringLiteral("demo.") + name,
                   tr("Demo: %1").arg(QString::fromStdString(analysis.demoTitle)),
                   {},
                   [this, name] { loadDemo(name); }});
  }
  const auto compared = [this] { return views_->canCompare(); };
  commands_.add({QStringLiteral("compare.copyMarkdown"),
                 tr("Copy comparison as &Markdown"),
                 {},
                 [this] { QApplication::clipboard()->setText(comparePanel_->model().markdown()); },
                 {},
                 compared});
  commands_.add(
      {QStringLiteral("compare.saveCsv"),
       tr("Save comparison as C&SV…"),
       {},
       [this] {
         askSaveName(this, tr("Save comparison"), QStringLiteral("comparison.csv"), tr("CSV (*.csv)"),
                     [this](const QString& file) { fileJobs_.saveText(comparePanel_->model().csv(), file); });
       },
       {},
       compared});
  commands_.add({QStringLiteral("compare.savePng"),
                 tr("Save comparison as &PNG…"),
                 {},
                 [this] {
                   savePicture(QStringLiteral("comparison.png"),
                               [this] { return comparePanel_->tablePicture(); });
                 },
                 {},
                 compared});
}

void MainWindow::addPlotCommands() {
  const std::tuple<const char*, QString, const char*> formats[] = {
      {"plot.savePng", tr("Save p&lot as PNG…"), "png"},
      {"plot.saveSvg", tr("Save plot as S&VG…"), "svg"},
      {"plot.saveCsv", tr("Save plot as &numbers (CSV)…"), "csv"}};
  for (const auto& [name, text, format] : formats)
    commands_.add({QLatin1String(name),
                   text,
                   {},
                   [this, format = QLatin1String(format)] { savePlot(format); },
                   {},
                   [this] { return !plots_.charts().empty(); }});
}

void MainWindow::addHelpCommands() {
  commands_.add({QStringLiteral("help.contents"), tr("&Help"), QStringLiteral("F1"),
                 [this] { showHelp(this, commands_); }});
  commands_.add({QStringLiteral("help.keys"), tr("&Keys and mouse"), QStringLiteral("H"),
                 [this] { showKeys(this, commands_); }});
}

void MainWindow::removeSelected() {
  const auto ids = layersPanel_->selected();
  for (const LayerId id : ids) layers_.remove(id);
}

}  // namespace sulcus::ui
