#pragma once

#include "ui/model/choices/analysis_presenter.h"
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

/// The plots of what is on screen: of the current run, of the results that were computed or selected last
/// (two of them overlaid if they were compared), of the inputs of the current analysis, and of the layers as
/// they are. Charts are computed on a worker, only for the latest request and only while they are visible.
/// Lives on the UI thread.
class PlotsModel : public QObject {
  Q_OBJECT
 public:
  /// All must outlive this; `quick` must post to this thread.
  PlotsModel(LayerStack& layers, RunController& runs, ViewState& view, JobQueue& quick,
             QObject* parent = nullptr);

  /// Its inputs are shown before a run; may be null.
  void setPresenter(AnalysisPresenter* presenter);
  /// Plots of what is open, independent of the current analysis; they replace the previous ones.
  void setOpenPlots(std::vector<Plot> plots);
  /// Whether the plots are on screen: while they are not, none is computed.
  void setActive(bool active);

  /// The names of the plots: first those of the results, then of the inputs, of what is open, and of the
  /// layers. "Means: visual" is a quantity of a regressor; the two parts are chosen separately.
  QStringList names() const;
  QString current() const { return current_; }
  void setCurrent(const QString& name);
  /// What the plots show, each listed once: "Time series", "Means".
  QStringList quantities() const;
  /// The subjects of the current quantity: "visual", "auditory"; empty if there is no choice.
  QStringList subjects() const;
  QString quantity() const;  ///< the current one
  QString subject() const;   ///< the current one, or ""
  /// For the same subject as now, or as chosen last, if there is such a plot.
  void setQuantity(const QString& quantity);
  void setSubject(const QString& subject);

  /// The charts of the current plot as they were last computed.
  const std::vector<scene::NamedChart>& charts() const { return charts_; }
  /// Shows the image of one subject of the current plot, of all its subjects that one alone: its layer, or
  /// a new one if it is not open.
  void showImageOf(const Chart::Subject& subject);
  /// The results that are shown, e.g. two that were compared.
  const std::vector<RunPtr>& runs() const { return shown_; }
  /// Whether plots of the shown results are missing until these are recomputed, as after opening a session.
  bool canMakeAgain() const;
  void makeAgain();

 signals:
  void namesChanged();
  void chartsChanged();
  /// The first plots of a running analysis are available.
  void liveStarted();
  /// After showImageOf().
  void subjectShown(const QString& name);

 private:
  void showLive(const std::vector<Plot>& plots);
  void show(std::vector<RunPtr> runs);
  void layerChosen(LayerId id);
  void runsChanged();
  void requestInputs();
  void layersChanged();
  bool isOfLayers(const QString& plot) const;
  /// The layer with the values of an image; 0 for none.
  LayerId layerOf(const LayerPtr& image) const;
  void showAlone(const Chart::Subject& subject);
  void namesMayDiffer();
  /// The plot that is shown before one is chosen; of layers, that of the current one.
  QString firstName() const;
  void refresh();
  void crosshairMoved();
  /// The plots of the current name, with the titles of their runs.
  std::vector<std::pair<std::string, Plot>> currentPlots() const;

  LayerStack& layers_;
  RunController& runs_;
  ViewState& view_;
  LatestJob charting_, readingInputs_;
  QPointer<AnalysisPresenter> presenter_;
  std::vector<RunPtr> shown_;
  std::vector<RunPtr> compared_;  ///< the last two
  std::vector<Plot> live_;        ///< of a running analysis
  std::vector<Plot> inputPlots_, openPlots_, layerPlots_;
  AnalysisInputs askedInputs_;
  OptionValues askedOptions_;
  bool asked_ = false, active_ = false, stale_ = false;
  bool isShowingImage_ = false;  ///< the layer chosen is that of a point: the plots stay
  QStringList names_;
  bool chosen_ = false;        ///< the current one was chosen by the user
  QString current_, subject_;  ///< `subject_`: the one chosen last
  std::vector<scene::NamedChart> charts_;
};

}  // namespace sulcus::ui::model
