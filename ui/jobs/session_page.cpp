#include "ui/jobs/session_page.h"

#include "core/analysis/command_line.h"
#include "core/base/numbers.h"
#include "core/base/provenance.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/display/shown_values.h"
#include "core/image/table_places.h"
#include "core/io/export/html.h"
#include "ui/model/layers/layer_list_model.h"
#include "ui/model/layers/readout.h"
#include "ui/model/runs/comparison_model.h"
#include "ui/model/text/localize.h"

#include <algorithm>
#include <cmath>

namespace sulcus::ui::jobs {
namespace {

namespace html = io::html;
using html::Html;
using html::operator""_html;
using Rows = std::vector<std::vector<Html>>;

constexpr std::size_t kMostRows = 200;  ///< of a table; a file has the rest

Html cell(const QString& text) { return html::text(text.toStdString()); }

Html bold(const Html& text) { return "<b>"_html + text + "</b>"_html; }

Html figures(const std::vector<PagePart>& parts, const Progress& progress) {
  Html text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += html::figure(parts[i].bytes(), parts[i].caption, parts[i].type);
    progress.update(double(i + 1) / double(parts.size()));
  }
  return text;
}

Html comparisonOf(const model::ComparedPtr& compared) {
  if (!compared) return {};
  model::ComparisonModel model;
  model.setComparison(compared);
  std::vector<Html> head;
  for (int column = 0; column < model.columnCount(); ++column)
    head.push_back(cell(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()));
  Rows rows;
  for (int row = 0; row < model.rowCount(); ++row) {
    rows.emplace_back();
    for (int column = 0; column < model.columnCount(); ++column) {
      const QModelIndex index = model.index(row, column);
      const Html text = cell(index.data().toString());
      rows.back().push_back(index.data(model::ComparisonModel::sectionRole).toBool() ? bold(text) : text);
    }
  }
  return "<h2>Comparison</h2>\n"_html + html::element("p"_html, model.summary().toStdString()) +
         html::table(head, rows);
}

Html runOf(const model::Run& run) {
  const Analysis& analysis = *run.analysis;
  const Provenance& made = run.result->provenance;
  Html text = html::element("h3"_html, analysis.title + " · " + run.title.toStdString());
  text += html::element("p"_html, std::string(backendName(run.backend)) + " on " + made.device + ", Sulcus " +
                                      made.version + ", " + made.created + ", " +
                                      numberText(run.result->seconds) + " s of computing");
  text += html::element("pre"_html, commandLine(analysis, run.inputs, run.options, model::backendFlag(run)));
  for (const auto& note : run.result->notes)
    text += html::element("p"_html, note, isWarning(note) ? "bad"_html : "note"_html);
  Rows parameters;
  for (const OptionInfo& option : analysis.options) {
    const auto value = run.options.find(option.name);
    if (value == run.options.end()) continue;
    const Html said = cell(model::valueText(option, value->second));
    parameters.push_back({html::text(option.label), value->second == option.defaultValue ? said : bold(said),
                          html::text(option.help)});
  }
  text += "<details><summary>Parameters; those that differ from the defaults are bold</summary>"_html +
          html::titledTable({"parameter", "value", "what it does"}, parameters) + "</details>\n"_html;
  Rows inputs, stages;
  for (const auto& input : made.inputs)
    inputs.push_back({html::text(input.slot), html::text(input.path),
                      "<code>"_html + html::text(input.sha256.substr(0, 16)) + "</code>"_html});
  for (const auto& stage : made.stages)
    stages.push_back({html::text(stage.name), html::text(numberText(stage.seconds))});
  return text + "<details><summary>Inputs and times</summary>"_html +
         html::titledTable({"input", "file", "sha256"}, inputs) +
         html::titledTable({"stage", "seconds"}, stages) + "</details>\n"_html;
}

Html tableOf(const model::LayerState& layer, const TableLayer& table) {
  Rows rows;
  for (std::size_t i = 0; i < std::min(table.rows.size(), kMostRows); ++i) {
    rows.emplace_back();
    for (const auto& text : table.rows[i]) rows.back().push_back(html::text(text));
  }
  Html text = "<details><summary>"_html + cell(layer.name) + "</summary>"_html +
              html::titledTable(table.columns, rows);
  if (table.rows.size() > kMostRows)
    text += html::element(
        "p"_html, std::to_string(table.rows.size() - kMostRows) + " more rows are not shown.", "note"_html);
  return text + "</details>\n"_html;
}

Html layersOf(const std::vector<model::LayerState>& layers) {
  Rows rows;
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    const Display& display = layer->display;
    const bool image = std::holds_alternative<VolumeLayer>(layer->layer->content);
    std::string shown = !isDrawn(*layer->layer) ? "" : display.visible ? "shown" : "hidden";
    if (image && display.range)
      shown += ", " + display.colormap +
               (display.negativeColormap.empty() ? "" : " (negative " + display.negativeColormap + ")") +
               " " + numberText(display.range->low) + " … " + numberText(display.range->high);
    if (image && (display.hideBelow || display.hideAbove)) shown += ", values " + shownValuesText(display);
    for (const auto& other : layers)
      if (other.id == layer->opacityBy) shown += ", opaque by " + other.name.toStdString();
    Html notes;
    for (const auto& note : layer->layer->notes) notes += html::element("div"_html, note, "note"_html);
    const auto& made = layer->layer->provenance;
    const std::string from = !layer->layer->source.empty() ? layer->layer->source
                             : made                        ? made->commandLine
                                                           : "";
    rows.push_back({cell(layer->name), cell(model::kindText(*layer->layer)), html::text(layer->layer->unit),
                    html::text(shown), html::text(from) + notes});
  }
  return "<h2>Layers</h2>\n"_html + html::titledTable({"layer", "kind", "unit", "display", "from"}, rows);
}

}  // namespace

