#include "app/analyses/activation/activation_inputs.h"

#include "app/analyses/input_layers.h"
#include "app/analyses/preparation/field_inputs.h"
#include "core/activation/activation_memory.h"
#include "core/activation/design/contrasts.h"
#include "core/activation/design/dropped_scans.h"
#include "core/activation/design/names.h"
#include "core/activation/design/scan_times.h"
#include "core/activation/design/unsteady_scans.h"
#include "core/activation/model/gibbs_problem.h"
#include "core/activation/results/activation_maps.h"
#include "core/base/error.h"
#include "core/base/number_list.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/image/display/layer_kinds.h"
#include "core/io/files.h"
#include "core/io/volumes/scan_timing.h"
#include "core/preparation/slice_interpolation.h"
#include "gpu/activation/activation.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

namespace sulcus::app::analyses {
namespace {

std::vector<const Layer*> tablesOf(const AnalysisInputs& inputs, const std::string& slot) {
  const auto layers = layersOf(inputs, slot);
  for (const Layer* layer : layers)
    if (!isTable(*layer))
      throw Error("'" + layer->name + "' cannot be used as " + slot, "it holds " + kindWithArticle(*layer),
                  "choose a table: FSL's design.mat, or a TSV or CSV file");
  return layers;
}

/// The volumes of these layers, one after another; for a single layer its own series, not a copy.
std::shared_ptr<const Series<float>> joined(const std::vector<const Layer*>& layers,
                                            const std::string& slot) {
  if (layers.empty()) return nullptr;
  const auto& first = volumeOf(*layers.front(), slot).series;
  if (layers.size() == 1) return first;
  auto series = std::make_shared<Series<float>>();
  series->grid = first->grid;
  for (const Layer* layer : layers) {
    const auto& part = *volumeOf(*layer, slot).series;
    if (!sameGrid(part.grid, first->grid))
      throw Error("'" + layer->name + "' has a different grid than '" + layers.front()->name +
                      "': " + otherGrid(part.grid, first->grid),
                  "the volumes of " + Message::option(slot) + " belong together voxel by voxel",
                  "give volumes of one size and place");
    series->count += part.count;
    series->values.insert(series->values.end(), part.values.begin(), part.values.end());
  }
  return series;
}

int volumesOf(const AnalysisInputs& inputs, const std::string& slot) {
  int volumes = 0;
  for (const Layer* layer : layersOf(inputs, slot)) volumes += volumeOf(*layer, slot).series->count;
  return volumes;
}

std::vector<std::string> tissueNames(const std::vector<const Layer*>& maps) {
  std::vector<std::string> names;
  for (const Layer* map : maps) {
    const auto& volume = volumeOf(*map, "tissue");
    for (int v = 0; v < volume.series->count; ++v)
      if (v < int(volume.volumeNames.size()))
        names.push_back(volume.volumeNames[std::size_t(v)]);
      else
        names.push_back(map->name + (volume.series->count == 1 ? "" : "_" + std::to_string(v + 1)));
  }
  return names;
}

/// Throws Error unless each series is a run with its own table, and the runs have one repetition time: the
/// given one (above 0), or the one that their headers state.
void checkRuns(const std::vector<const Layer*>& bold, const std::vector<const Layer*>& tables,
               const std::string& slot, double given) {
  if (bold.size() != tables.size())
    throw Error("There are " + counted(tables.size(), "table") + " of " + Message::option(slot) + " and " +
                    std::to_string(bold.size()) + " functional series",
                "with several tables, each series is a run with its own table",
                "give as many series as tables, in the same order", ErrorKind::usage);
  if (given > 0) return;
  const Layer* first = nullptr;
  double tr = 0;
  for (const Layer* layer : bold) {
    const double other = volumeOf(*layer, "bold").secondsPerVolume;
    if (!(other > 0)) continue;
    if (!first) {
      first = layer;
      tr = other;
    }
    if (std::abs(other - tr) > 1e-3 * tr)
      throw Error("'" + layer->name + "' takes " + numberText(other) + " s per scan and '" + first->name +
                      "' " + numberText(tr) + " s",
                  "the autocorrelation of the noise is in units of scans and the same in all runs",
                  "analyze runs with different repetition times separately");
  }
}

/// The next part of a name: a whole number if it starts with a digit, else a single character.
std::pair<bool, std::uint64_t> nextPart(std::string_view& name) {
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool isNumber = fault == std::errc();
  const std::uint64_t letter = static_cast<unsigned char>(name.front());
  name.remove_prefix(isNumber ? std::size_t(end - name.data()) : 1);
  return {isNumber, isNumber ? number : letter};
}

/// Whether `a` comes first if numbers in names are compared as numbers: vol2 before vol10.
bool countsBefore(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const auto x = nextPart(a), y = nextPart(b);
    if (x != y) return x < y;
  }
  return a.size() < b.size();
}

/// Checks for single volumes in the order in which a shell sorts their names: 1, 10, 11, 2 would be wrong in
/// time.
void checkOrder(const std::vector<const Layer*>& bold) {
  const auto name = [](const Layer* layer) -> const std::string& { return layer->name; };
  if (bold.size() < 2 || !std::ranges::is_sorted(bold, {}, name)) return;
  const auto wrong = std::ranges::adjacent_find(
      bold, [&](const Layer* a, const Layer* b) { return countsBefore(name(b), name(a)); });
  if (wrong == bold.end()) return;
  throw Error("'" + name(wrong[0]) + "' comes before '" + name(wrong[1]) + "'",
              "a shell sorts names alphabetically, but scans must be in temporal order",
              "give them in the order of their numbers: $(ls -v vol*.nii.gz)", ErrorKind::usage);
}

/// Advice if there is no design: names a file next to the scan that looks like one.
Message whereADesignIs(const Layer& bold) {
  const auto beside = bold.source.empty() ? io::TablesBeside() : io::findTablesBeside(bold.source);
  if (!beside.design.empty())
    return "give the table beside the scan: {design} '"_message + beside.design.string() + "'";
  if (!beside.events.empty())
    return "give the events beside the scan: {events} '"_message + beside.events.string() + "'";
  return "give {design} (FSL's design.mat, TSV, CSV) or {events} (BIDS events.tsv)"_message;
}

/// The maximum number of voxels of a run: those of the mask in the requested slice, or all of them.
std::int64_t voxelsAtMost(const AnalysisInputs& inputs, const Grid& grid, int slice) {
  const std::int64_t perSlice = std::int64_t(grid.size.x) * grid.size.y;
  const bool oneSlice = slice > 0 && slice <= grid.size.z;
  const Layer* layer = layerOf(inputs, "mask");
  if (!layer) return oneSlice ? perSlice : grid.voxels();
  const Mask mask = maskOf(*layer);
  if (!sameGrid(mask.grid, grid)) return 0;
  const auto begin = mask.values.begin() + (oneSlice ? (slice - 1) * perSlice : 0);
  const auto end = oneSlice ? begin + perSlice : mask.values.end();
  return end - begin - std::count(begin, end, 0);
}

/// The scans that are excluded because the head moved too far before them, apart from those dropped by the
/// user.
std::set<int> movedScans(const PreparedBold* prepared, const std::set<int>& dropped) {
  std::set<int> scans;
  if (!prepared || !(prepared->maxDisplacement > 0)) return scans;
  const auto& displacement = prepared->series->displacement;
  for (std::size_t v = 0; v < displacement.size(); ++v)
    if (displacement[v] > prepared->maxDisplacement && !dropped.contains(int(v))) scans.insert(int(v));
  return scans;
}

/// The design with the six motion parameters of each run as confounds.
activation::Design withMotion(activation::Design design, const preparation::PreparedSeries& prepared) {
  if (prepared.motion.still) return design;
  constexpr Eigen::Index kParameters = 6, kFewestLeft = 4;
  const Eigen::MatrixXd motion = preparation::parametersOf(prepared.motion.motion);
  const auto runs = design.runs();
  const auto more = kParameters * Eigen::Index(runs.size()), had = design.confounds.cols();
  if (design.scans() - design.regressors() - had - more < kFewestLeft) {
    design.notes.push_back(Note::warning(text(
        "The motion parameters are not used as confounds: there are too few scans (", design.scans(), ").")));
    return design;
  }
  Eigen::MatrixXd confounds = Eigen::MatrixXd::Zero(design.scans(), had + more);
  confounds.leftCols(had) = design.confounds;
  Eigen::Index column = had;
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (Eigen::Index k = 0; k < kParameters; ++k, ++column) {
      const auto rows = motion.col(k).segment(runs[r].begin, runs[r].scans());
      confounds.col(column).segment(runs[r].begin, runs[r].scans()) = rows.array() - rows.mean();
      std::string name = preparation::parameterNames()[std::size_t(k)];
      if (r > 0) name += "_run" + std::to_string(r + 1);
      design.confoundNames.push_back(activation::uniqueName(name, design.allNames()));
    }
  design.confounds = std::move(confounds);
  design.notes.push_back(
      text("The six parameters of motion are confounds", runs.size() > 1 ? " of each run." : "."));
  return activation::withoutEmptyColumns(std::move(design));
}

template <class Options>
Options optionsOf(const OptionValues& all) {
  OptionValues values;
  for (const auto& info : describeOptions<Options>())
    if (const auto found = all.find(info.name); found != all.end()) values.insert(*found);
  return optionsFrom<Options>(values);
}

}  // namespace

