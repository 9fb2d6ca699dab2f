#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/chart.h"
#include "ui/jobs/json_fields.h"
#include "ui/model/session/session_state.h"

#include <array>
#include <functional>
#include <memory>
#include <vector>

// What a session stores, as JSON; see json_fields.h.
namespace sulcus::ui::jobs {

Json toJson(const LabelTable& names);
LabelTable labelNamesFrom(const Json& json);
/// Names and regions of bundles; their lines are searched again on reading. Images of labels are numbers of
/// contents: −1 and null for one that is not among them.
using NumberOfLabels = std::function<int(const Volume<Label>&)>;
using LabelsOfNumber = std::function<std::shared_ptr<const Volume<Label>>(int)>;
Json toJson(const std::vector<Bundle>& bundles, const NumberOfLabels& numberOf);
std::vector<Bundle> bundlesFrom(const Json& json, const Tracts& tracts, const LabelsOfNumber& labelsOf);
Display displayFrom(const Json& json);
/// The options of an analysis: those in the JSON that the analysis has, defaults for the others.
OptionValues optionsFrom(const Json& json, const Analysis& analysis);
Json toJson(const model::SessionView& view);
model::SessionView viewFrom(const Json& json);
Chart chartFrom(const Json& json);
/// Fills in what a session stores of a result besides its layers. For an adjusted one, texts that an
/// adjustment would change are left out, since they describe other values.
void readResult(RunResult& result, const Json& json, bool adjusted);

inline constexpr std::array kCutNames{"nothing", "octant", "axial", "coronal", "sagittal", "facing"};
inline constexpr std::array kSeriesKindNames{"line", "points", "band", "bars", "marks"};

template <class Fields>
void visitFields(Fields& fields, Of<Display> auto& display) {
  fields("Visible", display.visible);
  fields.within("Opacity", display.opacity, 0.0, 1.0);
  fields("Colors", display.colormap);
  fields.later("NegativeColors", display.negativeColormap);
  fields("Range", display.range);
  fields("HideBelow", display.hideBelow);
  fields("HideAbove", display.hideAbove);
  fields.later("Fade", display.fade);
  fields("Interpolate", display.interpolate);
  fields("ColorBar", display.colorBar);
  fields.later("Outline", display.outline);
  fields.later("Rendered", display.rendered);
  if (fields.has("Cut")) fields.oneOf("Cut", display.cut, kCutNames);
}

template <class Fields>
void visitFields(Fields& fields, Of<Reinterpretation> auto& reinterpretation) {
  fields("How", reinterpretation.how);
  fields.ifSet("Moving", reinterpretation.moving);
}

template <class Fields>
void visitFields(Fields& fields, Of<TableLayer> auto& table) {
  fields("Columns", table.columns);
  fields("Rows", table.rows);
}

template <class Fields>
void visitFields(Fields& fields, Of<CurveLayer::Line> auto& line) {
  fields("Name", line.name);
  fields("X", line.x);
  fields("Y", line.y);
}

template <class Fields>
void visitFields(Fields& fields, Of<CurveLayer> auto& curves) {
  fields("X", curves.xLabel);
  fields("Y", curves.yLabel);
  fields("Lines", curves.lines);
}

template <class Fields>
void visitFields(Fields& fields, Of<Chart::Series> auto& series) {
  fields("Name", series.name);
  fields.oneOf("Kind", series.kind, kSeriesKindNames);
  fields("X", series.x);
  fields("Y", series.y);
  fields("Y2", series.y2);
}

template <class Fields>
void visitFields(Fields& fields, Of<Chart::Matrix> auto& matrix) {
  fields("Columns", matrix.columns);
  fields("Rows", matrix.rows);
}

template <class Fields>
void visitFields(Fields& fields, Of<Chart> auto& chart) {
  fields("Title", chart.title);
  fields("X", chart.xLabel);
  fields("Y", chart.yLabel);
  fields("Series", chart.series);
  fields.ifSet("Matrix", chart.matrix);
}

template <class Fields>
void visitFields(Fields& fields, Of<AgreementRow> auto& row) {
  fields("Quantity", row.quantity);
  fields("Unit", row.unit);
  fields.orNull("Maximum", row.maximum);
  fields.orNull("Mean", row.mean);
  fields.orNull("Percentile95", row.percentile95);
  fields.orNull("ShareWithin", row.shareWithin);
  fields.orNull("Tolerance", row.tolerance);
  fields.orNull("ShareNeeded", row.shareNeeded);
  fields.orNull("Compared", row.compared);
  fields.orNull("Median", row.median);
}

template <class Fields>
void visitFields(Fields& fields, Of<StageTime> auto& stage) {
  fields("Name", stage.name);
  fields.orNull("Seconds", stage.seconds);
}

template <class Fields>
void visitFields(Fields& fields, Of<InputFile> auto& input) {
  fields("Slot", input.slot);
  fields("Path", input.path);
  fields("Sha256", input.sha256);
}

template <class Fields>
void visitFields(Fields& fields, Of<Provenance> auto& provenance) {
  fields("Analysis", provenance.analysis);
  fields("Version", provenance.version);
  fields("Parameters", provenance.parameters);
  fields("Backend", provenance.backend);
  fields("Device", provenance.device);
  fields("Inputs", provenance.inputs);
  fields("Stages", provenance.stages);
  fields("CommandLine", provenance.commandLine);
  fields("Created", provenance.created);
}

template <class Fields>
void visitFields(Fields& fields, Of<ResultFile> auto& file) {
  fields("Name", file.name);
  fields("Text", file.text);
  fields("Adjustable", file.adjustable);
}

/// Without its layers and plots.
template <class Fields>
void visitFields(Fields& fields, Of<RunResult> auto& result) {
  fields("Notes", result.notes);
  fields("Stages", result.stages);
  fields("Seconds", result.seconds);
  fields("Items", result.items);
  fields.later("Waited", result.waited);
  fields.later("GpuWaited", result.gpu.waited);
  fields.later("GpuCopies", result.gpu.copies);
  fields("ItemName", result.itemName);
  fields("Provenance", result.provenance);
  fields("Files", result.files);
}

}  // namespace sulcus::ui::jobs