std::vector<NamedPlot> plotsOf(const model::SessionState& state, const Vec3<double>& p_in_world,
                               std::size_t most, const Progress& progress) {
  std::vector<NamedPlot> plots;
  for (const auto& placed : state.runs.runs)
    for (const Plot& plot : placed.run.result->plots) {
      progress.throwIfCancelled();
      const auto same = std::ranges::find(plots, plot.name, &NamedPlot::name);
      if (!plot.make || (same == plots.end() && plots.size() == most)) continue;
      NamedPlot& into = same == plots.end() ? plots.emplace_back(NamedPlot{plot.name, {}}) : *same;
      into.charts.push_back({placed.run.title.toStdString(), plot.make(p_in_world)});
    }
  for (NamedPlot& plot : plots)
    if (plot.charts.size() == 1) plot.charts.front().run.clear();
  return plots;
}

std::string sessionPage(const std::string& title, const model::SessionState& state,
                        const std::vector<PagePart>& views, const std::vector<PagePart>& plots,
                        const Progress& progress) {
  Html body = html::element(
      "p"_html, "Made by Sulcus " + sulcusVersion() + ", " + utcNow() + ". Crosshair at " +
                    model::positionText(state.view.crosshair).toStdString() + "; " +
                    (state.view.radiological ? "radiological: the patient's right is at the left."
                                             : "neurological: the patient's right is at the right.") +
                    (state.view.turn == SliceTurn() ? "" : " The slices are oblique."));
  body += figures(views, progress.part(0, 0.5, "pictures"));
  body += comparisonOf(state.runs.compared);
  if (!plots.empty()) body += "<h2>Plots</h2>\n"_html + figures(plots, progress.part(0.5, 1, "plots"));
  if (!state.runs.runs.empty()) body += "<h2>Runs</h2>\n"_html;
  for (const auto& placed : state.runs.runs) body += runOf(placed.run);
  Html tables;
  for (const auto& layer : state.layers)
    if (const auto* table = std::get_if<TableLayer>(&layer.layer->content)) tables += tableOf(layer, *table);
  if (!tables.empty()) body += "<h2>Tables</h2>\n"_html + tables;
  body += layersOf(state.layers);
  body += html::element("p"_html, "Research use only. Not for diagnosis or treatment.", "note"_html);
  return html::page(title, body);
}

}  // namespace sulcus::ui::jobs
