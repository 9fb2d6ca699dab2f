#pragma once

#include "core/base/note.h"
#include "core/image/layer.h"

#include <string>
#include <vector>

namespace sulcus::activation {

/// Whether a cell of a table is marked as missing, in the words of BIDS and others.
inline bool isMissing(const std::string& cell) {
  return cell.empty() || cell == "n/a" || cell == "N/A" || cell == "NA";
}

/// A stimulus or task during a run.
struct Event {
  double onset = 0;     ///< s after the start of the first scan
  double duration = 0;  ///< s; 0 for an impulse
  double amplitude = 1;
  int type = 0;                         ///< index in EventTable::types
  std::vector<double> modulation = {};  ///< value of each of EventTable::modulators; NaN if missing in the
                                        ///< table
};

/// The events of a run.
struct EventTable {
  std::vector<std::string> types;  ///< trial types in order of appearance, unique, suitable for file names
  std::vector<std::string> given;  ///< the same as written in the table
  std::vector<Event> events;
  std::vector<std::string> modulators;  ///< those requested, suitable for file names
  Notes notes;                          ///< what was left out or assumed
};

/// Whether the table has the events columns onset and duration.
bool holdsEvents(const TableLayer& table);

/// Reads BIDS events (columns onset and duration in s, optionally trial_type) or FSL's three columns without
/// names (onset, duration, weight). Without the column trial_type all events have the type "task". Omitted
/// and counted in notes: rows without a type or an onset, and events that no scan can show, with an onset
/// after the end or an end more than 32 s (the length of a response) before the start. A type with only such
/// events remains among the types.
///
/// @param runSeconds  length of the run, s
/// @param modulators  columns with a number for each event
/// @param modulation  column that weights the events, or "none"; "": FSL's third, or the one named modulation
///                    if it holds numbers, with a note
/// @throws Error for a missing column, if half of the events or more lie outside of the run, and naming the
/// row
///               if a number is missing or a duration is negative
EventTable readEvents(const Layer& table, double runSeconds, const std::vector<std::string>& modulators = {},
                      const std::string& modulation = {});

}  // namespace sulcus::activation
