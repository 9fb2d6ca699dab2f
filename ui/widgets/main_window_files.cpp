// What the window opens and writes.
#include "core/base/error.h"
#include "ui/model/chart_text.h"
#include "ui/model/layer_list_model.h"
#include "ui/widgets/analysis_panel.h"
#include "ui/widgets/chart_view.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/main_window.h"
#include "ui/widgets/plots_panel.h"
#include "ui/widgets/widget_help.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <algorithm>

namespace sulcus::ui {
namespace {

/// A layer's name as the stem of a file: "peaks (CPU)" → "peaks_CPU".
QString fileStem(const QString& name) {
  QString stem;
  for (const QChar c : name) {
    if (c.isLetterOrNumber() || c == QLatin1Char('-'))
      stem += c;
    else if (!stem.endsWith(QLatin1Char('_')) && !stem.isEmpty())
      stem += QLatin1Char('_');
  }
  while (stem.endsWith(QLatin1Char('_'))) stem.chop(1);
  return stem.isEmpty() ? QStringLiteral("layer") : stem;
}

}  // namespace

void MainWindow::openFiles(const QStringList& paths, const FileJobs::Then& then) {
  fileJobs_.open(paths, then);
}

void MainWindow::loadDemo(const QString& name) {
  AnalysisPanel* wanted = panel(name);
  if (!wanted || !wanted->presenter().analysis().demo) return;
  const Analysis& analysis = wanted->presenter().analysis();
  const JobId job = jobs_.add(tr("Demo: %1").arg(QString::fromStdString(analysis.demoTitle)), tr("CPU"));
  auto report = [this, job](const JobReport& what) {
    jobs_.report(job, what);
    if (what.state == JobState::failed) showError(this, tr("Demo"), QString::fromStdString(what.error));
  };
  auto deliver = [this, name, wanted](AnalysisInputs inputs) {
    AnalysisPresenter& presenter = wanted->presenter();
    const auto& slotList = presenter.analysis().inputs;
    // The first slot's image ends on top and visible; masks and truth are there when wanted.
    framed_ = false;
    for (auto slot = slotList.rbegin(); slot != slotList.rend(); ++slot) {
      std::vector<LayerId> ids;
      const auto [begin, end] = inputs.equal_range(slot->name);
      for (auto input = begin; input != end; ++input) {
        ids.push_back(layers_.add(input->second));
        layers_.setVisible(ids.back(), slot + 1 == slotList.rend());
      }
      presenter.setInputs(slot->name, ids);
    }
    selectAnalysis(name);
    emit demoLoaded(name);
  };
  jobs_.setTicket(
      job, computing_.submit(
               [&analysis](const Progress&) { return analysis.demo(defaultsOf(analysis.demoOptions)); },
               std::move(deliver), std::move(report)));
}

void MainWindow::takeInput(AnalysisPresenter& presenter, const std::string& slot, LayerId id) {
  presenter.addInput(slot, id);
  const auto taken = presenter.inputsOf(slot);
  if (std::find(taken.begin(), taken.end(), id) != taken.end()) return;
  const auto& slotList = presenter.analysis().inputs;
  const auto wanted =
      std::find_if(slotList.begin(), slotList.end(), [&](const InputSlot& s) { return s.name == slot; });
  const LayerState* state = layers_.find(id);
  if (wanted == slotList.end() || !state) return;
  const Error fault(
      "'" + state->name.toStdString() + "' was opened and not taken for '" + wanted->label + "'",
      "it is of the kind '" + kindText(*state->layer).toStdString() + "'", wanted->help);
  showError(this, tr("Open"), QString::fromUtf8(fault.what()));
}

void MainWindow::takeBeside(LayerId table, const QString& role, LayerId scan) {
  // Into an empty slot of that name where the scan was taken, too. A design says all that events would.
  for (const auto& presenter : presenters_) {
    const auto& slotList = presenter->analysis().inputs;
    const bool takesScan = std::any_of(slotList.begin(), slotList.end(), [&](const InputSlot& slot) {
      const auto ids = presenter->inputsOf(slot.name);
      return std::find(ids.begin(), ids.end(), scan) != ids.end();
    });
    const bool wanted = role == QStringLiteral("design") ||
                        (role == QStringLiteral("events") && presenter->input("design") == 0);
    if (takesScan && wanted && presenter->input(role.toStdString()) == 0)
      presenter->setInput(role.toStdString(), table);
  }
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!localFiles(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QStringList paths = localFiles(*event->mimeData());
  if (paths.isEmpty()) return;
  event->acceptProposedAction();
  openFiles(paths);
}

void MainWindow::rememberFolder(const QString& key, const QString& file) {
  const QString folder = QFileInfo(file).absolutePath();
  if (QFileInfo(folder).isDir()) settings_.setValue(key, folder);
}

void MainWindow::chooseFiles(const QString& title, const FileJobs::Then& then) {
  const QString scans =
      QStringLiteral("*.nii *.nii.gz *.hdr *.img *.nrrd *.nhdr *.mha *.mhd *.mgh *.mgz *.dcm");
  const QString surfaces = QStringLiteral("*.vtp *.ply *.stl *.obj *.gii");
  auto* dialog = new QFileDialog(this, title, settings_.value(QStringLiteral("folder")).toString());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  readNoFiles(*dialog);
  dialog->setNameFilters({tr("Scans, surfaces and tables (%1 %2 *.mat *.tsv *.csv)").arg(scans, surfaces),
                          tr("Scans (%1)").arg(scans), tr("Surfaces (%1)").arg(surfaces),
                          tr("All files (*)")});
  connect(dialog, &QFileDialog::filesSelected, this, [this, then](const QStringList& paths) {
    if (paths.isEmpty()) return;
    rememberFolder(QStringLiteral("folder"), paths.front());
    openFiles(paths, then);
  });
  dialog->open();
}

void MainWindow::saveCurrentLayer() {
  const LayerState* state = layers_.find(layers_.current());
  const QString folder = settings_.value(QStringLiteral("saveFolder")).toString();
  const bool onGrid = gridOf(*state->layer) != nullptr;
  const bool surface = std::holds_alternative<MeshLayer>(state->layer->content);
  askSaveName(this, tr("Save %1").arg(state->name),
              folder + QLatin1Char('/') + fileStem(state->name) +
                  QString::fromStdString(usualExtension(*state->layer)),
              surface  ? tr("VTK (*.vtp);;PLY (*.ply);;STL (*.stl);;OBJ (*.obj);;GIFTI (*.gii)")
              : onGrid ? tr("NIfTI (*.nii.gz *.nii);;NRRD (*.nrrd);;MetaImage (*.mha)")
                       : tr("Table (*.tsv *.csv)"),
              [this, id = state->id](const QString& file) {
                rememberFolder(QStringLiteral("saveFolder"), file);
                fileJobs_.save(id, file);
              });
}

void MainWindow::savePlot(const QString& format) {
  const QString name = fileStem(plots_.current()) + QLatin1Char('.') + format;
  if (format == QStringLiteral("png"))
    return savePicture(name, [this] { return plotsPanel_->chart()->screenshot(2); });
  try {
    const QString text = format == QStringLiteral("svg") ? QString::fromUtf8(plotsPanel_->chart()->svg())
                                                         : chartCsv(plots_.charts());
    askSaveName(this, tr("Save plot"), name, QStringLiteral("%1 (*.%2)").arg(format.toUpper(), format),
                [this, text](const QString& file) { fileJobs_.saveText(text, file); });
  } catch (const Error& fault) {
    showError(this, tr("Save plot"), QString::fromUtf8(fault.what()));
  }
}

void MainWindow::savePicture(const QString& name, const std::function<QImage()>& picture) {
  const QImage image = picture();  // now, not when the dialog has been in the way
  askSaveName(this, tr("Save picture"), name, tr("PNG (*.png);;TIFF (*.tif *.tiff)"),
              [this, image](const QString& file) { fileJobs_.saveImage(image, file); });
}

}  // namespace sulcus::ui
