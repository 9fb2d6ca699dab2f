#include "ui/model/layers/readout.h"

#include "core/base/figure.h"
#include "ui/model/comparison/comparison_model.h"
#include "ui/model/layers/layer_list_model.h"
#include "ui/model/session/file_names.h"
#include "ui/scene/scene_layer.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>

namespace sulcus::ui::model {
namespace {

QString signedNumber(double value) {
  const QString digits = QString::fromStdString(figure(std::abs(value)));
  return value < 0 && digits != QLatin1String("0.0") ? QChar(0x2212) + digits : digits;
}

struct Box {
  Vec3<double> low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  void add(const Vec3<double>& p) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  }
};

std::optional<Box> boxOf(const Layer& layer) {
  Box box;
  if (const Grid* grid = gridOf(layer)) {
    const auto& size = grid->size;
    for (const double x : {-0.5, size.x - 0.5})
      for (const double y : {-0.5, size.y - 0.5})
        for (const double z : {-0.5, size.z - 0.5}) box.add(grid->worldFromVoxel.point({x, y, z}));
    return box;
  }
  if (const auto* mesh = std::get_if<MeshLayer>(&layer.content); mesh && !mesh->mesh->points.empty()) {
    for (const auto& p : mesh->mesh->points) box.add({p.x, p.y, p.z});
    return box;
  }
  return std::nullopt;
}

QString imageValueAt(const LayerState& state, const VolumeLayer& image, std::int64_t voxel) {
  if (image.colors) {
    QStringList parts;
    for (int c = 0; c < image.series->count; ++c)
      parts << QString::number(std::lround(image.series->at(voxel, c)));
    return QObject::tr("color %1").arg(parts.join(QStringLiteral(", ")));
  }
  const float value = image.series->at(voxel, state.volume);
  if (!std::isfinite(value)) return QObject::tr("no value");
  // A probability has no unit: in its place stands what it refers to, as in the layer's name.
  const std::string& unit = state.layer->unit;
  const bool isProbability = unit.starts_with("P(") || unit.starts_with("1 −");
  return withUnit(formatNumber(double(value), 5), isProbability ? std::string() : unit);
}

QString directionsAt(const Series<float>& peaks, std::int64_t voxel) {
  if (peaks.count == 0) return {};
  int count = 0;
  for (int peak = 0; peak < peaks.count / 3; ++peak)
    if (std::isfinite(peaks.at(voxel, 3 * peak))) ++count;
  return count == 1 ? QObject::tr("1 direction") : QObject::tr("%1 directions").arg(count);
}

QString surfaceValueAt(const LayerState& state, const Vec3<double>& world) {
  constexpr float reach = 1;  // mm: further from the surface it has no value
  const auto* scalars = scene::shownScalars(*state.layer, state.volume);
  if (!scalars) return {};
  const auto& points = std::get<MeshLayer>(state.layer->content).mesh->points;
  const Vec3<float> at{float(world.x), float(world.y), float(world.z)};
  float nearest = reach * reach;
  std::size_t found = points.size();
  for (std::size_t i = 0; i < points.size(); ++i)
    if (const Vec3<float> d = points[i] - at; dot(d, d) < nearest) {
      nearest = dot(d, d);
      found = i;
    }
  if (found == points.size()) return {};
  if (const auto labels = scene::shownLabels(*state.layer, state.volume)) {
    const float label = scalars->second[found];
    return std::isnan(label) ? QString() : labelText(Label(label), labels.get());
  }
  return withUnit(formatNumber(double(scalars->second[found]), 4),
                  state.volume == 0 ? state.layer->unit : std::string());
}

}  // namespace

std::optional<Vec3<int>> voxelAt(const Grid& grid, const Vec3<double>& world) {
  const Vec3<double> v = grid.worldFromVoxel.inverse().point(world);
  const Vec3<int> voxel{int(std::floor(v.x + 0.5)), int(std::floor(v.y + 0.5)), int(std::floor(v.z + 0.5))};
  if (!grid.contains(voxel.x, voxel.y, voxel.z)) return std::nullopt;
  return voxel;
}

