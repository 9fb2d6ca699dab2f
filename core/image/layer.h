#pragma once

#include "core/base/file_stamp.h"
#include "core/base/note.h"
#include "core/base/provenance.h"
#include "core/image/diffusion/gradients.h"
#include "core/image/display/reinterpretation.h"
#include "core/image/grids/field_convention.h"
#include "core/image/labels/label_table.h"
#include "core/image/mesh.h"
#include "core/image/tracts.h"
#include "core/image/tracts/bundle.h"
#include "core/image/volume.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sulcus {

/// A closed interval of values.
struct Range {
  double low = 0, high = 1;
  friend bool operator==(const Range&, const Range&) = default;
};

/// What is cut away from a volume rendering or a surface in front of the crosshair to look inside: the octant
/// that faces the viewer (volume renderings only), or the half in front of a plane through the crosshair that
/// is parallel to a slice or perpendicular to the line of sight.
enum class Cut { nothing, octant, axial, coronal, sagittal, facing };

/// The initial display of a layer; the user may change all of it.
struct Display {
  bool visible = true;
  double opacity = 1;
  std::string colormap = "gray";    ///< one of colormapNames() (ui/scene/common/colormap.h)
  std::string negativeColormap;     ///< for values below 0, which are then shown by their magnitude; "": none
  std::optional<Range> range;       ///< values at the ends of the colormap; none: 2nd to 98th percentile
  std::optional<double> hideBelow;  ///< thresholds are independent of the range
  std::optional<double> hideAbove;
  bool fade = false;  ///< hidden values fade out instead (shown_values.h), and a contour follows the
                      ///< thresholds
  bool interpolate = true;
  bool colorBar = false;
  bool outline = false;   ///< labels: only their borders
  bool rendered = false;  ///< images in 3D: by volume rendering instead of planes
  Cut cut = Cut::octant;  ///< how a volume rendering or a surface is cut open in 3D

  friend bool operator==(const Display&, const Display&) = default;
};

// The closed set of displayable contents. Large parts are shared and never modified once created.

/// A scalar image, a 4D series or a set of maps.
struct VolumeLayer {
  std::shared_ptr<const Series<float>> series;
  GradientTable gradients = {};               ///< not empty for diffusion series
  double secondsPerVolume = 0;                ///< repetition time of a time series, else 0
  std::vector<std::string> volumeNames = {};  ///< empty, or one per volume
  /// The volumes are the channels of one color image: red, green, blue, and optionally opacity, 0…255.
  bool colors = false;
};
/// Whole-number labels or a mask.
struct LabelsLayer {
  std::shared_ptr<const Volume<Label>> labels;
  std::shared_ptr<const LabelTable> names = nullptr;  ///< may be null
};
/// Up to N directions per voxel: 3 volumes each, unit direction in world axes × amplitude, NaN if none.
struct PeaksLayer {
  std::shared_ptr<const Series<float>> peaks;
  /// Optional: the function whose maxima they are, as symmetric-tensor entries
  /// (core/image/diffusion/tensor_index.h), in world axes; drawn as lobed glyphs.
  std::shared_ptr<const Series<float>> tensor;
};
/// u(x) in mm, RAS+ world axes: 3 volumes. The point of the moving image that corresponds to x is x + u(x).
struct DisplacementLayer {
  std::shared_ptr<const Series<float>> displacement;
  FieldConvention convention = FieldConvention::itk;  ///< of its file, for reading or writing
};
struct MeshLayer {
  std::shared_ptr<const Mesh> mesh;
};
/// Rows of text and numbers.
struct TableLayer {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};
/// Curves over a common x axis.
struct CurveLayer {
  struct Line {
    std::string name;
    std::vector<double> x, y;
  };
  std::string xLabel, yLabel;
  std::vector<Line> lines;
};

/// Lines along nerve fibers.
struct TractsLayer {
  std::shared_ptr<const Tracts> tracts;
  std::optional<Grid> scan = {};  ///< grid of the scan that they were computed on, if known
  /// Those selected by hand, which are saved as groups; may be null.
  std::shared_ptr<const std::vector<Bundle>> bundles = nullptr;
};

using LayerContent = std::variant<VolumeLayer, LabelsLayer, PeaksLayer, DisplacementLayer, MeshLayer,
                                  TableLayer, CurveLayer, TractsLayer>;

/// Something loaded or computed, with a name.
struct Layer {
  std::string name;  ///< displayed; also the stem of its file
  std::string unit;  ///< unit of its values, e.g. "mm", "10⁻³ mm²/s", ""
  LayerContent content;
  Display display;
  std::string source;  ///< path of the file it was read from; "" if computed
  FileStamp stamp;     ///< of that file when it was read
  Notes notes;         ///< the orientation card: header form used, handedness, what was changed on reading
  std::shared_ptr<const Provenance> provenance;  ///< set if computed
  std::vector<Reinterpretation>
      reinterpretations;  ///< which make the content from that of the file, in order
};
using LayerPtr = std::shared_ptr<const Layer>;

/// The grid of a layer; null if it has none.
const Grid* gridOf(const Layer& layer);
/// "volume", "series", "diffusion series", "labels", "peaks", …
std::string kindOf(const Layer& layer);
/// "a volume", "a series", "labels", …: kindOf() with its article.
std::string kindWithArticle(const Layer& layer);
/// Extension of the file it is saved as unless another format is requested: ".nii.gz" for content on a grid,
/// ".tsv" for tables and curves, ".vtp" for surfaces, ".trx" for tracts.
std::string usualExtension(const Layer& layer);
/// Voxels of a volume or labels layer with nonzero sound values (value_check.h); throws Error for series and
/// other kinds.
Mask maskOf(const Layer& layer);
/// A computed map with its initial display: hidden, with a color bar.
Layer mapLayer(std::string name, std::string unit, std::string colormap, Series<float> values,
               std::optional<Range> range = {});
/// Labels, a mask and a table as layers, initially hidden.
Layer labelsLayer(std::string name, std::shared_ptr<const Volume<Label>> labels);
Layer maskLayer(std::string name, const Mask& mask);
Layer tableLayer(std::string name, TableLayer table);
/// The field of a file read by one convention, as the other convention reads it. Throws Error for layers of
/// other kinds.
Layer withConvention(const Layer& field, FieldConvention convention);
/// 2nd–98th percentile of the finite values, or {0, 1} if there are none; equal ends are widened.
Range automaticRange(std::span<const float> values);
/// The automaticRange() made symmetric about `middle`, and at least `least` to either side, so that both
/// directions have equal colors.
Range symmetricRange(std::span<const float> values, double least = 0, double middle = 0);

}  // namespace sulcus
