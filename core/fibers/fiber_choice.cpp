#include "core/fibers/fiber_choice.h"

#include "core/base/error.h"
#include "core/base/sentence.h"
#include "core/fibers/models.h"
#include "core/fibers/shells.h"
#include "core/fibers/tissues.h"
#include "core/image/spherical_harmonics.h"
#include "core/image/tensor_index.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sulcus::fibers {
namespace {

constexpr double kShellWidth = 200;  // s/mm²: the highest shell has b-values down to this below the largest
constexpr int kFineOrder = 10;       // the one that it takes for csd where the noise is low

const char* nameOf(FiberModel model) {
  static constexpr std::array names{"auto", "adc", "qball", "csa", "csd", "msmt", "sh", "tensor"};
  return names[std::size_t(model)];
}

/// The weighted volumes with the highest b-values.
std::vector<int> highestShell(const GradientTable& table) {
  const auto weighted = weightedVolumes(table);
  double highest = 0;
  for (const int v : weighted) highest = std::max(highest, table.rows[std::size_t(v)].b);
  std::vector<int> shell;
  for (const int v : weighted)
    if (table.rows[std::size_t(v)].b >= highest - kShellWidth) shell.push_back(v);
  return shell;
}

/// The highest even order ≤ `most` that the directions determine, 0 where they do not determine order 2.
int highestOrder(std::span<const Vec3<double>> directions, int most) {
  for (int order = most; order >= 2; order -= 2)
    if (determinesOrder(order, directions)) return order;
  return 0;
}

void checkGradients(const Series<float>& dwi, const GradientTable& table) {
  if (table.empty())
    throw Error("The diffusion series has no gradients", "directions cannot be fitted without them",
                "give --bval and --bvec or --grad, or place them beside the scan");
  if (int(table.rows.size()) != dwi.count)
    throw Error(text("The gradient table has ", table.rows.size(), " rows, the diffusion series ", dwi.count,
                     " volumes"),
                "each volume needs its own row", "give the table that belongs to this series");
  for (const auto& row : table.rows) {
    const double length = norm(row.directionWorld);
    if (!std::isfinite(row.b) || (row.b >= kB0Threshold && !(std::abs(length - 1) < 0.01)))
      throw Error(text("A gradient with b = ", row.b, " s/mm² has no direction of length 1"),
                  "the weighting of its volume is unknown", "correct the gradient table");
  }
  if (weightedVolumes(table).empty())
    throw Error("All volumes have b = 0", "without diffusion weighting there is no direction to find",
                "check the b-values, or give the series with the weighted volumes");
  if (unweightedVolumes(table).empty())
    throw Error("No volume has b = 0", "the signal without weighting is the reference of every model",
                "give a series with at least one volume with b = 0");
}

/// Refuses shells and responses that msmt, or another model, cannot be computed with.
void checkTissues(const FiberInput& input, FiberModel model, int shellCount) {
  const int given = !input.response.empty() + !input.responseGm.empty() + !input.responseCsf.empty();
  if (!input.response.empty() && model != FiberModel::csd && model != FiberModel::msmt)
    throw Error(text("A response was given, but the model is ", nameOf(model)), "only csd and msmt use one",
                "take one of these models, or leave it out");
  if (model != FiberModel::msmt) {
    if (input.responseGm.empty() && input.responseCsf.empty()) return;
    throw Error(text("Responses of gray matter or CSF were given, but the model is ", nameOf(model)),
                "only msmt uses them", "take model msmt, or leave them out");
  }
  if (shellCount < 2)
    throw Error(text("Model msmt was asked for, the scan has ", shellCount, " shell besides b = 0"),
                "three tissues cannot be told apart by that",
                "take model csd, or give a scan with several shells");
  if (given != 0 && given != kTissues)
    throw Error(text(given, given == 1 ? " response was" : " responses were", " given for msmt"),
                "it takes those of white matter, gray matter and CSF",
                "give --response, --response-gm and --response-csf, or none of them");
  for (const auto* rows : {&input.response, &input.responseGm, &input.responseCsf})
    if (given && int(rows->size()) != shellCount + 1)
      throw Error(
          text("A response has ", rows->size(), " rows, the scan has ", shellCount, " shells besides b = 0"),
          "msmt needs a row for each shell, b = 0 first", "give responses made for these shells");
}

FiberChoice chooseForDwi(const FiberInput& input, const FiberOptions& options) {
  checkGradients(*input.dwi, input.gradients);
  const auto shell = highestShell(input.gradients);
  const auto all = weightedVolumes(input.gradients);
  const auto shellDirections = directionsOf(input.gradients, shell);
  const int shellOrder = highestOrder(shellDirections, kUsualOrder);

  FiberChoice choice{options.model, options.order, shell, {}};
  const auto found = shells(input.gradients);
  const bool isOneResponse = !input.response.empty() && input.responseGm.empty() && input.responseCsf.empty();
  if (choice.model == FiberModel::automatic)
    choice.model = (options.order == 0 ? shellOrder : options.order) < 4 ? FiberModel::adc
                   : found.size() < 2 || isOneResponse                   ? FiberModel::csd
                                                                         : FiberModel::msmt;
  checkTissues(input, choice.model, int(found.size()));
  if (choice.model == FiberModel::adc || choice.model == FiberModel::msmt) choice.weighted = all;
  const auto directions = directionsOf(input.gradients, choice.weighted);
  const int distinct = distinctDirections(directions);
  // Where auto falls back to adc it takes order 2, so that the maxima are those of a diffusion tensor.
  const bool isMsmt = choice.model == FiberModel::msmt, isCsd = choice.model == FiberModel::csd || isMsmt;
  const int highest =
      choice.model == FiberModel::adc || isMsmt ? highestOrder(directions, kUsualOrder) : shellOrder;
  if (choice.order == 0)
    choice.order = options.model == FiberModel::automatic && choice.model == FiberModel::adc
                       ? std::min(highest, 2)
                       : highest;
  // What the directions leave open above the usual order, the constraint of csd decides.
  const bool isFine = choice.order > kUsualOrder &&
                      (isCsd && !isMsmt ? highest == kUsualOrder : determinesOrder(choice.order, directions));
  if (choice.order == 0 || (choice.order > highest && !isFine)) {
    const int wanted = std::max(choice.order, 2),
              needed = tensorEntries(isCsd && !isMsmt ? std::min(wanted, kUsualOrder) : wanted);
    if (distinct < needed)
      throw Error(
          text("Order ", wanted, " needs ", needed, " different directions, the series has ", distinct),
          "fewer leave the function undetermined",
          highest > 0 ? text("take order ", highest, " or lower") : "give a series with more directions");
    throw Error(text("The ", distinct, " directions do not determine a function of order ", wanted),
                "they lie on a curve or in clusters",
                highest > 0 ? text("take order ", highest, " or lower")
                            : "give a series with evenly spread directions");
  }

  choice.orderAtLowNoise =
      isCsd && !isMsmt && options.order == 0 && choice.order == kUsualOrder ? kFineOrder : choice.order;
  const double b = input.gradients.rows[std::size_t(shell.front())].b;
  choice.reason = text(nameOf(choice.model), " of order ", choice.order,
                       choice.orderAtLowNoise > choice.order
                           ? text(", or ", choice.orderAtLowNoise, " where the noise is low enough")
                           : std::string(),
                       ": ", distinct, " directions");
  if (choice.model == FiberModel::adc)
    choice.reason = text(choice.reason, "; maxima of adc do not point along fibers where fibers cross");
  else if (isMsmt)
    choice.reason =
        text(choice.reason, " in ", found.size(), " shells; white matter, gray matter and CSF apart");
  else if (shell.size() < all.size())
    choice.reason = text(choice.reason, " of the highest shell (b ≈ ", std::lround(b), " s/mm²), the other ",
                         all.size() - shell.size(), " weighted volumes are not used");
  if (isCsd && options.order == 0 && choice.order < kUsualOrder)
    choice.reason = text(choice.reason, " (order ", choice.order + 2, " would need ",
                         tensorEntries(choice.order + 2), ")");
  return choice;
}

FiberChoice chooseForImage(const FiberInput& input, const FiberOptions& options) {
  const bool isSh = input.sh != nullptr;
  const int count = (isSh ? *input.sh : *input.tensor).count;
  const int order = shOrder(count);
  if (order < 2)
    throw Error(text(isSh ? "The spherical-harmonic image has " : "The tensor image has ", count, " volumes"),
                "an even order of 2, 4, 6, 8, 10 or 12 has 6, 15, 28, 45, 66 or 91",
                "give such an image, or convert it first");
  if (options.order > order || (!isSh && options.order != 0 && options.order != order))
    throw Error(text("The image is of order ", order, ", asked for is ", options.order),
                isSh ? "it holds no higher degrees" : "a tensor has only its own order",
                "leave the order at 0 to take the image's");
  const FiberModel model = isSh ? FiberModel::sh : FiberModel::tensor;
  checkTissues(input, model, 0);
  const int taken = options.order == 0 ? order : options.order;
  return {
      model, taken, {}, text(nameOf(model), " of order ", taken, ": from the number of volumes, ", count)};
}

}  // namespace

