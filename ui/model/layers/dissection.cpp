#include "ui/model/layers/dissection.h"

#include "core/analysis/command_line.h"
#include "core/base/stage_clock.h"
#include "core/image/display/tract_coloring.h"

#include <QScopedValueRollback>
#include <algorithm>
#include <list>
#include <utility>

namespace sulcus::ui::model {
namespace {

constexpr std::size_t kMostPointsOfIndex = 400'000'000;  // of more, its memory would be missed
constexpr std::size_t kKeptFlags = 24;                   // regions whose lines are remembered
constexpr int kRest = 300;                               // ms without a stroke after which nothing moves

/// Null for other layers, and for those that are shown for a while.
const TractsLayer* tractsIn(const LayerState* state) {
  return state && state->origin != Origin::temporary ? std::get_if<TractsLayer>(&state->layer->content)
                                                     : nullptr;
}

/// Two bundles are told apart by their colors; a coloring that was chosen stays.
void colorByBundle(LayerStack& layers, LayerId id) {
  const LayerState& state = *layers.find(id);
  if (shownColoring(*state.layer, state.volume)->by != TractColoring::By::direction) return;
  const auto all = coloringsOf(*std::get<TractsLayer>(state.layer->content).tracts);
  const auto byGroup = std::ranges::find(all, TractColoring::By::group, &TractColoring::by);
  layers.setVolume(id, int(byGroup - all.begin()));
}

/// The group of this name of a layer's lines, or null.
const Tracts::Group* groupIn(const LayerStack& layers, LayerId layer, const std::string& name) {
  const auto* lines = tractsIn(layers.find(layer));
  if (!lines) return nullptr;
  const auto& groups = lines->tracts->groups;
  const auto found = std::ranges::find(groups, name, &Tracts::Group::name);
  return found == groups.end() ? nullptr : &*found;
}

}  // namespace

/// The lines of the regions that were asked for last, newest first.
struct Dissection::Cache {
  struct Entry {
    std::shared_ptr<const Tracts> tracts;
    TractRegion region;
    LineFlags flags;
  };
  std::list<Entry> entries;

  const LineFlags& flagsOf(const std::shared_ptr<const Tracts>& tracts, const TractIndex& index,
                           const TractRegion& region) {
    for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
      if (entry->tracts != tracts || !(entry->region == region)) continue;
      entries.splice(entries.begin(), entries, entry);
      return entries.front().flags;
    }
    // A label that was painted on has another body, and what was before would keep its image.
    if (region.body)
      entries.remove_if([&](const Entry& entry) {
        return entry.region.body && entry.region.body->label == region.body->label &&
               entry.region.role == region.role;
      });
    entries.push_front({tracts, region, index.linesIn(region)});
    if (entries.size() > kKeptFlags) entries.pop_back();
    return entries.front().flags;
  }
};

struct Dissection::Result {
  LayerId layer = 0;
  std::shared_ptr<const Tracts> tracts;
  std::vector<Bundle> bundles;
  bool commit = false;
  double seconds = 0;
};

Dissection::Dissection(LayerStack& layers, ViewState& view, JobQueue& queue, QObject* parent)
    : QObject(parent),
      layers_(layers),
      view_(view),
      queue_(queue),
      selecting_(queue),
      measuring_(queue),
      cache_(std::make_shared<Cache>()) {
  connect(&layers_, &LayerStack::changed, this, [this] {
    if (giving_) return;
    indexLayers();
    takeLayer();
    followLabels();
    if (group_ && !groupIn(layers_, group_->layer, group_->name)) showAll();
  });
  resting_.setSingleShot(true);
  resting_.setInterval(kRest);
  connect(&resting_, &QTimer::timeout, this, [this] {
    moves_ = false;
    submit(true);
  });
}

Dissection::~Dissection() = default;

LayerId Dissection::target() const {
  if (tractsIn(layers_.find(layers_.current()))) return layers_.current();
  const auto& all = layers_.layers();
  const auto top =
      std::find_if(all.rbegin(), all.rend(), [](const LayerState& state) { return tractsIn(&state); });
  return top == all.rend() ? 0 : top->id;
}