QString labelText(Label label, const LabelTable* names) {
  const QString number = QString::number(label);
  if (!names) return number;
  const auto entry = names->find(label);
  return entry == names->end() || entry->second.name.empty()
             ? number
             : QStringLiteral("%1 %2").arg(number, QString::fromStdString(entry->second.name));
}

QString valueAt(const LayerState& state, const Vec3<double>& world) {
  if (std::holds_alternative<MeshLayer>(state.layer->content)) return surfaceValueAt(state, world);
  const Grid* grid = gridOf(*state.layer);
  const auto voxel = grid ? voxelAt(*grid, world) : std::nullopt;
  if (!voxel) return {};
  const std::int64_t index = grid->index(voxel->x, voxel->y, voxel->z);
  if (const auto* image = std::get_if<VolumeLayer>(&state.layer->content))
    return imageValueAt(state, *image, index);
  if (const auto* labels = std::get_if<LabelsLayer>(&state.layer->content))
    return labelText(labels->labels->values[std::size_t(index)], labels->names.get());
  if (const auto* peaks = std::get_if<PeaksLayer>(&state.layer->content))
    return directionsAt(*peaks->peaks, index);
  if (const auto* field = std::get_if<DisplacementLayer>(&state.layer->content)) {
    const auto& u = *field->displacement;
    return QObject::tr("%1, %2, %3 mm")
        .arg(signedNumber(u.at(index, 0)), signedNumber(u.at(index, 1)), signedNumber(u.at(index, 2)));
  }
  return {};
}

QString positionText(const Vec3<double>& world) {
  const auto part = [](double value, char positive, char negative) {
    return QStringLiteral("%1 %2")
        .arg(QLatin1Char(value < -0.05 ? negative : positive))
        .arg(std::abs(value), 0, 'f', 1);
  };
  return QStringLiteral("%1  %2  %3 mm")
      .arg(part(world.x, 'R', 'L'), part(world.y, 'A', 'P'), part(world.z, 'S', 'I'));
}

const Grid* gridOfVoxels(const LayerStack& layers) {
  if (const LayerState* current = layers.find(layers.current()))
    if (const Grid* grid = gridOf(*current->layer)) return grid;
  for (const LayerState& state : layers.layers())
    if (const Grid* grid = gridOf(*state.layer)) return grid;
  return nullptr;
}

Vec3<double> clampedToVoxels(const LayerStack& layers, const Vec3<double>& world) {
  const Grid* grid = gridOfVoxels(layers);
  if (!grid) return world;
  const Vec3<double> voxel = grid->worldFromVoxel.inverse().point(world);
  Vec3<double> inside = voxel;
  for (int axis = 0; axis < 3; ++axis) inside[axis] = std::clamp(voxel[axis], 0.0, grid->size[axis] - 1.0);
  const bool isOutside = norm(inside - voxel) > 0.5;  // half a voxel beyond the outermost centers is inside
  return isOutside ? grid->worldFromVoxel.point(inside) : world;
}

QString voxelText(const LayerStack& layers, const Vec3<double>& world) {
  const Grid* grid = gridOfVoxels(layers);
  if (!grid) return {};
  const auto voxel = voxelAt(*grid, world);
  return voxel ? QObject::tr("voxel %1, %2, %3").arg(voxel->x).arg(voxel->y).arg(voxel->z)
               : QObject::tr("outside");
}

QString valuesText(const LayerStack& layers, const Vec3<double>& world,
                   const std::function<bool(const QString&)>& fits) {
  constexpr qsizetype kLeast = 8, kFewer = 4;  // characters of a name, reduced with every attempt
  QStringList all, names, values;
  for (auto state = layers.layers().rbegin(); state != layers.layers().rend(); ++state) {
    const QString name = nameForEye(layers, state->name);
    all << name;
    const QString value = state->display.visible ? valueAt(*state, world) : QString();
    if (value.isEmpty()) continue;
    names << name;
    values << value;
  }
  ShortNames shortName(std::move(all));
  const QString leftOut = QStringLiteral("…");
  const auto text = [&](qsizetype most, qsizetype count) {
    QStringList parts;
    for (qsizetype i = 0; i < count; ++i) {
      QString name = shortName(names[i], [most](const QString& name) { return name.size() <= most; });
      if (name == names[i] && name.size() > most)
        name = name.left(most / 2) + leftOut + name.right(most - most / 2 - 1);
      parts << QStringLiteral("%1: %2").arg(name, values[i]);
    }
    if (count < names.size()) parts << leftOut;  // never the beginning of a number
    return parts.join(QStringLiteral("    "));
  };
  qsizetype most = 0, count = 0;
  for (const QString& name : names) most = std::max(most, name.size());
  if (!fits) return text(most, names.size());
  // Of hundreds of layers, only those for which there is room are formatted.
  while (count < names.size() && fits(text(kLeast, count + 1))) ++count;
  if (count < names.size()) return text(kLeast, count);
  QString shown = text(most, count);
  while (most > kLeast && !fits(shown)) shown = text(most = std::max(kLeast, most - kFewer), count);
  return shown;
}

