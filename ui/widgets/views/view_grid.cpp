#include "ui/widgets/views/view_grid.h"

#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/window/window_place.h"

#include <QApplication>
#include <QCloseEvent>
#include <QGridLayout>
#include <algorithm>
#include <functional>
#include <utility>

namespace sulcus::ui::widgets {
namespace {

/// A window with one view, which goes back when it is closed.
class ViewWindow : public QWidget {
 public:
  ViewWindow(QWidget* parent, std::function<void()> close)
      : QWidget(parent, Qt::Window), close_(std::move(close)) {
    tight<QVBoxLayout>(this);
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

ViewGrid::ViewGrid(model::LayerStack& layers, model::ViewState& view, model::ImageOverlay& pair,
                   QWidget* parent)
    : QWidget(parent) {
  setBackgroundRole(QPalette::Shadow);
  setAutoFillBackground(true);
  tight<QGridLayout>(this, 1);
  for (const model::Plane plane : {model::Plane::axial, model::Plane::coronal, model::Plane::sagittal}) {
    auto* slice = new SliceView(layers, view, plane);
    slices_[std::size_t(plane)] = slice;
    connect(slice, &SliceView::hovered, this, &ViewGrid::hovered);
    connect(slice, &SliceView::left, this, &ViewGrid::left);
  }
  active_ = slices_[0];
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
    for (SliceView* slice : slices_)
      if (now && (slice == now || slice->isAncestorOf(now)) && active_ != slice) {
        active_ = slice;
        emit linksChanged();
      }
  });
  scene_ = new View3d(layers, view);
  const QString names[] = {tr("Axial view"), tr("Coronal view"), tr("Sagittal view"), tr("3D view")};
  for (int number = 0; SceneView * each : allViews()) {
    each->setAccessibleName(names[number]);
    each->setImageOverlay(&pair);
    connect(each, &SceneView::menuRequested, this, &ViewGrid::menuRequested);
    connect(each, &SceneView::doubleClicked, this, [this, number] { emit doubleClicked(number); });
    ++number;
  }
}

SceneView* ViewGrid::view(int number) const {
  return number == 3 ? static_cast<SceneView*>(scene_) : slices_[std::size_t(number)];
}

std::vector<SceneView*> ViewGrid::allViews() const { return {slices_[0], slices_[1], slices_[2], scene_}; }

bool ViewGrid::isShown(int view) const {
  const bool four = layout_ == ViewLayout::grid || layout_ == ViewLayout::beside;
  return !isDetached(view) && (four || int(layout_) == view + 1);
}

void ViewGrid::arrange(ViewLayout layout) {
  layout_ = layout;
  place();
  for (int number = 0; number < 4; ++number) {
    view(number)->setVisible(isDetached(number) || isShown(number));
    view(number)->setBars(isDetached(number));  // the others have them next to them
  }
}

void ViewGrid::place() {
  auto* grid = static_cast<QGridLayout*>(layout());
  const bool beside = layout_ == ViewLayout::beside;
  bool rows[3] = {}, columns[2] = {};  // those that contain a view: others take no room
  for (int number = 0; number < 4; ++number) {
    if (isDetached(number)) continue;
    grid->removeWidget(view(number));
    QRect cell(number % 2, number / 2, 1, 1);
    if (!isShown(number ^ 1)) cell = QRect(0, number / 2, 2, 1);  // the other view in its row is not there
    if (beside) cell = number == 3 ? QRect(0, 0, 1, 3) : QRect(1, number, 1, 1);
    grid->addWidget(view(number), cell.y(), cell.x(), cell.height(), cell.width());
    if (!isShown(number)) continue;
    rows[cell.y()] = columns[cell.x()] = true;
  }
  for (int row = 0; row < 3; ++row) grid->setRowStretch(row, rows[row]);
  grid->setColumnStretch(0, columns[0] * (beside ? 5 : 1));
  grid->setColumnStretch(1, columns[1] * (beside ? 2 : 1));
}

std::vector<SceneView*> ViewGrid::shownViews() const {
  std::vector<SceneView*> views;
  for (int number = 0; number < 4; ++number)
    if (isShown(number)) views.push_back(view(number));
  return views;
}

void ViewGrid::setDetached(int number, bool on, const QRect& place) {
  if (on == isDetached(number) || !canDetach(number)) return;
  QWidget*& window = windows_[std::size_t(number)];
  if (on) {
    window = new ViewWindow(this, [this, number] { setDetached(number, false); });
    window->setObjectName(QStringLiteral("detachedView%1").arg(number));
    window->setWindowTitle(QObject::tr("%1 – Sulcus").arg(view(number)->accessibleName()));
    window->setGeometry(reachable(place, *this));
    window->layout()->addWidget(view(number));
    emit detached(window);
  } else {
    view(number)->setParent(this);
    QWidget* const closed = std::exchange(window, nullptr);
    closed->hide();
    closed->deleteLater();
  }
  emit detachedChanged();
}

bool ViewGrid::canDetach(int view) const {
  return isDetached(view) || std::count(windows_.begin(), windows_.end(), nullptr) > 1;
}

void ViewGrid::raiseWindowOf(int view) {
  windows_[std::size_t(view)]->raise();
  windows_[std::size_t(view)]->activateWindow();
}

void ViewGrid::setWindowsVisible(bool on) {
  for (QWidget* window : windows_)
    if (window) window->setVisible(on);
}

std::vector<model::DetachedView> ViewGrid::detachedViews() const {
  std::vector<model::DetachedView> views;
  for (int view = 0; view < 4; ++view)
    if (isDetached(view)) views.push_back({view, placeOf(*windows_[std::size_t(view)])});
  return views;
}

void ViewGrid::toggleLink() {
  active_->setLinked(!active_->isLinked());
  emit linksChanged();
}

std::vector<model::UnlinkedView> ViewGrid::unlinkedViews() const {
  std::vector<model::UnlinkedView> views;
  for (const SliceView* slice : slices_)
    if (!slice->isLinked()) {
      const model::ViewState& place = slice->place();
      views.push_back({slice->plane(), place.crosshair(), place.center(), place.extent(), place.turn()});
    }
  return views;
}

void ViewGrid::setUnlinkedViews(const std::vector<model::UnlinkedView>& views) {
  for (SliceView* slice : slices_) slice->setLinked(true);
  for (const model::UnlinkedView& one : views) {
    slice(one.plane)->setLinked(false);
    model::ViewState& place = slice(one.plane)->place();
    place.setTurn(one.turn);
    place.setCrosshair(one.crosshair);
    place.setCenter(one.center);
    place.setExtent(one.extent);
  }
  emit linksChanged();
}

}  // namespace sulcus::ui::widgets