const std::vector<TractRegion>& Dissection::regions() const {
  static const std::vector<TractRegion> none;
  return bundle_ < 0 ? none : bundles_[std::size_t(bundle_)].regions;
}

bool Dissection::isIndexed() const { return indexes_.contains(target()); }

std::optional<Dissection::Facts> Dissection::facts(int bundle) const {
  return bundle >= 0 && bundle < int(facts_.size()) ? facts_[std::size_t(bundle)] : std::nullopt;
}

/// Builds an index for each layer of tracts that has none, and forgets those of others.
void Dissection::indexLayers() {
  std::erase_if(indexes_, [&](const auto& entry) {
    const auto* lines = tractsIn(layers_.find(entry.first));
    return !lines || lines->tracts.get() != &entry.second->tracts();
  });
  for (const LayerState& state : layers_.layers()) {
    const auto* lines = tractsIn(&state);
    if (!lines || indexes_.contains(state.id) || indexing_.contains(state.id)) continue;
    if (lines->tracts->points.size() > kMostPointsOfIndex) continue;
    indexing_[state.id] = queue_.submit(
        [tracts = lines->tracts](const Progress& progress) {
          return std::make_shared<const TractIndex>(tracts, progress);
        },
        [this, id = state.id](std::shared_ptr<const TractIndex> index) {
          indexing_.erase(id);
          const auto* now = tractsIn(layers_.find(id));
          if (!now || now->tracts.get() != &index->tracts()) return indexLayers();
          indexes_[id] = std::move(index);
          if (id == taken_)
            publish();
          else
            show(id, now->bundles, -1, -1);
          emit changed();
        });
  }
}

/// Makes the bundles of the target those in hand.
void Dissection::takeLayer() {
  const LayerId id = target();
  const auto* lines = tractsIn(layers_.find(id));
  const auto given = lines ? lines->bundles : nullptr;
  const auto tracts = lines ? lines->tracts : nullptr;
  if (id == taken_ && tracts == tracts_ && given == given_) return;
  selecting_.drop();
  if (taken_ != id) show(taken_, given_, -1, -1);
  const bool other = taken_ != id;
  taken_ = id;
  moves_ = false;
  resting_.stop();
  tracts_ = tracts;
  given_ = given;
  bundles_ = given ? *given : std::vector<Bundle>();
  facts_.assign(bundles_.size(), {});
  bundle_ = other ? int(bundles_.size()) - 1 : std::clamp(bundle_, -1, int(bundles_.size()) - 1);
  region_ = -1;
  publish();
  askFacts();
  emit changed();
}

/// Gives regions that are labels the voxels that these have now, and forgets those whose image has gone.
void Dissection::followLabels() {
  std::map<const Volume<Label>*, LayerId> now;
  for (const LayerState& state : layers_.layers())
    if (const auto* image = std::get_if<LabelsLayer>(&state.layer->content))
      now[image->labels.get()] = state.id;
  bool moved = false;
  for (Bundle& bundle : bundles_) {
    const auto follow = [&](TractRegion& region) {
      if (!region.body || now.contains(region.body->labels.get())) return false;
      moved = true;
      const auto was = labels_.find(region.body->labels.get());
      const LayerState* state = was == labels_.end() ? nullptr : layers_.find(was->second);
      const auto* image = state ? std::get_if<LabelsLayer>(&state->layer->content) : nullptr;
      if (!image) return true;
      region = labelRegion(image->labels, region.body->label, region.role);
      return false;
    };
    std::erase_if(bundle.regions, follow);
  }
  labels_ = std::move(now);
  if (!moved) return;
  region_ = bundle_ < 0 ? -1 : std::min(region_, int(regions().size()) - 1);
  publishBundles();  // at once, so that no state of all layers has regions of an image that is in none
  moves_ = true;
  resting_.start();
  submit(false);
}

/// The layer gets the bundles in hand.
void Dissection::publishBundles() {
  auto layer = std::make_shared<Layer>(*layers_.find(taken_)->layer);
  auto& lines = std::get<TractsLayer>(layer->content);
  lines.bundles = given_ = bundles_.empty() ? nullptr : std::make_shared<const std::vector<Bundle>>(bundles_);
  const QScopedValueRollback<bool> giving(giving_, true);
  layers_.replaceContent(taken_, std::move(layer), true);
}