double extentOf(const Layer& layer) {
  const auto box = boxOf(layer);
  if (!box) return 0;
  const Vec3<double> edges = box->high - box->low;
  return 1.05 * std::max({edges.x, edges.y, edges.z});
}

bool frameOn(const Layer& layer, ViewState& view) {
  const auto box = boxOf(layer);
  if (!box) return false;
  const Vec3<double> middle = 0.5 * (box->low + box->high);
  view.setCenter(middle);
  view.setExtent(extentOf(layer));
  // The crosshair is placed at the center of a voxel, so that the slice shown is one of the scan's own.
  Vec3<double> crosshair = middle;
  if (const Grid* grid = gridOf(layer))
    crosshair = grid->worldFromVoxel.point(
        {double(grid->size.x / 2), double(grid->size.y / 2), double(grid->size.z / 2)});
  view.setCrosshair(crosshair);
  return true;
}

bool frameOnVisible(const std::vector<LayerState>& layers, ViewState& view) {
  const LayerState* largest = nullptr;
  Box all;
  for (const LayerState& state : layers) {
    const auto box = state.display.visible ? boxOf(*state.layer) : std::nullopt;
    if (!box) continue;
    if (!largest || extentOf(*state.layer) > extentOf(*largest->layer)) largest = &state;
    all.add(box->low);
    all.add(box->high);
  }
  if (!largest) return false;
  frameOn(*largest->layer, view);
  const Vec3<double> edges = all.high - all.low;
  view.setCenter(0.5 * (all.low + all.high));
  view.setExtent(1.05 * std::max({edges.x, edges.y, edges.z}));
  return true;
}

std::optional<Vec3<double>> peakNear(const LayerState& state, const Vec3<double>& world) {
  const auto* volume = std::get_if<VolumeLayer>(&state.layer->content);
  const Grid* grid = volume && !volume->colors ? gridOf(*state.layer) : nullptr;
  auto voxel = grid ? voxelAt(*grid, world) : std::nullopt;
  if (!voxel) return std::nullopt;
  const auto valueOf = [&](const Vec3<int>& at) {
    const float value = volume->series->at(grid->index(at.x, at.y, at.z), state.volume);
    return std::isfinite(value) ? value : -std::numeric_limits<float>::infinity();
  };
  for (bool climbs = true; climbs;) {
    climbs = false;
    const Vec3<int> from = *voxel;
    for (int n = 0; n < 27; ++n) {
      const Vec3<int> next{from.x + n % 3 - 1, from.y + n / 3 % 3 - 1, from.z + n / 9 - 1};
      if (!grid->contains(next.x, next.y, next.z) || !(valueOf(next) > valueOf(*voxel))) continue;
      voxel = next;
      climbs = true;
    }
  }
  if (!std::isfinite(valueOf(*voxel))) return std::nullopt;
  return grid->positionOf(*voxel);
}

double sliceStep(const Layer& layer, const Vec3<double>& normal) {
  const Grid* grid = gridOf(layer);
  if (!grid) return 1;
  // The voxel axis closest to the plane's normal determines the distance to the next slice.
  double best = 0, step = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3<double> edge = grid->worldFromVoxel.column(axis);
    if (const double along = std::abs(dot(edge, normal)); along > best) {
      best = along;
      step = norm(edge);
    }
  }
  return step;
}

}  // namespace sulcus::ui::model
