#pragma once

#include "core/analysis/analysis.h"

namespace sulcus::app::analyses {

/// Lines that grow while the user moves their seeds.
Analysis::Growth tractsGrowth();

}  // namespace sulcus::app::analyses
