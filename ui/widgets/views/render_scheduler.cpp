#include "ui/widgets/views/render_scheduler.h"

#include "ui/widgets/views/canvas.h"

#include <algorithm>
#include <utility>

namespace sulcus::ui::widgets {

RenderScheduler::RenderScheduler(QObject* parent) : QObject(parent) {
  turn_.setInterval(0);  // when no event is waiting
  connect(&turn_, &QTimer::timeout, this, &RenderScheduler::drawNext);
}

RenderScheduler& RenderScheduler::of(model::ViewState& view) {
  auto* turns = view.findChild<RenderScheduler*>(QString(), Qt::FindDirectChildrenOnly);
  return turns ? *turns : *new RenderScheduler(&view);
}

void RenderScheduler::add(Canvas* canvas) {
  for (const auto* line : {&waiting_, &round_})
    if (std::find(line->begin(), line->end(), canvas) != line->end()) return;
  waiting_.emplace_back(canvas);
  asked_ = true;
  if (!turn_.isActive()) turn_.start();
}

void RenderScheduler::drawNext() {
  // Whatever requested the drawing has used this turn, too: drawing begins in the next one.
  if (std::exchange(asked_, false) && !std::exchange(waited_, true)) return;
  waited_ = false;
  // All canvases of a round are shown together. What becomes stale meanwhile waits for the next round, so
  // that no view is drawn twice before all were shown. A first picture is shown at once: it costs as much as
  // another drawing.
  if (!drawn_.empty() && (round_.empty() || !drawn_.back() || !drawn_.back()->everShown()))
    return showDrawn();
  if (round_.empty()) beginRound();
  if (round_.empty()) {
    turn_.stop();
    emit allDrawn();
  }
  for (bool drew = false; !drew && !round_.empty();) {
    const QPointer<Canvas> canvas = round_.front();
    if (canvas && canvas->startUp()) return;  // starting OpenGL took this canvas's turn
    round_.erase(round_.begin());
    drew = canvas && canvas->drawIfStale();
    if (!drew) continue;
    drawn_.push_back(canvas);
    drawnLast_.start();
  }
}

void RenderScheduler::showDrawn() {
  for (const auto& canvas : std::exchange(drawn_, {}))
    if (canvas) canvas->update();
}

void RenderScheduler::beginRound() {
  std::swap(round_, waiting_);
  for (const auto& canvas : round_)  // all of them show the layers as they are now
    if (canvas) canvas->take();
}

void RenderScheduler::finish() {
  constexpr int kMost = 200;  // turns; each view draws until it has nothing more to show
  for (int i = 0; i < kMost && turn_.isActive(); ++i) drawNext();
}

}  // namespace sulcus::ui::widgets
