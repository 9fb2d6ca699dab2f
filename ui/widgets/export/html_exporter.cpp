#include "ui/widgets/export/html_exporter.h"

#include "core/base/error.h"
#include "ui/widgets/export/view_picture.h"
#include "ui/widgets/views/chart_view.h"
#include "ui/widgets/views/view_area.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QScopeGuard>
#include <algorithm>
#include <cmath>

namespace sulcus::ui::widgets {
namespace {

constexpr std::size_t kMostPlots = 60;  ///< a page with more would not be read
constexpr double kPixels = 2;  ///< pixels of a picture for each point on screen, enough to look closely

/// The corresponding multiple of the pixels on screen.
int pictureScale(const QWidget& shown) {
  return std::max(1, int(std::lround(kPixels / shown.devicePixelRatioF())));
}

constexpr QSize kChartSize(900, 380);

}  // namespace

HtmlExporter::HtmlExporter(model::Workspace& workspace, ViewArea& views, QObject* parent)
    : QObject(parent), workspace_(workspace), views_(views) {
  turn_.setInterval(0);
  connect(&turn_, &QTimer::timeout, this, &HtmlExporter::drawNext);
  connect(&workspace_.jobs(), &model::JobListModel::finished, this, [this](int job, JobState how) {
    if (job != charting_ || how == JobState::done) return;
    busy_ = false;
    emit ended();
  });
}

HtmlExporter::~HtmlExporter() = default;

void HtmlExporter::make(const QString& file) {
  if (busy_) return;
  busy_ = true;
  file_ = file;
  state_ = workspace_.snapshots().take();
  pictures_.clear(), drawings_.clear();
  takeViews();
  const auto made = std::make_shared<std::vector<jobs::NamedPlot>>();
  jobs::FileJobs& files = workspace_.files();
  charting_ = files.work(
      tr("Plots of %1").arg(QFileInfo(file).fileName()),
      [made, state = state_](const Progress& progress) {
        *made = jobs::plotsOf(state, jobs::placeOfInterest(state, progress), kMostPlots, progress);
      },
      [this, made] {
        plots_ = std::move(*made);
        turn_.start();
      });
}

void HtmlExporter::takeViews() {
  const ViewLayout before = views_.layoutShown();
  const auto back = qScopeGuard([&] { views_.setLayoutShown(before); });
  const auto take = [this](const QString& caption) {
    QCoreApplication::processEvents(QEventLoop::ExcludeUserInputEvents);  // views are laid out
    views_.finishDrawing();
    pictures_.push_back({caption.toStdString(), [picture = views_.screenshotWithBars(pictureScale(views_))] {
                           return pictureBytes(picture, "PNG");
                         }});
  };
  take(tr("The views"));
  for (const auto& [layout, caption] :
       {std::pair(ViewLayout::compare, tr("Two results and their difference")),
        {ViewLayout::grid, tr("All views")}}) {
    if (layout == before || (layout == ViewLayout::compare && !views_.canCompare())) continue;
    views_.setLayoutShown(layout);
    take(caption);
  }
}

void HtmlExporter::drawNext() {
  if (drawings_.size() == plots_.size()) return write();
  if (!chart_) {
    chart_ = std::make_unique<ChartView>(workspace_.view());
    chart_->setAttribute(Qt::WA_DontShowOnScreen);
    chart_->resize(kChartSize);
    chart_->show();
  }
  jobs::NamedPlot& plot = plots_[drawings_.size()];
  chart_->setCharts(std::move(plot.charts), false);
  try {
    drawings_.push_back({plot.name, [svg = chart_->svg().toStdString()] { return svg; }, "image/svg+xml"});
  } catch (const Error&) {  // a matrix cannot be exported as a drawing
    drawings_.push_back({plot.name, [picture = chart_->printed(pictureScale(*chart_))] {
                           return pictureBytes(picture, "PNG");
                         }});
  }
}

void HtmlExporter::write() {
  turn_.stop();
  chart_.reset();
  const QString session = workspace_.session().file();
  const QString title = session.isEmpty() ? QString::fromStdString(jobs::pageTitle(state_))
                                          : QFileInfo(session).completeBaseName();
  workspace_.files().saveBytes(
      [title = title.toStdString(), state = std::move(state_), views = std::move(pictures_),
       plots = std::move(drawings_)] { return jobs::sessionPage(title, state, views, plots, {}); },
      file_);
  state_ = {};
  plots_.clear();
  busy_ = false;
  emit ended();
}

}  // namespace sulcus::ui::widgets
