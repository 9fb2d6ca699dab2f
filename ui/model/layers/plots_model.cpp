#include "ui/model/layers/plots_model.h"

#include "ui/model/comparison/compared_layers.h"
#include "ui/model/layers/layer_plots.h"
#include "ui/model/text/localize.h"

#include <algorithm>

namespace sulcus::ui::model {
namespace {

const QString kOf = QStringLiteral(": ");  // between quantity and subject

QString quantityOf(const QString& name) { return name.section(kOf, 0, 0); }
QString subjectOf(const QString& name) { return name.section(kOf, 1); }

}  // namespace

PlotsModel::PlotsModel(LayerStack& layers, RunController& runs, ViewState& view, JobQueue& quick,
                       QObject* parent)
    : QObject(parent), layers_(layers), runs_(runs), view_(view), charting_(quick), readingInputs_(quick) {
  connect(&runs_, &RunController::finished, this, [this](const RunPtr& run) { show({run}); });
  connect(&runs_.comparer(), &RunComparer::finished, this, [this](const ComparedPtr& comparison) {
    if (isLayerSide(*comparison->a)) return;  // layers do not have plots of their own
    compared_ = {comparison->a, comparison->b};
    show(compared_);
  });
  connect(&runs_, &RunController::madeAgain, this, [this] {
    namesMayDiffer();
    emit namesChanged();
    refresh();
  });
  connect(&runs_, &RunController::plotsPreviewed, this, &PlotsModel::showLive);
  connect(&runs_, &RunController::runsChanged, this, &PlotsModel::runsChanged);
  connect(&layers_, &LayerStack::currentChanged, this, &PlotsModel::layerChosen);
  connect(&layers_, &LayerStack::changed, this, &PlotsModel::layersChanged);
  connect(&view_, &ViewState::crosshairChanged, this, &PlotsModel::crosshairMoved);
}

void PlotsModel::setPresenter(AnalysisPresenter* presenter) {
  if (presenter == presenter_) return;
  if (presenter_) {
    disconnect(&presenter_->inputs(), nullptr, this, nullptr);
    disconnect(&presenter_->options(), nullptr, this, nullptr);
  }
  presenter_ = presenter;
  if (presenter_) {
    connect(&presenter_->inputs(), &InputChoice::changed, this, &PlotsModel::requestInputs);
    connect(&presenter_->options(), &OptionChoice::changed, this, &PlotsModel::requestInputs);
  }
  requestInputs();
}

void PlotsModel::setActive(bool active) {
  if (active == active_) return;
  active_ = active;
  if (!active_) return;
  requestInputs();
  if (stale_) refresh();
}

void PlotsModel::showLive(const std::vector<Plot>& plots) {
  if (live_.empty() && plots.empty()) return;
  const bool begins = live_.empty();
  live_ = plots;
  namesMayDiffer();
  if (begins) {
    setCurrent(QString::fromStdString(plots.front().name));
    emit liveStarted();
  }
  refresh();
}

void PlotsModel::show(std::vector<RunPtr> runs) {
  if (runs == shown_) return;
  shown_ = std::move(runs);
  namesMayDiffer();
  emit namesChanged();  // there may be something to recompute
  refresh();
}

void PlotsModel::layerChosen(LayerId id) {
  if (isShowingImage_) return;  // which may be a result of another run
  if (!chosen_ && isOfLayers(current_) && current_ != firstName()) {
    current_ = firstName();
    emit namesChanged();
    refresh();
  }
  const RunPtr run = runs_.runOf(id);
  if (!run || std::find(shown_.begin(), shown_.end(), run) != shown_.end()) return;
  const bool isCompared = std::find(compared_.begin(), compared_.end(), run) != compared_.end();
  show(isCompared ? compared_ : std::vector{run});
}

void PlotsModel::runsChanged() {
  const auto& all = runs_.runs();
  const auto gone = [&](const RunPtr& run) { return std::find(all.begin(), all.end(), run) == all.end(); };
  std::erase_if(compared_, gone);
  std::vector<RunPtr> left = shown_;
  std::erase_if(left, gone);
  if (left == shown_ && left.size() > 1) return refresh();  // names may have changed
  show(std::move(left));
  if (shown_.empty()) layerChosen(layers_.current());  // e.g. of a session
}

void PlotsModel::requestInputs() {
  if (!active_) {  // computed when they become visible; data of closed layers are released
    if (asked_ && presenter_ && presenter_->inputs().contents() == askedInputs_) return;
    asked_ = false;
    askedInputs_.clear(), inputPlots_.clear();
    return;
  }
  const bool possible =
      presenter_ && presenter_->analysis().inputPlots && presenter_->whyNot(RunChoice::cpu).isEmpty();
  const AnalysisInputs inputs = possible ? presenter_->inputs().contents() : AnalysisInputs();
  const OptionValues options = possible ? presenter_->options().values() : OptionValues();
  const OptionValues before = possible ? optionsOfRun(presenter_->analysis(), options) : OptionValues();
  if (asked_ && inputs == askedInputs_ && before == askedOptions_) return;
  asked_ = possible;
  askedInputs_ = inputs;
  askedOptions_ = before;
  const auto take = [this](std::vector<Plot> plots) {
    inputPlots_ = std::move(plots);
    namesMayDiffer();
    refresh();
  };
  if (!possible) {
    readingInputs_.drop();
    if (!inputPlots_.empty()) take({});
    return;
  }
  // Inputs that do not go together cannot be shown; the reason is given by the panel's advice and by a run.
  readingInputs_.submit([plots = presenter_->analysis().inputPlots, inputs,
                         options](const Progress&) { return plots(inputs, options); },
                        take, [take](const Message&) { take({}); });
}

bool PlotsModel::isOfLayers(const QString& name) const {
  return std::any_of(layerPlots_.begin(), layerPlots_.end(),
                     [&](const Plot& plot) { return plot.name == name.toStdString(); });
}

void PlotsModel::layersChanged() {
  const QString before = current_;
  layerPlots_ = plotsOf(layers_.layers());
  namesMayDiffer();
  if (current_ != before || isOfLayers(current_)) refresh();  // e.g. another volume is shown
}

void PlotsModel::setOpenPlots(std::vector<Plot> plots) {
  openPlots_ = std::move(plots);
  namesMayDiffer();
  refresh();
}

QStringList PlotsModel::names() const { return names_; }

void PlotsModel::namesMayDiffer() {
  QStringList names;
  const auto add = [&names](const std::vector<Plot>& plots) {
    for (const Plot& plot : plots)
      if (const QString name = QString::fromStdString(plot.name); !names.contains(name)) names << name;
  };
  add(live_);
  for (const RunPtr& run : shown_) add(run->result->plots);
  add(inputPlots_);
  add(layerPlots_);
  add(openPlots_);
  if (names == names_) return;
  names_ = names;
  // A plot of a layer that was shown for lack of anything else gives way to those of an analysis.
  if (!names_.contains(current_)) chosen_ = false, current_.clear();
  if (!names_.isEmpty() && !chosen_ && (current_.isEmpty() || isOfLayers(current_))) current_ = firstName();
  emit namesChanged();
}

QString PlotsModel::firstName() const {
  const QString first = names_.front();
  const LayerState* layer = layers_.find(layers_.current());
  const QString own = layer ? quantityOf(first) + kOf + layer->name : QString();
  return isOfLayers(first) && names_.contains(own) ? own : first;
}

QStringList PlotsModel::quantities() const {
  QStringList quantities;
  for (const QString& name : names_)
    if (!quantities.contains(quantityOf(name))) quantities << quantityOf(name);
  return quantities;
}

QStringList PlotsModel::subjects() const {
  QStringList subjects;
  for (const QString& name : names_)
    if (quantityOf(name) == quantity() && !subjectOf(name).isEmpty()) subjects << subjectOf(name);
  return subjects;
}

QString PlotsModel::quantity() const { return quantityOf(current_); }
QString PlotsModel::subject() const { return subjectOf(current_); }

void PlotsModel::setQuantity(const QString& quantity) {
  const LayerState* layer = layers_.find(layers_.current());
  for (const QString& subject : {layer ? layer->name : QString(), subject_})
    if (const QString name = quantity + kOf + subject; names_.contains(name)) return setCurrent(name);
  const auto first = std::find_if(names_.begin(), names_.end(),
                                  [&](const QString& name) { return quantityOf(name) == quantity; });
  if (first != names_.end()) setCurrent(*first);
}

void PlotsModel::setSubject(const QString& subject) { setCurrent(quantity() + kOf + subject); }

void PlotsModel::setCurrent(const QString& name) {
  if (!names_.contains(name)) return;
  chosen_ = true;
  if (name == current_) return;
  if (const QString subject = subjectOf(name); !subject.isEmpty()) subject_ = subject;
  current_ = name;
  emit namesChanged();
  refresh();
}

LayerId PlotsModel::layerOf(const LayerPtr& image) const {
  const auto seriesOf = [](const Layer& layer) {
    const auto* volume = std::get_if<VolumeLayer>(&layer.content);
    return volume ? volume->series : nullptr;
  };
  const auto series = image ? seriesOf(*image) : nullptr;
  if (!series) return 0;
  const auto found = std::ranges::find_if(
      layers_.layers(), [&](const LayerState& state) { return seriesOf(*state.layer) == series; });
  return found == layers_.layers().end() ? 0 : found->id;
}

void PlotsModel::showImageOf(const Chart::Subject& subject) {
  if (!subject.image) return;
  isShowingImage_ = true;
  showAlone(subject);
  isShowingImage_ = false;
  emit subjectShown(QString::fromStdString(subject.name));
}

void PlotsModel::showAlone(const Chart::Subject& subject) {
  const LayerStack::BatchUpdate together(layers_);
  LayerId shown = layerOf(subject.image);
  for (const scene::NamedChart& named : charts_)
    for (const Chart::Series& series : named.chart.series)
      for (const Chart::Subject& other : series.subjects)
        if (const LayerId id = layerOf(other.image); id != 0 && id != shown) layers_.setVisible(id, false);
  if (shown == 0) {
    shown = layers_.add(subject.image, Origin::computed);  // no analysis takes it by itself
    if (!subject.image->source.empty()) layers_.setSaved(shown, subject.image);
  }
  layers_.setVisible(shown, true);
  layers_.setVolume(shown, subject.volume);
  layers_.setCurrent(shown);
  // Above other images, below what the run found.
  const auto isOfRun = [this](const LayerState& state) {
    return std::ranges::find(shown_, runs_.runOf(state.id)) != shown_.end();
  };
  const auto lowest = std::ranges::find_if(layers_.layers(), isOfRun);
  if (const int below = int(lowest - layers_.layers().begin()) - 1;
      lowest != layers_.layers().end() && !runs_.runOf(shown))
    layers_.move(shown, layers_.positionOf(shown) <= below ? below : below + 1);
}

bool PlotsModel::canMakeAgain() const {
  return std::ranges::any_of(shown_, [](const RunPtr& run) { return run->stored; });
}

void PlotsModel::makeAgain() {
  for (const RunPtr& run : std::vector(shown_))
    if (run->stored) runs_.makeAgain(run);
}

std::vector<std::pair<std::string, Plot>> PlotsModel::currentPlots() const {
  const std::string name = current_.toStdString();
  std::vector<std::pair<std::string, Plot>> found;
  const auto add = [&](const std::string& whose, const std::vector<Plot>& plots) {
    for (const Plot& plot : plots)
      if (plot.name == name && plot.make) found.emplace_back(whose, plot);
  };
  add({}, live_);
  if (!found.empty()) return found;
  for (const RunPtr& run : shown_)
    add(shown_.size() > 1 ? run->title.toStdString() : std::string(), run->result->plots);
  for (const auto* plots : {&inputPlots_, &openPlots_, &layerPlots_})
    if (found.empty()) add({}, *plots);
  return found;
}

void PlotsModel::crosshairMoved() {
  const auto plots = currentPlots();
  if (std::any_of(plots.begin(), plots.end(),
                  [](const auto& named) { return named.second.followsCrosshair; }))
    refresh();
}

void PlotsModel::refresh() {
  stale_ = !active_;
  if (!active_) return;
  auto plots = currentPlots();
  const auto take = [this](std::vector<scene::NamedChart> charts) {
    charts_ = std::move(charts);
    emit chartsChanged();
  };
  if (plots.empty()) {
    charting_.drop();
    return take({});
  }
  charting_.submit(
      [plots = std::move(plots), at = view_.crosshair()](const Progress&) {
        std::vector<scene::NamedChart> charts;
        for (const auto& [whose, plot] : plots) charts.push_back({whose, plot.make(at)});
        return charts;
      },
      take,
      [take](const Message& fault) {
        scene::NamedChart said;
        said.chart.title = localizeForWindow(fault).toStdString();
        take({said});
      });
}

}  // namespace sulcus::ui::model
