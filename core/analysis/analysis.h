#pragma once

#include "core/analysis/chart.h"
#include "core/analysis/result_source.h"
#include "core/base/device_report.h"
#include "core/base/device_time.h"
#include "core/base/note.h"
#include "core/base/options.h"
#include "core/base/progress.h"
#include "core/base/result_file.h"
#include "core/image/layer.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sulcus {
namespace bids {
struct StudyTraits;
}

enum class Backend { cpu, gpu };
inline const char* backendName(Backend backend) { return backend == Backend::cpu ? "cpu" : "gpu"; }

/// A named input of an analysis.
struct InputSlot {
  std::string name;   ///< key in AnalysisInputs, e.g. "dwi"
  std::string label;  ///< of the picker in the form
  std::string help;
  bool required = true;
  std::function<bool(const Layer&)> accepts;  ///< only layers for which it is true are offered
  bool many = false;                          ///< takes several layers, in order
  std::string oneOf = {};                     ///< the same text for slots of which exactly one must be filled
  bool suggested =
      false;  ///< as long as none is chosen, takes the first that fits, or with `many` all on its grid
  /// Which of the fitting layers are taken without being chosen; empty: all.
  std::function<bool(const Layer&)> unasked = {};
  /// The slot whose grid a layer must share to be taken without being chosen; empty: any grid.
  std::string onGridOf = {};
  /// Whether a layer belongs to a layer of another slot, so that it is taken without being chosen; empty: no
  /// layer does.
  std::function<bool(const Layer& layer, const Layer& other)> belongsTo = {};
  /// The slot for the second and further files given for this one on the command line; empty: none.
  std::string overflow = {};
  bool advanced = false;   ///< shown only under "More" in the form
  bool labels = false;     ///< holds labels: whole numbers of a file are read exactly
  std::string alias = {};  ///< an alternative name of its flag, as other programs call it; "": none
  bool onAnyGrid = false;  ///< of many that are suggested: takes those on other grids, too
  /// The option that uses it, a toggle or a choice whose first value is off: while it is off, no layer is
  /// taken without being chosen; "": it is always used.
  std::string usedWith = {};
};
/// A slot of labels.
inline InputSlot ofLabels(InputSlot slot) {
  slot.labels = true;
  return slot;
}
/// A slot that few users need.
inline InputSlot advanced(InputSlot slot) {
  slot.advanced = true;
  return slot;
}

/// The layers given to an analysis, by slot name; those of a slot that takes many are in order. Immutable and
/// shared: workers only read them.
using AnalysisInputs = std::multimap<std::string, LayerPtr>;

/// The result of a run.
struct RunResult {
  std::vector<Layer> layers;  ///< the main result first
  Notes notes;                ///< what was skipped, what was chosen and why
  std::vector<StageTime> stages;
  double seconds = 0;    ///< sum of the stages, excluding file reading
  double waited = 0;     ///< total elapsed time: stages, checksums and everything in between, s
  DeviceTime gpu;        ///< the part of it spent waiting for the GPU
  double items = 0;      ///< number of items processed …
  std::string itemName;  ///< … "voxels"
  std::vector<ResultFile> files;
  std::vector<Plot> plots;
  /// The layers for other values of the adjustable options, without a new run. They replace those of the same
  /// name; layers no longer returned are removed. Fast (≤ 50 ms for a slider), called on a worker; empty if
  /// nothing is adjustable.
  std::function<std::vector<Layer>(const OptionValues&, const Progress&)> adjust;
  ResultSource source;
  Provenance provenance;
};

/// One line of agreement between two results, or of a result with the truth.
struct AgreementRow {
  std::string quantity;  ///< "peak direction"
  std::string unit;      ///< "°"
  double maximum = 0, mean = 0, percentile95 = 0;
  double shareWithin = 0;  ///< share of the compared values within `tolerance`, 0…1
  double tolerance = 0;
  double shareNeeded = 1;  ///< the results agree if shareWithin ≥ this
  double compared = 0;     ///< number of values compared
  double median = 0;
  bool agrees() const { return shareWithin >= shareNeeded; }
};

struct WorstVoxel {
  Vec3<int> voxel;
  double difference = 0;                   ///< in the unit of the first row
  std::optional<Vec3<double>> place = {};  ///< mm RAS+; for points of a surface, which have no voxel
  std::string instead = {};                ///< text shown if the difference is not a number of that unit
};

