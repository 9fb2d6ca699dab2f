#pragma once

#include "core/bids/figures.h"
#include "ui/model/runs/run.h"

#include <QElapsedTimer>
#include <QString>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

// What RunController knows of a run that is not over.
namespace sulcus::ui::model {

/// Where a worker leaves the newest preview and the UI thread fetches it, with the reports of progress:
/// however fast previews come, none waits in a line.
struct RunPreview {
  struct State {
    std::vector<Layer> layers;
    std::vector<Plot> plots;
  };
  std::mutex mutex;  // guards newest
  std::optional<State> newest;
  // On the UI thread:
  QElapsedTimer shown;                 ///< since the last one was shown
  bool placed = false;                 ///< something was shown
  QString title;                       ///< of the run, once it is placed
  std::shared_ptr<RunLayers> place;    ///< that of the run that is replaced from the beginning
  std::map<LayerId, LayerPtr> before;  ///< what the layers showed of that run

  std::optional<State> take() {
    const std::lock_guard lock(mutex);
    return std::exchange(newest, std::nullopt);
  }
};

/// What a run gives back, and its layers once more, to be put on the stack: tables are not copied on the UI
/// thread.
struct FinishedRun {
  RunResult result;
  std::vector<Layer> layers;
  std::vector<bids::Figure> figures{};
};

/// A requested run. With a partner, whichever ends second starts the comparison.
struct RunRequest {
  struct Pair {
    std::weak_ptr<const Run> cpu, gpu;  // runs_ holds them as long as they have a layer
  };
  Run run;
  std::optional<SliceInView> slice;  ///< is worked on first: a live run
  int replaces = 0;                  ///< id of the run whose place a live one takes
  std::shared_ptr<Pair> pair;        ///< null: no comparison wanted
  std::shared_ptr<RunPreview> preview = std::make_shared<RunPreview>();
};

/// What makes a run; for a worker.
using MakeRun = std::function<RunResult(const Run&, const Progress&, const Analysis::Preview&)>;
/// The result of a request, on the worker; what comes before it is left as previews.
FinishedRun compute(const RunRequest& request, const MakeRun& make, const Progress& progress);

}  // namespace sulcus::ui::model
