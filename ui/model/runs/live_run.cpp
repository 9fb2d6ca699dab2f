#include "ui/model/runs/live_run.h"

#include <algorithm>

namespace sulcus::ui::model {
namespace {

constexpr int kMillisecondsAfter = 300;  // after the last change

/// The scanner axis perpendicular to a plane.
int axisOf(Plane plane) {
  if (plane == Plane::axial) return 2;
  return plane == Plane::coronal ? 1 : 0;
}

}  // namespace

LiveRun::LiveRun(AnalysisPresenter& presenter, RunController& runs, JobListModel& jobs, const ViewState& view,
                 QObject* parent)
    : QObject(parent), presenter_(presenter), runs_(runs), jobs_(jobs), view_(view) {
  soon_.setSingleShot(true);
  soon_.setInterval(kMillisecondsAfter);
  connect(&soon_, &QTimer::timeout, this, &LiveRun::start);
  connect(&presenter_, &AnalysisPresenter::liveChanged, this, &LiveRun::switched);
  connect(&presenter_.inputs(), &InputChoice::changed, this, &LiveRun::changed);
  connect(&presenter_.options(), &OptionChoice::changed, this, &LiveRun::changed);
  connect(&runs_, &RunController::finished, this, [this](const RunPtr& run) {
    if (run->job == job_) run_ = run->id;
  });
  // No further run after the user stopped it or after a failure, since each change would fail again.
  connect(&jobs_, &JobListModel::finished, this, [this](JobId job, JobState state) {
    if (job == job_ && (state == JobState::failed || (state == JobState::cancelled && !soon_.isActive())))
      presenter_.setLive(false);
  });
}

void LiveRun::switched() {
  soon_.stop();
  if (!presenter_.live()) return;
  run_ = 0;
  wanted_ = {};
  changed();
}

void LiveRun::changed() {
  if (!presenter_.live()) return;
  const Choice now{presenter_.inputs().contents(),
                   optionsOfRun(presenter_.analysis(), presenter_.options().values())};
  if (now == wanted_) return;
  wanted_ = now;
  soon_.start();
  jobs_.cancel(job_);
}

void LiveRun::start() {
  const JobState last = jobs_.stateOf(job_);
  if (last == JobState::queued || last == JobState::running) return soon_.start();  // it is being stopped
  const Backend on = backend();
  if (isShown() || !presenter_.whyNot(on == Backend::gpu ? RunChoice::gpu : RunChoice::cpu).isEmpty()) return;
  job_ = runs_.startLive(presenter_, on, run_, {axisOf(view_.plane()), view_.crosshair()});
}

bool LiveRun::isShown() const {
  RunPtr shown = runs_.run(run_);
  if (!shown)
    for (const RunPtr& run : runs_.runs())
      if (run->analysis == &presenter_.analysis()) shown = run;
  return shown && Choice{shown->inputs, optionsOfRun(*shown->analysis, shown->options)} == wanted_;
}

Backend LiveRun::backend() const {
  const auto& all = runs_.runs();
  const auto last = std::find_if(all.rbegin(), all.rend(), [this](const RunPtr& run) {
    return run->analysis == &presenter_.analysis();
  });
  const bool wantsGpu = last == all.rend() || (*last)->backend == Backend::gpu;
  return wantsGpu && presenter_.whyNot(RunChoice::gpu).isEmpty() ? Backend::gpu : Backend::cpu;
}

}  // namespace sulcus::ui::model
