#include "core/tracts/tract_plan.h"

#include "core/base/numbers.h"
#include "core/base/parallel/parallel_for.h"
#include "core/image/diffusion/spherical_harmonics.h"
#include "core/image/grids/neighbors.h"
#include "core/image/tracts/tract_regions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sulcus::tracts {
namespace {

constexpr std::size_t kMostRegions = 32;
constexpr int kMostPeaks = 16;
constexpr double kTypicalShare = 0.9;  // "typical of the strongest voxels": this quantile of their maxima
constexpr double kCutoffShare = 0.2;   // of that

void setAffine(float (&m)[3][4], const Grid& grid) {
  const Affine voxelFromWorld = grid.worldFromVoxel.inverse();
  const double t[3] = {voxelFromWorld.t.x, voxelFromWorld.t.y, voxelFromWorld.t.z};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) m[i][j] = float(voxelFromWorld.m[i][j]);
    m[i][3] = float(t[i]);
  }
}

const Series<float>& fieldOf(const TractInput& input) {
  if (!input.functions && !input.peaks)
    throw Error("There is nothing to follow", "lines need directions in each voxel",
                "give functions ({fod}), peaks ({peaks}) or tensors ({tensor})"_message, ErrorKind::usage);
  return input.functions ? *input.functions : *input.peaks;
}

std::vector<const Region*> regionsOf(const TractInput& input) {
  std::vector<const Region*> regions;
  for (const auto* role : {&input.mask, &input.include, &input.exclude, &input.stop, &input.ends})
    for (const Region& region : *role) regions.push_back(&region);
  return regions;
}

void checkField(const TractInput& input) {
  const Series<float>& field = fieldOf(input);
  if (input.functions && (shOrder(field.count) < 2))
    throw Error("The functions have " + std::to_string(field.count) + " coefficients",
                "there are 6, 15, 28, 45, 66 or 91 of even order 2 to 12",
                "give an image of spherical harmonics as MRtrix or Sulcus writes it");
  if (!input.functions && (field.count < 3 || field.count % 3 || field.count > 3 * kMostPeaks))
    throw Error("The peaks have " + std::to_string(field.count) + " volumes",
                "each peak has three, x, y and z, and there are at most " + std::to_string(kMostPeaks),
                "give an image of peaks as MRtrix or Sulcus writes it");
}

void checkTissues(const TractInput& input, const TractOptions& options) {
  if (input.tissues && input.tissues->count != 5)
    throw Error("The image of tissues has " + std::to_string(input.tissues->count) + " volumes",
                "it has five, as 5ttgen of MRtrix writes it: cortex, deep gray matter, white matter, fluid "
                "and pathological tissue",
                "give such an image");
  if (options.seedsAtCortex && !input.tissues)
    throw Error("The position of the cortex is unknown", "seeds are at its border", "give {tissues}"_message,
                ErrorKind::usage);
}

void checkRegions(const TractInput& input) {
  const auto regions = regionsOf(input);
  for (const Region* region : regions)
    if (!sameGrid(region->image->grid, regions.front()->image->grid))
      throw Error("'" + region->name + "' has a different grid than '" + regions.front()->name +
                      "': " + otherGrid(region->image->grid, regions.front()->image->grid),
                  "regions are used on one grid",
                  "resample it onto that grid (sulcus-cli apply), or give spheres or boxes");
}

/// Whether a region has voxels inside the field, or next to it.
bool reachesInto(const Mask& region, const Grid& field) {
  const Affine fieldFromRegion = field.worldFromVoxel.inverse() * region.grid.worldFromVoxel;
  // How far a voxel's center may lie outside for its corner to lie inside.
  Vec3<double> beside{0.5, 0.5, 0.5};
  for (int axis = 0; axis < 3; ++axis)
    for (int column = 0; column < 3; ++column)
      beside[axis] += 0.5 * std::abs(fieldFromRegion.column(column)[axis]);
  for (std::int64_t v = 0; v < region.grid.voxels(); ++v) {
    if (!region.values[v]) continue;
    const Vec3<int> at = region.grid.voxel(v);
    const Vec3<double> p = fieldFromRegion.point({double(at.x), double(at.y), double(at.z)});
    bool within = true;
    for (int axis = 0; axis < 3; ++axis)
      within = within && p[axis] > -beside[axis] && p[axis] < field.size[axis] - 1 + beside[axis];
    if (within) return true;
  }
  return false;
}

