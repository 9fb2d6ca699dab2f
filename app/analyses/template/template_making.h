#pragma once

#include "core/analysis/analysis.h"
#include "core/base/error.h"
#include "core/registration/population/population_template.h"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

// What templates of layers (the window) and of files (the command line) have in common.
namespace sulcus::app::analyses {

/// The name of the row, and of its slots.
inline constexpr const char *kTemplateName = "template", *kPeopleImages = "images", *kPeopleLabels = "labels";

/// The input with the functions for alignment and registration on a backend.
registration::PopulationInput computedOn(Backend backend, registration::PopulationInput input);

/// A name for each person from the file of the image: its stem, preceded by the name of its folder if several
/// stems are equal.
std::vector<std::string> peopleNames(const std::vector<std::string>& files);

/// Throws Error (usage) unless the number of labels is 0 or that of the images.
void requireLabelsOfAll(std::size_t labels, std::size_t images);
/// The error for two identical images, and that for an input that is not labels, by name.
Error sameImage(const std::string& one, const std::string& other);
Error noLabels(const std::string& quotedName);

/// The results for one person, by kind: logjac, warped and displacement.
std::vector<std::pair<std::string, Layer>> personLayers(const std::string& name,
                                                        registration::TemplatePerson person);

/// The table of the people of a template, filled as they are done.
class PeopleTable {
 public:
  void add(const std::string& name, const registration::TemplatePerson& person);
  Layer layer() const;

 private:
  TableLayer table_{{"participant_id", "correlation", "log_scale", "mean_logjac", "sd_logjac"}, {}};
};

/// Shows the average after each round; empty if there is no preview.
std::function<void(const registration::PopulationState&)> previewsOf(Analysis::Preview preview);

/// The data of a finished template for comparisons and plots: RunResult::source.
struct MadeTemplate {
  Mask object;
  std::vector<Layer>
      layers;  ///< the average; then, for a template of layers, the log Jacobian of each person
};

/// The result without the layers of single people: layers template, template_sd and, if there are labels,
/// template_labels; tables people and rounds; report.json.
RunResult templateResult(const registration::PopulationTemplate& made, const PeopleTable& people,
                         std::size_t count);

}  // namespace sulcus::app::analyses