FiberChoice chooseFibers(const FiberInput& input, const FiberOptions& options) {
  const int given = (input.dwi != nullptr) + (input.sh != nullptr) + (input.tensor != nullptr);
  if (given != 1)
    throw Error(given == 0 ? "No image was given" : text(given, " images were given"),
                "the fibers come from one of: a diffusion series, a spherical-harmonic image, a tensor image",
                "give exactly one of --dwi, --sh, --tensor");
  if (options.order % 2 != 0 || options.order < 0 || options.order > kLargestOrder)
    throw Error(text("Order ", options.order, " was asked for"),
                "a function that is the same for g and −g has an even order",
                "take 2, 4, 6, 8, 10 or 12, or 0 for what the scan carries", ErrorKind::usage);
  const FiberModel only = input.sh ? FiberModel::sh : FiberModel::tensor;
  const bool fromImage = options.model == FiberModel::sh || options.model == FiberModel::tensor;
  if (input.dwi ? fromImage : options.model != FiberModel::automatic && options.model != only)
    throw Error(text("Model ", nameOf(options.model), " was asked for, but what was given is ",
                     input.dwi  ? "a diffusion series"
                     : input.sh ? "a spherical-harmonic image"
                                : "a tensor image"),
                "it cannot be computed from that", "take model auto, or give the image that the model needs",
                ErrorKind::usage);
  return input.dwi ? chooseForDwi(input, options) : chooseForImage(input, options);
}

const Series<float>& imageOf(const FiberInput& input) {
  return input.dwi ? *input.dwi : input.sh ? *input.sh : *input.tensor;
}

std::vector<Vec3<double>> directionsOf(const GradientTable& table, const std::vector<int>& volumes) {
  std::vector<Vec3<double>> directions;
  directions.reserve(volumes.size());
  for (const int v : volumes) directions.push_back(table.rows[std::size_t(v)].directionWorld);
  return directions;
}

}  // namespace sulcus::fibers
