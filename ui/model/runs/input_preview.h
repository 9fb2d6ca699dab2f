#pragma once

#include "ui/model/runs/analysis_presenter.h"
#include "ui/model/runs/latest_job.h"
#include "ui/model/runs/run_controller.h"
#include "ui/model/runs/run_layers.h"

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace sulcus::ui::model {

/// Shows the inputs of the current analysis as its present options take them, e.g. the contour of a
/// threshold, as temporary layers, and finds the ranges in which its numbers are worth choosing. Both are
/// computed on a worker, and only the newest request counts. The layers go when a run of the analysis shows
/// what it makes of the inputs. Lives on the UI thread.
class InputPreview : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this; `quick` must post to this thread.
  InputPreview(LayerStack& layers, RunController& runs, JobQueue& quick, QObject* parent = nullptr);
  ~InputPreview() override;

  /// Whose inputs are shown; may be null.
  void setPresenter(AnalysisPresenter* presenter);
  /// The analysis was not chosen by the user: its inputs are shown once an option or an input was chosen, or
  /// ask() is called. Until another presenter is set.
  void hold();
  /// The user chose the analysis.
  void ask();
  /// These runs show already what was made of their inputs; a later one counts before an earlier one.
  void settle(const std::vector<RunPtr>& runs);

 private:
  void change();
  void request();
  bool isHeld();
  void make();
  void show(std::vector<Layer> layers);
  void clear();  ///< drops what was requested
  void hide();

  LayerStack& layers_;
  LatestJob showing_, spanning_;
  QTimer soon_;
  QPointer<AnalysisPresenter> presenter_;
  std::unique_ptr<RunLayers> shown_;
  AnalysisInputs asked_;
  OptionValues askedOptions_;
  std::optional<OptionValues> held_;  ///< those of a run when hold() was called
  std::vector<Layer> made_;           ///< last, shown or not
  /// What the last run of an analysis was shown of: coming back to it shows nothing over that result.
  struct Choice {
    std::multimap<std::string, LayerId> inputs;
    OptionValues options;
    friend bool operator==(const Choice&, const Choice&) = default;
  };
  Choice choice() const;
  std::map<const Analysis*, Choice> settled_;
  /// What was made before that run, and of which layers.
  struct Made {
    std::multimap<std::string, LayerId> inputs;
    std::vector<Layer> layers;
  };
  std::map<const Analysis*, Made> settledLayers_;
};

}  // namespace sulcus::ui::model
