#pragma once

#include "core/image/layer.h"

#include <string>
#include <vector>

namespace sulcus {

/// Something that happened during a run.
struct Event {
  double onset = 0;     ///< s after the start of the first scan
  double duration = 0;  ///< s; 0: an impulse
  double amplitude = 1;
  int type = 0;  ///< in EventTable::types
};

struct EventTable {
  std::vector<std::string> types;  ///< in order of appearance, unique, fit for file names
  std::vector<Event> events;
  std::vector<std::string> notes;  ///< what was left out or assumed
};

/// It has the columns of events: onset and duration.
bool holdsEvents(const TableLayer& table);

/// BIDS events: columns onset, duration (s), optionally trial_type and modulation or amplitude; or FSL's
/// three columns without names (onset, duration, weight). Without a trial_type all are of type "task"; rows
/// of type n/a are left out and counted.
///
/// @param runSeconds  length of the run
/// Throws Error naming the row where a number is missing, a duration negative, or an event outside the run:
/// its onset after the end, or its end more than 32 s (a response's length) before the start.
EventTable readEvents(const Layer& table, double runSeconds);

}  // namespace sulcus
