#pragma once

#include "ui/jobs/session_page.h"
#include "ui/model/workspace.h"

#include <QObject>
#include <QTimer>
#include <memory>
#include <vector>

namespace sulcus::ui::widgets {

class ChartView;
class ViewArea;

/// Saves what is open as one HTML page: takes the pictures, has the charts computed, draws them one after
/// another, and passes everything to a job that writes the page. Lives on the UI thread.
class HtmlExporter : public QObject {
  Q_OBJECT
 public:
  /// Both must outlive this.
  HtmlExporter(model::Workspace& workspace, ViewArea& views, QObject* parent = nullptr);
  ~HtmlExporter() override;

  /// An existing file is replaced. FileJobs reports success and failure.
  void make(const QString& file);
  bool busy() const { return busy_; }

 signals:
  /// The page has been passed to its job, or could not be made.
  void ended();

 private:
  void takeViews();
  void drawNext();
  void write();

  model::Workspace& workspace_;
  ViewArea& views_;
  bool busy_ = false;
  model::JobId charting_ = 0;  ///< the job that computes the charts
  QString file_;
  model::SessionState state_;
  std::vector<jobs::PagePart> pictures_, drawings_;
  std::vector<jobs::NamedPlot> plots_;
  std::unique_ptr<ChartView> chart_;
  QTimer turn_;
};

}  // namespace sulcus::ui::widgets
