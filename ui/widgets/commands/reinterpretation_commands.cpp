#include "core/image/diffusion/harmonics_image.h"
#include "core/image/grids/axis_change.h"
#include "core/io/dicom/dicom_patient.h"
#include "ui/widgets/commands/commands.h"
#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/dialogs/apply_field_dialog.h"
#include "ui/widgets/dialogs/displacement_dialog.h"
#include "ui/widgets/help/help_pages.h"

#include <QMessageBox>
#include <algorithm>

namespace sulcus::ui::widgets {
namespace {

const VolumeLayer* numbersOf(const model::LayerState* state) {
  const auto* volume = state ? std::get_if<VolumeLayer>(&state->layer->content) : nullptr;
  return volume && !volume->colors ? volume : nullptr;
}

/// Whether its directions may refer to other axes than its file says.
bool mayFlip(const model::LayerState* state) {
  if (!state || state->layer->source.empty()) return false;
  if (const VolumeLayer* volume = numbersOf(state)) return !volume->gradients.empty();
  const auto* peaks = std::get_if<PeaksLayer>(&state->layer->content);
  return peaks && !peaks->tensor;
}

}  // namespace

void addReinterpretationCommands(WindowParts& window) {
  const auto current = [&window] { return window.current(); };
  const auto volumes = [current] {
    const VolumeLayer* volume = numbersOf(current());
    return volume ? volume->series->count : 0;
  };
  const auto add = [&window](const char* name, const QString& text, const std::string& how,
                             std::function<bool()> enabled) {
    window.commands.add(
        name, text, "", [&window, how] { window.files.takeAs(window.layers.current(), {how}); },
        std::move(enabled));
  };
  const auto flip = [current] { return mayFlip(current()); };
  for (const auto& [name, text, axes] :
       {std::tuple("layer.flipX", QObject::tr("Flip directions along the image's &x"), "-x y z"),
        {"layer.flipY", QObject::tr("Flip directions along the image's &y"), "x -y z"},
        {"layer.flipZ", QObject::tr("Flip directions along the image's &z"), "x y -z"},
        {"layer.exchangeXY", QObject::tr("S&wap x and y of the directions"), "y x z"}})
    add(name, text, kAxesReinterpretation + std::string(axes), flip);
  const auto triples = [volumes] { return volumes() > 0 && volumes() % 3 == 0; };
  add("layer.takeAsPeaks", QObject::tr("Interpret as &directions, scanner axes (MRtrix)"), "peaks", triples);
  add("layer.takeAsPeaksImage", QObject::tr("Interpret as directions, image axes (FSL)"), "peaks image",
      triples);
  const auto six = [volumes] { return volumes() == 6; };
  add("layer.takeAsTensorFsl", QObject::tr("Interpret as diffusion tensor of &FSL"), "tensor fsl", six);
  add("layer.takeAsTensorMrtrix", QObject::tr("Interpret as diffusion tensor of &MRtrix"), "tensor mrtrix",
      six);
  add("layer.takeAsTensorAnts", QObject::tr("Interpret as diffusion tensor of &ANTs"), "tensor ants", six);
  add("layer.takeAsTensorDipy", QObject::tr("Interpret as diffusion tensor of DI&PY"), "tensor dipy", six);
  add("layer.takeAsHarmonics", QObject::tr("Interpret as functions: spherical &harmonics of MRtrix"),
      "harmonics", [volumes] { return mayBeHarmonics(volumes()); });
  window.commands.add(
      "layer.takeAsDisplacement", QObject::tr("Interpret as d&isplacement…"), "",
      [&window] {
        auto* dialog =
            deletedOnClose(new DisplacementDialog(window.layers, window.workspace.evaluation().warpPreview,
                                                  window.layers.current(), &window.widget));
        setHelpPage(dialog, QStringLiteral("window#Layers"));
        QObject::connect(dialog, &DisplacementDialog::taken, &window.files, &jobs::FileJobs::takeAs);
        dialog->show();
      },
      [volumes] { return volumes() == 3; });
  window.commands.add(
      "layer.patient", QObject::tr("Pat&ient's name…"), "",
      [&window] {
        window.files.findPatients(window.layers.current(), [&window](const QStringList& names) {
          auto* box = new QMessageBox(
              QMessageBox::NoIcon, QObject::tr("Patient's name"),
              names.empty() ? QObject::tr("The files contain no name.") : names.join(QLatin1Char('\n')),
              QMessageBox::Close, &window.widget);
          box->setObjectName(QStringLiteral("patient"));
          box->setAttribute(Qt::WA_DeleteOnClose);
          box->setTextFormat(Qt::PlainText);
          box->open();
        });
      },
      [current] {
        const model::LayerState* state = current();
        return state && !state->layer->source.empty() &&
               hasNoteAbout(state->layer->notes, Subject::dicomHeaders);
      });
  window.commands.add(
      "layer.applyField", QObject::tr("App&ly field…"), "",
      [&window] {
        auto* dialog = deletedOnClose(new ApplyFieldDialog(window.layers, &window.widget));
        setHelpPage(dialog, QStringLiteral("window#Apply a field"));
        QObject::connect(dialog, &ApplyFieldDialog::applyRequested, &window.workspace.evaluation().derived,
                         &model::DerivedLayers::applyField);
        dialog->show();
      },
      [&window] { return ApplyFieldDialog::hasChoice(window.layers); });
  window.commands.add(
      "layer.pointValues", QObject::tr("Load &values or labels of the surface…"), "",
      [&window] {
        window.dialogs.chooseFile(
            QObject::tr("Values of the surface"),
            {QObject::tr("Values and labels (*.annot *.curv *.thickness *.sulc *.area *.gii)"),
             QObject::tr("All files (*)")},
            [&window, id = window.layers.current()](const QString& file) {
              window.files.loadPointValues(id, file);
            });
      },
      [current] {
        const model::LayerState* state = current();
        return state && std::holds_alternative<MeshLayer>(state->layer->content);
      });
  window.commands.add(
      "layer.diffusionMaps", QObject::tr("FA, MD, AD and RD as &layers"), "",
      [&window] { window.workspace.evaluation().derived.makeDiffusionMaps(window.layers.current()); },
      [current] {
        const model::LayerState* state = current();
        const auto* peaks = state ? std::get_if<PeaksLayer>(&state->layer->content) : nullptr;
        return peaks && peaks->tensor && peaks->tensor->count == 6 && peaks->peaks->count > 0;
      });
  window.commands.add(
      "layer.functions", QObject::tr("F&unctions of these peaks as a layer"), "",
      [&window, current] {
        const model::LayerState* state = current();
        window.layers.add(
            std::make_shared<const Layer>(functionLayer(state->layer->name + "_functions",
                                                        std::get<PeaksLayer>(state->layer->content).tensor)),
            model::Origin::computed);
      },
      [current] {
        const model::LayerState* state = current();
        return state && hasFunctions(*state->layer) && !isFunctionAlone(*state->layer);
      });
}

}  // namespace sulcus::ui::widgets
