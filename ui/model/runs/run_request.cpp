#include "ui/model/runs/run_request.h"

#include "core/base/error.h"

#include <exception>
#include <utility>

namespace sulcus::ui::model {
namespace {

/// The key figures of a run; none if its results do not include what they are computed from.
std::vector<bids::Figure> figuresOf(const Run& run, const RunResult& result) {
  if (!run.analysis->study) return {};
  try {
    return bids::keyFigures(*run.analysis, result, run.inputs);
  } catch (const std::exception&) {
    return {};
  }
}

/// How far the result is from the given truth: mean differences, and shares of what is only right or wrong.
void addTruth(const Run& run, const Progress& progress, FinishedRun& finished) try {
  if (!run.analysis->compareWithTruth || !run.inputs.contains("truth")) return;
  for (const AgreementRow& row : run.analysis->compareWithTruth(finished.result, run.inputs, progress)) {
    const std::string name = "truth: " + row.quantity;
    if (row.tolerance == 0)
      finished.figures.push_back({name, "%", "Share that agrees with the truth", 100 * row.shareWithin});
    else
      finished.figures.push_back({name, row.unit, "Mean difference from the truth", row.mean});
  }
} catch (const Error& fault) {
  finished.result.notes.push_back(Note::warning(fault.message()));
}

}  // namespace

FinishedRun compute(const RunRequest& request, const MakeRun& make, const Progress& progress) {
  constexpr double kSlicePrepared = 0.02, kSliceDone = 0.1;  // fractions of a run
  const Run& run = request.run;
  const auto leave = [box = request.preview](std::vector<Layer> layers, const std::vector<Plot>& plots) {
    setRanges(layers);
    const std::lock_guard lock(box->mutex);
    box->newest = {std::move(layers), plots};
  };
  double done = 0;
  // Sending a slice to another machine would take longer than computing the whole does here.
  if (request.slice && run.analysis->inSlice && run.place.isEmpty()) try {
      Run ofSlice = run;
      ofSlice.inputs = run.analysis->inSlice(run.inputs, run.options, *request.slice,
                                             progress.part(0, kSlicePrepared, "Slice in view"));
      if (!ofSlice.inputs.empty())
        leave(make(ofSlice, progress.part(kSlicePrepared, kSliceDone, "Slice in view"), {}).layers, {});
      done = kSliceDone;
    } catch (const Error&) {
      // A problem with the slice alone says nothing about the whole, which is checked separately.
    }
  FinishedRun finished;
  finished.result = make(run, progress.part(done, 1, ""), leave);
  setRanges(finished.result.layers);
  finished.layers = finished.result.layers;
  finished.figures = figuresOf(run, finished.result);
  if (!request.slice) addTruth(run, progress.part(1, 1, "truth"), finished);
  return finished;
}

}  // namespace sulcus::ui::model
