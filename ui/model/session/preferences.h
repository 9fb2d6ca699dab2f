#pragma once

#include "core/base/options.h"
#include "core/image/layer.h"
#include "ui/model/views/view_state.h"

#include <QObject>
#include <QSettings>
#include <string>

namespace sulcus::ui::model {

/// The user's settings for all sessions. The dialog and the settings file are generated from describe().
struct Preferences {
  int threads = 0;
  int gpu = 0;
  std::string places;  ///< remote machines, see remoteHostsIn()
  std::string place;   ///< the one whose GPU is used; "": this machine
  double memory = 0;
  bool radiological = true;
  MouseScheme rightButton = MouseScheme::windowLevel;
  std::string scanColors = Display().colormap;  ///< as in Display; dialogs know the available maps
  int autosave = 30;
  std::string results;
  bool keepParameters = true;

  template <class Visit>
  void describe(Visit&& visit) {
    visit(
        threads,
        withLowest("all", numberOption("threads", "Processor threads", "", {0, 1024, 1},
                                       "Maximum number of threads for runs. Results do not depend on it.")));
    visit(gpu,
          withLowest("none",
                     numberOption("gpu", "GPU", "", {-1, 15, 1},
                                  "The GPU for runs, counted from 0; none: the GPU buttons are disabled.")));
    visit(places, textOption("places", "Remote hosts", "Machines that compute for this one, through ssh."));
    visit(place, textOption("place", "GPU to run on", "Where GPU runs are made; empty: on this computer."));
    visit(memory,
          withLowest("all that is free", numberOption("memory", "Memory for a run", "GB", {0, 65536, 1},
                                                      "A run that needs more is refused before it starts.")));
    visit(radiological,
          toggleOption(
              "radiological", "Radiological",
              "The patient's right is on the left of the screen; the views always show the convention."));
    visit(rightButton,
          choiceOption("right-button", "Right mouse button like", {"mrview", "FSLeyes, ITK-SNAP, Slicer"},
                       "In mrview it changes window and level; in the others it zooms."));
    visit(scanColors,
          textOption("scan-colors", "Default color map",
                     "The color map of newly opened scans; statistical maps and labels have their own."));
    visit(autosave, numberOption("autosave", "Autosave every", "s", {5, 3600, 5},
                                 "At most this much work is lost in a crash."));
    visit(results,
          textOption("results", "Folder of results", "Initial folder for saving; empty: the last one used."));
    visit(keepParameters, toggleOption("keep-parameters", "Remember parameters",
                                       "Each analysis begins with the parameters it had last."));
  }

  friend bool operator==(const Preferences&, const Preferences&) = default;
};

/// The preferences in the user's settings. Lives on the UI thread.
class PreferenceStore : public QObject {
  Q_OBJECT
 public:
  /// Those that are missing in the settings or out of range have their defaults. `settings` must outlive
  /// this.
  explicit PreferenceStore(QSettings& settings);

  const Preferences& values() const { return values_; }
  /// Saves them and announces what has changed.
  void set(const Preferences& values);

 signals:
  void changed(const Preferences& before);

 private:
  QSettings& settings_;
  Preferences values_;
};

}  // namespace sulcus::ui::model
