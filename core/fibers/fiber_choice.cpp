#include "core/fibers/fiber_choice.h"

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sentence.h"
#include "core/base/word_list.h"
#include "core/fibers/deconvolution/tissues.h"
#include "core/fibers/models/models.h"
#include "core/fibers/models/shells.h"
#include "core/image/diffusion/spherical_harmonics.h"
#include "core/image/diffusion/tensor_index.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sulcus::fibers {
namespace {

// Super-resolution: the constraint of csd decides what the directions leave open, if they determine at least
// this order.
constexpr int kLeastForFine = 6;
constexpr int kFineOrder = 10;  // order that auto then chooses for csd
// This many shells, none of which supports this order, are points of q-space rather than shells (DSI).
constexpr std::size_t kManyShells = 5;
constexpr int kShellOrder = 6;

const char* nameOf(FiberModel model) {
  static constexpr std::array names{"auto", "adc", "qball", "csa", "csd", "msmt", "sh", "tensor"};
  return names[std::size_t(model)];
}

/// The highest even order ≤ `most` that the directions determine, 0 if they do not determine order 2.
int highestOrder(std::span<const Vec3<double>> directions, int most) {
  for (int order = most; order >= 2; order -= 2)
    if (determinesOrder(order, directions)) return order;
  return 0;
}

void checkTable(const Series<float>& dwi, const GradientTable& table) {
  if (table.empty())
    throw Error("The diffusion series has no gradients", "directions cannot be fitted without them",
                "give {bval} and {bvec} or {grad}, or place them next to the scan"_message);
  if (int(table.rows.size()) != dwi.count)
    throw Error(text("The gradient table has ", table.rows.size(), " rows, the diffusion series ", dwi.count,
                     " volumes"),
                "each volume needs its own row", "give the table that belongs to this series");
}

void checkVolumes(const GradientTable& table, const ScanVolumes& scan) {
  for (const auto& row : table.rows)
    if (!std::isfinite(row.b))
      throw Error(text("A gradient with b = ", row.b, " s/mm² has no direction of length 1"),
                  "the weighting of its volume is unknown", "correct the gradient table");
  for (const int v : scan.weighted) {
    const auto& row = table.rows[v];
    if (!(std::abs(norm(row.directionWorld) - 1) < 0.01))
      throw Error(text("A gradient with b = ", numberText(row.b), " s/mm² has no direction of length 1"),
                  "the weighting of its volume is unknown",
                  "correct the gradient table, or take the volume out ({drop-volumes})"_message);
  }
  if (scan.weighted.empty())
    throw Error("All volumes have b = 0", "without diffusion weighting there is no direction to find",
                "check the b-values, or give the series with the weighted volumes");
  if (scan.unweighted.empty()) {
    double least = table.rows[scan.weighted.front()].b;
    for (const int v : scan.weighted) least = std::min(least, table.rows[v].b);
    throw Error(text("No volume has b = 0, the smallest is ", numberText(least), " s/mm²"),
                "the signal without weighting is the reference of every model",
                "give a series with at least one volume with b = 0, or say which b count as 0 "
                "({b0-threshold})"_message);
  }
}

/// "white matter, gray matter and CSF apart"
std::string tissuesText(const FiberChoice& choice) {
  if (!choice.hasGray && !choice.hasCsf) return "white matter alone";
  std::vector<std::string> tissues{"white matter"};
  if (choice.hasGray) tissues.emplace_back("gray matter");
  if (choice.hasCsf) tissues.emplace_back("CSF");
  return wordList(tissues) + " apart";
}

/// Throws Error for shells and responses that are unsuitable for msmt or another model.
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
  if (given != 0 && (input.response.empty() || given == 1))
    throw Error(text(given, given == 1 ? " response was" : " responses were", " given for msmt"),
                "it takes that of white matter and those of gray matter, CSF or both",
                "give {response} with {response-gm}, {response-csf} or both, or none of them"_message);
  if (given > shellCount + 1)
    throw Error(text("Responses of ", given, " tissues were given, the scan has ", shellCount,
                     " shell besides b = 0"),
                "three tissues cannot be told apart by that", "leave out {response-gm}"_message);
  for (const auto* rows : {&input.response, &input.responseGm, &input.responseCsf})
    if (!rows->empty() && int(rows->size()) != shellCount + 1)
      throw Error(
          text("A response has ", rows->size(), " rows, the scan has ", shellCount, " shells besides b = 0"),
          "msmt needs a row for each shell, b = 0 first", "give responses made for these shells");
}

