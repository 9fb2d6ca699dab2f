#include "core/io/tables/itk_composite.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/image/grids/interpolate.h"
#include "core/image/transform_table.h"
#include "core/io/companions.h"
#include "core/io/dicom/guarded_child.h"
#include "core/io/streams/byte_source.h"
#include "core/io/tables/itk_transforms.h"
#include "core/io/volumes/geometry.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace sulcus::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "\x89HDF\r\n\x1a\n", kComposite = "CompositeTransform_",
                           kField = "DisplacementFieldTransform_";
constexpr std::uint64_t kMostLinear = 64;  // numbers of a linear map
constexpr std::size_t kAtOnce = 1 << 20;   // numbers per request

/// The content of the file in mm, RAS+, in the order in which it is applied.
struct Parts {
  struct Step {
    Series<float> field;
    Affine after;  ///< applied after the field
  };
  Affine before;  ///< applied before the first field
  std::vector<Step> steps;
  std::vector<std::string> types;
};

/// The displacement of a point by a field: zero outside of it.
class FieldAt {
 public:
  explicit FieldAt(const Series<float>& field)
      : field_(field), voxelFromWorld_(field.grid.worldFromVoxel.inverse()) {}
  Vec3<double> operator()(const Vec3<double>& p) const {
    const Vec3<double> v = voxelFromWorld_.point(p);
    const Vec3<int>& size = field_.grid.size;
    for (int axis = 0; axis < 3; ++axis)
      if (!(v[axis] >= -0.5 && v[axis] < size[axis] - 0.5)) return {};
    const auto cell = cellAt(size, v.x, v.y, v.z);
    return {interpolated(field_.volume(0).data, cell), interpolated(field_.volume(1).data, cell),
            interpolated(field_.volume(2).data, cell)};
  }

 private:
  const Series<float>& field_;
  Affine voxelFromWorld_;
};

[[noreturn]] void failTransforms(const std::string& name, const std::string& why) {
  throw Error(name + " cannot be read as transforms of ITK", why, "write the transform again");
}

/// Receives the child's answer for one file.
class Answer {
 public:
  Answer(const GuardedChild& child, GuardedChild::Clock::time_point deadline, const Progress& progress)
      : child_(child), deadline_(deadline), progress_(progress) {}

  template <class T>
  T head() const {
    T value;
    child_.take(plainBytes(value), deadline_, progress_);
    return value;
  }
  std::vector<double> numbers(std::uint64_t count) const {
    std::vector<double> values(count);
    child_.take({reinterpret_cast<char*>(values.data()), count * sizeof(double)}, deadline_, progress_);
    return values;
  }

 private:
  const GuardedChild& child_;
  GuardedChild::Clock::time_point deadline_;
  const Progress& progress_;
};

/// The grid in the fixed parameters of a field: size, origin, spacing, and the direction by rows.
Grid gridIn(const std::vector<double>& fixed, const std::string& name) {
  if (fixed.size() != 18 ||
      !std::all_of(fixed.begin(), fixed.end(), [](double value) { return std::isfinite(value); }))
    failTransforms(name, "the grid of its field is not given by 18 numbers");
  Grid grid;
  Affine stored;
  for (std::size_t i = 0; i < 3; ++i) {
    const double side = fixed[i];
    if (side < 1 || side > 32767 || side != std::floor(side))
      failTransforms(name, text("a side of its field has ", side, " voxels"));
    grid.size[int(i)] = int(side);
    stored.t[int(i)] = fixed[3 + i];
    for (std::size_t j = 0; j < 3; ++j) stored.m[i][j] = fixed[9 + 3 * i + j] * fixed[6 + j];
  }
  grid.worldFromVoxel = flipLps(stored);
  if (!usable(grid.worldFromVoxel)) failTransforms(name, "the voxels of its field have no size");
  return grid;
}

/// The vectors of a field, which ITK stores in LPS with the components of each voxel adjacent.
Series<float> fieldIn(const Answer& answer, const Grid& grid, const Progress& progress) {
  Series<float> field(grid, 3);
  const std::int64_t numbers = 3 * grid.voxels();
  for (std::int64_t done = 0; done < numbers;) {
    const auto some = answer.numbers(std::uint64_t(std::min<std::int64_t>(numbers - done, kAtOnce)));
    for (const double value : some) {
      const int component = int(done % 3);
      field.at(done / 3, component) = float(component < 2 ? -value : value);
      ++done;
    }
    progress.update(double(done) / double(numbers));
  }
  return field;
}

