#include "ui/widgets/views/view_windows.h"

#include "ui/widgets/controls/widget_help.h"
#include "ui/widgets/window/window_place.h"

#include <QCloseEvent>
#include <QVBoxLayout>
#include <algorithm>
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

int ViewWindows::count() const { return 4 - int(std::count(windows_.begin(), windows_.end(), nullptr)); }

QWidget* ViewWindows::open(int view, QWidget* content, const QRect& place, std::function<void()> close) {
  auto* window = new ViewWindow(&owner_, std::move(close));
  window->setObjectName(QStringLiteral("detachedView%1").arg(view));
  window->setWindowTitle(QObject::tr("%1 – Sulcus").arg(content->accessibleName()));
  window->setGeometry(reachable(place, owner_));
  window->layout()->addWidget(content);
  return windows_[view] = window;
}

void ViewWindows::close(int view) {
  QWidget* window = std::exchange(windows_[view], nullptr);
  window->hide();
  window->deleteLater();
}

void ViewWindows::raise(int view) {
  windows_[view]->raise();
  windows_[view]->activateWindow();
}

void ViewWindows::setVisible(bool on) {
  for (QWidget* window : windows_)
    if (window) window->setVisible(on);
}

std::vector<model::DetachedView> ViewWindows::places() const {
  std::vector<model::DetachedView> places;
  for (int view = 0; view < 4; ++view)
    if (windows_[view]) places.push_back({view, placeOf(*windows_[view])});
  return places;
}

}  // namespace sulcus::ui::widgets