std::vector<InputSlot> activationSlots() {
  constexpr const char* kOneOf = "model";
  const auto isSeries = [](const Layer& layer) { return isVolume(layer) && !isMask(layer); };
  return {
      {"bold", "Functional series",
       "Functional scan: one 4D image, or several 3D ones in order; or several runs of a person, each with a "
       "table of its own",
       true, isVolume, true, "", false, isSeries},
      {"design", "Design matrix",
       "What was expected in each scan, a column for each regressor: FSL's design.mat, TSV or CSV. Or give "
       "events. For several runs, one for each",
       false, isTable, true, kOneOf},
      {"events", "Events",
       "Event times: BIDS events.tsv (onset, duration, trial_type) or FSL's three columns. For several runs, "
       "one for each",
       false, isTable, true, kOneOf},
      advanced(InputSlot{"confounds", "Confounds",
                         "More regressors, one row per scan, e.g. of motion: TSV, CSV, fMRIPrep's confounds. "
                         "For several runs, one for each",
                         false, isTable, true}),
      fieldmapSlot("prepare"),
      anatomySlot(),
      advanced(InputSlot{"mask", "Mask", "Only nonzero voxels are analyzed; default: an automatic mask",
                         false, isMask, false, "", true, isSingleLabel, "bold"}),
      advanced(InputSlot{
          "tissue", "Tissue maps",
          "Probabilities of tissue classes on the grid of the series: covariates of the second level", false,
          isVolume, true}),
      advanced(InputSlot{"truth", "Truth", "True maps and tables of a phantom, to measure the error against",
                         false, [](const Layer& layer) { return isVolume(layer) || isTable(layer); }, true}),
  };
}