/// "the b-values lie on a grid (DSI)"
std::string samplingText(std::span<const Shell> shells) {
  return areOnGrid(shells)
             ? "their b-values lie on a grid (DSI)"
             : text("their ", shells.size(), " b-values do not form shells with many directions");
}

/// What the directions of a series determine.
struct DwiSupport {
  int shellOrder = 0, allOrder = 0;  ///< the highest orders, of FiberChoice::shell and of all shells
  bool isTogether = false;           ///< whether the shells can be fitted together
  bool isSpread = false;             ///< whether they are points of q-space rather than shells
};

DwiSupport supportOf(const FiberInput& input, const FiberChoice& choice) {
  const auto& shells = choice.scan.shells;
  DwiSupport support;
  support.shellOrder = highestOrder(directionsOf(input.gradients, shells[choice.shell].volumes), kUsualOrder);
  support.allOrder = highestOrder(directionsOf(input.gradients, choice.scan.weighted), kUsualOrder);
  const bool isOneResponse = !input.response.empty() && input.responseGm.empty() && input.responseCsf.empty();
  support.isTogether = shells.size() > 1 && !isOneResponse && support.allOrder >= kCrossingOrder;
  support.isSpread = support.isTogether && shells.size() >= kManyShells && support.shellOrder < kShellOrder &&
                     support.allOrder > support.shellOrder;
  return support;
}

void chooseModel(const FiberInput& input, const FiberOptions& options, const DwiSupport& support,
                 FiberChoice& choice) {
  if (options.model == FiberModel::automatic) {
    const int possible = support.isTogether ? support.allOrder : support.shellOrder;
    const int carried = options.order != 0 ? options.order : possible;
    const bool hasTissues = !input.responseGm.empty() || !input.responseCsf.empty();
    choice.model = support.isTogether || hasTissues ? FiberModel::msmt : FiberModel::csd;
    if (carried < kCrossingOrder) choice.model = FiberModel::adc;
  } else if (options.model == FiberModel::csd && support.isSpread) {
    choice.model = FiberModel::msmt;
    choice.hasGray = choice.hasCsf = false;
  }
  checkTissues(input, choice.model, int(choice.scan.shells.size()));
  if (!input.response.empty()) {
    choice.hasGray = !input.responseGm.empty();
    choice.hasCsf = !input.responseCsf.empty();
  } else if (choice.model == FiberModel::msmt && choice.scan.shells.size() == 1) {
    choice.hasGray = false;  // two numbers, b = 0 and the mean of the shell, can separate only two tissues
  }
}

/// Whether the model fits the volumes of all shells.
bool usesAllShells(FiberModel model) { return model == FiberModel::adc || model == FiberModel::msmt; }

/// @param highest  the highest order that the directions determine
[[noreturn]] void refuseOrder(const FiberChoice& choice, int highest, int directions) {
  const int wanted = std::max(choice.order, 2);
  const int needed =
      tensorEntries(choice.model == FiberModel::csd ? std::min(wanted, kLeastForFine) : wanted);
  const std::string lower = text("take order ", highest, " or lower");
  if (directions < needed)
    throw Error(
        text("Order ", wanted, " needs ", needed, " different directions, the series has ", directions),
        "fewer leave the function undetermined", highest > 0 ? lower : "give a series with more directions");
  throw Error(text("The ", directions, " directions do not determine a function of order ", wanted),
              "they lie on a curve or in clusters",
              highest > 0 ? lower : "give a series with evenly spread directions");
}

/// @param highest  as for refuseOrder()
void chooseOrder(const FiberOptions& options, int highest, std::span<const Vec3<double>> directions,
                 FiberChoice& choice) {
  const bool isSuperResolved = choice.model == FiberModel::csd && highest >= kLeastForFine;
  if (choice.order == 0) {
    choice.order = isSuperResolved ? kFineOrder : highest;
    // When auto falls back to adc it uses order 2, so that the maxima are those of a diffusion tensor.
    if (options.model == FiberModel::automatic && choice.model == FiberModel::adc)
      choice.order = std::min(highest, 2);
  }
  const bool isFine = choice.model == FiberModel::csd
                          ? isSuperResolved
                          : choice.order > kUsualOrder && determinesOrder(choice.order, directions);
  if (choice.order == 0 || (choice.order > highest && !isFine))
    refuseOrder(choice, highest, distinctDirections(directions));
}

