#pragma once

#include "core/bids/study_traits.h"

#include <memory>

namespace sulcus::app::analyses {

/// The segmentations of a study, and the figures reported on their surfaces.
std::shared_ptr<const bids::StudyTraits> surfaceStudy();

}  // namespace sulcus::app::analyses