std::vector<OptionInfo> activationOptions() {
  auto infos = describeOptions<activation::DesignOptions>();
  const auto sampler = describeOptions<activation::ActivationOptions>();
  const auto preparing = describeOptions<preparation::PreparationOptions>();
  infos.insert(infos.end(), preparing.begin(), preparing.end());
  infos.insert(infos.end(), sampler.begin(), sampler.end());
  std::ranges::find(infos, "contrast", &OptionInfo::name)->lowest = "e.g. faces - houses; F(a; b)";
  return infos;
}

activation::DesignOptions designOptionsFrom(const OptionValues& values) {
  return optionsOf<activation::DesignOptions>(values);
}
activation::ActivationOptions activationOptionsFrom(const OptionValues& values) {
  return optionsOf<activation::ActivationOptions>(values);
}

preparation::PreparationOptions preparationOptionsFrom(const OptionValues& values) {
  return optionsOf<preparation::PreparationOptions>(values);
}

namespace {

/// The known timing of each run, one for each table. Several files that form one run have no sidecar that
/// covers all scans.
std::vector<ScanTiming> timingsOf(const AnalysisInputs& inputs) {
  const auto bold = layersOf(inputs, "bold");
  const std::size_t runs = std::max<std::size_t>(1, inputs.count("design") + inputs.count("events"));
  std::vector<ScanTiming> timings(runs);
  for (std::size_t r = 0; bold.size() == runs && r < runs; ++r)
    if (!bold[r]->source.empty()) timings[r] = io::readScanTiming(bold[r]->source);
  return timings;
}

/// Whether the slice times of all runs can be used, and if not, why.
activation::SliceTimesCheck checkSlices(const std::vector<ScanTiming>& timings, const AnalysisInputs& inputs,
                                        const activation::DesignOptions& options) {
  const auto bold = layersOf(inputs, "bold");
  activation::SliceTimesCheck check;
  for (std::size_t r = 0; r < timings.size() && r < bold.size(); ++r) {
    const auto& series = volumeOf(*bold[r], "bold");
    check =
        activation::checkSliceTimes(series.secondsPerVolume, series.series->grid.size.z, options, timings[r]);
    if (!check.isUsable) break;
  }
  return check;
}

/// Resolves `automatic`; the result is `off` if the times cannot be used, in which case a warning says why.
activation::SliceTiming sliceTimingOf(const std::vector<ScanTiming>& timings, const AnalysisInputs& inputs,
                                      const activation::DesignOptions& options, bool isPrepared,
                                      Notes* notes) {
  using activation::SliceTiming;
  const bool isAutomatic = options.sliceTiming == SliceTiming::automatic;
  const SliceTiming usual = isPrepared ? SliceTiming::design : SliceTiming::off;
  const SliceTiming choice = isAutomatic ? usual : options.sliceTiming;
  if (choice == SliceTiming::off) return choice;
  activation::SliceTimesCheck check = checkSlices(timings, inputs, options);
  if (check.why.empty() && !check.isUsable && !isAutomatic)
    check.why = "the JSON file next to the scan has no different slice times (SliceTiming)";
  if (choice == SliceTiming::interpolate && !isPrepared)
    check = {false, "slices are interpolated with Prepare only"};
  if (notes && !check.why.empty())
    notes->push_back(
        Note::warning("All slices are assigned the same time: " + check.why + ".", "", "slice-timing"));
  return check.isUsable ? choice : SliceTiming::off;
}

/// Makes volumes represent the time to which their slices were interpolated.
void standForMiddle(std::vector<ScanTiming>& timings) {
  for (ScanTiming& timing : timings) {
    timing.reference = preparation::middleOf(timing.slices);
    timing.slices.clear();
  }
}

/// What describes the runs: one table for each, and one with its confounds or none.
struct RunTables {
  std::vector<const Layer*> tables, confounds;
  bool areEvents = false;
};

RunTables runTablesOf(const AnalysisInputs& inputs, const std::vector<const Layer*>& bold,
                      const activation::DesignOptions& options) {
  const auto designs = tablesOf(inputs, "design"), events = tablesOf(inputs, "events");
  if (!designs.empty() && !events.empty())
    throw Error("A design and events are both given", "it is not clear which describes the run",
                "give one of them", ErrorKind::usage);
  const RunTables runs{designs.empty() ? events : designs, tablesOf(inputs, "confounds"), designs.empty()};
  if (runs.tables.empty())
    throw Error("There is neither a design nor events", "they say what was expected in each scan",
                whereADesignIs(*bold.front()), ErrorKind::usage);
  if (runs.tables.size() > 1)
    checkRuns(bold, runs.tables, runs.areEvents ? "events" : "design", options.tr);
  else
    checkOrder(bold);
  if (!runs.confounds.empty() && runs.confounds.size() != runs.tables.size())
    throw Error("There are " + counted(runs.tables.size(), "run") + " and " +
                    counted(runs.confounds.size(), "table") + " of confounds",
                "each run has confounds of its own", "give one for each run, in the same order, or none",
                ErrorKind::usage);
  return runs;
}

/// The design of volumes that represent these times.
///
/// @param timings one for each table
activation::Design designAt(const std::vector<ScanTiming>& timings, const AnalysisInputs& inputs,
                            const activation::DesignOptions& options, const PreparedBold* prepared) {
  const auto bold = layersOf(inputs, "bold");
  if (bold.empty())
    throw Error("There is no functional series", "activation is estimated from one", "give {bold}"_message,
                ErrorKind::usage);
  const auto [tables, confounds, areEvents] = runTablesOf(inputs, bold, options);
  std::vector<activation::Design> runs;
  for (std::size_t r = 0; r < tables.size(); ++r) {
    const auto& series = volumeOf(*bold[r], "bold");
    const int scans = tables.size() > 1 ? series.series->count : volumesOf(inputs, "bold");
    const Layer* const confound = confounds.empty() ? nullptr : confounds[r];
    const auto makeRun = areEvents ? activation::designFromEvents : activation::makeDesign;
    runs.push_back(makeRun(*tables[r], confound, series.secondsPerVolume, scans, options, timings[r]));
    if (runs.back().scans() != scans) activation::checkDesign(runs.back(), scans);
    runs.back() = activation::withoutEmptyColumns(std::move(runs.back()));
  }
  activation::Design made = activation::joinRuns(runs);
  activation::checkDesign(made, volumesOf(inputs, "bold"));
  if (prepared && confounds.empty()) made = withMotion(std::move(made), *prepared->series);
  if (options.modelConfounds) made = activation::withModelledConfounds(std::move(made));
  const auto dropped = droppedVolumes(options.dropVolumes, made.scans());
  if (!dropped.empty()) made = activation::withoutScans(std::move(made), dropped);
  if (const auto moved = movedScans(prepared, dropped); !moved.empty()) {
    const std::size_t notes = made.notes.size();
    made = activation::withoutScans(std::move(made), moved);
    made.notes.resize(notes);
    made.notes.push_back(text(counted(std::int64_t(moved.size()), "volume"), " of ", made.scans(),
                              " left out because the head moved by more than ", prepared->maxDisplacement,
                              " mm before them."));
  } else if (dropped.empty()) {
    return made;
  }
  activation::checkDesign(made, made.scans());
  return made;
}

/// The design with regressors at the time of each slice.
activation::Design withSliceTimes(activation::Design design, const std::vector<ScanTiming>& timings,
                                  const AnalysisInputs& inputs, const activation::DesignOptions& options,
                                  const PreparedBold* prepared) {
  if (!design.ofEvents) {
    design.notes.push_back(
        "All slices are assigned the same time: a design matrix has one row for each scan, and only events "
        "are placed at the time of each slice.");
    return design;
  }
  std::map<std::vector<double>, Eigen::MatrixXd> ofTimes;
  const std::size_t slices = timings.front().slices.size();
  for (std::size_t z = 0; z < slices; ++z) {
    std::vector<ScanTiming> atSlice = timings;
    std::vector<double> times;
    for (ScanTiming& timing : atSlice) times.push_back(timing.reference = timing.slices[z]);
    if (!ofTimes.contains(times)) {
      const activation::Design one = designAt(atSlice, inputs, options, prepared);
      if (one.names != design.names) {
        design.ofSlices.clear();
        design.notes.push_back(Note::warning(
            "All slices are assigned the same time: an event affects only some of the slices."));
        return design;
      }
      ofTimes[times] = one.matrix;
    }
    design.ofSlices.push_back(ofTimes[times]);
  }
  design.notes.push_back(text("Events are modeled at the acquisition time of each slice (SliceTiming, ",
                              counted(std::int64_t(ofTimes.size()), "time"), ")."));
  return design;
}

}  // namespace