/// The comparison of two results of one analysis, or of two layers.
struct Comparison {
  std::vector<AgreementRow> rows;  ///< the first one is the quantity of `difference` and `worst`
  std::vector<WorstVoxel> worst;   ///< largest first, at most 20
  /// A volume in the unit of the first row, or a surface with distances.
  std::optional<Layer> difference;
  /// Reasons why they do not agree, whatever the rows say.
  std::vector<std::string> reasons = {};
  Notes warnings = {};  ///< about possible problems, whether they agree or not
  /// The common input of both, of the same kind as the first layer of the results, e.g. the noisy surface:
  /// shown in 3D on the left of the two, in place of the difference.
  LayerPtr before = nullptr;
  bool agrees() const;
};

/// A problem of a layer, and how to fix it.
struct Finding {
  std::string sentence;  ///< "The gradient directions do not fit the image: …"
  std::string remedy;    ///< label of a button: "Flip gradients along x"
  Reinterpretation reinterpretation;
};

/// A named set of option values, e.g. those of a paper.
struct Preset {
  std::string name, help;
  OptionValues values;  ///< of some options; the others have their defaults
};

/// The estimated memory of a run.
struct MemoryNeed {
  double hostBytes = 0, deviceBytes = 0;
  double besideDeviceBytes = 0;  ///< host memory if a GPU computes; 0: hostBytes
};

/// A slice on screen: perpendicular to an axis of the scanner (0 x, 1 y, 2 z), through a position in mm RAS+.
struct SliceInView {
  int axis = 2;
  Vec3<double> at;
};

/// Where a run writes results that are too large for memory, and omits them from what it returns.
struct ResultPlaces {
  /// The path to write the named result to, e.g. "tracts.trx"; empty if it is not wanted.
  std::function<std::filesystem::path(const std::string& name)> pathOf;
  std::size_t mostBytes = 0;  ///< the largest result that is returned in memory
};

/// One analysis, type-erased: what the window and the command line know about it.
/// The rows are made in app/ and listed in app/analyses/table.cpp; only there do core and gpu functions meet.
struct Analysis {
  /// Receives the intermediate result of a run: layers and plots by their names in the result. Called on the
  /// worker; may be empty.
  using Preview = std::function<void(const std::vector<Layer>&, const std::vector<Plot>&)>;
  using Run =
      std::function<RunResult(const AnalysisInputs&, const OptionValues&, const Progress&, const Preview&)>;

