#pragma once

#include "core/analysis/chart.h"
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

/// One thing an analysis wants to be given.
struct InputSlot {
  std::string name;   ///< key in AnalysisInputs, e.g. "dwi"
  std::string label;  ///< of the picker
  std::string help;
  bool required = true;
  std::function<bool(const Layer&)> accepts;  ///< only such layers are offered
  bool many = false;                          ///< takes several layers, in order
  std::string oneOf = {};                     ///< the same for slots of which exactly one must be given
  bool suggested =
      false;  ///< while none of these is given, takes the first that fits; of many all on its grid
  /// Says which of the layers that fit are taken without being chosen; empty: all are.
  std::function<bool(const Layer&)> unasked = {};
  /// The slot on whose grid a layer must lie to be taken without being chosen; empty: any grid.
  std::string onGridOf = {};
  /// The slot that takes the second and further files given for this one on the command line; empty: none.
  std::string overflow = {};
  bool advanced = false;   ///< the form keeps it behind "More"
  bool labels = false;     ///< holds labels: the whole numbers of a file are taken to the last digit
  std::string alias = {};  ///< another name of its flag, as in other programs; "": none
};
/// A slot of labels.
inline InputSlot ofLabels(InputSlot slot) {
  slot.labels = true;
  return slot;
}
/// A slot that few need.
inline InputSlot advanced(InputSlot slot) {
  slot.advanced = true;
  return slot;
}

/// The layers handed to an analysis, by slot name; a slot that takes many has them in order. Immutable and
/// shared: workers only read them.
using AnalysisInputs = std::multimap<std::string, LayerPtr>;

/// What a run gives back.
struct RunResult {
  std::vector<Layer> layers;  ///< the first one is what a user came for
  Notes notes;                ///< sentences worth showing: what was skipped, what was chosen and why
  std::vector<StageTime> stages;
  double seconds = 0;    ///< sum of the stages, without file reading
  double waited = 0;     ///< from its start to its end: the stages, checksums and what lies between, s
  DeviceTime gpu;        ///< how long of it was waited for the GPU
  double items = 0;      ///< how much was worked on …
  std::string itemName;  ///< … "voxels"
  std::vector<ResultFile> files;
  std::vector<Plot> plots;
  /// The layers as they are with other values of the options marked `afterwards`, without running again; they
  /// replace those of the same name; one that is no longer given goes. Quick (≤ 50 ms for a slider), called
  /// on a worker; empty when nothing can be changed afterwards.
  std::function<std::vector<Layer>(const OptionValues&, const Progress&)> adjust;
  /// What the layers were made of, for the analysis' own compare and compareWithTruth; opaque to all
  /// others.
  std::shared_ptr<const void> source;
  Provenance provenance;
};

/// One line of agreement between two results, or of a result with the truth.
struct AgreementRow {
  std::string quantity;  ///< "peak direction"
  std::string unit;      ///< "°"
  double maximum = 0, mean = 0, percentile95 = 0;
  double shareWithin = 0;  ///< share of the compared values within `tolerance`, 0…1
  double tolerance = 0;
  double shareNeeded = 1;  ///< agrees when shareWithin ≥ this
  double compared = 0;     ///< number of values compared
  double median = 0;
  bool agrees() const { return shareWithin >= shareNeeded; }
};

struct WorstVoxel {
  Vec3<int> voxel;
  double difference = 0;                   ///< in the unit of the first row
  std::optional<Vec3<double>> place = {};  ///< mm RAS+, of a point of a surface, which has no voxel
  std::string instead = {};                ///< what is said where the difference is no number of that unit
};

/// Two results of one analysis, or two layers, held against each other.
struct Comparison {
  std::vector<AgreementRow> rows;  ///< the first one decides what `difference` and `worst` show
  std::vector<WorstVoxel> worst;   ///< largest first, at most 20
  /// A volume in the unit of the first row, or a surface with distances.
  std::optional<Layer> difference;
  /// Sentences that say why they do not agree, whatever the rows say.
  std::vector<std::string> reasons = {};
  Notes warnings = {};  ///< of what may be wrong whether they agree or not
  /// What both began with, of the kind of the first layer of the results, e.g. the noisy surface: in 3D it is
  /// shown at the left of the two, in the place of the difference.
  LayerPtr before = nullptr;
  bool agrees() const;
};

/// Something that is wrong with a layer, and what mends it.
struct Finding {
  std::string sentence;  ///< "The gradient directions do not fit the image: …"
  std::string remedy;    ///< of a button: "Flip gradients along x"
  Reinterpretation reinterpretation;
};

/// Parameters under a name, e.g. those of a paper.
struct Preset {
  std::string name, help;
  OptionValues values;  ///< of some options; the others have their defaults
};

/// Memory that a run would need, before it is started.
struct MemoryNeed {
  double hostBytes = 0, deviceBytes = 0;
  double besideDeviceBytes = 0;  ///< of the host where a GPU computes; 0: hostBytes
};

/// A slice on screen: across an axis of the scanner (0 x, 1 y, 2 z), through a place in mm RAS+.
struct SliceInView {
  int axis = 2;
  Vec3<double> at;
};

