#include "core/activation/design/events.h"

#include "core/activation/design/names.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/image/table_columns.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace sulcus::activation {
namespace {

constexpr double kResponseSeconds = 32;  // length of the hemodynamic response
constexpr std::size_t kMostTypes = 1000;

/// Index of the first column of this name, ignoring case; −1 if there is none.
int columnOf(const TableLayer& table, std::string_view name) {
  const auto column = columnNamedAny(table, {name});
  return column ? int(*column) : -1;
}

/// Whether a table has three columns of numbers without a header, as FSL's programs read and write them.
bool isFslTable(const TableLayer& table) {
  return table.columns == std::vector<std::string>{"reg1", "reg2", "reg3"};
}

class EventReader {
 public:
  EventReader(const Layer& layer, const TableLayer& table, double runSeconds,
              const std::vector<std::string>& modulators, const std::string& modulation)
      : name_("'" + layer.name + "'"),
        table_(table),
        runSeconds_(runSeconds),
        modulators_(modulators),
        modulation_(modulation) {}

  EventTable read() {
    findColumns();
    findModulators();
    findWeights();
    for (std::size_t row = 0; row < table_.rows.size(); ++row) addRow(int(row));
    refuseOutside();
    if (result_.events.empty() && withoutOnset_ > 0) number(firstWithoutOnset_, onset_);
    if (result_.events.empty())
      throw Error(name_ + " holds no events", "nothing would be expected in any scan",
                  "give a table with at least one event");
    note("Events without an onset, ignored", withoutOnset_);
    note("Events outside of the run (0 to " + numberText(runSeconds_) + " s), ignored", outside_);
    note("Events without a trial_type, ignored", withoutType_);
    note("Events that last beyond the end of the run", cut_);
    return std::move(result_);
  }

 private:
  void note(const std::string& events, int count) {
    if (count > 0) result_.notes.push_back(events + ": " + std::to_string(count) + ".");
  }

  void findColumns() {
    onset_ = columnOf(table_, "onset");
    duration_ = columnOf(table_, "duration");
    type_ = columnOf(table_, "trial_type");
    if (onset_ < 0 && duration_ < 0 && isFslTable(table_)) {
      onset_ = 0;
      duration_ = 1;
      weight_ = 2;
      result_.notes.push_back("Read as FSL's three columns: onset, duration, weight.");
    }
    if (onset_ >= 0 && duration_ >= 0) return;
    throw Error(name_ + " has no column '" + (onset_ < 0 ? "onset" : "duration") + "'",
                "events need onset and duration; its columns are " + listed(table_.columns),
                "name the columns as BIDS does (onset, duration, trial_type), or give it as the design");
  }

  void findModulators() {
    for (const auto& name : modulators_) {
      const auto column = columnNamed(table_, name);
      if (!column)
        throw Error(name_ + " has no column '" + name + "'",
                    "it was asked for as a modulator; there are " + listed(table_.columns),
                    "correct the names of the modulators");
      modulatorColumns_.push_back(int(*column));
      result_.modulators.push_back(uniqueName(fileSafeName(name, "modulator"), result_.modulators));
    }
  }

  /// Decides which column weights the events. A column used by default is noted; text in it is not an error.
  void findWeights() {
    if (modulation_ == "none") {
      weight_ = -1;
      return;
    }
    if (!modulation_.empty()) {
      const auto column = columnNamed(table_, modulation_);
      if (!column)
        throw Error(name_ + " has no column '" + modulation_ + "'",
                    "it was asked for as the weights of events; there are " + listed(table_.columns),
                    "correct its name, or give none", ErrorKind::usage);
      weight_ = int(*column);
      return;
    }
    if (weight_ >= 0) return;  // FSL's third column
    for (const char* usual : {"modulation", "amplitude", "weight"}) {
      const int column = columnOf(table_, usual);
      if (column < 0) continue;
      const std::string& name = table_.columns[column];
      if (std::ranges::find(modulators_, name) != modulators_.end()) continue;
      if (columnOf(table_, "modulation") == column && holdsNumbers(column)) {
        weight_ = column;
        result_.notes.push_back(
            {"The column '" + name + "' weighs the events; 'none' would not let it.", "modulation"});
      } else {
        result_.notes.push_back(
            {"The column '" + name + "' does not weigh the events; its name would let it.", "modulation"});
      }
    }
  }

