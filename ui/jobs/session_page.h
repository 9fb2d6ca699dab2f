#pragma once

#include "core/base/progress.h"
#include "ui/model/session/session_state.h"
#include "ui/scene/charts/named_chart.h"

#include <functional>
#include <string>
#include <vector>

namespace sulcus::ui::jobs {

/// A picture of the page; `bytes` encodes it, on the worker.
struct PagePart {
  std::string caption;
  std::function<std::string()> bytes;
  std::string type = "image/png";
};

/// All charts of one name, of the runs that have such a plot.
struct NamedPlot {
  std::string name;
  std::vector<scene::NamedChart> charts;
};

/// The plots of all runs at a place, those of one name together, at most `most`. For workers: it makes them.
std::vector<NamedPlot> plotsOf(const model::SessionState& state, const Vec3<double>& p_in_world,
                               std::size_t most, const Progress& progress);

/// A session as one page of HTML that needs no other file: pictures, plots, how far two runs agree, the runs
/// with parameters, command lines, notes and inputs, tables, and all layers.
std::string sessionPage(const std::string& title, const model::SessionState& state,
                        const std::vector<PagePart>& views, const std::vector<PagePart>& plots,
                        const Progress& progress);

}  // namespace sulcus::ui::jobs
