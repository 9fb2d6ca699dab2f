#pragma once

#include "core/analysis/analysis.h"
#include "core/registration/population/population_template.h"

#include <string>
#include <utility>
#include <vector>

namespace sulcus::app::analyses {

/// The input with the functions that align and register on a backend.
registration::PopulationInput computedOn(Backend backend, registration::PopulationInput input);

/// The average, its spread and, where there are some, the labels, as layers.
std::vector<Layer> templateLayers(const registration::PopulationTemplate& made);
/// What a finished template gives of one person, by kind: warped, logjac and displacement.
std::vector<std::pair<std::string, Layer>> personLayers(const std::string& name,
                                                        registration::TemplatePerson person);
/// How the rounds went, a row for each.
TableLayer roundsTable(const std::vector<registration::RoundFigures>& rounds);
/// Sentences about a finished template.
Notes templateSummary(const registration::PopulationTemplate& made, std::size_t people);

}  // namespace sulcus::app::analyses
