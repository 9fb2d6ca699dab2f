#pragma once

#include "core/base/note.h"
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
  std::vector<std::string> given;  ///< the same as the table has them
  std::vector<Event> events;
  std::vector<std::string> modulators;  ///< the requested ones, fit for file names
  Notes notes;                          ///< what was left out or assumed, in sentences
};

/// Whether the table has the columns of events, onset and duration.
bool holdsEvents(const TableLayer& table);

/// Reads BIDS events (columns onset and duration in s, optionally trial_type) or FSL's three columns without
/// names (onset, duration, weight). Without the column trial_type all events have the type "task". Left out
/// and counted in notes: rows without a type or an onset, and events that no scan can show, with an onset
/// after the end or an end more than 32 s (the length of a response) before the start. A type of such events
/// alone stays among the types.
///
/// @param runSeconds  length of the run, s
/// @param modulators  columns with a number for each event
/// @param modulation  column that weighs the events, or "none"; "": FSL's third, or the one named modulation
///                    where it holds numbers, with a note
/// @throws Error for a column that is not there, where half of the events or more lie outside of the run, and
/// naming the row
///               where a number is missing or a duration is negative
EventTable readEvents(const Layer& table, double runSeconds, const std::vector<std::string>& modulators = {},
                      const std::string& modulation = {});

}  // namespace sulcus::activation
