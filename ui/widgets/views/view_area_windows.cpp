// ViewArea: detached and unlinked views.
#include "ui/widgets/views/view_area.h"
#include "ui/widgets/window/window_place.h"

#include <QCloseEvent>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace sulcus::ui::widgets {
namespace {

/// A window with one view, which goes back when it is closed.
class ViewWindow : public QWidget {
 public:
  ViewWindow(QWidget* parent, std::function<void()> close)
      : QWidget(parent, Qt::Window), close_(std::move(close)) {
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
  }

 protected:
  void closeEvent(QCloseEvent* event) override {
    event->ignore();
    close_();
  }

 private:
  std::function<void()> close_;
};

}  // namespace

bool ViewArea::canDetach(int view) const {
  const auto detached =
      std::count_if(std::begin(windows_), std::end(windows_), [](auto* one) { return one; });
  return isDetached(view) || detached < 3;
}

void ViewArea::setDetached(int view, bool on, const QRect& place) {
  if (on == isDetached(view) || !canDetach(view)) return;
  if (on) {
    auto* window = new ViewWindow(this, [this, view] { setDetached(view, false); });
    window->setObjectName(QStringLiteral("detachedView%1").arg(view));
    window->setWindowTitle(tr("%1 – Sulcus").arg(mainView(view)->accessibleName()));
    window->setGeometry(reachable(place, *this));
    windows_[view] = window;
    window->layout()->addWidget(mainView(view));
    if (int(layout_) == view + 1) layout_ = ViewLayout::grid;
    emit detached(window);
    if (isVisible()) window->show();
  } else {
    QWidget* window = std::exchange(windows_[view], nullptr);
    mainView(view)->setParent(pages_->widget(0));
    window->hide();
    window->deleteLater();
  }
  updateVisible();
  emit layoutChanged();
}

std::vector<model::DetachedView> ViewArea::detachedViews() const {
  std::vector<model::DetachedView> views;
  for (int view = 0; view < 4; ++view)
    if (windows_[view]) views.push_back({view, placeOf(*windows_[view])});
  return views;
}

void ViewArea::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  for (QWidget* window : windows_)
    if (window) window->show();
}

void ViewArea::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  if (event->spontaneous()) return;  // the window was minimized
  for (QWidget* window : windows_)
    if (window) window->hide();
}

void ViewArea::toggleLink() {
  active_->setLinked(!active_->isLinked());
  emit layoutChanged();
}

std::vector<model::UnlinkedView> ViewArea::unlinkedViews() const {
  std::vector<model::UnlinkedView> views;
  for (const SliceView* slice : slices_)
    if (!slice->isLinked()) {
      const model::ViewState& place = slice->place();
      views.push_back({slice->plane(), place.crosshair(), place.center(), place.extent(), place.turn()});
    }
  return views;
}

void ViewArea::setUnlinkedViews(const std::vector<model::UnlinkedView>& views) {
  for (SliceView* slice : slices_) slice->setLinked(true);
  for (const model::UnlinkedView& one : views) {
    SliceView* slice = slices_[int(one.plane)];
    slice->setLinked(false);
    slice->place().setTurn(one.turn);
    slice->place().setCrosshair(one.crosshair);
    slice->place().setCenter(one.center);
    slice->place().setExtent(one.extent);
  }
  emit layoutChanged();
}

}  // namespace sulcus::ui::widgets
