#pragma once

#include "core/analysis/analysis.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/runs/job_list_model.h"
#include "ui/model/runs/run_layers.h"

#include <QString>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sulcus::ui::model {

/// A finished run: its inputs, its results, and their layers on screen.
struct Run {
  int id = 0;
  const Analysis* analysis = nullptr;
  Backend backend = Backend::cpu;
  QString place;  ///< the place of its GPU, see remote_hosts.h; "": this machine
  QString title;  ///< "CPU", "GPU", "CPU, ν_e 45": its name among the other runs, from runTitles()
  AnalysisInputs inputs;
  std::multimap<std::string, LayerId> inputIds;
  std::multimap<std::string, QString> inputNames;  ///< their names on screen when it was started
  JobId job = 0;
  OptionValues options;                     ///< the adjustable ones as last adjusted
  OptionValues computed;                    ///< as they were when it was run
  std::shared_ptr<const RunResult> result;  ///< as it was computed
  bool adjusted = false;                    ///< the layers differ from those of `result`
  std::vector<LayerId> layers;              ///< on the stack, in order
  int together = 0;                         ///< the same for both runs of one *Run both*; 0: it was run alone
  /// It comes from a session or a folder: `result` contains what is shown of it, and everything else
  /// (comparisons; sliders and plots unless it has them) is available only after it has been run again.
  bool stored = false;

  friend bool operator==(const Run&, const Run&) = default;
};
using RunPtr = std::shared_ptr<const Run>;

/// A run that has layers on the stack.
struct PlacedRun {
  std::shared_ptr<Run> run;
  std::shared_ptr<RunLayers> layers;
  bool beingMade = false;  ///< in progress
};
using PlacedRuns = std::map<int, PlacedRun>;  ///< by run id

/// Two runs of one analysis, or two layers (compared_layers.h), being compared.
struct ComparedRuns {
  RunPtr a, b;
  Comparison comparison;
  std::vector<AgreementRow> truthA, truthB;  ///< empty without truth
  LayerId difference = 0;
  LayerId before = 0;             ///< the common initial state; 0: not shown
  std::array<LayerId, 2> maps{};  ///< shown of the two beside the difference; 0: their own layers
};
using ComparedPtr = std::shared_ptr<const ComparedRuns>;

/// All finished runs and the last comparison, as kept by sessions and undo.
struct RunsState {
  struct ShownRun {
    Run run;
    std::vector<RunLayers::Shown> shown;

    friend bool operator==(const ShownRun&, const ShownRun&) = default;
  };
  std::vector<ShownRun> runs;
  ComparedPtr compared;  ///< its runs are identified by their ids

  friend bool operator==(const RunsState&, const RunsState&) = default;
};

/// The value of `--backend` for such a run: "cpu", "gpu", or the place of its GPU.
std::string backendFlag(const Run& run);
/// "CPU", "GPU", or the title of the GPU's place.
QString backendTitle(Backend backend, const QString& place = {});

}  // namespace sulcus::ui::model
