#pragma once

#include "core/base/parallel/job_queue.h"
#include "ui/jobs/movie_file.h"
#include "ui/model/views/movie.h"
#include "ui/model/workspace.h"

#include <QObject>
#include <QSize>
#include <QString>
#include <QTimer>
#include <functional>
#include <memory>

namespace sulcus::ui::widgets {

class ViewArea;

/// Makes movies of the views: step after step it changes what they show, and hands each picture to a job that
/// writes it. The window answers between steps. Afterwards the views are as they were. Lives on the UI
/// thread.
class MovieExporter : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this.
  MovieExporter(model::Workspace& workspace, ViewArea& views, QObject* parent = nullptr);
  ~MovieExporter() override;

  /// Why there can be no such movie of what is on screen, in a sentence; "" when there can.
  QString whyNot(model::MovieKind kind) const;
  /// The plane that is shown: axial where all are.
  model::Plane planeInView() const { return workspace_.view().plane(); }
  /// How many different pictures a movie can have; 0 where any number.
  int mostFrames(model::MovieKind kind, model::Plane plane) const;
  /// Starts it; call only when whyNot() is empty and nothing is being made.
  void make(const model::MovieOptions& order);
  bool busy() const { return frames_ != nullptr; }
  /// Ends what is being made; nothing of it is left.
  void cancel() { workspace_.jobs().cancel(job_); }

 signals:
  void saved(const QString& file);
  void failed(const QString& title, const QString& sentence);

 private:
  /// What changes from frame to frame.
  struct Steps {
    std::function<void(int frame)> go;
    std::function<bool()> ready = {};  ///< none: at once; whether the views can be drawn
    std::function<void()> back;
  };
  Steps stepsOf(const model::MovieOptions& order);
  void drawNext();
  void end();
  /// The current series, or the top one; null where there is none.
  const model::LayerState* series() const;
  const model::LayerState* image() const;

  model::Workspace& workspace_;
  ViewArea& views_;
  Steps steps_;
  int next_ = 0, scale_ = 1;
  model::JobId job_ = 0;
  QSize size_;         ///< of the first frame
  bool gone_ = false;  ///< the views are to show the next frame, but have not been drawn
  std::shared_ptr<jobs::MovieFrames> frames_;
  QTimer turn_;
  JobQueue writing_;
};

}  // namespace sulcus::ui::widgets
