#pragma once

#include "core/image/layer.h"
#include "core/registration/registration.h"
#include "core/registration/results/overlap.h"

#include <memory>
#include <string>
#include <vector>

namespace sulcus::registration {

/// All layers of a result, the main one first:
///   displacement      the template's point for x is x + displacement(x), with the pre-alignment; mm, RAS+
///   folds             the voxels of cells that fold; only if there are any
///   logjac            log of the volume ratio J of the nonlinear part
///   warped            the deformed template on the reference's grid
///   aligned           the template on the reference's grid under the pre-alignment alone
///   bias_field        factor applied to the pre-aligned template; only with bias correction
///   inverse           the reference's point for z is z + inverse(z), on the template's grid; mm, RAS+
///   inverse_residual  the forward-inverse error, voxels
///   landmarks         the table of their distances; only with landmarks
///   energy            the table of the iterations
/// The displacements share the memory of the result.
std::vector<Layer> registrationLayers(const std::shared_ptr<const RegistrationResult>& result,
                                      FieldConvention convention);

/// The layers `displacement`, `logjac` and `warped` of a running registration. Folds are a warning on the
/// last one.
std::vector<Layer> registrationLayers(const RegistrationPreview& preview, FieldConvention convention);

/// A row for each iteration; with a column for the landmarks if any of them pulls.
TableLayer registrationEnergyTable(const std::vector<RegistrationIteration>& iterations);

/// A row for each label.
TableLayer diceTable(const std::vector<LabelOverlap>& overlaps);

/// The pre-alignment as the text of a file: 4 × 4 numbers in mm after a line that says what they map.
std::string affineText(const Affine& templateFromReference);

/// The figures of a result as a JSON object.
std::string registrationJson(const RegistrationResult& result);

/// Sentences about a result: the fit before and after, the volume ratios, the inverse and the iterations.
Notes registrationSummary(const RegistrationResult& result);

}  // namespace sulcus::registration
