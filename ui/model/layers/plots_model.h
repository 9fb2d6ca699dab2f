#pragma once

#include "ui/model/runs/analysis_presenter.h"
#include "ui/model/runs/latest_job.h"
#include "ui/model/runs/run_controller.h"
#include "ui/model/views/view_state.h"
#include "ui/scene/charts/named_chart.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <utility>
#include <vector>

namespace sulcus::ui::model {

/// The plots of what is on screen: of a run that goes on, of the results that were computed or chosen last,
/// two of them over each other when they were compared, of the inputs of the analysis that is chosen, and of
/// the layers as they are.
/// Charts are made on a worker, only the latest request and only while they are visible. Lives on the
/// UI thread.
class PlotsModel : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this; `quick` must post to this thread.
  PlotsModel(LayerStack& layers, RunController& runs, ViewState& view, JobQueue& quick,
             QObject* parent = nullptr);

  /// Whose inputs are shown before a run; may be null.
  void setPresenter(AnalysisPresenter* presenter);
  /// Plots of what is open, whatever analysis is chosen; those of before go.
  void setOpenPlots(std::vector<Plot> plots);
  /// Whether the plots are on screen: while they are not, none is made.
  void setActive(bool active);

  /// The names of the plots: first those of the results, then of the inputs, of what is open, and of the
  /// layers. "Means: visual" is a quantity of a regressor; they are chosen one by one.
  QStringList names() const;
  QString current() const { return current_; }
  void setCurrent(const QString& name);
  /// What the plots show, each once: "Time series", "Means".
  QStringList quantities() const;
  /// What the current quantity can be shown of: "visual", "auditory"; empty where there is no choice.
  QStringList subjects() const;
  QString quantity() const;  ///< the current one
  QString subject() const;   ///< the current one, or ""
  /// Of the same subject as now, or as was chosen last, where there is such a plot.
  void setQuantity(const QString& quantity);
  void setSubject(const QString& subject);

  /// The charts of the current plot as they were made last.
  const std::vector<scene::NamedChart>& charts() const { return charts_; }
  /// The results that are shown, e.g. two that were compared.
  const std::vector<RunPtr>& runs() const { return shown_; }
  /// Whether plots of the shown results are missing until these are made again, as those of a session are.
  bool canMakeAgain() const;
  void makeAgain();

 signals:
  void namesChanged();
  void chartsChanged();
  /// The first plots of a run that goes on are there.
  void liveStarted();

 private:
  void showLive(const std::vector<Plot>& plots);
  void show(std::vector<RunPtr> runs);
  void layerChosen(LayerId id);
  void runsChanged();
  void requestInputs();
  void layersChanged();
  bool isOfLayers(const QString& plot) const;
  void namesMayDiffer();
  void refresh();
  void crosshairMoved();
  /// The plots of the current name and whose they are.
  std::vector<std::pair<std::string, Plot>> currentPlots() const;

  LayerStack& layers_;
  RunController& runs_;
  ViewState& view_;
  LatestJob charting_, readingInputs_;
  QPointer<AnalysisPresenter> presenter_;
  std::vector<RunPtr> shown_;
  std::vector<RunPtr> compared_;  ///< the last two
  std::vector<Plot> live_;        ///< of a run that goes on
  std::vector<Plot> inputPlots_, openPlots_, layerPlots_;
  AnalysisInputs askedInputs_;
  OptionValues askedOptions_;
  bool asked_ = false, active_ = false, stale_ = false;
  QStringList names_;
  bool chosen_ = false;        ///< the current one was chosen
  QString current_, subject_;  ///< the subject that was chosen last
  std::vector<scene::NamedChart> charts_;
};

}  // namespace sulcus::ui::model
