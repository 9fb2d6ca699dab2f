#include "core/registration/population/population_template.h"

#include "core/base/error.h"
#include "core/base/parallel/parallel_for.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"
#include "core/base/stage_clock.h"
#include "core/math/affine_mean.h"
#include "core/registration/deformation/pyramid.h"
#include "core/registration/population/linear_average.h"
#include "core/registration/population/running_average.h"
#include "core/registration/population/shape_average.h"
#include "core/registration/preparation/resample.h"
#include "core/registration/registration_plan.h"
#include "core/registration/results/apply_field.h"
#include "core/registration/results/overlap_metrics.h"
#include "core/registration/results/registration_result.h"
#include "core/registration/results/transform_chain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace sulcus::registration {
namespace {

constexpr float kNowhere = std::numeric_limits<float>::quiet_NaN();
constexpr double kSettledMove = 0.05;     // voxels
constexpr double kSettledGain = 0.002;    // in the correlation of people with the average
constexpr std::size_t kFewestJudged = 5;  // with fewer people, none can be judged unusual

using Field = std::shared_ptr<const Series<float>>;

/// What a template is made from, and where its parts are kept.
struct Population {
  const PopulationInput& input;
  const PopulationOptions& options;
  const PopulationStore& store;

  std::size_t people() const { return input.names.size(); }
  bool canJudge() const { return people() >= kFewestJudged; }
};

/// The field of a person after the reshaping that followed the field's round, on a grid.
Series<float> reshaped(const Field& field, const PopulationState& state, const Grid& grid,
                       const Progress& progress) {
  Mask covered;
  return TransformChain({{.map = {}, .field = field}, {.map = {}, .field = state.reshaping}})
      .on(grid, covered, progress);
}

/// The options of a registration in a round: those with a start begin nearer to the end of the pyramid.
RegistrationOptions roundOptions(const PopulationOptions& options, bool isFirst, bool isFine) {
  RegistrationOptions made = options.registration;
  made.affine = LinearAlignment::none;
  made.symmetric = false;
  if (!isFirst) made.levels = isFine ? 1 : 2;
  return made;
}

/// Registers a person to the average of a round.
///
/// @param pair  the person's image and the average
Field registered(const Population& population, const PopulationState& state, std::size_t person,
                 RegistrationInput pair, const RegistrationOptions& options, const Progress& progress) {
  const PopulationInput& input = population.input;
  pair.initial = state.personFromTemplate[person];
  pair.findBiasField = input.findBiasField;
  if (state.rounds > 0)
    pair.start =
        std::make_shared<const Series<float>>(reshaped(population.store.field(state.rounds, person), state,
                                                       pair.reference->grid, progress.part(0, 0, "start")));
  try {
    RegistrationResult result = input.registerImages(pair, options, progress);
    return std::make_shared<const Series<float>>(std::move(result.displacement));
  } catch (const Error& fault) {
    throw Error(inQuotes(input.names[person]) + " was not registered to the average", fault.message(),
                "leave it out, or repair it", fault.kind());
  }
}

/// An average without images.
///
/// @param judge  the previous average, if people are judged by it; null: all count the same
RunningAverage averageOn(const Grid& grid, const Mask& object, const PopulationState* judge) {
  if (!judge) return {grid, object, nullptr, nullptr};
  return {grid, object, &judge->average, &judge->sd};
}

/// The mean of everybody's image under the fields, on their grid.
RunningAverage averageUnder(const Population& population, const PopulationState& state, const Grid& grid,
                            const Mask& object, const std::function<Field(std::size_t)>& fieldOf,
                            const Progress& progress) {
  RunningAverage average = averageOn(grid, object, population.canJudge() ? &state : nullptr);
  const double people = double(population.people());
  for (std::size_t p = 0; p < population.people(); ++p) {
    const Progress part = progress.part(double(p) / people, double(p + 1) / people, "average");
    const Field field = fieldOf(p);
    average.add(Volume<float>(
        displaced(*openedImage(population.input, p), *field, Interpolation::cubic, kNowhere, part)));
    part.update(1);
  }
  return average;
}

Volume<float> onGrid(const Volume<float>& image, const Grid& grid, const Progress& progress) {
  return resampled(image, grid, {}, {Interpolation::linear}, nullptr, progress);
}

Volume<float> reshapedAverage(const Volume<float>& image, const Series<float>& reshaping,
                              Interpolation interpolation, const Progress& progress) {
  return Volume<float>(displaced(Series<float>(image), reshaping, interpolation, 0, progress));
}

/// One round: everyone is registered to the average; then average, fields and linear maps are moved to the
/// middle.
void makeRound(const Population& population, const Grid& grid, bool isFine, PopulationState& state,
               const Progress& progress) {
  const PopulationStore& store = population.store;
  const std::size_t people = population.people();
  const bool skipsCoarse = isFine && state.rounds > 0 && !sameGrid(grid, state.average.grid);
  const std::string stage = text("round ", state.rounds + 1);
  if (skipsCoarse) {
    // Averages the finer images instead of interpolating the coarse average.
    PopulationState finer = state;
    finer.average = onGrid(state.average, grid, progress.part(0, 0, stage));
    finer.sd = onGrid(state.sd, grid, progress.part(0, 0, stage));
    const Mask object = objectOf(finer.average);
    const RunningAverage made = averageUnder(
        population, finer, grid, object,
        [&](std::size_t p) {
          return std::make_shared<const Series<float>>(
              reshaped(store.field(state.rounds, p), state, grid, progress.part(0, 0, stage)));
        },
        progress.part(0, 0.1, stage));
    state.average = made.mean();
    state.sd = made.sd();
  }
  const Mask object = objectOf(state.average);
  const bool judges = population.canJudge() && state.rounds > 0;
  RunningAverage average = averageOn(grid, object, judges ? &state : nullptr);
  ShapeAverage shape(grid, object);
  const auto reference = std::make_shared<const Series<float>>(Series<float>(state.average));
  RoundFigures figures;
  figures.spacing = finestSpacing(grid);
  for (std::size_t p = 0; p < people; ++p) {
    const double from = 0.1 + 0.85 * double(p) / double(people), share = 0.85 / double(people);
    const Progress part = progress.part(from, from + share, text(stage, ", ", p + 1, " of ", people));
    const auto image = openedImage(population.input, p);
    Field field = store.field(state.rounds + 1, p);
    if (!field) {
      RegistrationInput pair;
      pair.templateImage = image;
      pair.reference = reference;
      field =
          registered(population, state, p, std::move(pair),
                     roundOptions(population.options, state.rounds == 0, skipsCoarse), part.part(0, 0.9, ""));
      store.keepField(state.rounds + 1, p, *field);
    }
    const Volume<float> warped(
        displaced(*image, *field, Interpolation::cubic, kNowhere, part.part(0.9, 0.95, "")));
    shape.add(*field, state.personFromTemplate[p], part.part(0.95, 1, ""));
    figures.correlation += correlationIn(warped, state.average, object) / double(people);
    average.add(warped);
  }
  ShapeAverage::Middle middle = shape.middle(progress.part(0.95, 1, stage));
  state.reshaping = std::make_shared<const Series<float>>(std::move(middle.reshaping));
  figures.moved = shape.moved();
  for (Affine& map : state.personFromTemplate) map = map * middle.scale;
  state.average =
      reshapedAverage(average.mean(), *state.reshaping, Interpolation::cubic, progress.part(1, 1, stage));
  state.sd =
      reshapedAverage(average.sd(), *state.reshaping, Interpolation::linear, progress.part(1, 1, stage));
  state.dark = average.dark();
  state.brightness = average.brightness();
  state.isFine = isFine;
  state.figures.push_back(figures);
  ++state.rounds;
  store.keepState(state);
}

/// Whether the last round changed hardly anything.
bool isSettled(const PopulationState& state) {
  const auto& figures = state.figures;
  if (figures.size() < 2) return false;
  const RoundFigures &last = figures.back(), &before = figures[figures.size() - 2];
  return last.moved < kSettledMove && last.correlation - before.correlation < kSettledGain;
}

/// Warnings about people whose images correlate with the template less than half as well as the middle one's.
void noteUnlike(const std::vector<std::string>& names, const std::vector<double>& correlations,
                Notes& notes) {
  std::vector<double> sorted = correlations;
  std::ranges::sort(sorted);
  const double middle = sorted[sorted.size() / 2];
  for (std::size_t p = 0; p < names.size(); ++p)
    if (correlations[p] < middle / 2)
      notes.push_back(Note::warning(text("'", sanitizedForDisplay(names[p], 60),
                                         "' is unlike the others: its correlation with the template is ",
                                         correlations[p], ", that of the middle one ", middle, "."),
                                    "Look at its warped image, or leave it out."));
}

/// log J of a person's whole map, and its mean in the object.
struct PersonVolumes {
  Volume<float> logJacobian;
  double logScale = 0;      ///< the part of the linear map
  double mean = 0, sd = 0;  ///< in the object
};

PersonVolumes volumesOf(const Series<float>& field, const Affine& personFromTemplate, const Mask& object,
                        const Progress& progress) {
  std::vector<RowFigures> rows;
  PersonVolumes made;
  made.logJacobian =
      logJacobianOf(flowOf(field, field.grid, personFromTemplate, progress), field.grid, rows, progress);
  made.logScale = std::log(std::abs(personFromTemplate.determinant()));
  double sum = 0, squares = 0, count = 0;
  for (std::size_t i = 0; i < object.values.size(); ++i) {
    float& value = made.logJacobian.values[i];
    value += float(made.logScale);
    if (object.values[i] == 0) continue;
    sum += value;
    squares += double(value) * value;
    ++count;
  }
  made.mean = sum / std::max(count, 1.0);
  made.sd = std::sqrt(std::max(0.0, squares / std::max(count, 1.0) - made.mean * made.mean));
  return made;
}

/// Scales the finished template so that the mean of log J over people and object is 0 in the maps as they are
/// delivered: interpolation changes what the last round had made 0.
void centerVolumes(const PopulationInput& input, const PopulationStore& store, const Mask& object,
                   PopulationState& state, const Progress& progress) {
  const std::size_t people = input.names.size();
  double mean = 0;
  for (std::size_t p = 0; p < people; ++p) {
    const Progress part =
        progress.part(double(p) / double(people), double(p + 1) / double(people), "volumes");
    const Series<float> field = reshaped(store.field(state.rounds, p), state, state.grid, part);
    mean += volumesOf(field, state.personFromTemplate[p], object, part).mean / double(people);
    part.update(1);
  }
  const Affine scale = scaleAbout(centerOf(object), std::exp(-mean / 3));
  Mask covered;
  state.reshaping = std::make_shared<const Series<float>>(
      TransformChain({{.map = {}, .field = state.reshaping}, {.map = scale}})
          .on(state.grid, covered, progress));
  for (Affine& map : state.personFromTemplate) map = map * scale;
}

/// Delivers the people of the finished template.
void deliverPeople(const PopulationInput& input, const PopulationState& state, const PopulationStore& store,
                   PopulationTemplate& made, const Progress& progress) {
  const std::size_t people = input.names.size();
  std::vector<double> correlations;
  for (std::size_t p = 0; p < people; ++p) {
    const Progress part = progress.part(double(p) / double(people), double(p + 1) / double(people), "people");
    TemplatePerson person;
    person.person = p;
    person.personFromTemplate = state.personFromTemplate[p];
    person.displacement = *store.field(state.rounds + 1, p);
    PersonVolumes volumes = volumesOf(person.displacement, person.personFromTemplate, made.object, part);
    person.logJacobian = std::move(volumes.logJacobian);
    person.logScale = volumes.logScale;
    person.meanLogJacobian = volumes.mean;
    person.sdLogJacobian = volumes.sd;
    made.meanLogJacobian += person.meanLogJacobian / double(people);
    person.warped =
        Volume<float>(displaced(*openedImage(input, p), person.displacement, Interpolation::cubic, 0, part));
    person.correlation = correlationIn(person.warped, made.average, made.object);
    correlations.push_back(person.correlation);
    if (input.deliver) input.deliver(std::move(person));
    part.update(1);
  }
  noteUnlike(input.names, correlations, made.notes);
}

std::shared_ptr<const Volume<Label>> votedLabels(const PopulationInput& input, const PopulationState& state,
                                                 const PopulationStore& store, const Progress& progress) {
  if (!input.openLabels) return nullptr;
  LabelVote vote(state.grid);
  const std::size_t people = input.names.size();
  for (std::size_t p = 0; p < people; ++p) {
    const Progress part = progress.part(double(p) / double(people), double(p + 1) / double(people), "labels");
    vote.add(displacedLabels(*input.openLabels(p), *store.field(state.rounds + 1, p), Interpolation::label, 0,
                             part));
    part.update(1);
  }
  return std::make_shared<const Volume<Label>>(vote.winners());
}

PopulationTemplate finished(const Population& population, PopulationState& state, const Progress& progress) {
  const PopulationInput& input = population.input;
  const PopulationStore& store = population.store;
  PopulationTemplate made;
  const Mask object = objectOf(state.average);
  centerVolumes(input, store, object, state, progress.part(0, 0.1, ""));
  const RunningAverage average = averageUnder(
      population, state, state.grid, object,
      [&](std::size_t p) {
        Field field = store.field(state.rounds + 1, p);
        if (!field) {
          field = std::make_shared<const Series<float>>(
              reshaped(store.field(state.rounds, p), state, state.grid, progress.part(0, 0, "fields")));
          store.keepField(state.rounds + 1, p, *field);
        }
        return field;
      },
      progress.part(0.1, 0.4, ""));
  made.average = average.mean();
  made.sd = average.sd();
  made.object = objectOf(made.average);
  made.labels = votedLabels(input, state, store, progress.part(0.4, 0.6, ""));
  deliverPeople(input, state, store, made, progress.part(0.6, 1, ""));
  state.brightness = average.brightness();
  state.dark = average.dark();
  made.average = inBrightness(state, std::move(made.average));
  made.sd = deviationInBrightness(state, std::move(made.sd));
  made.figures = state.figures;
  made.isSettled = isSettled(state);
  return made;
}

}  // namespace

