#pragma once

#include "core/bids/study_traits.h"

#include <memory>

namespace sulcus::app::analyses {

/// What a study must know of tracts: they are led through the fibers that a study gave.
std::shared_ptr<const bids::StudyTraits> tractsStudy();

}  // namespace sulcus::app::analyses