/// Throws Error if a region that lines need has no voxel inside the field.
void checkPlaces(const TractInput& input) {
  const Grid& field = fieldOf(input).grid;
  const auto refuse = [](const std::string& what, const char* effect) {
    throw Error(what + " has no voxel within the scan", effect,
                "give one with voxels other than 0 that lies over what is followed");
  };
  if (input.seeds && !reachesInto(*input.seeds, field)) refuse("The image of seeds", "no line would begin");
  for (const auto* regions : {&input.include, &input.ends})
    for (const Region& region : *regions)
      if (!reachesInto(*region.image, field)) refuse("'" + region.name + "'", "no line would be kept");
  const auto reaches = [&](const Region& region) { return reachesInto(*region.image, field); };
  if (!input.mask.empty() && std::ranges::none_of(input.mask, reaches))
    refuse("'" + input.mask.front().name + "'", "lines would end at once");
}

/// Rows for voxels with data; values that are not finite count as 0.
template <class MakeRow>
void fillRows(TractPlan& plan, const Progress& progress, const MakeRow& makeRow) {
  const std::int64_t voxels = plan.grid.voxels();
  plan.rowOf.assign(voxels, 0);
  constexpr std::int64_t kBlock = 4096;
  const std::int64_t blocks = (voxels + kBlock - 1) / kBlock;
  std::vector<std::vector<float>> made{std::size_t(blocks)};
  const auto stride = std::size_t(plan.stride);
  parallelFor(blocks, 1, progress, [&](std::int64_t block) {
    auto& rows = made[block];
    for (std::int64_t v = block * kBlock; v < std::min(voxels, (block + 1) * kBlock); ++v) {
      rows.resize(rows.size() + stride);
      if (makeRow(v, rows.data() + rows.size() - stride))
        plan.rowOf[v] = std::int32_t(rows.size() / stride);
      else
        rows.resize(rows.size() - stride);
    }
  });
  std::size_t count = 1;
  std::vector<std::size_t> first(made.size());
  for (std::size_t b = 0; b < made.size(); ++b) {
    first[b] = count;
    count += made[b].size() / stride;
  }
  plan.rows.assign(count * stride, 0.f);
  parallelFor(blocks, 1, progress, [&](std::int64_t b) {
    std::copy(made[b].begin(), made[b].end(), plan.rows.begin() + std::ptrdiff_t(first[b] * stride));
    made[b] = {};
    for (std::int64_t v = b * kBlock; v < std::min(voxels, (b + 1) * kBlock); ++v)
      if (auto& row = plan.rowOf[v]) row += std::int32_t(first[b]) - 1;
  });
}

void fillFunctions(const Series<float>& functions, TractPlan& plan, const Progress& progress) {
  plan.order = shOrder(functions.count);
  plan.stride = formStride(plan.order);
  const auto multiplicities = withOrder(plan.order, [](auto order) {
    std::vector<float> values;
    for (const IndexClass& one : indexClasses<order>()) values.push_back(float(one.multiplicity));
    return values;
  });
  fillRows(plan, progress, [&](std::int64_t v, float* row) {
    bool any = false;
    for (int u = 0; u < functions.count; ++u) {
      const float entry = functions.at(v, u);
      if (!std::isfinite(entry)) return false;
      any = any || entry != 0;
      row[u] = multiplicities[u] * entry;
    }
    return any;
  });
}

void fillPeaks(const Series<float>& peaks, TractPlan& plan, const Progress& progress) {
  plan.peaks = peaks.count / 3;
  plan.stride = 4 * plan.peaks;
  fillRows(plan, progress, [&](std::int64_t v, float* row) {
    int found = 0;
    for (int n = 0; n < plan.peaks; ++n) {
      const Vec3<double> peak{peaks.at(v, 3 * n), peaks.at(v, 3 * n + 1), peaks.at(v, 3 * n + 2)};
      const double size = norm(peak);
      if (!(size > 0 && size < 1e15)) continue;
      const Vec3<double> u = (1 / size) * peak;
      float* const to = row + 4 * found++;
      to[0] = float(u.x);
      to[1] = float(u.y);
      to[2] = float(u.z);
      to[3] = float(size);
    }
    return found > 0;
  });
}