/// One analysis, type-erased: what the window and the command line know about it.
/// The rows are made in app/ and listed in app/analyses/table.cpp; nowhere else do core and gpu functions
/// meet.
struct Analysis {
  /// What a run has so far: layers and plots by the names they have in its result. Called on the worker, may
  /// be empty.
  using Preview = std::function<void(const std::vector<Layer>&, const std::vector<Plot>&)>;
  using Run =
      std::function<RunResult(const AnalysisInputs&, const OptionValues&, const Progress&, const Preview&)>;

  std::string name;     ///< "fibers": command, folder, JSON key
  std::string title;    ///< "Fibers": tab
  std::string summary;  ///< one sentence
  std::vector<InputSlot> inputs;
  std::vector<OptionInfo> options;
  std::vector<Preset> presets;
  /// Names of the layers and files a run gives: the stems of what is written. `*` stands for names that the
  /// inputs decide.
  std::vector<std::string> outputs;
  Run cpu, gpu;
  bool gpuBeginsOnCpu = false;  ///< a run on the GPU works on the processor first, while the GPU may start
  /// One line for the panel about the current choice, e.g. what `auto` will pick and why; may be empty.
  /// Throws Error for a choice that a run would refuse, where that is quickly seen: nothing is computed.
  std::function<std::string(const AnalysisInputs&, const OptionValues&)> advice;
  /// Result b against result a, same inputs.
  std::function<Comparison(const RunResult& a, const RunResult& b, const Progress&)> compare;
  /// A result against the truth that came with a phantom (slot "truth"); empty rows without one.
  std::function<std::vector<AgreementRow>(const RunResult&, const AnalysisInputs&, const Progress&)>
      compareWithTruth;
  /// A finished run from the folder that it was saved in, without its inputs: what follows from what it
  /// saved, with `adjust` and without `source`. None where that is not enough and it has to be run again. May
  /// be empty; throws Error for files that do not belong together.
  std::function<std::optional<RunResult>(const std::filesystem::path& folder, const OptionValues&,
                                         const Progress&)>
      reopen = {};
  std::function<MemoryNeed(const AnalysisInputs&, const OptionValues&)> memory;
  /// Seconds that one thread computes in a run, about; see secondsOfRun(). May be empty, and throw Error.
  std::function<double(const AnalysisInputs&, const OptionValues&)> seconds = {};
  /// The inputs of a run on one slice, which soon shows what the present choice gives: with a mask of the
  /// slice, and with what must be found from the whole scan. None where nothing in the slice would be worked
  /// on; may be empty: then a run shows the whole as it comes. Called on a worker.
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
  /// The inputs as the present choice takes them, e.g. the contour of a threshold: shown before a run and
  /// anew whenever the choice changes, called on a worker. None where they cannot be shown; may be empty.
  std::function<std::vector<Layer>(const AnalysisInputs&, const OptionValues&, const Progress&)> inputLayers;
  /// Problems of a layer that was opened for this analysis; called on a worker. May be empty.
  std::function<std::optional<Finding>(const Layer&, const Progress&)> check = {};
  /// A layer brought along by transforms, fields as this analysis finds them or linear ones, with provenance
  /// and with sentences in its notes. Inputs: one `field` or several, in the order in which an image goes
  /// through them; `image` (or a surface, or a table of places); and `like`, an image on the grid that an
  /// image is to have, which is else that of the last field. Options, all texts: `interpolation`, auto,
  /// linear, nearest or label; `fill`, auto or the value where the image or a field does not reach;
  /// `inverse`, which transforms are taken the other way round, as numbers from 1. May be empty; throws Error
  /// for layers that do not fit. Called on a worker.
  std::function<Layer(const AnalysisInputs&, const OptionValues&, const Progress&)> applyField = {};
  /// What the weights of an option that is a list are of, in order, e.g. the regressors of a design; none
  /// where the inputs do not say. May be empty. Quick.
  std::function<std::vector<std::string>(const AnalysisInputs&, const OptionValues&)> weightNames = {};
  /// Where a number is worth choosing for these inputs, e.g. a threshold between the darkest and the
  /// brightest voxel, by option name: what its slider spans. May be empty. Quick.
  std::function<std::map<std::string, Range>(const AnalysisInputs&)> spans;

  /// What studies in BIDS know of it (core/bids/study_traits.h); null: it cannot be run on one.
  std::shared_ptr<const bids::StudyTraits> study = nullptr;

  std::string demoTitle;  ///< "crossing fibers"
  std::vector<OptionInfo> demoOptions;
  /// The built-in phantom as inputs by slot name, truth included.
  std::function<AnalysisInputs(const OptionValues&)> demo;
  OptionValues demoParameters = {};  ///< with which it is analyzed, where these are not the defaults
  /// What a phantom can be made of instead of being computed, e.g. a scan; none is required. May be empty.
  std::vector<InputSlot> phantomInputs = {};
  /// The phantom made of layers in these slots, with the options of the demo; empty like the slots.
  std::function<AnalysisInputs(const AnalysisInputs&, const OptionValues&)> phantomOf = {};
};

}  // namespace sulcus
