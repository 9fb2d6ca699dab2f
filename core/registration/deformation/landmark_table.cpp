#include "core/registration/deformation/landmark_table.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/image/display/layer_kinds.h"
#include "core/registration/results/apply_field.h"

#include <algorithm>
#include <cmath>

namespace sulcus::registration {
namespace {

void addPlaceColumns(TableLayer& table, const std::string& name) {
  for (const char* axis : {"_x_mm", "_y_mm", "_z_mm"}) table.columns.push_back(name + axis);
}

void addPlace(std::vector<std::string>& row, const Vec3<double>& place) {
  for (int i = 0; i < 3; ++i) row.push_back(numberText(place[i]));
}

}  // namespace

std::vector<Landmark> landmarksIn(const Layer& layer) {
  const auto refuse = [&](const std::string& why) {
    throw Error("'" + layer.name + "' cannot be used as landmarks", why,
                "give a table with x, y and z of each point in the template and then in the reference, mm, "
                "RAS+, after a name or none");
  };
  if (!isTable(layer)) refuse("it holds " + kindWithArticle(layer));
  const auto& table = std::get<TableLayer>(layer.content);
  const std::size_t columns = table.columns.size(), names = columns == 7 ? 1 : 0;
  if (columns != 6 + names) refuse(text("it has ", columns, " columns, not 6 or 7"));
  auto rows = table.rows;
  // A first row that begins with a name looks like column names.
  if (std::all_of(table.columns.begin() + std::ptrdiff_t(names), table.columns.end(),
                  [](const std::string& column) { return numberIn(column).has_value(); }))
    rows.insert(rows.begin(), table.columns);
  std::vector<Landmark> landmarks;
  for (const auto& row : rows) {
    Landmark& landmark = landmarks.emplace_back();
    landmark.name = names ? sanitizedForDisplay(row[0], 60) : std::to_string(landmarks.size());
    for (std::size_t i = 0; i < 6; ++i) {
      const auto number = numberIn(row[names + i]);
      if (!number || !std::isfinite(*number))
        refuse("row " + std::to_string(landmarks.size()) + " holds " + inQuotes(row[names + i], 40) +
               ", which is not a finite number");
      (i < 3 ? landmark.ofTemplate : landmark.ofReference)[int(i % 3)] = *number;
    }
  }
  return landmarks;
}

std::vector<LandmarkDistance> landmarkDistances(const std::vector<Landmark>& landmarks,
                                                const Affine& templateFromReference,
                                                const Series<float>& displacement,
                                                const Series<float>& inverse) {
  const Affine voxelFromReference = displacement.grid.worldFromVoxel.inverse(),
               voxelFromTemplate = inverse.grid.worldFromVoxel.inverse();
  std::vector<LandmarkDistance> result;
  for (const Landmark& landmark : landmarks) {
    const Vec3<double> p = landmark.ofReference;
    const auto from = [&](const Vec3<double>& q) { return norm(q - landmark.ofTemplate); };
    result.push_back({landmark.name, from(p), from(templateFromReference.point(p)),
                      from(displacedPoint(p, displacement, voxelFromReference)), p,
                      displacedPoint(landmark.ofTemplate, inverse, voxelFromTemplate)});
  }
  return result;
}

TableLayer landmarkTable(const std::vector<Landmark>& landmarks) {
  TableLayer table{{"landmark"}, {}};
  addPlaceColumns(table, "template"), addPlaceColumns(table, "reference");
  for (const Landmark& landmark : landmarks) {
    auto& row = table.rows.emplace_back(1, landmark.name);
    addPlace(row, landmark.ofTemplate), addPlace(row, landmark.ofReference);
  }
  return table;
}

TableLayer landmarkTable(const std::vector<LandmarkDistance>& landmarks) {
  TableLayer table{{"landmark", "before_mm", "prealigned_mm", "deformed_mm"}, {}};
  addPlaceColumns(table, "moved"), addPlaceColumns(table, "reference");
  for (const LandmarkDistance& landmark : landmarks) {
    table.rows.push_back({landmark.name, numberText(landmark.before), numberText(landmark.linearlyAligned),
                          numberText(landmark.deformed)});
    addPlace(table.rows.back(), landmark.moved), addPlace(table.rows.back(), landmark.reference);
  }
  return table;
}

LandmarkSpread spreadOf(const std::vector<LandmarkDistance>& landmarks, double LandmarkDistance::*distance) {
  LandmarkSpread spread;
  for (const LandmarkDistance& landmark : landmarks) {
    spread.mean += landmark.*distance / double(landmarks.size());
    spread.largest = std::max(spread.largest, landmark.*distance);
  }
  return spread;
}

}  // namespace sulcus::registration