/// The largest amplitude in a row.
double largestAmplitude(const TractPlan& plan, const float* row) {
  float largest = 0;
  if (plan.peaks) {
    for (int n = 0; n < plan.peaks; ++n) largest = std::max(largest, row[4 * n + 3]);
    return largest;
  }
  withOrder(plan.order, [&](auto order) {
    for (int i = 0; i < kProposals; ++i)
      largest = std::max(largest, formValue<order>(row, directionInCap({0, 0, 1}, 1, i, 1u << 31, 0)));
  });
  return largest;
}

double typicalAmplitude(const TractPlan& plan) {
  constexpr std::int64_t kSample = 20000;
  const auto rows = std::int64_t(plan.rows.size()) / plan.stride;
  const std::int64_t every = std::max<std::int64_t>(1, rows / kSample);
  std::vector<double> values;
  for (std::int64_t row = 1; row < rows; row += every)
    values.push_back(largestAmplitude(plan, plan.rows.data() + row * plan.stride));
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[std::size_t(kTypicalShare * double(values.size() - 1))];
}

/// The regions of a list in mm; four numbers alone are a sphere.
std::vector<RegionView> regionsFrom(const std::string& text, const std::string& option) {
  std::vector<RegionView> regions;
  for (const std::string& part : regionTexts(text)) {
    const bool isPlain = part.find(':') == std::string::npos;
    const auto region = regionIn((isPlain ? "sphere:" : "") + part, TractRegion::Role::include);
    if (!region)
      throw Error(Message::option(option) + ": '" + part + "' is not a region",
                  "it is neither sphere:x,y,z,radius nor box:x,y,z,dx,dy,dz in mm",
                  "give one of them, with radius and edges above 0; several are separated by ';'",
                  ErrorKind::usage);
    const auto floats = [](const Vec3<double>& v) { return Vec3<float>{float(v.x), float(v.y), float(v.z)}; };
    const bool isSphere = region->shape == TractRegion::Shape::sphere;
    regions.push_back({floats(region->center), floats(region->reach),
                       isSphere ? float(region->reach.x * region->reach.x) : 0.f, 0});
  }
  return regions;
}

/// Assigns bits to regions and spheres.
class RuleMaker {
 public:
  explicit RuleMaker(TractPlan& plan) : plan_(plan) {}

  std::uint32_t add(const std::vector<Region>& regions, const std::vector<RegionView>& bodies) {
    std::uint32_t bits = 0;
    for (const Region& region : regions) {
      const std::uint32_t bit = next();
      bits |= bit;
      if (plan_.ruleBits.empty()) {
        plan_.ruleGrid = region.image->grid;
        plan_.ruleBits.resize(region.image->values.size());
      }
      for (std::size_t v = 0; v < plan_.ruleBits.size(); ++v)
        if (region.image->values[v]) plan_.ruleBits[v] |= bit;
    }
    for (RegionView body : bodies) {
      body.bit = next();
      bits |= body.bit;
      plan_.regions.push_back(body);
    }
    return bits;
  }

 private:
  std::uint32_t next() {
    if (used_ == kMostRegions)
      throw Error("There are more than " + std::to_string(kMostRegions) + " regions",
                  "each is one bit of a number", "combine those with the same role in one image");
    return std::uint32_t(1) << used_++;
  }
  TractPlan& plan_;
  std::size_t used_ = 0;
};

void makeRules(const TractInput& input, const TractOptions& options, TractPlan& plan) {
  RuleMaker maker(plan);
  plan.rules.mask = maker.add(input.mask, {});
  plan.rules.include = maker.add(input.include, regionsFrom(options.includeRegions, "include-regions"));
  plan.rules.exclude = maker.add(input.exclude, regionsFrom(options.excludeRegions, "exclude-regions"));
  plan.rules.stop = maker.add(input.stop, regionsFrom(options.stopRegions, "stop-regions"));
  plan.rules.ends = maker.add(input.ends, regionsFrom(options.endRegions, "end-regions"));
  plan.rules.bothEnds = options.bothEnds;
}