std::string reasonFor(const FiberChoice& choice, const FiberOptions& options, const DwiSupport& support,
                      int directions) {
  const auto& shells = choice.scan.shells;
  const Shell& shell = shells[choice.shell];
  const std::size_t weighted = choice.scan.weighted.size();
  std::string reason =
      text(nameOf(choice.model), " of order ", choice.order, ": ", directions, " directions");
  if (choice.model == FiberModel::adc)
    return text(reason, "; maxima of adc do not point along fibers where fibers cross");
  if (choice.model == FiberModel::msmt)
    reason = text(reason, " in ", counted(std::ssize(shells), "shell"), "; ",
                  support.isSpread ? samplingText(shells) + "; " : std::string(), tissuesText(choice));
  else if (choice.weighted.size() < weighted)
    reason = text(reason, " of the shell that supports the highest order (b ≈ ", std::lround(shell.b),
                  " s/mm²), the other ", weighted - shell.volumes.size(), " weighted volumes are not used");
  const bool isCsd = choice.model == FiberModel::csd;
  if ((!isCsd && choice.model != FiberModel::msmt) || options.order != 0 || choice.order >= kUsualOrder)
    return reason;
  const auto [next, enough] =
      isCsd ? std::pair(kFineOrder, kLeastForFine) : std::pair(choice.order + 2, choice.order + 2);
  return text(reason, " (order ", next, " would need ", tensorEntries(enough), ")");
}

/// The shell whose directions determine the highest order; among several the one with the largest b. There
/// must be at least one shell.
std::size_t carryingShell(const GradientTable& table, std::span<const Shell> shells) {
  std::size_t best = 0;
  int most = -1;
  for (std::size_t i = 0; i < shells.size(); ++i) {
    const int order = highestOrder(directionsOf(table, shells[i].volumes), kUsualOrder);
    if (order < most) continue;
    best = i;
    most = order;
  }
  return best;
}

FiberChoice chooseForDwi(const FiberInput& input, const FiberOptions& options) {
  const GradientTable& table = input.gradients;
  checkTable(*input.dwi, table);
  FiberChoice choice{options.model, options.order, {}, {}};
  choice.scan = scanVolumes(table, options);
  checkVolumes(table, choice.scan);
  choice.shell = carryingShell(table, choice.scan.shells);
  const DwiSupport support = supportOf(input, choice);
  choice.isWhole = support.isTogether && (support.isSpread || support.shellOrder < kCrossingOrder);
  chooseModel(input, options, support, choice);
  const bool usesAll = usesAllShells(choice.model);
  choice.weighted = usesAll ? choice.scan.weighted : choice.scan.shells[choice.shell].volumes;
  const auto directions = directionsOf(table, choice.weighted);
  const int highest = usesAll ? support.allOrder : support.shellOrder;
  chooseOrder(options, highest, directions, choice);

  const int distinct = distinctDirections(directions);
  choice.reason = reasonFor(choice, options, support, distinct);
  if (!choice.scan.note.empty()) choice.notes.push_back(choice.scan.note);
  if (choice.model != FiberModel::adc && highest < kCrossingOrder)
    choice.notes.push_back(
        Note::warning(text(distinct, " directions are too few for ", nameOf(choice.model),
                           ": a function of order ", choice.order,
                           " cannot resolve crossing fibers, and its peaks may be far off. Use a scan or "
                           "shells with at least 15 directions, or model adc.")));
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
                "give exactly one of {dwi}, {sh}, {tensor}"_message);
  if (options.order % 2 != 0 || options.order < 0 || options.order > kLargestOrder)
    throw Error(text("Order ", options.order, " was asked for"),
                "a function that is the same for g and −g has an even order",
                "take 2, 4, 6, 8, 10 or 12, or 0 for what the scan carries", ErrorKind::usage);
  const bool fromImage = options.model == FiberModel::sh || options.model == FiberModel::tensor;
  bool isPossible = input.dwi && !fromImage;
  std::string image = "a diffusion series";
  if (!input.dwi) {
    isPossible = options.model == (input.sh ? FiberModel::sh : FiberModel::tensor);
    image = input.sh ? "a spherical-harmonic image" : "a tensor image";
  }
  if (!isPossible && options.model != FiberModel::automatic)
    throw Error(text("Model ", nameOf(options.model), " was asked for, but what was given is ", image),
                "it cannot be computed from that", "take model auto, or give the image that the model needs",
                ErrorKind::usage);
  return input.dwi ? chooseForDwi(input, options) : chooseForImage(input, options);
}

const Series<float>& imageOf(const FiberInput& input) {
  if (input.dwi) return *input.dwi;
  return input.sh ? *input.sh : *input.tensor;
}

std::vector<Vec3<double>> directionsOf(const GradientTable& table, const std::vector<int>& volumes) {
  std::vector<Vec3<double>> directions;
  directions.reserve(volumes.size());
  for (const int v : volumes) directions.push_back(table.rows[v].directionWorld);
  return directions;
}

}  // namespace sulcus::fibers