activation::Design designFrom(const AnalysisInputs& inputs, const activation::DesignOptions& given,
                              const PreparedBold* prepared) {
  auto timings = timingsOf(inputs);
  activation::DesignOptions options = given;
  options.sliceTiming = sliceTimingOf(timings, inputs, given, prepared != nullptr, nullptr);
  if (options.sliceTiming == activation::SliceTiming::interpolate) standForMiddle(timings);
  return designAt(timings, inputs, options, prepared);
}

activation::ActivationInput activationInput(const AnalysisInputs& inputs,
                                            const activation::DesignOptions& given,
                                            const PreparedBold* prepared) {
  activation::ActivationInput input;
  auto timings = timingsOf(inputs);
  Notes notes;
  activation::DesignOptions options = given;
  options.sliceTiming = sliceTimingOf(timings, inputs, given, prepared != nullptr, &notes);
  if (options.sliceTiming == activation::SliceTiming::interpolate) standForMiddle(timings);
  input.design = designAt(timings, inputs, options, prepared);
  input.design.notes.insert(input.design.notes.end(), notes.begin(), notes.end());
  if (options.sliceTiming == activation::SliceTiming::design)
    input.design = withSliceTimes(std::move(input.design), timings, inputs, options, prepared);
  auto dropped = droppedVolumes(options.dropVolumes, input.design.scans());
  dropped.merge(movedScans(prepared, dropped));
  auto bold = prepared ? prepared->series->motion.series : joined(layersOf(inputs, "bold"), "bold");
  input.bold = activation::withoutScans(std::move(bold), dropped, input.design.runs());
  if (auto warning = activation::unsteadyWarning(*input.bold, input.design); !warning.empty())
    input.design.notes.push_back(Note::warning(std::move(warning)));
  input.mask = maskIn(inputs);
  const auto tissue = layersOf(inputs, "tissue");
  input.tissue = joined(tissue, "tissue");
  input.tissueNames = tissueNames(tissue);
  return input;
}

