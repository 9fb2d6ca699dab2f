// The commands that take the content of a layer otherwise than it was opened.
#include "core/image/diffusion/harmonics_image.h"
#include "core/image/grids/axis_change.h"
#include "core/io/dicom/dicom_patient.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/window/apply_field_dialog.h"
#include "ui/widgets/window/displacement_dialog.h"
#include "ui/widgets/window/help_pages.h"
#include "ui/widgets/window/main_window.h"

#include <QMessageBox>
#include <algorithm>

namespace sulcus::ui::widgets {
namespace {

const VolumeLayer* numbersOf(const model::LayerState* state) {
  const auto* volume = state ? std::get_if<VolumeLayer>(&state->layer->content) : nullptr;
  return volume && !volume->colors ? volume : nullptr;
}

/// Whether its directions may be along other axes than its file says.
bool mayFlip(const model::LayerState* state) {
  if (!state || state->layer->source.empty()) return false;
  if (const VolumeLayer* volume = numbersOf(state)) return !volume->gradients.empty();
  const auto* peaks = std::get_if<PeaksLayer>(&state->layer->content);
  return peaks && !peaks->tensor;
}

}  // namespace

void MainWindow::addReinterpretationCommands() {
  const auto current = [this] { return layers_.find(layers_.current()); };
  const auto volumes = [current] {
    const VolumeLayer* volume = numbersOf(current());
    return volume ? volume->series->count : 0;
  };
  const auto add = [this](const char* name, const QString& text, const std::string& how,
                          std::function<bool()> enabled) {
    commands_.add({QLatin1String(name),
                   text,
                   {},
                   [this, how] { files_.takeAs(layers_.current(), {how}); },
                   {},
                   std::move(enabled)});
  };
  const auto flip = [current] { return mayFlip(current()); };
  add("layer.flipX", tr("Flip directions along the image's &x"),
      kAxesReinterpretation + std::string("-x y z"), flip);
  add("layer.flipY", tr("Flip directions along the image's &y"),
      kAxesReinterpretation + std::string("x -y z"), flip);
  add("layer.flipZ", tr("Flip directions along the image's &z"),
      kAxesReinterpretation + std::string("x y -z"), flip);
  add("layer.exchangeXY", tr("&Exchange x and y of the directions"),
      kAxesReinterpretation + std::string("y x z"), flip);
  const auto triples = [volumes] { return volumes() > 0 && volumes() % 3 == 0; };
  add("layer.takeAsPeaks", tr("Interpret as &directions, scanner axes (MRtrix)"), "peaks", triples);
  add("layer.takeAsPeaksImage", tr("Interpret as directions, image axes (FSL)"), "peaks image", triples);
  const auto six = [volumes] { return volumes() == 6; };
  add("layer.takeAsTensorFsl", tr("Interpret as diffusion tensor of &FSL"), "tensor fsl", six);
  add("layer.takeAsTensorMrtrix", tr("Interpret as diffusion tensor of &MRtrix"), "tensor mrtrix", six);
  add("layer.takeAsTensorAnts", tr("Interpret as diffusion tensor of &ANTs"), "tensor ants", six);
  add("layer.takeAsTensorDipy", tr("Interpret as diffusion tensor of DI&PY"), "tensor dipy", six);
  add("layer.takeAsHarmonics", tr("Interpret as functions: spherical &harmonics of MRtrix"), "harmonics",
      [volumes] { return mayBeHarmonics(volumes()); });
  commands_.add({QStringLiteral("layer.takeAsDisplacement"),
                 tr("Interpret as d&isplacement…"),
                 {},
                 [this] {
                   auto* dialog =
                       new DisplacementDialog(layers_, workspace_.warpPreview(), layers_.current(), this);
                   dialog->setAttribute(Qt::WA_DeleteOnClose);
                   setHelpPage(dialog, QStringLiteral("window#Layers"));
                   connect(dialog, &DisplacementDialog::taken, &files_, &jobs::FileJobs::takeAs);
                   dialog->show();
                 },
                 {},
                 [volumes] { return volumes() == 3; }});
  commands_.add(
      {QStringLiteral("layer.patient"),
       tr("Pat&ient's name…"),
       {},
       [this] {
         files_.findPatients(layers_.current(), [this](const QStringList& names) {
           auto* box =
               new QMessageBox(QMessageBox::NoIcon, tr("Patient's name"),
                               names.empty() ? tr("The files say no name.") : names.join(QLatin1Char('\n')),
                               QMessageBox::Close, this);
           box->setObjectName(QStringLiteral("patient"));
           box->setAttribute(Qt::WA_DeleteOnClose);
           box->setTextFormat(Qt::PlainText);
           box->open();
         });
       },
       {},
       [current] {
         const model::LayerState* state = current();
         return state && !state->layer->source.empty() &&
                std::any_of(state->layer->notes.begin(), state->layer->notes.end(),
                            [](const std::string& note) { return note.starts_with(io::kDicomNote); });
       }});
  commands_.add({QStringLiteral("layer.applyField"),
                 tr("App&ly field…"),
                 {},
                 [this] {
                   auto* dialog = new ApplyFieldDialog(layers_, this);
                   dialog->setAttribute(Qt::WA_DeleteOnClose);
                   setHelpPage(dialog, QStringLiteral("window#Apply a field"));
                   connect(dialog, &ApplyFieldDialog::wanted, &workspace_, &model::Workspace::applyField);
                   dialog->show();
                 },
                 {},
                 [this] { return ApplyFieldDialog::hasChoice(layers_); }});
  commands_.add(
      {QStringLiteral("layer.pointValues"),
       tr("Load &values or labels of the surface…"),
       {},
       [this] {
         chooseFile(
             tr("Values of the surface"),
             {tr("Values and labels (*.annot *.curv *.thickness *.sulc *.area *.gii)"), tr("All files (*)")},
             [this, id = layers_.current()](const QString& file) { files_.loadPointValues(id, file); });
       },
       {},
       [current] {
         const model::LayerState* state = current();
         return state && std::holds_alternative<MeshLayer>(state->layer->content);
       }});
  commands_.add({QStringLiteral("layer.diffusionMaps"),
                 tr("FA, MD, AD and RD as &layers"),
                 {},
                 [this] { workspace_.makeDiffusionMaps(layers_.current()); },
                 {},
                 [current] {
                   const model::LayerState* state = current();
                   const auto* peaks = state ? std::get_if<PeaksLayer>(&state->layer->content) : nullptr;
                   return peaks && peaks->tensor && peaks->tensor->count == 6 && peaks->peaks->count > 0;
                 }});
  commands_.add({QStringLiteral("layer.functions"),
                 tr("F&unctions of these peaks as a layer"),
                 {},
                 [this, current] {
                   const model::LayerState* state = current();
                   layers_.add(std::make_shared<const Layer>(
                                   functionLayer(state->layer->name + "_functions",
                                                 std::get<PeaksLayer>(state->layer->content).tensor)),
                               model::Origin::computed);
                 },
                 {},
                 [current] {
                   const model::LayerState* state = current();
                   return state && hasFunctions(*state->layer) && !isFunctionAlone(*state->layer);
                 }});
}

}  // namespace sulcus::ui::widgets