void takeTissues(const Series<float>& image, TractPlan& plan) {
  plan.tissueGrid = image.grid;
  plan.tissues.resize(std::size_t(image.grid.voxels()) * kTissueShares);
  for (std::int64_t v = 0; v < image.grid.voxels(); ++v)
    for (int n = 0; n < kTissueShares; ++n)
      if (const float share = image.at(v, n); share > 0 && share <= 1)
        plan.tissues[v * kTissueShares + n] = share;
}

/// Voxels that are mostly white matter beside one that is mostly cortex. Throws Error if there are none.
std::vector<std::int64_t> voxelsAtCortex(const TractPlan& plan) {
  const Grid& grid = plan.tissueGrid;
  const auto isMost = [&](std::int64_t v, int which) {
    const float* const s = plan.tissues.data() + v * kTissueShares;
    return s[which] >= 0.5f && s[which] >= s[0] && s[which] >= s[1] && s[which] >= s[2];
  };
  std::vector<std::int64_t> found;
  for (std::int64_t v = 0; v < grid.voxels(); ++v) {
    if (!isMost(v, 2)) continue;
    bool touches = false;
    forNeighbors(grid, grid.voxel(v), Connectivity::faces,
                 [&](std::int64_t beside) { touches = touches || isMost(beside, 0); });
    if (touches) found.push_back(v);
  }
  if (found.empty())
    throw Error("White matter does not touch the cortex anywhere", "no line would begin",
                "check the image of tissues ({tissues})"_message);
  return found;
}

std::vector<std::int64_t> voxelsIn(const Mask& mask) {
  std::vector<std::int64_t> found;
  for (std::int64_t v = 0; v < mask.grid.voxels(); ++v)
    if (mask.values[v]) found.push_back(v);
  return found;
}

/// Voxels with an amplitude of at least the cut-off. Throws Error if there are none.
std::vector<std::int64_t> voxelsToFollow(const TractPlan& plan) {
  if (plan.cutoff == 0)
    throw Error("There is nothing to follow in any voxel", "all are 0 or not a number", "check the image");
  std::vector<std::int64_t> found;
  for (std::int64_t v = 0; v < plan.grid.voxels(); ++v) {
    const std::int64_t row = plan.rowOf[v];
    if (row && largestAmplitude(plan, plan.rows.data() + row * plan.stride) >= plan.cutoff)
      found.push_back(v);
  }
  if (found.empty())
    throw Error("No voxel has an amplitude above the cut-off of " + numberText(plan.cutoff),
                "no line would begin", "choose a smaller {cutoff}, or check the image"_message);
  return found;
}

double smallestSpacing(const Grid& grid) {
  const auto spacing = grid.spacing();
  return std::min({spacing.x, spacing.y, spacing.z});
}

double stepOf(const Grid& grid, const TractOptions& options, TractMethod method) {
  if (options.step > 0) return options.step;
  return (method == TractMethod::transport ? 0.25 : 0.5) * smallestSpacing(grid);
}

/// The smallest radius of curvature, mm; 0: the largest turn in a step applies.
double radiusOf(const Grid& grid, const TractOptions& options, TractMethod method) {
  return options.radius == 0 && method == TractMethod::transport ? smallestSpacing(grid) : options.radius;
}

/// The largest turn in a step, °.
double angleOf(const TractOptions& options, double radius, double step) {
  if (radius == 0) return options.angle;
  const double half = step / (2 * radius);
  if (half > std::sqrt(0.5))
    throw Error(
        "A radius of " + numberText(radius) + " mm is too small for a step of " + numberText(step) + " mm",
        "a line would turn by more than 90° in a step",
        "choose a smaller {step} or a larger {radius}"_message, ErrorKind::usage);
  return 2 * std::asin(half) * 180 / std::numbers::pi;
}

void checkLengths(const TractOptions& options, double step) {
  if (options.minLength > options.maxLength)
    throw Error("The shortest line (" + numberText(options.minLength) + " mm) is longer than the longest (" +
                    numberText(options.maxLength) + " mm)",
                "no line would be kept", "choose a smaller {min-length}"_message, ErrorKind::usage);
  constexpr double kMostSteps = 1 << 20;
  if (options.maxLength / step > kMostSteps)
    throw Error("A line may have more than a million points", "each seed takes memory for its longest line",
                "choose a larger {step} or a smaller {max-length}"_message, ErrorKind::usage);
}

}  // namespace

