#pragma once

#include "ui/model/views/view_state.h"
#include "ui/widgets/views/render_scheduler.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QMouseEvent>
#include <QSurfaceFormat>
#include <QWidget>
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include <sys/resource.h>

// Simulated mouse input and the time until the window responds, for programs that measure the window.
// Processor time is reported next to wall-clock time.
namespace sulcus::bench {

inline double workedSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) { return double(time.tv_sec) + 1e-6 * double(time.tv_usec); };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

/// The OpenGL format that VTK needs, as in the program; set before the application is created.
inline void useFormatOfVtk() {
  QSurfaceFormat format = QSurfaceFormat::defaultFormat();
  format.setVersion(3, 2);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  QSurfaceFormat::setDefaultFormat(format);
}

inline void settle(ui::model::ViewState& view) {
  QApplication::processEvents();
  while (!ui::widgets::RenderScheduler::of(view).idle()) QApplication::processEvents();
  QApplication::processEvents();
}

template <class Done>
void waitFor(const Done& done) {
  while (!done()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

struct Clock {
  QElapsedTimer timer;
  double worked = workedSeconds();
  Clock() { timer.start(); }
  void tell(const char* what) const {
    std::printf("%s: %.2f s (work %.2f s)\n", what, 1e-9 * double(timer.nsecsElapsed()),
                workedSeconds() - worked);
    std::fflush(stdout);
  }
};

/// Time and work of consecutive steps, ms.
struct Steps {
  std::vector<double> time, work;
  template <class Action>
  void take(const Action& action) {
    QElapsedTimer timer;
    timer.start();
    const double before = workedSeconds();
    action();
    time.push_back(1e-6 * double(timer.nsecsElapsed()));
    work.push_back(1e3 * (workedSeconds() - before));
  }
  void tell(const char* what) const {
    const auto mean = [](const std::vector<double>& all) {
      return std::accumulate(all.begin(), all.end(), 0.0) / double(all.size());
    };
    std::printf("%s: mean %.0f ms, worst %.0f ms, work %.0f ms\n", what, mean(time),
                *std::ranges::max_element(time), mean(work));
    std::fflush(stdout);
  }
};

/// An event of the left button.
inline void send(QWidget* to, QEvent::Type type, QPointF where) {
  QMouseEvent event(type, where, to->mapToGlobal(where),
                    type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton,
                    type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(to, &event);
}

}  // namespace sulcus::bench
