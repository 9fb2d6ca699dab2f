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
  RegistrationOptions registration;  ///< of each person to the average; without symmetric, match and affine

  template <class Visit>
  void describe(Visit&& visit) {
    visit(rounds,
          numberOption("rounds", "Rounds", "", 1, 50, 1,
                       "At most: in each everybody is registered to the average, of which a new one is "
                       "made. All but the last are made at half the resolution, until the average moves "
                       "no more."));
    visit(spacing,
          withLowest("as the images", numberOption("spacing", "Voxel size", "mm", 0, 20, 0.1,
                                                   "Of the template. 0: the middle one of the images.")));
    registration.describe([&](auto& member, OptionInfo info) {
      for (const char* taken : {"similarity", "lambda", "membrane", "sigma", "iterations", "bias-field"})
        if (info.name == taken) visit(member, std::move(info));
    });
  }
};

/// Where an image of one person is taken from, each time that it is needed: not all are in memory at once.
/// One volume each.
using OpenImage = std::function<std::shared_ptr<const Series<float>>(std::size_t person)>;
using OpenLabels = std::function<std::shared_ptr<const Volume<Label>>(std::size_t person)>;

/// How one round went.
struct RoundFigures {
  double spacing = 0;  ///< of its grid, mm
  double moved = 0;    ///< how far its people stood from the middle: root mean square in the object, voxels
  double correlation = 0;  ///< of each person with the average, in the mean
};

/// What is known of a template between two rounds. The fields of the people are kept apart.
struct PopulationState {
  int rounds = 0;                          ///< that were made; 0: the linear average alone
  bool isFine = false;                     ///< whether the last was made at full resolution
  std::vector<Affine> personFromTemplate;  ///< the linear maps, mm, RAS+; their middle is the identity
  Grid grid;                               ///< of the finished template
  Grid coarse;                             ///< of the rounds before the last; may be the same
  Volume<float> average, sd;  ///< mean and standard deviation of people, brightness 1 in the object
  /// From the average to that for which the fields of the last round were found: x + reshaping(x), mm. Null
  /// before the first.
  std::shared_ptr<const Series<float>> reshaping;
  std::vector<RoundFigures> figures;
};

/// Where a template in the making is kept, so that it can be gone on with.
struct PopulationStore {
  std::function<std::optional<PopulationState>()> state;
  std::function<void(const PopulationState&)> keepState;
  /// The displacement that a round found for a person, as in RegistrationResult.
  std::function<std::shared_ptr<const Series<float>>(int round, std::size_t person)> field;
  std::function<void(int round, std::size_t person, const Series<float>&)> keepField;
};
/// One in memory.
PopulationStore memoryStore();

/// What a finished template gives of one person. All lie on its grid.
struct TemplatePerson {
  std::size_t person = 0;
  Affine personFromTemplate;   ///< the linear part
  Series<float> displacement;  ///< as in RegistrationResult: the person's point for x is x + displacement(x)
  /// How large the person is there beside the template: the logarithm of the volume ratio of the whole map,
  /// size of the head included.
  Volume<float> logJacobian;
  Volume<float> warped;                           ///< the image, in its own intensities
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
  /// Receives the people of the finished template one after the other; may be empty.
  std::function<void(TemplatePerson)> deliver;
};

struct PopulationTemplate {
  Volume<float> average, sd;                    ///< in the mean brightness of the people
  Mask object;                                  ///< where the average is bright: in it the figures are taken
  std::shared_ptr<const Volume<Label>> labels;  ///< those most people have in a place; null without labels
  double meanLogJacobian = 0;                   ///< over people and object
  std::vector<RoundFigures> figures;
  bool isSettled = false;  ///< whether it moved no more in the end
  Notes notes;
  std::vector<StageTime> stages;
};

/// Throws Error for fewer than two people.
void requireSeveral(std::size_t people);

/// Makes the template of several people: their images are brought together by linear maps whose middle is the
/// identity (middleOf()), averaged, registered to the average, averaged anew in the middle of the
/// deformations, and so on. Neither the order of the people nor which of them is the first decides. The
/// middle of deformations is where the mean of their velocities is 0 (Arsigny et al. 2006); a scale brings
/// the mean of log J in the object to 0. Averages leave out what is unusual in a place (Huber's weights) and
/// count everybody's brightness in the object as 1. Throws Error for fewer than two people and for images
/// that are no volumes.
PopulationTemplate makeTemplate(const PopulationInput& input, const PopulationOptions& options,
                                const PopulationStore& store, const Progress& progress);

}  // namespace sulcus::registration
