#include "app/cli/progress.h"

#include "core/base/platform/processes/interrupts.h"
#include "core/base/platform/processes/standard_streams.h"
#include "core/base/sanitized.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace sulcus::app::cli {

void stopOnSignals() { noteInterrupts(exit_code::interrupted); }

ProgressDisplay::Style ProgressDisplay::styleOf(const CliContext& session) {
  if (!session.place.empty()) return Style::lines;
  if (session.filterProgress) return Style::filter;
  if (session.quiet) return Style::none;
  if (session.json) return Style::lines;
  return isTerminal(kStandardError) ? Style::bar : Style::none;
}

ProgressDisplay::ProgressDisplay(const CliContext& session)
    : style_(styleOf(session)), watcher_([this] { watch(); }) {
  if (style_ == Style::filter)
    std::cout << "<filter-start><filter-name>Sulcus</filter-name></filter-start>" << std::endl;
}

ProgressDisplay::~ProgressDisplay() {
  ended_ = true;
  wakeFromInterrupts();
  watcher_.join();
  wipe();
  if (style_ == Style::filter)
    std::cout << "<filter-end><filter-name>Sulcus</filter-name></filter-end>" << std::endl;
}

void ProgressDisplay::wipe() {
  const std::lock_guard lock(mutex_);
  if (style_ == Style::bar) std::cerr << "\r\033[K" << std::flush;
}

void ProgressDisplay::watch() {
  while (!ended_) {
    if (interrupts() > 0) stop_.request_stop();
    awaitInterrupt();
  }
}

Progress ProgressDisplay::progress() {
  return Progress(stop_.get_token(),
                  [this](double fraction, std::string_view stage) { show(fraction, stage); });
}

void ProgressDisplay::show(double fraction, std::string_view stage) {
  if (style_ == Style::none) return;
  const std::lock_guard lock(mutex_);
  furthest_ = std::max(furthest_, fraction);
  const auto now = Clock::now();
  if (stage == stage_ && now - shown_ < std::chrono::milliseconds(50)) return;
  shown_ = now;
  stage_ = stage;
  if (style_ == Style::bar)
    drawBar(furthest_, stage);
  else if (style_ == Style::filter)
    std::cout << "<filter-progress>" << furthest_ << "</filter-progress>" << std::endl;
  else
    std::cerr << io::jsonText(nlohmann::ordered_json{{"fraction", furthest_}, {"stage", stage}}, -1)
              << std::flush;
}

void ProgressDisplay::drawBar(double fraction, std::string_view stage) const {
  constexpr int width = 30;
  const int filled = int(fraction * width);
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i < filled ? "█" : "░";
  char percent[16];
  std::snprintf(percent, sizeof percent, "%3.0f %%", 100 * fraction);
  const double elapsed = std::chrono::duration<double>(shown_ - begun_).count();
  std::string left;
  if (fraction > 0.02 && elapsed > 2) {
    const int seconds = int(elapsed / fraction * (1 - fraction) + 0.5);
    char text[32];
    std::snprintf(text, sizeof text, ", %d:%02d left", seconds / 60, seconds % 60);
    left = text;
  }
  std::cerr << "\r\033[K" << bar << " " << percent << " " << sanitizedForDisplay(stage) << left << std::flush;
}

}  // namespace sulcus::app::cli
