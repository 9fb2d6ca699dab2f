#pragma once

#include "core/bids/report/figures.h"
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

// RunController's data on an unfinished run.
namespace sulcus::ui::model {

/// A worker leaves the newest preview here, and the UI thread fetches it along with the progress reports:
/// however fast previews come, they never queue up.
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
  QString title;                       ///< of the run, once it has a place
  std::shared_ptr<RunLayers> place;    ///< that of the replaced run from the start
  std::map<LayerId, LayerPtr> before;  ///< what the layers showed of that run

  std::optional<State> take() {
    const std::lock_guard lock(mutex);
    return std::exchange(newest, std::nullopt);
  }
};

/// The result of a run, and a copy of its layers for the stack, so that tables are not copied on the UI
/// thread.
struct FinishedRun {
  RunResult result;
  std::vector<Layer> layers;
  std::vector<bids::Figure> figures{};
};

/// A requested run. If it has a partner, whichever ends second starts the comparison.
struct RunRequest {
  struct Pair {
    std::weak_ptr<const Run> cpu, gpu;  // runs_ keeps them alive as long as they have a layer
  };
  Run run;
  std::optional<SliceInView> slice;  ///< is computed first: a live run
  int replaces = 0;                  ///< id of the run that a live one replaces
  std::shared_ptr<Pair> pair;        ///< null: no comparison requested
  std::shared_ptr<RunPreview> preview = std::make_shared<RunPreview>();
};

/// The function that computes a run; for a worker.
using MakeRun = std::function<RunResult(const Run&, const Progress&, const Analysis::Preview&)>;
/// Computes the result of a request, on the worker; intermediate results are left as previews.
FinishedRun compute(const RunRequest& request, const MakeRun& make, const Progress& progress);

}  // namespace sulcus::ui::model