std::optional<PreparedBold> preparedBold(const AnalysisInputs& inputs, const OptionValues& values,
                                         const preparation::PreparationSteps& steps,
                                         const Progress& progress) {
  const auto options = preparationOptionsFrom(values);
  if (options.prepare == preparation::PreparationOptions::Prepare::off) return {};
  const auto designOptions = designOptionsFrom(values);
  preparation::RawSeries raw;
  raw.runs = designFrom(inputs, designOptions).runs();
  raw.series = joined(layersOf(inputs, "bold"), "bold");
  raw.field = fieldScansIn(inputs, *layerOf(inputs, "bold"));
  const auto timings = timingsOf(inputs);
  if (sliceTimingOf(timings, inputs, designOptions, true, nullptr) == activation::SliceTiming::interpolate) {
    for (const ScanTiming& timing : timings) raw.sliceTimes.ofRuns.push_back(timing.slices);
    raw.sliceTimes.secondsPerVolume = activation::repetitionTime(
        volumeOf(*layerOf(inputs, "bold"), "bold").secondsPerVolume, designOptions);
  }
  return PreparedBold{
      std::make_shared<const preparation::PreparedSeries>(preparation::prepareSeries(raw, steps, progress)),
      options.maxDisplacement};
}

activation::ActivationTruth truthFrom(const AnalysisInputs& inputs, const Grid& grid) {
  const auto layers = layersOf(inputs, "truth");
  for (const Layer* layer : layers) {
    const auto one = activation::activationTruth({layer});
    if (!one.beta && !one.sigma2 && one.delta.size() == 0 && one.vBeta.size() == 0)
      throw Error("'" + layer->name + "' cannot be used as truth",
                  "its name does not say what it is the truth of",
                  "give the files true_… of a phantom: beta, sigma2, delta, vbeta");
  }
  activation::ActivationTruth truth = activation::activationTruth(layers);
  for (const auto& image : {truth.beta, truth.sigma2})
    if (image) requireTruthOn(grid, image->grid, "series");
  return truth;
}