PopulationStore memoryStore() {
  struct Kept {
    std::optional<PopulationState> state;
    std::map<std::pair<int, std::size_t>, Field> fields;
  };
  const auto kept = std::make_shared<Kept>();
  PopulationStore store;
  store.state = [kept] { return kept->state; };
  store.keepState = [kept](const PopulationState& state) {
    kept->state = state;
    std::erase_if(kept->fields, [&](const auto& entry) { return entry.first.first < state.rounds; });
  };
  store.field = [kept](int round, std::size_t person) {
    const auto found = kept->fields.find({round, person});
    return found == kept->fields.end() ? nullptr : found->second;
  };
  store.keepField = [kept](int round, std::size_t person, const Series<float>& field) {
    kept->fields[{round, person}] = std::make_shared<const Series<float>>(field);
  };
  return store;
}

Volume<float> inBrightness(const PopulationState& state, Volume<float> average) {
  for (float& value : average.values) value = float(state.dark) + float(state.brightness) * value;
  return average;
}

Volume<float> deviationInBrightness(const PopulationState& state, Volume<float> sd) {
  for (float& value : sd.values) value *= float(state.brightness);
  return sd;
}

void requireSeveral(std::size_t people) {
  if (people < 2)
    throw Error(people == 0 ? "There are no images" : "There is one image",
                "a template is the middle of several people", "give the images of two people or more");
}