Parts partsOf(const Answer& answer, std::uint32_t count, const fs::path& file, const Progress& progress) {
  const std::string name = quoted(file);
  Parts parts;
  Affine linear;  // between the last field read and the next one
  // T = T₀ ∘ T₁ ∘ …: the last one is applied first.
  for (std::uint32_t i = 0; i < count; ++i) {
    TransformHead head = answer.head<TransformHead>();
    if (head.isWhole != 1)
      failTransforms(name,
                     "numbers of it are not in the file: they were never written, or lie in other files");
    head.type.back() = '\0';
    const std::string type = sanitizedForDisplay(head.type.data(), head.type.size());
    if (head.fixed > kMostLinear)
      failTransforms(name, text("a transform has ", head.fixed, " fixed parameters"));
    const std::vector<double> fixed = answer.numbers(head.fixed);
    if (type.starts_with(kField)) {
      const Grid grid = gridIn(fixed, name);
      if (head.parameters != 3 * std::uint64_t(grid.voxels()))
        failTransforms(name,
                       text("its field has ", head.parameters, " numbers for ", grid.voxels(), " voxels"));
      requireMemory(head.parameters * sizeof(float), file);
      parts.steps.push_back({fieldIn(answer, grid, progress), std::exchange(linear, Affine())});
    } else {
      if (head.parameters > kMostLinear)
        throw Error(text(name, " holds a transform of the type '", type, "'"),
                    "linear maps and displacement fields are read", "write it as a displacement field");
      StoredTransform stored{type, answer.numbers(head.parameters), fixed};
      if (type.starts_with(kComposite)) continue;  // only a container
      linear = linear * itkMapOf(stored, name);
    }
    parts.types.push_back(type.substr(0, type.find('_')));
  }
  parts.before = linear;
  std::ranges::reverse(parts.steps);
  std::ranges::reverse(parts.types);
  return parts;
}

Parts readParts(const fs::path& file, const Progress& progress) try {
  const DataFile data = openData(file);
  requireMemory(3 * data.size(), file);
  std::string bytes(std::size_t(data.size()), '\0');
  data.read(0, bytes);
  TransformFile request;
  request.fileBytes = bytes.size();
  GuardedChild child;
  child.start("Transforms in HDF5");
  const auto deadline = GuardedChild::after(request.mostSeconds());
  child.give(plainBytes(request), deadline, progress);
  child.give(bytes, deadline, progress);
  const Answer answer(child, deadline, progress);
  const auto list = answer.head<TransformList>();
  if (list.mark != TransformList::kMark || list.count > TransformList::kMost) throw GuardedChild::Lost{};
  if (list.count == 0)
    throw Error(quoted(file) + " holds no transform of ITK",
                "it is a file of HDF5, of which only such transforms are read",
                "check that it is the right file and complete");
  return partsOf(answer, list.count, file, progress);
} catch (const GuardedChild::Lost&) {
  failTransforms(quoted(file), "its content makes the HDF5 library fail");
} catch (const GuardedChild::Late&) {
  failTransforms(quoted(file), "it takes too long");
}

}  // namespace

bool isHdf5(std::string_view start) { return start.starts_with(kMagic); }

Layer openItkComposite(const fs::path& file, const Progress& progress) {
  const FileStamp stamp = stampOf(file);
  Parts parts = readParts(file, progress);
  Layer layer;
  layer.name = stemOf(file);
  layer.source = file.string();
  layer.stamp = stamp;
  const std::string note =
      "Recognized as transforms of ITK (HDF5; mm, LPS): " + joined(parts.types, ", then ");
  if (parts.steps.empty()) {
    layer.notes = {note + "; the numbers shown are for mm, RAS+."};
    layer.content = transformTable(parts.before);
    return layer;
  }
  layer.unit = "mm";
  // x is mapped onto a voxel of the first field, displaced by it, mapped on, and so on for the other fields.
  Series<float>& field = parts.steps.front().field;
  const Affine onVoxels = field.grid.worldFromVoxel;
  field.grid.worldFromVoxel = parts.before.inverse() * onVoxels;
  std::vector<FieldAt> others;
  for (const Parts::Step& step : std::span(parts.steps).subspan(1)) others.emplace_back(step.field);
  if (!others.empty() || parts.before != Affine() || parts.steps.front().after != Affine())
    parallelFor(field.grid.voxels(), 256, progress, [&](std::int64_t i) {
      const Vec3<int> v = field.grid.voxel(i);
      const Vec3<double> voxel{double(v.x), double(v.y), double(v.z)};
      const Vec3<double> moved{field.at(i, 0), field.at(i, 1), field.at(i, 2)};
      Vec3<double> p = parts.steps.front().after.point(onVoxels.point(voxel) + moved);
      for (std::size_t s = 0; s < others.size(); ++s) p = parts.steps[s + 1].after.point(p + others[s](p));
      const Vec3<double> u = p - field.grid.worldFromVoxel.point(voxel);
      field.at(i, 0) = float(u.x);
      field.at(i, 1) = float(u.y);
      field.at(i, 2) = float(u.z);
    });
  layer.notes = {note + "; made one displacement in mm, RAS+.", handednessNote(field.grid)};
  if (!others.empty())
    layer.notes.emplace_back("It has the voxels of the first field; the others are interpolated linearly.");
  noteShear(field.grid.worldFromVoxel, layer.notes);
  layer.content =
      DisplacementLayer{std::make_shared<const Series<float>>(std::move(field)), FieldConvention::itk};
  return layer;
}

}  // namespace sulcus::io
