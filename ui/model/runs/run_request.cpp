#include "ui/model/runs/run_request.h"

#include "core/base/error.h"

#include <exception>
#include <utility>

namespace sulcus::ui::model {
namespace {

/// What a run says in figures; nothing where it does not give what they are made of.
std::vector<bids::Figure> figuresOf(const Run& run, const RunResult& result) {
  if (!run.analysis->study) return {};
  try {
    return bids::keyFigures(*run.analysis, result, run.inputs);
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace

FinishedRun compute(const RunRequest& request, const MakeRun& make, const Progress& progress) {
  constexpr double kSlicePrepared = 0.02, kSliceDone = 0.1;  // of a run
  const Run& run = request.run;
  const auto leave = [box = request.preview](std::vector<Layer> layers, const std::vector<Plot>& plots) {
    setRanges(layers);
    const std::lock_guard lock(box->mutex);
    box->newest = {std::move(layers), plots};
  };
  double done = 0;
  // To another machine a slice would take longer than the whole does here.
  if (request.slice && run.analysis->inSlice && run.place.isEmpty()) try {
      Run ofSlice = run;
      ofSlice.inputs = run.analysis->inSlice(run.inputs, run.options, *request.slice,
                                             progress.part(0, kSlicePrepared, "Slice in view"));
      if (!ofSlice.inputs.empty())
        leave(make(ofSlice, progress.part(kSlicePrepared, kSliceDone, "Slice in view"), {}).layers, {});
      done = kSliceDone;
    } catch (const Error&) {
      // What is wrong with the slice alone says nothing of the whole, which has its own refusals.
    }
  FinishedRun finished;
  finished.result = make(run, progress.part(done, 1, ""), leave);
  setRanges(finished.result.layers);
  finished.layers = finished.result.layers;
  finished.figures = figuresOf(run, finished.result);
  return finished;
}

}  // namespace sulcus::ui::model
