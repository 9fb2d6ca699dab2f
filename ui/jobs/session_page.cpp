#include "ui/jobs/session_page.h"

#include "core/analysis/command_line.h"
#include "core/base/numbers.h"
#include "core/base/provenance.h"
#include "core/bids/report/figures.h"
#include "core/image/display/layer_kinds.h"
#include "core/image/display/shown_values.h"
#include "core/image/labels/clusters.h"
#include "core/image/table_places.h"
#include "core/io/export/html.h"
#include "ui/model/comparison/comparison_model.h"
#include "ui/model/layers/layer_list_model.h"
#include "ui/model/layers/readout.h"
#include "ui/model/text/localize.h"

#include <QFile>
#include <algorithm>
#include <cmath>

namespace sulcus::ui::jobs {
namespace {

namespace html = io::html;
using html::Html;
using html::operator""_html;
using Rows = std::vector<std::vector<Html>>;

constexpr std::size_t kDate = 10;       ///< characters of a date
constexpr std::size_t kMostRows = 200;  ///< of a table; the rest is only in its file

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
    text += html::element("p"_html, note.line(), note.isWarning() ? "bad"_html : "note"_html);
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

/// How an image is colored and which of its values are shown, to follow other words.
std::string colorsOf(const Display& display) {
  std::string text;
  if (display.range) {
    text += ", " + display.colormap;
    if (!display.negativeColormap.empty()) text += " (negative " + display.negativeColormap + ")";
    text += " " + numberText(display.range->low) + " … " + numberText(display.range->high);
  }
  if (display.hideBelow || display.hideAbove) text += ", values " + shownValuesText(display);
  return text;
}

std::string displayOf(const model::LayerState& layer, const std::vector<model::LayerState>& all) {
  std::string text;
  if (isDrawn(*layer.layer)) text = layer.display.visible ? "shown" : "hidden";
  if (std::holds_alternative<VolumeLayer>(layer.layer->content)) text += colorsOf(layer.display);
  const auto by = std::ranges::find(all, layer.opacityBy, &model::LayerState::id);
  if (by != all.end()) text += ", opaque by " + by->name.toStdString();
  return text;
}

Html originOf(const Layer& layer) {
  Html text =
      html::text(layer.source.empty() && layer.provenance ? layer.provenance->commandLine : layer.source);
  for (const auto& note : layer.notes) text += html::element("div"_html, note.line(), "note"_html);
  return text;
}

Html layersOf(const std::vector<model::LayerState>& layers) {
  Rows rows;
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
    rows.push_back({cell(layer->name), cell(model::kindText(*layer->layer)), html::text(layer->layer->unit),
                    html::text(displayOf(*layer, layers)), originOf(*layer->layer)});
  return html::titledTable({"layer", "kind", "unit", "display", "from"}, rows);
}

Html folded(const Html& title, const Html& content) {
  if (content.empty()) return {};
  return "<details><summary><b>"_html + title + "</b></summary>\n"_html + content + "</details>\n"_html;
}

/// The map of interest: the uppermost visible image with a threshold.
const model::LayerState* shownMap(const model::SessionState& state) {
  for (auto layer = state.layers.rbegin(); layer != state.layers.rend(); ++layer)
    if (std::holds_alternative<VolumeLayer>(layer->layer->content) && layer->display.visible &&
        (layer->display.hideBelow || layer->display.hideAbove))
      return &*layer;
  return nullptr;
}

std::vector<Cluster> clustersOf(const model::LayerState& map, const Progress& progress) {
  const Series<float>& series = *std::get<VolumeLayer>(map.layer->content).series;
  return findClusters(series.volume(std::clamp(map.volume, 0, series.count - 1)), series.grid, map.display,
                      {}, progress);
}

Html clusterRows(const model::LayerState& map, const Progress& progress) {
  constexpr std::size_t kMost = 6;
  const std::vector<Cluster> clusters = clustersOf(map, progress);
  Rows rows;
  for (std::size_t i = 0; i < std::min(clusters.size(), kMost); ++i) {
    const Cluster& cluster = clusters[i];
    if (cluster.peaks.empty()) continue;
    const Vec3<double>& at = cluster.peaks.front().place;
    rows.push_back({html::text(std::to_string(i + 1)), html::text(std::to_string(cluster.voxels)),
                    html::text(numberText(cluster.volume / 1000)),
                    html::text(numberText(cluster.peaks.front().value)), cell(model::positionText(at))});
  }
  Html text = "<h2>Clusters</h2>\n"_html +
              html::element("p"_html, map.name.toStdString() + ", values " + shownValuesText(map.display) +
                                          ": " + std::to_string(clusters.size()) +
                                          (clusters.size() == 1 ? " cluster" : " clusters"));
  if (!rows.empty()) text += html::titledTable({"cluster", "voxels", "ml", "peak", "at"}, rows);
  return text;
}

/// A paragraph for a paper, and what it cites, from resources/methods: {NAME} stands for the value of an
/// option.
Html methodsOf(const model::Run& run) {
  const Analysis& analysis = *run.analysis;
  const Provenance& made = run.result->provenance;
  QFile file(QStringLiteral(":/sulcus/methods/%1.txt").arg(QString::fromStdString(analysis.name)));
  QString text = QString::fromStdString(analysis.title) +
                 QStringLiteral(" was computed with Sulcus {version} on the {backend}.");
  if (file.open(QIODevice::ReadOnly)) text = QString::fromUtf8(file.readAll()).trimmed();
  text.replace(QStringLiteral("{version}"), QString::fromStdString(made.version));
  text.replace(QStringLiteral("{backend}"),
               run.backend == Backend::cpu ? QStringLiteral("CPU") : QStringLiteral("GPU"));
  for (const OptionInfo& option : analysis.options)
    if (const auto value = run.options.find(option.name); value != run.options.end())
      text.replace(QStringLiteral("{%1}").arg(QString::fromStdString(option.name)),
                   model::valueText(option, value->second));
  Html all;
  const QStringList lines = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  for (qsizetype i = 0; i < lines.size(); ++i)
    all += html::element("p"_html, lines[i].toStdString(), i == 0 ? Html() : "note"_html);
  return all;
}

/// Warnings and key figures; for a run without figures, its first messages.
Html foundBy(const model::Run& run) {
  constexpr std::size_t kMost = 6, kMostSentences = 3;
  Html text;
  Rows rows;
  if (run.analysis->study)
    for (const bids::Figure& figure : bids::keyFigures(*run.analysis, *run.result, run.inputs))
      if (!std::isnan(figure.value) && rows.size() < kMost)
        rows.push_back(
            {html::text(model::words(figure.help).toStdString()),
             html::text(bids::shownValue(figure.value) + (figure.unit.empty() ? "" : " " + figure.unit))});
  std::size_t said = rows.empty() ? 0 : kMostSentences;
  for (const auto& note : run.result->notes) {
    const bool warns = note.isWarning();
    if (!warns && said++ >= kMostSentences) continue;
    text += html::element("p"_html, model::noteText(*run.analysis, note).toStdString(),
                          warns ? "bad"_html : Html());
  }
  if (!rows.empty()) text += html::table({}, rows);
  return text.empty() ? text : "<h2>Result</h2>\n"_html + text;
}

bool isTimeCourse(const PagePart& plot) { return plot.caption == "Time series"; }

/// Two columns, stacked if there is no room for both.
Html style() {
  return "body{max-width:88em;margin:1em auto}h1{margin:0}"
         ".screen{display:grid;grid-template-columns:minmax(0,11fr) minmax(0,9fr);gap:0 2em}"
         ".screen h2{font-size:1.1em;border:0;margin:.8em 0 .2em}.screen p{margin:.3em 0}"
         ".screen figure{margin:.6em 0 0}.screen figcaption{display:none}"
         ".screen td,.screen th{padding:.1em .6em}.screen img{max-height:52vh}"
         ".screen img[src^=\"data:image/svg\"]{max-height:28vh}"
         "@media(max-width:60em){.screen{display:block}}"_html;
}

/// What is visible without unfolding anything, on one screen: pictures on the left, text on the right.
Html summaryOf(const model::SessionState& state, const std::vector<PagePart>& views,
               const std::vector<PagePart>& plots, const Progress& progress) {
  const model::Run* newest = state.runs.runs.empty() ? nullptr : &state.runs.runs.back().run;
  Html seen, said;
  if (!views.empty()) seen += figures({views.front()}, progress.part(0, 0.4, "pictures"));
  for (const PagePart& plot : plots)
    if (isTimeCourse(plot)) seen += figures({plot}, progress.part(0.4, 0.8, "plots"));
  if (newest) said += foundBy(*newest);
  if (const model::LayerState* map = shownMap(state))
    said += clusterRows(*map, progress.part(0.8, 1, "clusters"));
  if (newest) said += "<h2>Methods</h2>\n"_html + methodsOf(*newest);
  return "<div class=screen><div>\n"_html + seen + "</div><div>\n"_html + said + "</div></div>\n"_html;
}

std::string orientationOf(const model::SessionView& view) {
  std::string text = "neurological: the patient's right is on the right.";
  if (view.radiological) text = "radiological: the patient's right is on the left.";
  if (view.turn != SliceTurn()) text += " The slices are oblique.";
  return text;
}

}  // namespace

std::string pageTitle(const model::SessionState& state) {
  const auto image = std::ranges::find_if(
      state.layers, [](const model::LayerState& layer) { return gridOf(*layer.layer) != nullptr; });
  const std::string of = image == state.layers.end() ? "" : image->name.toStdString();
  if (state.runs.runs.empty()) return of.empty() ? "Sulcus" : of;
  const model::Run& run = state.runs.runs.back().run;
  const auto input = run.inputNames.begin();
  return run.analysis->title + (input == run.inputNames.end() ? "" : ": " + input->second.toStdString());
}

Vec3<double> placeOfInterest(const model::SessionState& state, const Progress& progress) {
  const model::LayerState* map = shownMap(state);
  if (!map) return state.view.crosshair;
  const std::vector<Cluster> clusters = clustersOf(*map, progress);
  if (clusters.empty() || clusters.front().peaks.empty()) return state.view.crosshair;
  return clusters.front().peaks.front().place;
}

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
  Html body = html::element("p"_html,
                            "Made by Sulcus " + sulcusVersion() + " on " + utcNow().substr(0, kDate) +
                                ". Crosshair at " + model::positionText(state.view.crosshair).toStdString() +
                                "; " + orientationOf(state.view),
                            "note"_html);
  body += summaryOf(state, views, plots, progress.part(0, 0.5, ""));
  std::vector<PagePart> others(plots);
  std::erase_if(others, isTimeCourse);
  const std::vector<PagePart> pictures(views.begin() + (views.empty() ? 0 : 1), views.end());
  body += comparisonOf(state.runs.compared);
  body += folded("More pictures"_html, figures(pictures, progress.part(0.5, 0.7, "pictures")));
  body += folded("Plots"_html, figures(others, progress.part(0.7, 1, "plots")));
  Html runs, tables;
  for (const auto& placed : state.runs.runs) runs += runOf(placed.run);
  body += folded("Runs"_html, runs);
  for (const auto& layer : state.layers)
    if (const auto* table = std::get_if<TableLayer>(&layer.layer->content)) tables += tableOf(layer, *table);
  body += folded("Tables"_html, tables);
  body += folded("Layers"_html, layersOf(state.layers));
  body += html::element("p"_html, "Research use only. Not for diagnosis or treatment.", "note"_html);
  return html::page(title, body, style());
}

}  // namespace sulcus::ui::jobs