LayerId Dissection::labelsOf(const TractRegion& region) const {
  const auto found = region.body ? labels_.find(region.body->labels.get()) : labels_.end();
  return found == labels_.end() ? 0 : found->second;
}

bool Dissection::showGroup(LayerId layer, const std::string& name) {
  const Tracts::Group* group = groupIn(layers_, layer, name);
  if (!group) return false;
  showAll();
  const auto* lines = tractsIn(layers_.find(layer));
  group_ = {layer, name, group->lines.size(), {}};
  if (!group->lines.empty())
    if (const auto line = lines->tracts->line(group->lines[group->lines.size() / 2]); !line.empty()) {
      const Vec3<float> p = line[line.size() / 2];
      group_->place = {p.x, p.y, p.z};
    }
  if (layer == taken_)
    show(layer, std::make_shared<const std::vector<Bundle>>(bundles_), bundle_, region_);
  else
    show(layer, lines->bundles, -1, region_);
  emit changed();
  return true;
}

void Dissection::showAll() {
  const auto was = std::exchange(group_, std::nullopt);
  if (!was) return;
  if (was->layer == taken_)
    publish();
  else if (const auto* lines = tractsIn(layers_.find(was->layer)))
    show(was->layer, lines->bundles, -1, -1);
  emit changed();
}

LayerPtr Dissection::layerOfGroup() const {
  const Tracts::Group* group = group_ ? groupIn(layers_, group_->layer, group_->name) : nullptr;
  if (!group) return nullptr;
  const LayerState& state = *layers_.find(group_->layer);
  const auto& lines = std::get<TractsLayer>(state.layer->content);
  auto layer = std::make_shared<Layer>();
  layer->name = group->name;
  layer->notes = {"Lines of the group '" + group->name + "' of '" + state.layer->name + "'."};
  layer->content =
      TractsLayer{std::make_shared<const Tracts>(linesOf(*lines.tracts, group->lines)), lines.scan};
  return layer;
}

void Dissection::choose(int bundle, int region) {
  group_.reset();
  bundle_ = std::clamp(bundle, -1, int(bundles_.size()) - 1);
  region_ = bundle_ < 0 ? -1 : std::clamp(region, -1, int(bundles_[std::size_t(bundle_)].regions.size()) - 1);
  publish();
  emit changed();
}

void Dissection::addBundle() {
  if (!tracts_) return;
  Bundle made;
  const auto taken = [&](const std::string& name) {
    return std::ranges::any_of(bundles_, [&](const Bundle& one) { return one.name == name; });
  };
  int number = int(bundles_.size()) + 1;
  do made.name = tr("bundle %1").arg(number++).toStdString();
  while (taken(made.name));
  const auto used = [&](int color) {
    return std::ranges::any_of(bundles_, [&](const Bundle& one) { return one.color == color; });
  };
  while (used(made.color)) ++made.color;
  made.lines.resize(tracts_->lines());
  for (std::size_t i = 0; i < made.lines.size(); ++i) made.lines[i] = std::uint32_t(i);
  bundles_.push_back(std::move(made));
  facts_.emplace_back();
  if (bundles_.size() == 2) colorByBundle(layers_, taken_);
  choose(int(bundles_.size()) - 1);
  submit(true);
}

void Dissection::removeBundle(int bundle) {
  if (bundle < 0 || bundle >= int(bundles_.size())) return;
  bundles_.erase(bundles_.begin() + bundle);
  facts_.erase(facts_.begin() + bundle);
  bundle_ = std::min(bundle_, int(bundles_.size()) - 1);
  region_ = -1;
  submit(true);
}

void Dissection::rename(int bundle, const QString& name) {
  if (bundle < 0 || bundle >= int(bundles_.size()) || name.trimmed().isEmpty()) return;
  bundles_[std::size_t(bundle)].name = name.trimmed().toStdString();
  submit(true);
}

