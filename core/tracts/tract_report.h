#pragma once

#include "core/image/layer.h"
#include "core/tracts/tracts.h"

namespace sulcus::tracts {

/// The outcomes of the seeds and the reasons why lines end: rows of text and counts.
TableLayer countTable(const TractCounts& counts);

/// Sentences about a result: how many lines from how many seeds, their length, and what was chosen.
Notes tractNotes(const TractResult& result);

/// The length of a line, mm.
double lengthOf(const Tracts& tracts, std::size_t line);

}  // namespace sulcus::tracts
