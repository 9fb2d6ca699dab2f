#pragma once

#include "core/image/layer.h"
#include "core/registration/overlap.h"
#include "core/registration/registration.h"

#include <memory>
#include <string>
#include <vector>

namespace sulcus {

/// All layers of a result; the first is what a user came for:
///   displacement      mm; the template's point for x is x + displacement(x), the pre-alignment included
///   warped, aligned   the template on the reference's grid: deformed, and under the pre-alignment alone
///   logjac            log of the volume ratio J of the nonlinear part
///   inverse           mm, on the template's grid
///   inverse_residual  forward-inverse error: how far there and back misses, voxels
///   folds             voxels of cells that fold; only where there are any
///   energy            table of the iterations
/// The displacements are those of the result, not copies.
std::vector<Layer> registrationLayers(const std::shared_ptr<const RegistrationResult>& result,
                                      FieldConvention convention);

/// displacement and warped of a run that goes on.
std::vector<Layer> registrationLayers(const RegistrationPreview& preview, FieldConvention convention);

/// A row for each iteration.
TableLayer energyTable(const std::vector<RegistrationIteration>& iterations);

/// A row for each label.
TableLayer diceTable(const std::vector<LabelOverlap>& overlaps);

/// The pre-alignment as a text file: 4 × 4 numbers after a line that says what they map.
std::string affineText(const Affine& templateFromReference);

/// The figures of a result as a JSON object.
std::string registrationJson(const RegistrationResult& result);

/// What came out, in sentences: fit before and after, volumes, inverse, steps.
std::vector<std::string> registrationSummary(const RegistrationResult& result);

}  // namespace sulcus