Seeds seedsFor(const TractPlan& plan, const TractInput& input, const TractOptions& options) {
  Seeds seeds;
  seeds.key = PhiloxKey(std::uint64_t(options.seed));
  seeds.grid = plan.grid;
  seeds.regions = regionsFrom(options.seedRegions, "seed-regions");
  if (!input.seedPoints.empty()) {
    seeds.points = input.seedPoints;
    seeds.count = std::int64_t(seeds.points.size()) * options.seedsPerVoxel;
    return seeds;
  }
  if (!seeds.regions.empty()) {
    if (options.seedCount == 0 && options.lines == 0)
      throw Error("The number of seeds in the regions is unknown", "they have no voxels",
                  "give {seeds} or {lines}"_message, ErrorKind::usage);
  } else if (options.seedsAtCortex) {
    seeds.grid = plan.tissueGrid;
    seeds.voxels = voxelsAtCortex(plan);
  } else if (input.seeds) {
    seeds.grid = input.seeds->grid;
    seeds.voxels = voxelsIn(*input.seeds);
  } else {
    seeds.voxels = voxelsToFollow(plan);
  }
  constexpr std::int64_t kTriesOfLine = 1000;
  seeds.perVoxel = options.seedCount || options.lines ? 0 : options.seedsPerVoxel;
  seeds.count = std::int64_t(seeds.voxels.size()) * options.seedsPerVoxel;
  if (options.lines) seeds.count = options.lines * kTriesOfLine;
  if (options.seedCount) seeds.count = options.seedCount;
  return seeds;
}

Vec3<float> Seeds::place(std::int64_t i) const {
  constexpr int kUse = 2;  // beside the two halves of a line
  if (!points.empty()) return points[i % std::int64_t(points.size())];
  std::uint32_t words[4];
  drawWords(key, std::uint64_t(i), kUse, 0, words);
  const Vec3<double> jitter{uniform(words[0]), uniform(words[1]), uniform(words[2])};
  const auto drawnOf = [&](std::size_t count) {
    return std::size_t((std::uint64_t(words[3]) * std::uint64_t(count)) >> 32);
  };
  if (!regions.empty()) {
    const RegionView& region = regions[drawnOf(regions.size())];
    const Vec3<float>& center = region.center;
    if (region.squareOfRadius == 0)
      return {float(center.x + (2 * jitter.x - 1) * region.reach.x),
              float(center.y + (2 * jitter.y - 1) * region.reach.y),
              float(center.z + (2 * jitter.z - 1) * region.reach.z)};
    // Uniform in the ball: a random direction and the cube root of a uniform number.
    const double z = 2 * jitter.x - 1, turn = 2 * std::numbers::pi * jitter.y,
                 r = std::sqrt(double(region.squareOfRadius)) * std::cbrt(jitter.z),
                 flat = std::sqrt(1 - z * z);
    return {float(center.x + r * flat * std::cos(turn)), float(center.y + r * flat * std::sin(turn)),
            float(center.z + r * z)};
  }
  const std::size_t n = perVoxel ? std::size_t(i / perVoxel) : drawnOf(voxels.size());
  const Vec3<int> v = grid.voxel(voxels[n]);
  const Vec3<double> p =
      grid.worldFromVoxel.point({v.x + jitter.x - 0.5, v.y + jitter.y - 0.5, v.z + jitter.z - 0.5});
  return {float(p.x), float(p.y), float(p.z)};
}

