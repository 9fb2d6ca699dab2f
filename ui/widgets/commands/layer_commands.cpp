#include "core/image/display/layer_kinds.h"
#include "core/image/table_places.h"
#include "ui/widgets/commands/commands.h"
#include "ui/widgets/panels/layers_panel.h"
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/session_control.h"
#include "ui/widgets/window/status_line.h"

#include <algorithm>
#include <tuple>

namespace sulcus::ui::widgets {

namespace {

/// The next hidden image above the current one, or below it, starting again at the other end; 0: none.
model::LayerId hiddenImageFrom(const model::LayerStack& layers, int step) {
  const auto& all = layers.layers();
  const int count = int(all.size()), from = layers.positionOf(layers.current());
  for (int i = 1; from >= 0 && i < count; ++i) {
    const model::LayerState& state = all[std::size_t((from + step * i + count * count) % count)];
    if (std::holds_alternative<VolumeLayer>(state.layer->content) && !state.display.visible) return state.id;
  }
  return 0;
}

/// How the file of the current layer is understood, and what it is read with.
void addInterpretationCommands(WindowParts& window) {
  window.commands.add(
      "layer.gradients", QObject::tr("Load &gradients…"), "",
      [&window] {
        window.dialogs.chooseFile(
            QObject::tr("Gradients of this series"),
            {QObject::tr("Gradient tables (*.bvec *.bvecs *.bval *.bvals *.b *.grad *.txt)"),
             QObject::tr("All files (*)")},
            [&window, id = window.layers.current()](const QString& file) {
              window.files.loadGradients(id, file);
            });
      },
      [&window] {
        const auto* volume = window.currentAs<VolumeLayer>();
        return volume && volume->series->count > 1;
      });
  window.commands.add(
      "layer.takeAsLabels", QObject::tr("Interpret as &labels"), "",
      [&window] { window.files.takeAsLabels(window.layers.current()); },
      [&window] {
        const model::LayerState* state = window.current();
        return state && isImage(*state->layer);
      });
  const auto isLabels = [&window] { return window.currentAs<LabelsLayer>() != nullptr; };
  window.commands.add(
      "layer.takeAsVolume", QObject::tr("Interpret as a &volume"), "",
      [&window] { window.files.takeAsVolume(window.layers.current()); }, isLabels);
  window.commands.add(
      "layer.labelNames", QObject::tr("Load names of la&bels…"), "",
      [&window] {
        window.dialogs.chooseFile(QObject::tr("Names of the labels"),
                                  {QObject::tr("Tables of labels (*.tsv *.csv *.txt *.label *.lut *.ctab)"),
                                   QObject::tr("All files (*)")},
                                  [&window, id = window.layers.current()](const QString& file) {
                                    window.files.nameLabels(id, file);
                                  });
      },
      isLabels);
}

void addVolumeCommands(WindowParts& window) {
  model::SeriesPlayer& player = window.workspace.player();
  window.commands.addSwitch(
      "layer.play", QObject::tr("&Play the volumes"), "V",
      [&player] { player.setPlaying(!player.isPlaying()); }, [&player] { return player.isPlaying(); },
      [&player] { return player.canPlay(); });
  for (const auto& [name, text, key, by] :
       {std::tuple("layer.nextVolume", QObject::tr("Next volume"), "N", 1),
        {"layer.previousVolume", QObject::tr("Previous volume"), "Shift+N", -1}})
    window.commands.add(
        name, text, key, [&player, by = by] { player.step(by); }, [&player] { return player.canPlay(); });
  model::LeftOutVolumes& leftOut = window.workspace.editing().leftOutVolumes;
  window.commands.addSwitch(
      "layer.leaveOut", QObject::tr("&Exclude this volume"), "",
      [&window, &leftOut] { leftOut.toggle(window.layers.current()); },
      [&window, &leftOut] {
        const model::LayerState* state = window.current();
        return state && leftOut.of(state->id).contains(state->volume);
      },
      [&window, &leftOut] { return leftOut.canLeaveOut(window.layers.current()); });
  window.commands.add(
      "layer.mean", QObject::tr("&Mean over the volumes as a layer"), "",
      [&window] { window.workspace.evaluation().derived.makeMean(); },
      [&player] { return player.canPlay(); });
  window.commands.add(
      "layer.deviation", QObject::tr("Standard deviation over the volumes as a layer"), "",
      [&window] { window.workspace.evaluation().derived.makeDeviation(); },
      [&player] { return player.canPlay(); });
}

}  // namespace

void addLayerCommands(WindowParts& window) {
  const auto current = [&window] { return window.layers.current() != 0; };
  const auto moveBy = [&window](int steps) {
    const model::LayerId id = window.layers.current();
    window.layers.move(id, window.layers.positionOf(id) + steps);
  };
  const auto topDrawn = [&window]() -> const model::LayerState* {
    const auto& all = window.layers.layers();
    const auto top = std::find_if(all.rbegin(), all.rend(),
                                  [](const model::LayerState& state) { return isDrawn(*state.layer); });
    return top == all.rend() ? nullptr : &*top;
  };
  window.commands.add(
      "layer.toggleTop", QObject::tr("Show or hide the &top layer"), "Space",
      [&window, topDrawn] {
        if (const model::LayerState* top = topDrawn())
          window.layers.setVisible(top->id, !top->display.visible);
      },
      [topDrawn] { return topDrawn() != nullptr; });
  window.commands.add(
      "layer.toggle", QObject::tr("&Show or hide"), "",
      [&window] {
        for (const model::LayerId id : window.layersPanel->selected())
          window.layers.setVisible(id, !window.layers.find(id)->display.visible);
      },
      current);
  for (const auto& [name, text, key, step] :
       {std::tuple("layer.nextImage", QObject::tr("Next image in its place"), "]", 1),
        {"layer.previousImage", QObject::tr("Previous image in its place"), "[", -1}})
    window.commands.add(
        name, text, key,
        [&window, step = step] {
          const model::LayerId next = hiddenImageFrom(window.layers, step);
          const model::LayerStack::BatchUpdate together(window.layers);
          window.layers.setVisible(window.layers.current(), false);
          window.layers.setVisible(next, true);
          window.layers.setCurrent(next);
        },
        [&window, step = step] {
          return window.currentAs<VolumeLayer>() && hiddenImageFrom(window.layers, step) != 0;
        });
  window.commands.add(
      "layer.up", QObject::tr("Move &up"), "Ctrl+Up", [moveBy] { moveBy(1); }, current);
  window.commands.add(
      "layer.down", QObject::tr("Move &down"), "Ctrl+Down", [moveBy] { moveBy(-1); }, current);
  window.commands.add(
      "layer.frame", QObject::tr("&Center the views on it"), "",
      [&window] {
        if (window.workspace.framing().frameCurrent()) window.views->resetCameras();
      },
      current);
  addInterpretationCommands(window);
  addVolumeCommands(window);
  window.commands.add(
      "layer.showTable", QObject::tr("Show ta&ble"), "",
      [&window] { window.showTableOf(window.layers.current()); },
      [&window] { return window.currentAs<TableLayer>() != nullptr; });
  window.commands.add(
      "layer.rename", QObject::tr("Re&name"), "F2", [&window] { window.layersPanel->editName(); }, current);
  window.commands.add(
      "layer.remove", QObject::tr("&Remove"), "Del",
      [&window] {
        const std::vector<model::LayerId> chosen = window.layersPanel->selected();
        const bool comesBack = window.session.canBringBack(chosen);
        const QString what = chosen.size() == 1 ? window.layers.find(chosen.front())->name
                                                : QObject::tr("%1 layers").arg(chosen.size());
        window.sessions->unlessLost(comesBack ? QString() : window.workspace.session().lossOf(chosen),
                                    QObject::tr("Remove"), [&window, chosen, comesBack, what] {
                                      {
                                        const model::LayerStack::BatchUpdate together(window.layers);
                                        for (const model::LayerId id : chosen) window.layers.remove(id);
                                      }
                                      if (comesBack)
                                        window.status->offerUndo(QObject::tr("removed %1").arg(what));
                                    });
      },
      current);
}

}  // namespace sulcus::ui::widgets