void Dissection::setVisible(int bundle, bool visible) {
  if (bundle < 0 || bundle >= int(bundles_.size()) || bundles_[std::size_t(bundle)].visible == visible)
    return;
  bundles_[std::size_t(bundle)].visible = visible;
  submit(true);
}

void Dissection::addRegion(TractRegion::Shape shape, TractRegion::Role role, const Vec3<double>& center,
                           double reach) {
  if (tracts_) add({role, shape, center, {reach, reach, reach}});
}

void Dissection::addLabel(LayerId labels, Label label, TractRegion::Role role) {
  const LayerState* state = layers_.find(labels);
  const auto* image = state ? std::get_if<LabelsLayer>(&state->layer->content) : nullptr;
  if (tracts_ && image) add(labelRegion(image->labels, label, role));
}

void Dissection::add(TractRegion region) {
  if (bundle_ < 0) addBundle();
  group_.reset();
  auto& regions = bundles_[std::size_t(bundle_)].regions;
  regions.push_back(std::move(region));
  region_ = int(regions.size()) - 1;
  publish();
  submit(true);
}

void Dissection::changeRegion(int region, const TractRegion& changed, bool done) {
  if (bundle_ < 0 || region < 0 || region >= int(bundles_[std::size_t(bundle_)].regions.size())) return;
  bundles_[std::size_t(bundle_)].regions[std::size_t(region)] = changed;
  region_ = region;
  // With its lines where these are soon known: one picture a step. Else it goes before them.
  moves_ = !done;
  if (!isIndexed() || selecting_.busy()) publish();
  submit(done);
}

void Dissection::removeRegion(int region) {
  if (bundle_ < 0 || region < 0 || region >= int(bundles_[std::size_t(bundle_)].regions.size())) return;
  auto& regions = bundles_[std::size_t(bundle_)].regions;
  regions.erase(regions.begin() + region);
  region_ = std::min(region_, int(regions.size()) - 1);
  publish();
  submit(true);
}

/// Looks for the lines of all bundles; those of regions that were looked for lately are known.
void Dissection::submit(bool commit) {
  const auto found = indexes_.find(taken_);
  const auto index = found == indexes_.end() ? nullptr : found->second;
  selecting_.submit(
      [id = taken_, tracts = tracts_, index, bundles = bundles_, cache = cache_,
       commit](const Progress& progress) {
        const StageClock clock;
        Result result{id, tracts, bundles, commit, 0};
        for (Bundle& bundle : result.bundles) {
          if (!index) {
            bundle.lines = linesChosen(*tracts, bundle.regions, progress);
            continue;
          }
          std::vector<LineFlags> flags;
          for (const TractRegion& region : bundle.regions)
            flags.push_back(cache->flagsOf(tracts, *index, region));
          bundle.lines = linesChosen(tracts->lines(), bundle.regions, flags);
        }
        result.seconds = clock.seconds();
        return result;
      },
      [this](const Result& result) { deliver(result); });
}

void Dissection::deliver(const Result& result) {
  if (result.layer != taken_ || result.tracts != tracts_) return;
  // Regions may have moved on meanwhile: the lines are those of a moment ago.
  for (std::size_t i = 0; i < std::min(bundles_.size(), result.bundles.size()); ++i)
    bundles_[i].lines = result.bundles[i].lines;
  if (result.commit && !resting_.isActive()) moves_ = false;
  facts_.assign(bundles_.size(), {});
  publish();
  emit followed(result.seconds);
  if (result.commit) {
    publishBundles();
    askFacts();
  }
  emit changed();
}

/// Shows what is in hand, in all views.
void Dissection::publish() {
  if (tracts_) show(taken_, std::make_shared<const std::vector<Bundle>>(bundles_), bundle_, region_);
}

