#pragma once

#include "core/base/progress.h"
#include "ui/model/session/session_state.h"
#include "ui/scene/charts/named_chart.h"

#include <functional>
#include <string>
#include <vector>

namespace sulcus::ui::jobs {

/// A picture on the page; `bytes` encodes it, on the worker.
struct PagePart {
  std::string caption;
  std::function<std::string()> bytes;
  std::string type = "image/png";
};

/// All charts of one name, from the runs that have such a plot.
struct NamedPlot {
  std::string name;
  std::vector<scene::NamedChart> charts;
};

/// The plots of all runs at a position, those of one name together, at most `most`. For workers, as it
/// computes them.
std::vector<NamedPlot> plotsOf(const model::SessionState& state, const Vec3<double>& p_in_world,
                               std::size_t most, const Progress& progress);

/// What a page is about: "Activation of fmri", or the name of the first image.
std::string pageTitle(const model::SessionState& state);
/// Where something was found: the peak of the largest cluster of the newest visible map that has a threshold,
/// else the crosshair. For workers.
Vec3<double> placeOfInterest(const model::SessionState& state, const Progress& progress);

/// A session as one self-contained HTML page. On one screen: what was done and found, the first picture, the
/// clusters, the time course (a plot of that name), and a paragraph on the methods with citations. Everything
/// else is folded: other pictures and plots, how well two runs agree, the runs with parameters, command
/// lines, notes and inputs, tables, and all layers.
std::string sessionPage(const std::string& title, const model::SessionState& state,
                        const std::vector<PagePart>& views, const std::vector<PagePart>& plots,
                        const Progress& progress);

}  // namespace sulcus::ui::jobs
