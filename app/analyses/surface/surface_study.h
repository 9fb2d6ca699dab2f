#pragma once

#include "core/bids/study_traits.h"

#include <memory>

namespace sulcus::app::analyses {

/// Segmentations of a study, and what is reported of their surfaces.
std::shared_ptr<const bids::StudyTraits> surfaceStudy();

}  // namespace sulcus::app::analyses