/// Shows these bundles of a layer, and the regions of the one in hand.
void Dissection::show(LayerId id, const std::shared_ptr<const std::vector<Bundle>>& bundles, int bundle,
                      int region) {
  const auto* lines = tractsIn(layers_.find(id));
  if (!lines) return;
  auto shown = std::make_shared<scene::ShownTracts>();
  if (const auto index = indexes_.find(id); index != indexes_.end()) shown->index = index->second;
  const auto hasRegions = [](const Bundle& each) { return !each.regions.empty(); };
  if (bundle >= 0) shown->regions = (*bundles)[std::size_t(bundle)].regions, shown->region = region;
  shown->moves = moves_ && id == taken_;
  if (const auto* group = group_ && group_->layer == id ? groupIn(layers_, id, group_->name) : nullptr) {
    scene::ShownTracts::Part part{
        std::shared_ptr<const std::vector<std::uint32_t>>(lines->tracts, &group->lines), 0, -1};
    for (const std::uint32_t line : group->lines)
      part.points += lines->tracts->first[line + 1] - lines->tracts->first[line];
    shown->parts = {std::move(part)};
  } else if (bundles && std::ranges::any_of(*bundles, hasRegions)) {
    shown->parts.emplace();
    for (const Bundle& each : *bundles) {
      if (!each.visible || !hasRegions(each)) continue;
      const auto chosen = std::shared_ptr<const std::vector<std::uint32_t>>(bundles, &each.lines);
      scene::ShownTracts::Part part{chosen, 0, each.color};
      for (const std::uint32_t line : each.lines)
        part.points += lines->tracts->first[line + 1] - lines->tracts->first[line];
      shown->parts->push_back(std::move(part));
    }
  }
  layers_.setShownTracts(id, std::move(shown));
}

/// Measures all bundles, once nothing moves.
void Dissection::askFacts() {
  if (bundles_.empty()) return;
  measuring_.submit(
      [tracts = tracts_, bundles = bundles_](const Progress&) {
        std::vector<std::optional<Facts>> facts;
        for (const Bundle& bundle : bundles)
          facts.emplace_back(Facts{summaryOf(*tracts, bundle.lines), volumeOf(*tracts, bundle.lines)});
        return std::pair(tracts, std::move(facts));
      },
      [this](const auto& measured) {
        if (measured.first != tracts_ || measured.second.size() != bundles_.size()) return;
        facts_ = measured.second;
        emit changed();
      });
}

QString Dissection::commandLine() const {
  const LayerState* state = layers_.find(taken_);
  if (!state || bundle_ < 0 || state->layer->source.empty()) return {};
  const Bundle& bundle = bundles_[std::size_t(bundle_)];
  if (bundle.regions.empty()) return {};
  std::string line = "sulcus-cli bundle " + shellQuoted(state->layer->source);
  // An image that is in no file appears under the name that it would be saved as.
  const auto fileOfLabels = [&](const TractRegion& region) {
    const LayerState* image = layers_.find(labelsOf(region));
    if (!image) return std::string();
    if (!image->unsaved && isAsInItsFile(*image->layer)) return image->layer->source;
    return image->name.toStdString() + usualExtension(*image->layer);
  };
  std::string labels;
  for (const TractRegion& region : bundle.regions) {
    std::string text = textOf(region);
    if (const std::string file = fileOfLabels(region); !file.empty()) {
      if (labels.empty()) line += " --labels " + shellQuoted(labels = file);
      if (file != labels) text = shellQuoted(text + "," + file);
    }
    line += " --" + nameOf(region.role) + " " + text;
  }
  return QString::fromStdString(line + " --out " + shellQuoted(bundle.name + ".trx"));
}

LayerPtr Dissection::layerOf(int bundle) const {
  const LayerState* state = layers_.find(taken_);
  if (!state || bundle < 0 || bundle >= int(bundles_.size())) return nullptr;
  const Bundle& of = bundles_[std::size_t(bundle)];
  auto layer = std::make_shared<Layer>();
  layer->name = of.name;
  std::string regions;
  for (const TractRegion& region : of.regions)
    regions += (regions.empty() ? "" : ", ") + nameOf(region.role) + " " + textOf(region);
  layer->notes = {"Lines of '" + state->layer->name + "' by " + (regions.empty() ? "no region" : regions) +
                  "."};
  layer->content = TractsLayer{std::make_shared<const Tracts>(linesOf(*tracts_, of.lines)),
                               std::get<TractsLayer>(state->layer->content).scan};
  return layer;
}

}  // namespace sulcus::ui::model