  std::string name;     ///< "fibers": command, folder, JSON key
  std::string title;    ///< "Fibers": tab
  std::string summary;  ///< one sentence
  std::vector<InputSlot> inputs;
  std::vector<OptionInfo> options;
  std::vector<Preset> presets;
  /// Names of the layers and files of a result, the stems of the written files. `*` stands for names that
  /// depend on the inputs; FOLDER/NAME is written to a folder.
  std::vector<std::string> outputs;
  Run cpu, gpu;
  /// This analysis with runs that write large results directly to these places; empty if it returns all.
  std::function<Analysis(const ResultPlaces&)> writingTo = {};
  bool gpuBeginsOnCpu = false;  ///< a run on the GPU first works on the CPU, while the GPU may initialize
  /// One line for the form about the current choice, e.g. what `auto` will pick and why; may be empty. Throws
  /// Error for a choice that a run would refuse, as far as that is known without computing anything.
  std::function<std::string(const AnalysisInputs&, const OptionValues&)> advice;
  /// Compares result b with result a of the same inputs.
  std::function<Comparison(const RunResult& a, const RunResult& b, const Progress&)> compare;
  /// Compares a result with the truth of a phantom (slot "truth"); no rows without one.
  std::function<std::vector<AgreementRow>(const RunResult&, const AnalysisInputs&, const Progress&)>
      compareWithTruth;
  /// Restores a finished run from the folder it was saved in, without its inputs: computes what follows from
  /// the saved files, with `adjust` but without `source`. nullopt if they do not suffice and the analysis has
  /// to be run again. May be empty; throws Error for files that do not belong together.
  std::function<std::optional<RunResult>(const std::filesystem::path& folder, const OptionValues&,
                                         const Progress&)>
      reopen = {};
  std::function<MemoryNeed(const AnalysisInputs&, const OptionValues&)> memory;
  /// Estimated computing time of a run on one thread, s; see secondsOfRun(). May be empty; may throw Error.
  std::function<double(const AnalysisInputs&, const OptionValues&)> seconds = {};
  /// The inputs of a quick run on one slice, to preview the current choice: with a mask of the slice, and
  /// with what must be computed from the whole scan. nullopt if there is nothing to compute in the slice; may
  /// be empty: then a run shows the whole image as it progresses. Called on a worker.
  std::function<AnalysisInputs(const AnalysisInputs&, const OptionValues&, const SliceInView&,
                               const Progress&)>
      inSlice = {};
  /// Lines that grow from regions while a hand moves these.
  struct Growth {
    struct Lines {
      Layer layer;
      std::int64_t followed = 0, seeds = 0;  ///< so far, and in all
    };
    /// What a run with these choices gives, as far as it comes in about so many seconds; asked again with the
    /// same ones it goes on. Keeps what does not change with the regions. Throws as a run does. Of one
    /// thread.
    using Step =
        std::function<Lines(const AnalysisInputs&, const OptionValues&, double seconds, const Progress&)>;
    std::string regions;   ///< the option that holds them, as textOf() writes them, separated by ';'
    std::string painted;   ///< the slot of regions that were painted
    OptionValues options;  ///< that regions need besides, where these have their defaults
    std::function<Step(Backend)> begin;  ///< empty: no lines grow
  };
  Growth growth = {};
  /// What can be shown of the inputs before a run, e.g. the design matrix; may be empty.
  std::function<std::vector<Plot>(const AnalysisInputs&, const OptionValues&)> inputPlots;
  /// The inputs as the current choice interprets them, e.g. the contour at a threshold: shown before a run
  /// and updated whenever the choice changes, called on a worker. None if they cannot be shown; may be empty.
  std::function<std::vector<Layer>(const AnalysisInputs&, const OptionValues&, const Progress&)> inputLayers;
  /// Checks a layer that was opened for this analysis; called on a worker. May be empty.
  std::function<std::optional<Finding>(const Layer&, const Progress&)> check = {};
  /// Applies transforms to a layer, fields of this analysis or linear ones, with provenance and notes.
  /// Inputs: one or several `field`s in the order in which they are applied to an image; `image` (or a
  /// surface, or a table of positions); and `like`, an image whose grid is used instead of that of the last
  /// field. Options, all texts: `interpolation`, auto, linear, nearest or label; `fill`, auto or the value
  /// outside of the image or a field; `inverse`, the transforms to be inverted, as numbers from 1. May be
  /// empty; throws Error for layers that do not fit. Called on a worker.
  std::function<Layer(const AnalysisInputs&, const OptionValues&, const Progress&)> applyField = {};
  /// What the weights of a list option refer to, in order, e.g. the regressors of a design; none if the
  /// inputs do not say. May be empty. Fast.
  std::function<std::vector<std::string>(const AnalysisInputs&, const OptionValues&)> weightNames = {};
  /// What text options may name, by option name, e.g. columns of a table among the inputs: a form offers
  /// them. May be empty. Fast.
  std::function<std::map<std::string, std::vector<std::string>>(const AnalysisInputs&)> offeredNames = {};
  /// Names of options that have no effect on these inputs: a form hides them. May be empty. Fast.
  std::function<std::vector<std::string>(const AnalysisInputs&)> idleOptions = {};
  /// Useful ranges of numeric options for these inputs, e.g. of a threshold between the darkest and the
  /// brightest voxel, by option name: the ranges of the sliders. May be empty. Fast.
  std::function<std::map<std::string, Range>(const AnalysisInputs&)> spans;

  /// What studies in BIDS need to know about the analysis (core/bids/study_traits.h); null: cannot be run on
  /// a study.
  std::shared_ptr<const bids::StudyTraits> study = nullptr;

  std::string demoTitle;  ///< "crossing fibers"
  std::vector<OptionInfo> demoOptions;
  /// The built-in phantom as inputs by slot name, including the truth.
  std::function<AnalysisInputs(const OptionValues&)> demo;
  OptionValues demoParameters = {};  ///< option values for its analysis that differ from the defaults
  /// What a scanner would state of the phantom's scan, the first input, in the JSON file beside it, by BIDS
  /// key; may be empty.
  std::function<std::map<std::string, std::string>(const OptionValues&)> demoSidecar = {};
  /// Optional inputs from which a phantom can be made, e.g. a scan. May be empty.
  std::vector<InputSlot> phantomInputs = {};
  /// The phantom made from layers in these slots, with the options of the demo; empty if the slots are.
  std::function<AnalysisInputs(const AnalysisInputs&, const OptionValues&)> phantomOf = {};
};

}  // namespace sulcus
