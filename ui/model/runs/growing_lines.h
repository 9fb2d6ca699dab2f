#pragma once

#include "core/base/parallel/job_queue.h"
#include "ui/model/choices/analysis_presenter.h"
#include "ui/model/layers/layer_stack.h"
#include "ui/model/layers/movable_regions.h"
#include "ui/model/runs/latest_job.h"

#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <string>
#include <vector>

namespace sulcus::ui::model {

/// Lines that grow from regions while a hand moves these: of the seeds of a run with the present choices as
/// many as a moment allows, the others once the hand rests. The regions are an option of the analysis, which
/// has them when the hand lets go, so that undo, sessions, the command line and a run have them, too. Lines
/// are shown as a temporary layer. Lives on the UI thread.
class GrowingLines : public QObject, public MovableRegions {
  Q_OBJECT
 public:
  /// `presenter` is that of an analysis with a growth, or null: no lines grow. All must outlive this, and
  /// `queue` must post to this thread.
  GrowingLines(LayerStack& layers, AnalysisPresenter* presenter, JobQueue& queue, QObject* parent = nullptr);
  ~GrowingLines() override;

  /// Whether there is something to follow.
  bool canGrow() const;
  bool isOn() const { return on_; }
  /// Puts a region there, from which lines grow.
  void addRegion(TractRegion::Shape shape, const Vec3<double>& center, double reach);
  /// Lines grow from what is painted on a layer of labels, or will be, in the place of regions.
  void growFromPainted(LayerId labels);
  void removeRegion(int region);
  /// No lines grow any more, and the choices that this made are taken back.
  void stop();

  LayerId regionsLayer() const override { return layer_; }
  const std::vector<TractRegion>& regions() const override { return regions_; }
  void takeRegion(int region) override;
  void changeRegion(int region, const TractRegion& changed, bool done) override;
  int region() const { return region_; }

  /// What has grown so far; `seconds`: that the last picture's lines took.
  struct Facts {
    std::size_t lines = 0;
    std::int64_t followed = 0, seeds = 0;
    double seconds = 0;
    QString fault;  ///< why nothing grows; "": it does
  };
  const Facts& facts() const { return facts_; }
  /// The lines as a layer to be kept, or null.
  LayerPtr lines() const;

 signals:
  void changed();
  /// Other lines are shown.
  void grown();

 private:
  using Growth = Analysis::Growth;
  struct Step;
  void begin();
  void followChoices();
  /// @param isNew  the choices are, or the hand moves: a picture is wanted soon
  void step(bool isNew);
  void deliver(const Step& step);
  void show();
  void writeRegions();
  void setOptionQuietly(const std::string& name, const OptionValue& value);
  std::string regionsText() const;
  struct Choice {
    AnalysisInputs inputs;
    OptionValues options;
    friend bool operator==(const Choice&, const Choice&) = default;
  };
  Choice choice() const;
  Backend backend() const;

  LayerStack& layers_;
  AnalysisPresenter* presenter_;
  JobQueue& queue_;
  LatestJob growing_;
  QTimer goingOn_;  ///< with what has grown, once the views had time to show it
  std::shared_ptr<Growth::Step> grow_;
  Backend growsOn_ = Backend::cpu;
  std::vector<TractRegion> regions_;
  int region_ = -1;
  LayerId layer_ = 0;
  LayerId painted_ = 0;  ///< that was chosen here
  OptionValues added_;   ///< options that were set here
  Choice asked_;         ///< last
  bool on_ = false, moves_ = false, choosing_ = false;
  Facts facts_;
};

}  // namespace sulcus::ui::model
