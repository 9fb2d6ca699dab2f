#include "app/analyses/tracts/tracts_analysis.h"

#include "app/analyses/input_layers.h"
#include "app/analyses/run_support.h"
#include "app/analyses/tracts/line_sums.h"
#include "app/analyses/tracts/tract_inputs.h"
#include "app/analyses/tracts/tracts_growth.h"
#include "app/analyses/tracts/tracts_study.h"
#include "core/analysis/agreement.h"
#include "core/analysis/chart_parts.h"
#include "core/analysis/layer_agreement.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/stage_clock.h"
#include "core/image/diffusion/harmonics_image.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/display/layer_values.h"
#include "core/image/labels/label_regions.h"
#include "core/image/tracts/tract_measures.h"
#include "core/io/tracts/tract_files.h"
#include "core/phantom/tracts_phantom.h"
#include "core/tracts/bundle_profile.h"
#include "core/tracts/tract_plan.h"
#include "core/tracts/tract_report.h"
#include "gpu/tracts/tracts.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

namespace sulcus::app::analyses {
namespace {

using tracts::TractOptions;
using tracts::TractResult;

constexpr std::size_t kMostLabels = 5000;
constexpr const char* kLineFile = "tracts.trx";

/// The labels in a slot; null if it is empty. Throws Error for an image that does not contain integers.
std::shared_ptr<const Volume<Label>> labelsIn(const AnalysisInputs& inputs, const std::string& slot) {
  const Layer* layer = layerOf(inputs, slot);
  if (!layer) return nullptr;
  const Layer labels = std::holds_alternative<LabelsLayer>(layer->content) ? *layer : asLabels(*layer);
  return std::get<LabelsLayer>(labels.content).labels;
}

/// Throws Error if there are no labels, or too many for a table of all pairs.
void requireSomeLabels(const Volume<Label>& labels) {
  std::set<Label> found;
  for (Label last = 0; const Label label : labels.values)
    if (label != 0 && label != last) found.insert(last = label);
  if (found.empty())
    throw Error("The image of labels has no label", "regions are voxels other than 0",
                "give an atlas of them");
  if (found.size() > kMostLabels)
    throw Error("The image of labels has " + std::to_string(found.size()) + " labels",
                "a table of all pairs has at most " + std::to_string(kMostLabels) + " rows",
                "give an atlas with fewer regions");
}

/// A table with a row for each position along the lines, and a plot for each image.
void addProfiles(const Tracts& lines, const AnalysisInputs& inputs, RunResult& result,
                 const Progress& progress) {
  TableLayer table{{"place", "x_mm", "y_mm", "z_mm"}, {}};
  for (const Layer* layer : layersOf(inputs, "image")) {
    const Volume<float> image = firstVolume(*layer, "image along lines");
    const tracts::BundleProfile profile = tracts::profileAlong(lines, image, progress);
    if (profile.core.empty()) return;
    if (std::ranges::none_of(profile.mean, [](double value) { return std::isfinite(value); }))
      result.notes.push_back(Note::warning(
          "'" + layer->name + "' has no values along the lines: it lies elsewhere, or is empty."));
    Chart chart = emptyChart(layer->name + " along the bundle, mean and s.d.", "place", layer->name);
    Chart::Series band{layer->name + " s.d.", Chart::Kind::band}, mean{layer->name, Chart::Kind::line};
    table.columns.push_back(layer->name + "_mean");
    table.columns.push_back(layer->name + "_sd");
    for (std::size_t n = 0; n < profile.core.size(); ++n) {
      const Vec3<double>& p = profile.core[n];
      if (n == table.rows.size())
        table.rows.push_back({std::to_string(n + 1), numberText(p.x), numberText(p.y), numberText(p.z)});
      table.rows[n].push_back(numberText(profile.mean[n]));
      table.rows[n].push_back(numberText(profile.deviation[n]));
      if (!std::isfinite(profile.mean[n])) continue;
      const double x = double(n + 1), y = profile.mean[n], sd = profile.deviation[n];
      band.x.push_back(x);
      band.y.push_back(y - sd);
      band.y2.push_back(y + sd);
      mean.x.push_back(x);
      mean.y.push_back(y);
      mean.places.push_back({float(p.x), float(p.y), float(p.z)});
    }
    chart.series = {std::move(band), std::move(mean)};
    result.plots.push_back(fixedPlot(layer->name, std::move(chart)));
  }
  if (!table.rows.empty()) result.layers.push_back(tableLayer("profile", std::move(table)));
}

/// Writes lines that are too many to keep in memory to their file, and adds them to the maps.
class LineFile {
 public:
  LineFile(const ResultPlaces& places, LineSums& sums, const Grid& grid, const Progress& progress)
      : places_(places), sums_(sums), grid_(grid), progress_(progress) {}