PopulationTemplate makeTemplate(const PopulationInput& input, const PopulationOptions& options,
                                const PopulationStore& store, const Progress& progress) {
  const Population population{input, options, store};
  requireSeveral(population.people());
  iterationsPerLevel(options.registration.iterations, 1);  // throws before any work
  StageClock clock;
  Notes notes;
  std::optional<PopulationState> known = store.state();
  if (known) notes.push_back(text("Goes on after round ", known->rounds, "."));
  PopulationState state =
      known ? std::move(*known) : linearAverage(input, options, progress.part(0, 0.15, "linear"));
  if (!known) store.keepState(state);
  if (input.preview) input.preview(state);
  clock.finish("Linear");
  const bool hasCoarse = !sameGrid(state.coarse, state.grid);
  while (state.rounds < options.rounds && !(state.isFine && (hasCoarse || isSettled(state)))) {
    const bool isFine = !hasCoarse || state.rounds + 1 >= options.rounds || isSettled(state);
    const Grid& grid = isFine ? state.grid : state.coarse;
    if (state.rounds == 0 && !sameGrid(state.average.grid, grid))
      for (Volume<float>* map : {&state.average, &state.sd})
        *map = onGrid(*map, grid, progress.part(0.15, 0.15, ""));
    const double from = 0.15 + 0.65 * double(state.rounds) / options.rounds;
    makeRound(population, grid, isFine, state, progress.part(from, from + 0.65 / options.rounds, ""));
    if (input.preview) input.preview(state);
    clock.finish(text("Round ", state.rounds));
  }
  PopulationTemplate made = finished(population, state, progress.part(0.8, 1, ""));
  clock.finish("People");
  made.notes.insert(made.notes.begin(), notes.begin(), notes.end());
  made.stages = clock.stages();
  return made;
}

}  // namespace sulcus::registration