WalkView TractPlan::view() const {
  WalkView walk{};
  walk.field.rowOf = rowOf.data();
  walk.field.rows = rows.data();
  walk.field.stride = stride;
  walk.field.peaks = peaks;
  walk.field.size = grid.size;
  setAffine(walk.field.voxelFromWorld, grid);
  walk.rules = rules;
  walk.rules.bits = ruleBits.empty() ? nullptr : ruleBits.data();
  if (!ruleBits.empty()) {
    walk.rules.size = ruleGrid.size;
    setAffine(walk.rules.voxelFromWorld, ruleGrid);
  }
  walk.rules.regions = regions.data();
  walk.rules.regionCount = int(regions.size());
  walk.tissues.shares = tissues.empty() ? nullptr : tissues.data();
  if (!tissues.empty()) {
    walk.tissues.size = tissueGrid.size;
    setAffine(walk.tissues.voxelFromWorld, tissueGrid);
  }
  walk.key = seeds.key;
  walk.step = float(step);
  walk.cosine = float(std::cos(angle * std::numbers::pi / 180));
  walk.probe = float(probe);
  walk.curvature = radius > 0 ? float(1 / radius) : 0.f;
  walk.cutoff = float(cutoff);
  walk.fewest = fewest;
  walk.most = most;
  return walk;
}

std::int64_t seedsOfBatch(const TractPlan& plan, std::int64_t most) {
  constexpr std::int64_t kFewest = 1024;
  return plan.linesWanted ? std::clamp(2 * plan.linesWanted, kFewest, most) : most;
}

TractMethod chosenMethod(const TractInput& input, TractMethod method) {
  const bool functions = input.functions != nullptr;
  if (method == TractMethod::automatic) return functions ? TractMethod::probable : TractMethod::peaks;
  if (method == TractMethod::peaks && functions)
    throw Error("Functions are given, but no peaks", "the method peaks follows given directions",
                "give {peaks}, or choose {method} fod"_message, ErrorKind::usage);
  if (method != TractMethod::peaks && !functions)
    throw Error("Peaks are given, but no functions", "this method follows a function on the sphere",
                "give {fod}, or choose {method} peaks"_message, ErrorKind::usage);
  return method;
}

std::string validateTracts(const TractInput& input, const TractOptions& options) {
  checkField(input);
  checkRegions(input);
  checkTissues(input, options);
  const TractMethod method = chosenMethod(input, options.method);
  const Grid& grid = fieldOf(input).grid;
  const double step = stepOf(grid, options, method);
  angleOf(options, radiusOf(grid, options, method), step);
  checkLengths(options, step);
  for (const auto& [text, flag] : {std::pair{&options.seedRegions, "seed-regions"},
                                   {&options.includeRegions, "include-regions"},
                                   {&options.excludeRegions, "exclude-regions"},
                                   {&options.stopRegions, "stop-regions"},
                                   {&options.endRegions, "end-regions"}})
    regionsFrom(*text, flag);
  return describeMethod(method);
}

std::string describeMethod(TractMethod method) {
  switch (method) {
    case TractMethod::probable:
      return "Probabilistic, by the fiber orientation function (probable)";
    case TractMethod::transport:
      return "Probabilistic and smooth, by the fiber orientation function (transport)";
    case TractMethod::fod:
      return "Along the nearest maximum of the fiber orientation function (fod)";
    default:
      return "Along the nearest peaks (peaks)";
  }
}

TractPlan planTracts(const TractInput& input, const TractOptions& options, const Progress& progress) {
  validateTracts(input, options);
  checkPlaces(input);
  TractPlan plan;
  plan.grid = fieldOf(input).grid;
  plan.method = chosenMethod(input, options.method);
  plan.step = stepOf(plan.grid, options, plan.method);
  plan.radius = radiusOf(plan.grid, options, plan.method);
  plan.angle = angleOf(options, plan.radius, plan.step);
  // Further ahead, an arc would exceed the quarter of a circle for which its series holds.
  plan.probe = std::clamp(smallestSpacing(plan.grid), plan.step, std::max(plan.step, 1.5 * plan.radius));
  plan.fewest = std::max(1, int(std::ceil(options.minLength / plan.step - 1e-6)));
  plan.most = std::max(plan.fewest, int(std::floor(options.maxLength / plan.step + 1e-6)));
  if (input.functions)
    fillFunctions(*input.functions, plan, progress);
  else
    fillPeaks(*input.peaks, plan, progress);
  plan.cutoff = options.cutoff > 0 ? options.cutoff : kCutoffShare * typicalAmplitude(plan);
  if (input.tissues) takeTissues(*input.tissues, plan);
  makeRules(input, options, plan);
  plan.seeds = seedsFor(plan, input, options);
  plan.linesWanted = options.lines;
  return plan;
}

}  // namespace sulcus::tracts
