#include "core/image/grids/axis_change.h"

#include "core/base/error.h"
#include "core/base/sanitized.h"

namespace sulcus {
namespace {

constexpr char kAxisNames[] = "xyz";

/// Applies a change of image axes to directions in world axes.
class WorldChange {
 public:
  WorldChange(const AxisChange& change, const Grid& grid)
      : change_(change), worldFromImage_(imageAxes(grid)), imageFromWorld_(worldFromImage_.inverse()) {}
  Vec3<double> operator()(const Vec3<double>& world) const {
    return worldFromImage_.vector(changed(change_, imageFromWorld_.vector(world)));
  }

 private:
  AxisChange change_;
  Affine worldFromImage_, imageFromWorld_;
};

}  // namespace

std::string describeChange(const AxisChange& change) {
  std::string text;
  int moved = 0;
  for (int i = 0; i < 3; ++i) moved += change.source[i] != i;
  if (moved == 2) {
    std::string pair;
    for (int i = 0; i < 3; ++i)
      if (change.source[i] != i) pair += (pair.empty() ? "" : " and ") + std::string(1, kAxisNames[i]);
    text = pair + " exchanged";
  } else if (moved == 3) {
    text = std::string("x, y, z taken from ") + kAxisNames[change.source[0]] + ", " +
           kAxisNames[change.source[1]] + ", " + kAxisNames[change.source[2]];
  }
  for (int i = 0; i < 3; ++i)
    if (change.sign[i] < 0) text += std::string(text.empty() ? "" : ", ") + kAxisNames[i] + " flipped";
  return text.empty() ? "as given" : text;
}

std::string axesText(const AxisChange& change) {
  std::string text;
  for (int i = 0; i < 3; ++i) {
    if (i > 0) text += ' ';
    if (change.sign[i] < 0) text += '-';
    text += kAxisNames[change.source[i]];
  }
  return text;
}

AxisChange axesFrom(std::string_view text) {
  AxisChange change;
  int at = 0;
  bool used[3] = {}, minus = false, sound = true;
  for (const char c : text) {
    if (c == ' ' && !minus) continue;
    if (c == '-' && !minus && at < 3) {
      minus = true;
      continue;
    }
    const int axis = c - 'x';
    sound = sound && axis >= 0 && axis < 3 && at < 3 && !used[axis];
    if (!sound) break;
    used[axis] = true;
    change.source[at] = axis;
    change.sign[at++] = minus ? -1 : 1;
    minus = false;
  }
  if (!sound || at != 3 || minus)
    throw Error(inQuotes(text, 40) + " is not a permutation of the axes", "x, y and z must each occur once",
                "write them like '-x y z' or 'y x z'");
  return change;
}

Vec3<double> changed(const AxisChange& change, const Vec3<double>& v) {
  return {change.sign[0] * v[change.source[0]], change.sign[1] * v[change.source[1]],
          change.sign[2] * v[change.source[2]]};
}

AxisChange followed(const AxisChange& first, const AxisChange& second) {
  AxisChange both;
  for (int i = 0; i < 3; ++i) {
    both.source[i] = first.source[second.source[i]];
    both.sign[i] = second.sign[i] * first.sign[second.source[i]];
  }
  return both;
}

GradientTable withAxisChange(const GradientTable& gradients, const Grid& grid, const AxisChange& change) {
  const WorldChange turned(change, grid);
  GradientTable table = gradients;
  for (auto& row : table.rows) row.directionWorld = turned(row.directionWorld);
  if (!change.asGiven()) table.source = table.source + "; " + describeChange(change) + " (image axes)";
  return table;
}

Series<float> withAxisChange(const Series<float>& peaks, const AxisChange& change) {
  const WorldChange turned(change, peaks.grid);
  Series<float> made = peaks;
  for (int v = 0; v + 2 < made.count; v += 3)
    for (std::int64_t i = 0; i < made.grid.voxels(); ++i) {
      const Vec3<double> p = turned({made.at(i, v), made.at(i, v + 1), made.at(i, v + 2)});
      for (int c = 0; c < 3; ++c) made.at(i, v + c) = float(p[c]);
    }
  return made;
}

}  // namespace sulcus
