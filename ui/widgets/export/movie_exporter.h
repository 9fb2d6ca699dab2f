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

/// Makes movies of the views: step by step it changes what they show, and passes each picture to a job that
/// writes it. The window stays responsive between steps. Afterwards the views are restored. Lives on the UI
/// thread.
class MovieExporter : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this.
  MovieExporter(model::Workspace& workspace, ViewArea& views, QObject* parent = nullptr);
  ~MovieExporter() override;

  /// Why there can be no such movie of what is on screen, in a sentence; "" if there can.
  QString whyNot(model::MovieKind kind) const;
  /// The current plane: axial if all are shown.
  model::Plane planeInView() const { return workspace_.view().plane(); }
  /// The maximum number of different pictures of a movie; 0 for any number.
  int mostFrames(model::MovieKind kind, model::Plane plane) const;
  /// Starts it; call only if whyNot() is empty and no movie is being made.
  void make(const model::MovieOptions& order);
  bool busy() const { return frames_ != nullptr; }
  /// Cancels the current movie; nothing is left of it.
  void cancel() { workspace_.jobs().cancel(job_); }

 signals:
  void saved(const QString& file);
  void failed(const QString& title, const QString& sentence);

 private:
  /// What changes from frame to frame.
  struct Steps {
    std::function<void(int frame)> go;
    std::function<bool()> ready = {};  ///< none: at once; whether the views can be drawn now
    std::function<void()> back;
  };
  Steps stepsOf(const model::MovieOptions& order);
  void drawNext();
  void end();
  /// The current series, or the topmost one; null if there is none.
  const model::LayerState* series() const;
  const model::LayerState* image() const;

  model::Workspace& workspace_;
  ViewArea& views_;
  Steps steps_;
  int next_ = 0, scale_ = 1;
  model::JobId job_ = 0;
  QSize size_;         ///< of the first frame
  bool gone_ = false;  ///< the views are set to the next frame but have not been drawn yet
  std::shared_ptr<jobs::MovieFrames> frames_;
  QTimer turn_;
  JobQueue writing_;
};

}  // namespace sulcus::ui::widgets
