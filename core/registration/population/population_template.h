#pragma once

#include "core/base/note.h"
#include "core/base/options.h"
#include "core/base/progress.h"
#include "core/base/provenance.h"
#include "core/image/labels/label_table.h"
#include "core/image/volume.h"
#include "core/registration/registration.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sulcus::registration {

/// Options of a template of several people, an average of their images in the middle of their shapes.
struct PopulationOptions {
  int rounds = 5;
  double spacing = 0;
  RegistrationOptions registration;  ///< of each person to the average; ignores symmetric, match and affine

  template <class Visit>
  void describe(Visit&& visit) {
    visit(
        rounds,
        numberOption("rounds", "Rounds", "", {1, 50, 1},
                     "Maximum: in each round every image is registered to the average, then a new average is "
                     "computed. All but the last run at half resolution, until the average stops moving."));
    visit(spacing,
          withLowest("as the images", numberOption("spacing", "Voxel size", "mm", {0, 20, 0.1},
                                                   "Of the template. 0: the middle one of the images.")));
    registration.describe([&](auto& member, OptionInfo info) {
      for (const char* taken : {"similarity", "lambda", "membrane", "sigma", "iterations", "bias-field"})
        if (info.name == taken) visit(member, std::move(info));
    });
  }
};

/// Opens the image of one person each time it is needed, so that not all are in memory at once. One volume
/// each.
using OpenImage = std::function<std::shared_ptr<const Series<float>>(std::size_t person)>;
using OpenLabels = std::function<std::shared_ptr<const Volume<Label>>(std::size_t person)>;

/// The figures of one round.
struct RoundFigures {
  double spacing = 0;      ///< of its grid, mm
  double moved = 0;        ///< distance of its people from the middle: root mean square in the object, voxels
  double correlation = 0;  ///< mean correlation of each person with the average
};

/// The state of a template between two rounds. The fields of the people are stored separately.
struct PopulationState {
  int rounds = 0;                          ///< number of rounds made; 0: only the linear average
  bool isFine = false;                     ///< whether the last round was at full resolution
  std::vector<Affine> personFromTemplate;  ///< the linear maps, mm, RAS+; their mean is the identity
  Grid grid;                               ///< of the finished template
  Grid coarse;                             ///< of the rounds before the last; may be the same
  Volume<float> average, sd;        ///< mean and standard deviation over people, brightness 1 in the object
  double dark = 0, brightness = 1;  ///< of the people: what became 0, and the difference of what became 1
  /// The displacement from the average to the one for which the fields of the last round were found: x +
  /// reshaping(x), mm. Null before the first round.
  std::shared_ptr<const Series<float>> reshaping;
  std::vector<RoundFigures> figures;
};

/// Stores an unfinished template, so that it can be continued.
struct PopulationStore {
  std::function<std::optional<PopulationState>()> state;
  std::function<void(const PopulationState&)> keepState;
  /// The displacement that a round found for a person, as in RegistrationResult.
  std::function<std::shared_ptr<const Series<float>>(int round, std::size_t person)> field;
  std::function<void(int round, std::size_t person, const Series<float>&)> keepField;
};
/// A store in memory.
PopulationStore memoryStore();

/// The part of a finished template that concerns one person. All images lie on its grid.
struct TemplatePerson {
  std::size_t person = 0;
  Affine personFromTemplate;   ///< the linear part
  Series<float> displacement;  ///< as in RegistrationResult: the person's point for x is x + displacement(x)
  /// The person's local size relative to the template: the logarithm of the volume ratio of the whole map,
  /// including head size.
  Volume<float> logJacobian;
  Volume<float> warped;                           ///< the deformed image, in its own intensities
  double correlation = 0;                         ///< with the template, in the object
  double logScale = 0;                            ///< log of the volume ratio of the linear part
  double meanLogJacobian = 0, sdLogJacobian = 0;  ///< in the object
};

struct PopulationInput {
  std::vector<std::string> names;  ///< of the people
  OpenImage open;
  OpenLabels openLabels;  ///< may be empty
  std::function<AlignLinearly> alignLinearly;
  std::function<Register> registerImages;
  std::function<FindBiasField> findBiasField;  ///< may be empty, as in RegistrationInput
  /// Receives what is known after the linear average and after each round; may be empty.
  std::function<void(const PopulationState&)> preview;
  /// Receives the people of the finished template one by one; may be empty.
  std::function<void(TemplatePerson)> deliver;
};

struct PopulationTemplate {
  Volume<float> average, sd;                    ///< in the mean brightness of the people
  Mask object;                                  ///< where the average is bright; figures are computed in it
  std::shared_ptr<const Volume<Label>> labels;  ///< the most frequent label in each voxel; null without
                                                ///< labels
  double meanLogJacobian = 0;                   ///< over people and object
  std::vector<RoundFigures> figures;
  bool isSettled = false;  ///< whether it had stopped changing at the end
  Notes notes;
  std::vector<StageTime> stages;
};

/// An average of brightness 1 in the mean brightness of the people, and such a standard deviation.
Volume<float> inBrightness(const PopulationState& state, Volume<float> average);
Volume<float> deviationInBrightness(const PopulationState& state, Volume<float> sd);

/// Throws Error for fewer than two people.
void requireSeveral(std::size_t people);

/// Makes the template of several people: their images are aligned by linear maps whose mean is the identity
/// (middleOf()), averaged, registered to the average, averaged again in the middle of the deformations, and
/// so on. The result depends neither on the order of the people nor on which of them comes first. The middle
/// of deformations is where the mean of their velocities is 0 (Arsigny et al. 2006); a scale makes the mean
/// of log J in the object 0. Averages down-weight values that are unusual at a voxel (Huber's weights) and
/// scale everybody's brightness in the object to 1. Throws Error for fewer than two people and for images
/// that are not volumes.
PopulationTemplate makeTemplate(const PopulationInput& input, const PopulationOptions& options,
                                const PopulationStore& store, const Progress& progress);

}  // namespace sulcus::registration
