#pragma once

#include "core/analysis/analysis.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/runs/job_list_model.h"
#include "ui/model/runs/run_layers.h"

#include <QString>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sulcus::ui::model {

/// A finished run: what it was given, what it gave, and where that is on screen.
struct Run {
  int id = 0;
  const Analysis* analysis = nullptr;
  Backend backend = Backend::cpu;
  QString place;  ///< where its GPU stands, see remote_hosts.h; "": here
  QString title;  ///< "CPU", "GPU", "CPU, ν_e 45": as runTitles() names it beside the others
  AnalysisInputs inputs;
  std::multimap<std::string, LayerId> inputIds;
  std::multimap<std::string, QString> inputNames;  ///< as they were called on screen when it was started
  JobId job = 0;
  OptionValues options;                     ///< the adjustable ones as they were last adjusted
  OptionValues computed;                    ///< as they were when it was run
  std::shared_ptr<const RunResult> result;  ///< as it was computed
  bool adjusted = false;                    ///< the layers are not those of `result` any more
  std::vector<LayerId> layers;              ///< on the stack, the first one first
  int together = 0;                         ///< the same for both of one *Run both*; 0: it was run alone
  /// It comes from a session or a folder: `result` has what is shown of it, and what else a run gives
  /// (comparisons; sliders and plots unless it has them) only when it has been made again.
  bool stored = false;

  friend bool operator==(const Run&, const Run&) = default;
};
using RunPtr = std::shared_ptr<const Run>;

/// A run that has layers on the stack.
struct PlacedRun {
  std::shared_ptr<Run> run;
  std::shared_ptr<RunLayers> layers;
  bool beingMade = false;  ///< again
};
using PlacedRuns = std::map<int, PlacedRun>;  ///< by run id

/// Two runs of one analysis, or two layers (compared_layers.h), held against each other.
struct ComparedRuns {
  RunPtr a, b;
  Comparison comparison;
  std::vector<AgreementRow> truthA, truthB;  ///< empty without truth
  LayerId difference = 0;
  LayerId before = 0;  ///< what both began with; 0: not shown
};
using ComparedPtr = std::shared_ptr<const ComparedRuns>;

/// All finished runs and what was compared last, as sessions and undo keep them.
struct RunsState {
  struct Placed {
    Run run;
    std::vector<RunLayers::Shown> shown;

    friend bool operator==(const Placed&, const Placed&) = default;
  };
  std::vector<Placed> runs;
  ComparedPtr compared;  ///< its runs count by their ids

  friend bool operator==(const RunsState&, const RunsState&) = default;
};

/// What `--backend` makes such a run by: "cpu", "gpu", or the place of its GPU.
std::string backendFlag(const Run& run);
/// "CPU", "GPU", or what the place of the GPU is called.
QString backendTitle(Backend backend, const QString& place = {});

}  // namespace sulcus::ui::model
