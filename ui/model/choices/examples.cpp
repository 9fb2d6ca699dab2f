#include "ui/model/choices/examples.h"

#include "ui/jobs/qt_post.h"
#include "ui/model/text/localize.h"
#include "ui/model/workspace.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace sulcus::ui::model {

Examples::Examples(Workspace& workspace, std::vector<Example> all)
    : workspace_(workspace), all_(std::move(all)), loading_(jobs::qtPost(this)) {
  connect(&workspace_.runs(), &RunController::finished, this, [this](const RunPtr& run) { finished(*run); });
  connect(&workspace_.runs(), &RunController::idle, this, [this] { running_ = nullptr; });
}

void Examples::open(const QString& name) {
  const auto example = std::ranges::find_if(
      all_, [&](const Example& one) { return QString::fromStdString(one.name) == name; });
  if (example == all_.end()) return;
  JobListModel& jobs = workspace_.jobs();
  const JobId job = jobs.add(tr("Example: %1").arg(words(example->title)), {});
  auto report = [this, &jobs, job](const JobReport& what) {
    jobs.report(job, what);
    if (what.state == JobState::failed) emit workspace_.failed(tr("Example"), localizeForWindow(what.error));
  };
  jobs.setTicket(
      job, loading_.submit([load = example->load](const Progress& progress) { return load(progress); },
                           [this, &one = *example](const AnalysisInputs& inputs) { deliver(one, inputs); },
                           std::move(report)));
}

void Examples::deliver(const Example& example, const AnalysisInputs& inputs) {
  LayerStack& layers = workspace_.layers();
  AnalysisPresenter* presenter = workspace_.presenters().named(QString::fromStdString(example.analysis));
  const auto add = [&](const std::string& slot, bool visible) {
    std::vector<LayerId> ids;
    const auto [begin, end] = inputs.equal_range(slot);
    for (auto input = begin; input != end; ++input) {
      ids.push_back(layers.add(input->second));
      layers.rename(ids.back(), layerTitle(input->second->name));
      layers.setVisible(ids.back(), visible);
    }
    return ids;
  };
  const bool onAnother = !add(kOnlyShown, true).empty();
  if (presenter) {
    // The layer of the first slot is added last, so that it is on top; it is shown if nothing else is.
    const auto& slotList = presenter->analysis().inputs;
    for (auto slot = slotList.rbegin(); slot != slotList.rend(); ++slot)
      presenter->inputs().choose(slot->name, add(slot->name, !onAnother && slot + 1 == slotList.rend()));
    presenter->takeExampleParameters(example.options);
    workspace_.presenters().choose(presenter);
  }
  if (example.place) workspace_.view().lookAt(*example.place);
  emit loaded(example);
  const bool runs = presenter && workspace_.run(RunChoice::cpu);
  workspace_.presenters().keepForExample();
  if (runs)
    running_ = &example;
  else
    emit shown(example);
}

void Examples::finished(const Run& run) {
  if (!running_ || run.analysis->name != running_->analysis) return;
  const Example& example = *std::exchange(running_, nullptr);
  LayerStack& layers = workspace_.layers();
  const auto& result = run.result->layers;
  for (std::size_t i = 0; i < std::min(result.size(), run.layers.size()) && !example.shown.empty(); ++i)
    layers.setVisible(run.layers[i], std::ranges::find(example.shown, result[i].name) != example.shown.end());
  if (example.place) workspace_.view().lookAt(*example.place);
  emit shown(example);
}

}  // namespace sulcus::ui::model