  bool holdsNumbers(int column) const {
    return std::ranges::all_of(table_.rows, [&](const auto& row) {
      const std::string& cell = row[column];
      const auto value = numberIn(cell);
      return isMissing(cell) || (value && std::isfinite(*value));
    });
  }

  /// If half of the events or more lie outside, the times have another unit or another origin.
  void refuseOutside() const {
    if (outside_ == 0 || outside_ < int(result_.events.size())) return;
    throw Error(firstOutside_ + " s, outside the run" +
                    (outside_ > 1 ? ", as are " + std::to_string(outside_ - 1) + " others" : ""),
                "the scans last from 0 to " + numberText(runSeconds_) + " s",
                "give onsets in seconds after the first scan, and the correct seconds per scan");
  }

  std::string at(int row, int column) const {
    return name_ + " row " + std::to_string(row + 1) + ", column '" + table_.columns[column] + "'";
  }

  double number(int row, int column) const {
    const std::string& cell = table_.rows[row][column];
    const auto value = numberIn(cell);
    if (value && std::isfinite(*value)) return *value;
    throw Error(at(row, column) + " holds '" + cell + "'", "that is not a number",
                column == duration_ ? "give seconds, 0 for an impulse" : "give a number or remove the row");
  }

  void addRow(int row) {
    const auto& cells = table_.rows[row];
    std::string type = type_ < 0 ? "task" : cells[type_];
    if (isMissing(cells[onset_])) {
      if (withoutOnset_++ == 0) firstWithoutOnset_ = row;
      return;
    }
    Event event;
    event.onset = number(row, onset_);
    event.duration = number(row, duration_);
    if (event.duration < 0)
      throw Error(at(row, duration_) + " is " + cells[duration_], "a duration cannot be negative",
                  "give seconds, 0 for an impulse");
    if (isMissing(type)) {
      ++withoutType_;
      return;
    }
    event.type = typeOf(type);
    if (!(event.onset < runSeconds_) || !(event.onset + event.duration > -kResponseSeconds)) {
      if (outside_++ == 0) firstOutside_ = at(row, onset_) + " is " + cells[onset_];
      return;
    }
    if (weight_ >= 0 && !isMissing(cells[weight_])) event.amplitude = number(row, weight_);
    for (const int column : modulatorColumns_)
      event.modulation.push_back(isMissing(cells[column]) ? NAN : number(row, column));
    if (event.onset + event.duration > runSeconds_) ++cut_;
    result_.events.push_back(std::move(event));
  }

  int typeOf(const std::string& type) {
    const auto [known, isNew] = given_.try_emplace(type, int(given_.size()));
    if (isNew && given_.size() > kMostTypes)
      throw Error(name_ + " has more than " + std::to_string(kMostTypes) + " different trial types",
                  "each one becomes a regressor", "give a trial_type that groups like events");
    if (isNew) {
      result_.types.push_back(uniqueName(fileSafeName(type, "type"), result_.types));
      result_.given.push_back(type);
    }
    return known->second;
  }

  std::string name_;
  const TableLayer& table_;
  double runSeconds_;
  const std::vector<std::string>& modulators_;
  const std::string& modulation_;
  std::vector<int> modulatorColumns_;
  int onset_ = -1, duration_ = -1, type_ = -1, weight_ = -1;
  int withoutType_ = 0, withoutOnset_ = 0, firstWithoutOnset_ = 0, outside_ = 0, cut_ = 0;
  std::string firstOutside_;          ///< which event, and its time
  std::map<std::string, int> given_;  ///< type of each name in the table
  EventTable result_;
};

}  // namespace

bool holdsEvents(const TableLayer& table) {
  return columnOf(table, "onset") >= 0 && columnOf(table, "duration") >= 0;
}

EventTable readEvents(const Layer& table, double runSeconds, const std::vector<std::string>& modulators,
                      const std::string& modulation) {
  const auto* content = std::get_if<TableLayer>(&table.content);
  if (!content)
    throw Error("'" + table.name + "' holds no events", "it holds " + kindWithArticle(table),
                "give a table with the columns onset, duration and trial_type");
  return EventReader(table, *content, runSeconds, modulators, modulation).read();
}

}  // namespace sulcus::activation
