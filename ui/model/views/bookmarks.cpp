#include "ui/model/views/bookmarks.h"

#include "core/base/numbers.h"
#include "core/image/table_places.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace sulcus::ui::model {
namespace {

constexpr double kSamePlace = 0.01;  // mm: a table stores coordinates with six digits

const std::vector<std::string>& columns() {
  static const std::vector<std::string> names{"landmark", "x_mm", "y_mm", "z_mm"};
  return names;
}

const TableLayer& tableOf(const LayerState& state) { return std::get<TableLayer>(state.layer->content); }

}  // namespace

Bookmarks::Bookmarks(LayerStack& layers, ViewState& view, QObject* parent)
    : QObject(parent), layers_(layers), view_(view) {}

bool Bookmarks::holds(const Layer& layer) {
  return isLandmarks(layer) && std::get<TableLayer>(layer.content).columns == columns();
}

LayerId Bookmarks::layer() const {
  const LayerState* current = layers_.find(layers_.current());
  if (current && holds(*current->layer)) return current->id;
  const auto& all = layers_.layers();
  const auto found =
      std::find_if(all.rbegin(), all.rend(), [](const LayerState& state) { return holds(*state.layer); });
  return found == all.rend() ? 0 : found->id;
}

std::vector<Bookmarks::Entry> Bookmarks::all() const {
  std::vector<Entry> places;
  const LayerState* state = layers_.find(layer());
  if (!state) return places;
  const TableLayer& table = tableOf(*state);
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    if (const auto at = placeOfRow(table, row))
      places.push_back({QString::fromStdString(table.rows[row].front()), *at});
  return places;
}

void Bookmarks::keep() {
  const LayerState* state = layers_.find(layer());
  TableLayer table = state ? tableOf(*state) : TableLayer{columns(), {}};
  const auto isTaken = [&](const std::string& name) {
    return std::any_of(table.rows.begin(), table.rows.end(),
                       [&](const auto& row) { return row.front() == name; });
  };
  std::size_t number = table.rows.size() + 1;
  const auto name = [&] { return tr("Bookmark %1").arg(number).toStdString(); };
  while (isTaken(name())) ++number;
  const Vec3<double> at = view_.crosshair();
  table.rows.push_back({name(), numberText(at.x), numberText(at.y), numberText(at.z)});
  if (state) return replace(state->id, std::move(table));
  const LayerId current = layers_.current();
  Layer places;
  places.name = tr("bookmarks").toStdString();
  places.content = std::move(table);
  layers_.add(std::make_shared<const Layer>(std::move(places)), Origin::computed);
  layers_.setCurrent(current);  // what is being worked on stays selected
}

void Bookmarks::go(int by) {
  const std::vector<Entry> kept = all();
  if (kept.empty()) return;
  const int count = int(kept.size());
  const int here =
      int(std::find_if(kept.begin(), kept.end(),
                       [&](const Entry& place) { return norm(place.at - view_.crosshair()) < kSamePlace; }) -
          kept.begin());
  int next = by > 0 ? 0 : count - 1;  // from a place that is not among them
  if (here < count) next = (here + by + count) % count;
  view_.lookAt(kept[std::size_t(next)].at);
}

void Bookmarks::rename(LayerId id, int row, const QString& name) {
  const LayerState* state = layers_.find(id);
  if (!state || name.trimmed().isEmpty()) return;
  TableLayer table = tableOf(*state);
  table.rows.at(std::size_t(row)).front() = name.trimmed().toStdString();
  replace(id, std::move(table));
}

void Bookmarks::remove(LayerId id, int row) {
  const LayerState* state = layers_.find(id);
  if (!state) return;
  TableLayer table = tableOf(*state);
  table.rows.erase(table.rows.begin() + row);
  table.rows.empty() ? layers_.remove(id) : replace(id, std::move(table));
}

void Bookmarks::replace(LayerId id, TableLayer table) {
  Layer layer = *layers_.find(id)->layer;
  layer.content = std::move(table);
  layer.source.clear();  // if it was opened: its file does not contain them, so a session stores it
  layers_.replaceContent(id, std::make_shared<const Layer>(std::move(layer)), true);
}

}  // namespace sulcus::ui::model
