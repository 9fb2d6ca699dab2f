#include "ui/scene/tracts/tract_actor.h"

#include "core/base/parallel/parallel_for.h"
#include "ui/scene/tracts/tract_colors.h"
#include "ui/scene/volume3d/clipping.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <vtkActor.h>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkTypeInt32Array.h>
#include <vtkUnsignedCharArray.h>

namespace sulcus::ui::scene {
namespace {

constexpr std::uint64_t kPointsWithoutIndex = 3'000'000;  // that a slab is looked for in
constexpr std::int64_t kFewSegments = 60'000;             // which may be drawn as tubes

const Tracts& tractsOf(const SceneLayer& layer) {
  return *std::get<TractsLayer>(layer.layer->content).tracts;
}

/// Whether two displays color and hide alike: where they differ otherwise nothing need be built.
Display colorsAlone(Display display) {
  display.visible = true;
  display.opacity = 1;
  display.cut = Cut::nothing;
  display.colorBar = false;
  return display;
}

constexpr std::int8_t kHidden = -2;  // in place of the part of a line

/// The part of the bundles that each line belongs to, −1 for none and kHidden for lines that are not shown;
/// empty where all are shown.
std::vector<std::int8_t> partsOf(const SceneLayer& layer) {
  std::vector<std::int8_t> parts;
  if (!layer.tracts || !layer.tracts->parts) return parts;
  parts.assign(tractsOf(layer).lines(), kHidden);
  for (const auto& part : *layer.tracts->parts)
    for (const std::uint32_t line : *part.lines) parts[line] = std::int8_t(part.color);
  return parts;
}

/// Without an index: 1 in `oneIn` of the lines that a dragged region has chosen, if `quick`, else all lines,
/// unless they have too many points to look for a slab in.
std::vector<TractIndex::Stretch> wholeLines(const SceneLayer& layer, bool quick, int oneIn) {
  const Tracts& tracts = tractsOf(layer);
  std::vector<TractIndex::Stretch> lines;
  const auto add = [&](std::uint32_t line) {
    const auto points = std::uint32_t(tracts.first[line + 1] - tracts.first[line]);
    if (points > 1) lines.push_back({line, std::uint32_t(tracts.first[line]), points - 1});
  };
  if (quick && layer.tracts && layer.tracts->parts) {
    for (const auto& part : *layer.tracts->parts)
      for (const std::uint32_t line : *part.lines)
        if (isAmong(line, oneIn)) add(line);
  } else if (tracts.points.size() <= kPointsWithoutIndex) {
    for (std::uint32_t line = 0; line < tracts.lines(); ++line) add(line);
  }
  return lines;
}

}  // namespace

bool isAmong(std::uint32_t line, int oneIn) {
  constexpr std::uint32_t kGoldenRatio = 2654435769u;  // times 2³²: its multiples lie evenly
  return line * kGoldenRatio <= std::numeric_limits<std::uint32_t>::max() / std::uint32_t(oneIn);
}

bool areDragged(const SceneLayer& layer) {
  return layer.tracts && layer.tracts->moves && layer.tracts->parts;
}

std::int64_t segmentsOf(const SceneLayer& layer) {
  if (!layer.tracts || !layer.tracts->parts) return std::int64_t(tractsOf(layer).points.size());
  std::int64_t sum = 0;
  for (const auto& part : *layer.tracts->parts) sum += std::int64_t(part.points);
  return sum;
}

TractActor::TractActor(vtkRenderer* renderer)
    : renderer_(renderer), actor_(renderer), colors_(vtkSmartPointer<LayerColors>::New()) {
  auto mapper = vtkSmartPointer<vtkPolyDataMapper>::New();
  mapper->SetColorModeToDirectScalars();
  mapper->SetScalarModeToUsePointData();
  mapper->SetInputData(vtkSmartPointer<vtkPolyData>::New());
  actor_->SetMapper(mapper);
  actor_->PickableOff();
  vtkMapper::SetResolveCoincidentTopologyToPolygonOffset();
}

void TractActor::setLook(const SceneLayer& layer, double lineWidth) {
  vtkProperty* look = actor_->GetProperty();
  look->SetLineWidth(float(std::max(1.0, lineWidth * pixelsPerPoint(renderer_))));
  look->SetOpacity(layer.display.opacity);
  // The shader of tubes costs several times as much as that of lines.
  const bool tubes = lineWidth >= 3 && segments_ <= kFewSegments;
  look->SetRenderLinesAsTubes(tubes);
  look->SetLighting(tubes);
  const bool opaque = layer.display.opacity >= 1;
  actor_->SetForceOpaque(opaque);  // colors may be clear where values are hidden
  actor_->SetForceTranslucent(!opaque);
}

/// Whether what a key stands for is what was built last; it is from now on.
bool TractActor::isShown(Key key) {
  key.display = colorsAlone(key.display);
  if (key_ && *key_ == key) return true;
  key_ = std::move(key);
  return false;
}

void TractActor::build(const SceneLayer& layer, const std::vector<Piece>& pieces) {
  const Tracts& tracts = tractsOf(layer);
  const auto* data = shownTractData(*layer.layer, layer.volume);
  if (layer.opacityImage)
    colors_->show(layer.display, layer.opacityImage->range);
  else if (data)
    colors_->show(layer.display, layer.display.range.value_or(Range{}));
  const TractPainter painter(layer, *colors_);
  std::vector<vtkTypeInt32> first(pieces.size() + 1, 0);
  for (std::size_t i = 0; i < pieces.size(); ++i)
    first[i + 1] = first[i] + vtkTypeInt32(pieces[i].end - pieces[i].begin);
  const vtkIdType count = first.back();
  auto places = vtkSmartPointer<vtkFloatArray>::New();
  places->SetNumberOfComponents(3);
  places->SetNumberOfTuples(count);
  auto colors = vtkSmartPointer<vtkUnsignedCharArray>::New();
  colors->SetNumberOfComponents(4);
  colors->SetNumberOfTuples(count);
  parallelFor(std::int64_t(pieces.size()), 64, {}, [&](std::int64_t i) {
    const Piece& piece = pieces[std::size_t(i)];
    const auto at = std::ptrdiff_t(first[std::size_t(i)]);
    std::copy_n(&tracts.points[piece.begin].x, 3 * (piece.end - piece.begin), places->GetPointer(3 * at));
    painter.paint(piece.line, piece.begin, piece.end, piece.part, colors->GetPointer(4 * at));
  });
  auto corners = vtkSmartPointer<vtkTypeInt32Array>::New(),
       offsets = vtkSmartPointer<vtkTypeInt32Array>::New();
  corners->SetNumberOfValues(count);
  std::iota(corners->GetPointer(0), corners->GetPointer(0) + count, vtkTypeInt32(0));
  offsets->SetNumberOfValues(vtkIdType(first.size()));
  std::ranges::copy(first, offsets->GetPointer(0));
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  cells->SetData(offsets, corners);
  auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetData(places);
  auto poly = vtkSmartPointer<vtkPolyData>::New();
  poly->SetPoints(points);
  poly->SetLines(cells);
  poly->GetPointData()->SetScalars(colors);
  static_cast<vtkPolyDataMapper*>(actor_->GetMapper())->SetInputData(poly);
  actor_->SetVisibility(count > 0);
  segments_ = count - std::int64_t(pieces.size());
}

bool TractActor::show(const SceneLayer& layer, double lineWidth, int oneIn) {
  const bool isNew = !isShown({layer.layer,
                               layer.tracts,
                               layer.opacityImage,
                               layer.display,
                               layer.volume,
                               layer.color,
                               oneIn,
                               {},
                               0});
  if (isNew) {
    const Tracts& tracts = tractsOf(layer);
    std::vector<Piece> pieces;
    const auto take = [&](std::uint32_t line, int part) {
      if (isAmong(line, oneIn) && tracts.first[line + 1] > tracts.first[line] + 1)
        pieces.push_back({line, tracts.first[line], tracts.first[line + 1], part});
    };
    if (layer.tracts && layer.tracts->parts)
      for (const auto& part : *layer.tracts->parts)
        for (const std::uint32_t line : *part.lines) take(line, part.color);
    else
      for (std::uint32_t line = 0; line < tracts.lines(); ++line) take(line, -1);
    build(layer, pieces);
  }
  setLook(layer, lineWidth);
  return isNew;
}

const std::vector<TractIndex::Stretch>& TractActor::stretchesNear(
    const std::shared_ptr<const TractIndex>& index, const Vec3<double>& place, const Vec3<double>& normal) {
  if (near_.index != index || !(near_.place == place) || !(near_.normal == normal))
    near_ = {index, place, normal, index->stretchesNear(place, normal, kHalfSlab)};
  return near_.stretches;
}

/// Appends the runs of segments of a stretch that lie within the slab around a plane.
void TractActor::addPieces(const Tracts& tracts, const TractIndex::Stretch& stretch, int part,
                           const CutPlane& plane, std::vector<Piece>& pieces) {
  const auto normal = Vec3<float>{float(plane.normal.x), float(plane.normal.y), float(plane.normal.z)};
  const auto level = float(dot(plane.point, plane.normal));
  const auto side = [&](std::uint64_t point) { return dot(tracts.points[point], normal) - level; };
  const std::uint64_t last = std::uint64_t(stretch.begin) + stretch.count;
  std::optional<Piece> open;
  for (std::uint64_t p = stretch.begin; p < last && p + 1 < tracts.first[stretch.line + 1]; ++p) {
    const float a = side(p), b = side(p + 1);
    const bool isInside = std::min(a, b) <= float(kHalfSlab) && std::max(a, b) >= -float(kHalfSlab);
    if (isInside && !open) open = Piece{stretch.line, p, p, part};
    if (isInside) open->end = p + 2;
    if (!isInside && open) pieces.push_back(*std::exchange(open, std::nullopt));
  }
  if (open) pieces.push_back(*open);
}

void TractActor::showSlab(const SceneLayer& layer, double lineWidth, const CutPlane& plane, std::int64_t most,
                          bool quick) {
  // The place within the plane does not matter.
  const Vec3<double> place = dot(plane.point, plane.normal) * plane.normal;
  if (isShown({layer.layer, layer.tracts, layer.opacityImage, layer.display, layer.volume, layer.color, 0,
               std::pair(place, plane.normal), most, quick}))
    return setLook(layer, lineWidth);
  const Tracts& tracts = tractsOf(layer);
  const std::vector<std::int8_t> parts = partsOf(layer);
  const auto index = layer.tracts && !quick ? layer.tracts->index : nullptr;
  const bool isIndexed = index && &index->tracts() == &tracts;
  // Of bundles all lines, which are few; else 1 in as many as keep the picture quick.
  std::int64_t all = std::int64_t(tracts.points.size());
  if (isIndexed)
    all = index->segmentsNear(place, plane.normal, kHalfSlab);
  else if (!quick)
    all /= 50;
  const double share =
      parts.empty() ? 1 : double(segmentsOf(layer)) / double(std::max<std::size_t>(1, tracts.points.size()));
  slabOneIn_ = int(1 + std::int64_t(share * double(all)) / std::max<std::int64_t>(1, most));
  std::vector<TractIndex::Stretch> whole;
  if (!isIndexed) whole = wholeLines(layer, quick, slabOneIn_);
  const auto& stretches = isIndexed ? stretchesNear(index, place, plane.normal) : whole;
  constexpr std::int64_t kStretchesOfBlock = 1 << 15;
  const auto count = std::int64_t(stretches.size());
  std::vector<std::vector<Piece>> blocks(std::size_t((count + kStretchesOfBlock - 1) / kStretchesOfBlock));
  parallelForBlocks(count, kStretchesOfBlock, {}, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto& stretch = stretches[std::size_t(i)];
      const int part = parts.empty() ? -1 : parts[stretch.line];
      if (isAmong(stretch.line, slabOneIn_) && part != kHidden)
        addPieces(tracts, stretch, part, {place, plane.normal},
                  blocks[std::size_t(begin / kStretchesOfBlock)]);
    }
  });
  std::vector<Piece> pieces;
  for (const auto& block : blocks) pieces.insert(pieces.end(), block.begin(), block.end());
  build(layer, pieces);
  setLook(layer, lineWidth);
}

void TractActor::cut(const std::optional<CutPlane>& plane) { clip(*actor_->GetMapper(), plane); }

}  // namespace sulcus::ui::scene
