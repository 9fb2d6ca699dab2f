#pragma once

#include "core/image/layer.h"
#include "core/tracts/tracts.h"

namespace sulcus::tracts {

/// What became of the seeds and why lines end where they do: rows of text and counts.
TableLayer countTable(const TractCounts& counts);

/// Sentences about a result: how many lines of how many seeds, how long, and what was chosen.
Notes tractNotes(const TractResult& result);

/// Of line i, mm.
double lengthOf(const Tracts& tracts, std::size_t line);

}  // namespace sulcus::tracts
