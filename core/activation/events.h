#pragma once

#include "core/image/layer.h"

#include <string>
#include <vector>

namespace sulcus::activation {

/// Whether a cell of a table holds no value, in the words of BIDS and others.
inline bool isMissing(const std::string& cell) {
  return cell.empty() || cell == "n/a" || cell == "N/A" || cell == "NA";
}

/// A stimulus or task during a run.
struct Event {
  double onset = 0;     ///< s after the start of the first scan
  double duration = 0;  ///< s; 0 for an impulse
  double amplitude = 1;
  int type = 0;                         ///< index in EventTable::types
  std::vector<double> modulation = {};  ///< of each EventTable::modulators; NaN where the table has none
};

/// The events of a run.
struct EventTable {
  std::vector<std::string> types;  ///< trial types in order of appearance, unique, fit for file names
  std::vector<Event> events;
  std::vector<std::string> modulators;  ///< as asked for, fit for file names
  std::vector<std::string> notes;       ///< what was left out or assumed, in sentences
};

/// Whether the table has the columns of events, onset and duration.
bool holdsEvents(const TableLayer& table);

/// Reads BIDS events (columns onset and duration in s, optionally trial_type and modulation or amplitude) or
/// FSL's three columns without names (onset, duration, weight). Without the column trial_type all events have
/// the type "task"; rows of type n/a are left out and counted.
///
/// @param runSeconds  length of the run, s
/// @param modulators  columns with a number for each event
/// @throws Error for a column that is not there, and naming the row where a number is missing, a duration is
/// negative, or an event lies outside the run:
///               its onset after the end, or its end more than 32 s (the length of a response) before the
///               start
EventTable readEvents(const Layer& table, double runSeconds, const std::vector<std::string>& modulators = {});

}  // namespace sulcus::activation
