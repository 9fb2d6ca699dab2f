#pragma once

#include "core/analysis/analysis.h"
#include "core/base/error.h"
#include "core/registration/population/population_template.h"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

// What a template of layers, as the window has them, and one of files have in common.
namespace sulcus::app::analyses {

/// The name of the row, and of its slots.
inline constexpr const char *kTemplateName = "template", *kPeopleImages = "images", *kPeopleLabels = "labels";

/// The input with the functions that align and register on a backend.
registration::PopulationInput computedOn(Backend backend, registration::PopulationInput input);

/// A name for each person by the file of the image: its stem, or with that of its folder where several are
/// called alike.
std::vector<std::string> peopleNames(const std::vector<std::string>& files);

/// Throws Error (usage) unless there are no labels or as many as images.
void requireLabelsOfAll(std::size_t labels, std::size_t images);
/// The error of two images that are the same, and that of labels that are none, by their names.
Error sameImage(const std::string& one, const std::string& other);
Error noLabels(const std::string& quotedName);

/// What a finished template gives of one person, by kind: logjac, warped and displacement.
std::vector<std::pair<std::string, Layer>> personLayers(const std::string& name,
                                                        registration::TemplatePerson person);

/// Figures of the people of a template, as they are delivered.
class PeopleTable {
 public:
  void add(const std::string& name, const registration::TemplatePerson& person);
  Layer layer() const;

 private:
  TableLayer table_{{"participant_id", "correlation", "log_scale", "mean_logjac", "sd_logjac"}, {}};
};

/// Shows the average after each round; empty where nobody looks.
std::function<void(const registration::PopulationState&)> previewsOf(Analysis::Preview preview);

/// What comparisons and plots need of a finished template: RunResult::source.
struct MadeTemplate {
  Mask object;
  std::vector<Layer> layers;  ///< the average; then, of a template of layers, the log Jacobian of each person
};

/// The result without what is of one person each: layers template, template_sd and, where there are some,
/// template_labels; tables people and rounds; report.json.
RunResult templateResult(const registration::PopulationTemplate& made, const PeopleTable& people,
                         std::size_t count);

}  // namespace sulcus::app::analyses
