#pragma once

#include "ui/model/choices/analysis_presenter.h"
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

/// Shows the inputs of the current analysis as its current options interpret them, e.g. the contour of a
/// threshold, as temporary layers, and finds the useful ranges of its numbers. Both are computed on a worker,
/// and only the newest request counts. The layers are removed when a run of the analysis shows its own result
/// for the inputs. Lives on the UI thread.
class InputPreview : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this; `quick` must post to this thread.
  InputPreview(LayerStack& layers, RunController& runs, JobQueue& quick, QObject* parent = nullptr);
  ~InputPreview() override;

  /// The presenter whose inputs are shown; may be null.
  void setPresenter(AnalysisPresenter* presenter);
  /// The analysis was not chosen by the user: its inputs are shown only after an option or an input is
  /// chosen, or ask() is called. Lasts until another presenter is set.
  void hold();
  /// The user chose the analysis.
  void ask();
  /// These runs already show results for their inputs; a later run takes precedence over an earlier one.
  void settle(const std::vector<RunPtr>& runs);

 private:
  void change();
  void request();
  bool isHeld();
  void make();
  void show(std::vector<Layer> layers);
  void clear();  ///< drops pending requests
  void hide();

  LayerStack& layers_;
  LatestJob showing_, spanning_;
  QTimer soon_;
  QPointer<AnalysisPresenter> presenter_;
  std::unique_ptr<RunLayers> shown_;
  AnalysisInputs asked_;
  OptionValues askedOptions_;
  std::optional<OptionValues> held_;  ///< the options that affect a run, at the time of hold()
  std::vector<Layer> made_;           ///< the last preview, whether shown or not
  /// The inputs and options of the last run of an analysis: returning to them shows nothing on top of its
  /// result.
  struct Choice {
    std::multimap<std::string, LayerId> inputs;
    OptionValues options;
    friend bool operator==(const Choice&, const Choice&) = default;
  };
  Choice choice() const;
  std::map<const Analysis*, Choice> settled_;
  /// The preview for that run, and the layers it was made from.
  struct SettledPreview {
    std::multimap<std::string, LayerId> inputs;
    std::vector<Layer> layers;
  };
  std::map<const Analysis*, SettledPreview> settledLayers_;
};

}  // namespace sulcus::ui::model