std::string validateActivation(const AnalysisInputs& inputs, const OptionValues& values) {
  const auto options = activationOptionsFrom(values);
  const Layer* bold = layerOf(inputs, "bold");
  if (!bold) return {};
  const activation::Design design = designFrom(inputs, designOptionsFrom(values));
  activation::checkDesign(design, volumesOf(inputs, "bold"));
  activation::checkContrasts(options.contrast, design);
  const Grid& grid = volumeOf(*bold, "bold").series->grid;
  for (const char* slot : {"mask", "tissue"}) requireOn(inputs, slot, grid, "series");
  const int kept = std::max(0, activation::samplingOf(options).kept()) * options.chains;
  const auto voxels = voxelsAtMost(inputs, grid, options.slice);
  const std::string where = layerOf(inputs, "mask") ? std::to_string(voxels) + " voxels" : "automatic mask";
  return std::to_string(design.scans()) + " scans, " + std::to_string(design.regressors()) + " regressors, " +
         (design.confounds.cols() > 0 ? std::to_string(design.confounds.cols()) + " confounds, " : "") +
         where + "; " + std::to_string(kept) + " draws of each coefficient are kept";
}

MemoryNeed activationMemory(const AnalysisInputs& inputs, const OptionValues& values) {
  try {
    const auto options = activationOptionsFrom(values);
    const Layer* bold = layerOf(inputs, "bold");
    if (!bold) return {};
    const Grid& grid = volumeOf(*bold, "bold").series->grid;
    const activation::Design design = designFrom(inputs, designOptionsFrom(values));
    const activation::GibbsOptions sampling = activation::samplingOf(options);
    activation::GibbsProblem problem;  // only its sizes are used
    problem.regressors = design.regressors();
    problem.covariates = 1 + volumesOf(inputs, "tissue");
    problem.voxels = voxelsAtMost(inputs, grid, options.slice);
    problem.correlated = options.noise != activation::Noise::white;
    problem.groups.resize(
        options.scope == activation::Scope::slices && options.slice == 0 ? std::size_t(grid.size.z) : 1);

    const auto preparing = preparationOptionsFrom(values);
    const bool prepares = preparing.prepare != preparation::PreparationOptions::Prepare::off;
    const bool drops = !designOptionsFrom(values).dropVolumes.empty() || preparing.maxDisplacement > 0;
    const int copies = (layersOf(inputs, "bold").size() > 1) + drops + 2 * prepares;
    const double copied = double(copies) * volumesOf(inputs, "bold");
    const activation::Regressors regressors(design);
    const auto contrasts = int(activation::allContrasts(options.contrast, regressors).size() +
                               activation::jointContrasts(options.contrast, regressors).size());
    const double draws = options.saveDraws ? activation::drawBytes(problem.regressors, sampling, grid) : 0;
    const double host = 4 * copied * double(grid.voxels()) + draws;
    return {host + activation::activationBytes(problem, sampling, grid, contrasts),
            gpu::activation::gibbsDeviceBytes(problem, sampling)};
  } catch (const Error&) {
    return {};
  }
}

}  // namespace sulcus::app::analyses