  void take(const Tracts& part) {
    if (!begun_) {
      const auto path = places_.pathOf(kLineFile);
      if (!path.empty()) writer_.emplace(io::TractTarget{path, kLineFile, grid_}, progress_);
      begun_ = true;
    }
    if (writer_) writer_->append(part);
    sums_.add(part, progress_.part(0, 0, ""));
  }
  void close() {
    if (writer_) writer_->close();
  }

 private:
  const ResultPlaces& places_;
  LineSums& sums_;
  Grid grid_;
  Progress progress_;
  bool begun_ = false;
  std::optional<io::TractWriter> writer_;
};

/// Throws Error for inputs and options that lines from a file exclude.
void requireLinesAlone(const AnalysisInputs& inputs, const TractOptions& options) {
  int volumes = 0;
  if (fieldGrid(inputs, volumes))
    throw Error("Both lines from a file and a field to follow are given", "only one of them is used",
                "give {tracts}, or {fod}, {peaks} or {tensor}"_message, ErrorKind::usage);
  if (options.weights)
    throw Error("Lines from a file cannot get weights",
                "weights are fitted to the functions that lines follow",
                "switch {weights} off, or give {fod} without {tracts}"_message, ErrorKind::usage);
}

const Tracts& givenLines(const Layer& lines) {
  return tractsOf(lines, "lines from a file ({tracts})"_message);
}

/// The grid of the maps for lines from a file: that of their scan or of an accompanying image, else 2 mm
/// around them.
Grid gridAround(const Layer& lines, const AnalysisInputs& inputs) {
  const Tracts& tracts = givenLines(lines);
  if (const auto& scan = std::get<TractsLayer>(lines.content).scan) return *scan;
  for (const char* slot : {"image", "labels"})
    if (const Layer* image = layerOf(inputs, slot)) return *gridOf(*image);
  constexpr double kEdge = 2;
  const auto [low, high] = boundsOf(tracts);
  Grid grid;
  for (int axis = 0; axis < 3; ++axis) {
    grid.size[axis] = 1 + int(std::ceil(double(high[axis] - low[axis]) / kEdge));
    grid.worldFromVoxel.m[std::size_t(axis)][std::size_t(axis)] = kEdge;
    grid.worldFromVoxel.t[axis] = double(low[axis]);
  }
  return grid;
}

std::vector<ImageAlong> imagesAlong(const AnalysisInputs& inputs) {
  std::vector<ImageAlong> images;
  for (const Layer* layer : layersOf(inputs, "image"))
    images.push_back({layer->name, firstVolume(*layer, "image along lines")});
  return images;
}

/// What to follow, and its grid. Throws Error for what cannot be followed.
tracts::TractInput checkedInput(const AnalysisInputs& inputs, TractOptions& options, Grid& field) {
  tracts::TractInput input = tractInput(inputs, options);
  takeLabelRegions(inputs, options, &input);
  tracts::validateTracts(input, options);
  field = (input.functions ? input.functions : input.peaks)->grid;
  return input;
}

/// Whether lines from a file are a result, too; the truth is compared with it.
bool isWantedAsLayer(const ResultPlaces& places, const AnalysisInputs& inputs) {
  return isWanted(places, kLineFile) || layerOf(inputs, "truth");
}

/// The lines as a result, with what the sums say about each.
Layer describedLines(const LineSums& sums, const std::shared_ptr<Tracts>& lines, const Grid& field) {
  sums.describe(*lines);
  Layer layer;
  layer.name = "tracts";
  layer.content = TractsLayer{lines, field};
  return layer;
}

RunResult runTracts(tracts::FindTracts* find, const ResultPlaces& places, const AnalysisInputs& inputs,
                    const OptionValues& values, const Progress& progress, const Analysis::Preview&) {
  auto options = optionsFrom<TractOptions>(values);
  const auto labels = labelsIn(inputs, "labels");
  if (labels) requireSomeLabels(*labels);
  const Layer* const lines = layerOf(inputs, "tracts");
  Grid field;
  tracts::TractInput input = lines ? tracts::TractInput() : checkedInput(inputs, options, field);
  if (lines) {
    requireLinesAlone(inputs, options);
    field = gridAround(*lines, inputs);
  }
  LineSums sums(mapGrid(field, options.mapVoxel), labels.get(), imagesAlong(inputs), options, places);
  LineFile file(places, sums, field, progress);
  if (places.pathOf && !options.weights)  // which need all lines
    input.overflow = {places.mostBytes / sizeof(Vec3<float>), [&](const Tracts& part) { file.take(part); }};
  const auto found =
      std::make_shared<TractResult>(lines ? TractResult() : find(input, options, progress.part(0, 0.9, "")));
  RunResult result;
  StageClock clock;
  if (!lines) result.notes = tracts::tractNotes(*found);
  const Tracts* const all = lines ? &givenLines(*lines) : found->tracts.get();
  if (all) {
    sums.add(*all, progress.part(0.9, 0.95, "Maps"));
    if (lines && isWantedAsLayer(places, inputs)) {
      found->tracts = std::make_shared<Tracts>(*all);
      found->tracts->groups.clear();
    }
    if (found->tracts) result.layers.push_back(describedLines(sums, found->tracts, field));
    addProfiles(*all, inputs, result, progress);
  } else {
    file.close();
    if (!layersOf(inputs, "image").empty())
      result.notes.push_back(Note::warning(
          "There is no profile: there are too many lines to keep in memory. Choose a bundle first."));
  }
  sums.addMaps(result);
  if (!lines) result.layers.push_back(tableLayer("seeds", tracts::countTable(found->counts)));
  sums.addConnectome(result);
  clock.finish("Maps");
  result.stages = found->stages;
  result.stages.insert(result.stages.end(), clock.stages().begin(), clock.stages().end());
  result.items = lines ? double(all->lines()) : double(found->counts.seeds);
  result.itemName = lines ? "lines" : "seeds";
  result.source = found;
  return result;
}

/// Lines are compared one by one, in the order of their seeds; they agree if they have the same bits.
Comparison compare(const RunResult& a, const RunResult& b, const Progress& progress) {
  const Tracts &left = *a.source.as<TractResult>().tracts, &right = *b.source.as<TractResult>().tracts;
  Comparison comparison;
  if (left.first != right.first) {
    comparison = compareLayers(a.layers.front(), b.layers.front(), {}, progress);
  } else {
    std::vector<double> distances(left.points.size());
    for (std::size_t n = 0; n < distances.size(); ++n) {
      const Vec3<float> off = left.points[n] - right.points[n];
      distances[n] = std::sqrt(double(off.x) * off.x + double(off.y) * off.y + double(off.z) * off.z);
    }
    progress.update(0.5);
    comparison.rows.push_back(summarized("distance of points", "mm", std::move(distances), 0, 0, 1));
    if (!left.perLine.empty() && !right.perLine.empty()) {
      const auto &mine = left.perLine.front().values, &other = right.perLine.front().values;
      std::vector<double> differences(mine.size());
      for (std::size_t i = 0; i < mine.size(); ++i)
        differences[i] = std::abs(double(mine[i]) - double(other[i]));
      comparison.rows.push_back(summarized("weights of lines", "", std::move(differences), 0, 0, 1));
    }
  }
  const auto density = [](const RunResult& result) -> const Layer& {
    return *std::find_if(result.layers.begin(), result.layers.end(),
                         [](const Layer& one) { return one.name == "density"; });
  };
  const auto values = [&](const RunResult& result) -> const Series<float>& {
    return *std::get<VolumeLayer>(density(result).content).series;
  };
  if (!sameGrid(values(a).grid, values(b).grid)) return comparison;
  Series<float> difference = values(a);
  for (std::size_t v = 0; v < difference.values.size(); ++v) difference.values[v] -= values(b).values[v];
  comparison.difference = mapLayer("difference", "lines", "heat-cool", std::move(difference));
  return comparison;
}

/// Labels 1 and 2 are the ends of one bundle, 3 and 4 those of the next.
std::vector<AgreementRow> compareWithTruth(const RunResult& result, const AnalysisInputs& inputs,
                                           const Progress& progress) {
  const auto truth = labelsIn(inputs, "truth");
  if (!truth || !result.source.as<TractResult>().tracts) return {};
  const auto connected =
      tracts::connectomeOf(*result.source.as<TractResult>().tracts, *truth,
                           optionsFrom<TractOptions>(result.provenance.parameters).endRadius, progress);
  AgreementRow valid{.quantity = "lines that connect both ends of a bundle", .unit = ""};
  double right = 0;
  std::set<Label> found;
  for (const auto& [a, b] : connected.pairOf) {
    if (a < 0) continue;
    const Label low = connected.labels[std::size_t(a)], high = connected.labels[std::size_t(b)];
    if (low % 2 == 1 && high == low + 1) {
      right += 1;
      found.insert(low);
    }
  }
  valid.compared = double(connected.pairOf.size());
  valid.shareWithin = valid.compared > 0 ? right / valid.compared : 0;
  valid.shareNeeded = 0.75;
  valid.mean = 1 - valid.shareWithin;
  valid.maximum = 1;
  AgreementRow bundles{.quantity = "bundles with a line from end to end", .unit = ""};
  bundles.compared = std::floor(double(connected.labels.size()) / 2);
  bundles.shareWithin = bundles.compared > 0 ? double(found.size()) / bundles.compared : 0;
  bundles.mean = 1 - bundles.shareWithin;
  bundles.maximum = found.size() < std::size_t(bundles.compared) ? 1 : 0;
  return {valid, bundles};
}

std::string validate(const AnalysisInputs& inputs, const OptionValues& values) {
  auto options = optionsFrom<TractOptions>(values);
  if (layerOf(inputs, "tracts")) return requireLinesAlone(inputs, options), "";
  int volumes = 0;
  if (!fieldGrid(inputs, volumes)) return "";
  takeLabelRegions(inputs, options, nullptr);
  tracts::TractInput input;  // without what is computed from images
  const bool functions = layerOf(inputs, "fod") != nullptr;
  (functions ? input.functions : input.peaks) = std::make_shared<const Series<float>>();
  return tracts::describeMethod(tracts::chosenMethod(input, options.method));
}

MemoryNeed memory(const ResultPlaces& places, const AnalysisInputs& inputs, const OptionValues& values) {
  int volumes = 0;
  const Grid* grid = fieldGrid(inputs, volumes);
  if (!grid) return {};
  const auto options = optionsFrom<TractOptions>(values);
  constexpr double kUsualPoints = 100, kShareOfSeeds = 0.3;
  const double voxels = double(grid->voxels());
  double lines = kShareOfSeeds * voxels * options.seedsPerVoxel;
  if (options.seedCount) lines = double(options.seedCount);
  if (options.lines) lines = double(options.lines);
  double bytes = lines * kUsualPoints * double(sizeof(Vec3<float>));
  if (places.pathOf && !options.weights) bytes = std::min(bytes, double(places.mostBytes));
  // A line crosses about as many fixels as it has points: their numbers and lengths.
  constexpr double kBytesOfCrossing = 8;
  const double crossings = options.weights ? lines * kUsualPoints * kBytesOfCrossing : 0;
  return {4 * voxels * (2 * volumes + 4) + bytes + 2 * crossings,
          gpu::tracts::tractDeviceBytes(grid->voxels(), volumes) + crossings};
}

AnalysisInputs demo(const OptionValues& values) {
  const auto phantom = phantom::makeTractsPhantom(optionsFrom<phantom::TractsPhantomOptions>(values));
  AnalysisInputs inputs;
  give(inputs, "fod", functionLayer("arch", phantom.functions));
  Layer mask = maskLayer("mask", *phantom.bundles);
  mask.display.outline = true;
  give(inputs, "seed-mask", std::move(mask));
  give(inputs, "labels", labelsLayer("regions at the ends", phantom.ends));
  give(inputs, "truth", labelsLayer("true ends of bundles", phantom.ends));
  return inputs;
}

Analysis writingTo(const ResultPlaces& places) {
  Analysis row;
  row.name = "tracts";
  row.title = "Tracts";
  row.summary = "Follows nerve fibers through a diffusion scan, and finds which regions they connect";
  row.inputs = tractSlots();
  row.options = describeOptions<TractOptions>();
  row.outputs = {"tracts",  "density", "weighted_density*", "ends",    "length",
                 "*_along", "seeds*",  "connectome*",       "profile*"};
  row.cpu = std::bind_front(runTracts, tracts::findTracts, places);
  row.gpu = std::bind_front(runTracts, gpu::tracts::findTracts, places);
  row.writingTo = writingTo;
  row.advice = validate;
  row.memory = [places](const AnalysisInputs& inputs, const OptionValues& values) {
    return memory(places, inputs, values);
  };
  row.growth = tractsGrowth();
  row.study = tractsStudy();
  row.compare = compare;
  row.compareWithTruth = compareWithTruth;
  row.demoTitle = "arch and straight bundle";
  row.demoOptions = describeOptions<phantom::TractsPhantomOptions>();
  row.demo = demo;
  return row;
}

}  // namespace

Analysis tractsAnalysis() { return writingTo({}); }

}  // namespace sulcus::app::analyses
