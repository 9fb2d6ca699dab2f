#include "core/group/group_design.h"

#include "core/activation/design/names.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/sanitized.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace sulcus::group {
namespace {

std::string shown(const std::string& text) { return "'" + sanitizedForDisplay(text, 60) + "'"; }

std::size_t columnNamed(const PeopleTable& people, const std::string& name, const char* flag) {
  const auto found = std::find(people.columns.begin(), people.columns.end(), name);
  if (found == people.columns.end())
    throw Error(
        "The table of people has no column " + shown(name),
        people.columns.empty() ? "no table was given" : "it has " + activation::listed(people.columns),
        std::string("check ") + flag, ErrorKind::usage);
  return std::size_t(found - people.columns.begin());
}

bool isMissing(const std::string& cell) {
  return cell.empty() || cell == "n/a" || cell == "N/A" || cell == "NaN";
}

std::string cellOf(const PeopleTable& people, std::size_t row, std::size_t column) {
  return column < people.rows[row].size() ? people.rows[row][column] : "";
}

/// The label of a person in a name, without "sub-".
std::string_view bareId(std::string_view id) {
  if (id.starts_with("sub-")) id.remove_prefix(4);
  return id;
}

/// Whether a map of this name belongs to the person: by "sub-", else by the id as a whole word.
bool namesPerson(std::string_view name, std::string_view id) {
  if (const auto sub = name.find("sub-"); sub != name.npos) {
    const std::string_view label = name.substr(sub + 4);
    return label.substr(0, label.find_first_of("_. /")) == id;
  }
  const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (auto at = name.find(id); at != name.npos; at = name.find(id, at + 1)) {
    const bool before = at > 0 && isPart(name[at - 1]),
               after = at + id.size() < name.size() && isPart(name[at + id.size()]);
    if (!before && !after) return true;
  }
  return false;
}

std::size_t idColumn(const PeopleTable& people) {
  const auto found = std::find(people.columns.begin(), people.columns.end(), "participant_id");
  return found == people.columns.end() ? 0 : std::size_t(found - people.columns.begin());
}

void addGroups(const PeopleTable& people, const std::vector<std::size_t>& rows, const std::string& name,
               GroupDesign& design) {
  const std::size_t column = columnNamed(people, name, "--groups");
  std::vector<std::string> levels;
  std::map<std::string, int> counts;
  for (const std::size_t row : rows) {
    const std::string level = cellOf(people, row, column);
    if (counts[level]++ == 0) levels.push_back(level);
  }
  std::sort(levels.begin(), levels.end());
  if (levels.size() > 20)
    throw Error("The column " + shown(name) + " has " + std::to_string(levels.size()) + " different values",
                "each would be a group", "give numbers as --covariates", ErrorKind::usage);
  for (const auto& level : levels)
    if (counts[level] < 2)
      throw Error("The group " + shown(level) + " has one person",
                  "the variance within it cannot be estimated", "exclude the person, or join groups");
  for (const auto& level : levels)
    design.names.push_back(activation::uniqueName(activation::fileSafeName(level, "group"), design.names));
  for (std::size_t n = 0; n < rows.size(); ++n)
    for (const auto& level : levels) design.rows[n].push_back(cellOf(people, rows[n], column) == level);
}

void addCovariate(const PeopleTable& people, const std::vector<std::size_t>& rows, const std::string& name,
                  GroupDesign& design) {
  const std::size_t column = columnNamed(people, name, "--covariates");
  std::vector<double> values;
  double mean = 0;
  for (const std::size_t row : rows) {
    const auto number = numberIn(cellOf(people, row, column));
    if (!number || !std::isfinite(*number))
      throw Error("The covariate " + shown(name) + " is " + shown(cellOf(people, row, column)) + " in a row",
                  "numbers are needed", "correct it, or give it as --groups");
    values.push_back(*number);
    mean += *number / double(rows.size());
  }
  if (std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); }))
    throw Error("The covariate " + shown(name) + " is the same for all people", "it cannot explain anything",
                "leave it out");
  design.names.push_back(activation::uniqueName(activation::fileSafeName(name, "covariate"), design.names));
  for (std::size_t n = 0; n < rows.size(); ++n) design.rows[n].push_back(values[n] - mean);
}

/// Makes a block of each person who was measured repeatedly, and a column for each but the first.
void addRepeated(const PeopleTable& people, const std::vector<std::size_t>& rows, const std::string& name,
                 GroupDesign& design) {
  const std::size_t column = columnNamed(people, name, "--repeated");
  std::vector<std::string> who;
  for (const std::size_t row : rows) {
    const std::string person = cellOf(people, row, column);
    auto found = std::find(who.begin(), who.end(), person);
    if (found == who.end()) found = who.insert(who.end(), person);
    design.block.push_back(int(found - who.begin()));
  }
  if (who.size() == rows.size())
    throw Error("No person was measured repeatedly by the column " + shown(name), "each value occurs once",
                "omit --repeated", ErrorKind::usage);
  for (std::size_t p = 1; p < who.size(); ++p) {
    design.names.push_back(
        activation::uniqueName("person_" + activation::fileSafeName(who[p], "p"), design.names));
    for (std::size_t n = 0; n < rows.size(); ++n) design.rows[n].push_back(design.block[n] == int(p));
  }
}

/// The default contrasts: the mean, or all pairs of groups, and each covariate.
std::string usualContrasts(const std::vector<std::string>& groups,
                           const std::vector<std::string>& covariates) {
  std::vector<std::string> parts;
  if (groups.size() == 1) parts.push_back("\"" + groups[0] + "\"");
  for (std::size_t a = 0; a < groups.size(); ++a)
    for (std::size_t b = a + 1; b < groups.size(); ++b)
      parts.push_back("\"" + groups[a] + "\" - \"" + groups[b] + "\"");
  for (const auto& covariate : covariates) parts.push_back("\"" + covariate + "\"");
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

std::vector<std::string> wordsOf(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; (begin = text.find_first_not_of(" ,;\t", begin)) != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(" ,;\t", begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

}  // namespace

std::string designText(const GroupDesign& design) {
  std::vector<std::string> names;
  for (const auto& contrast : design.contrasts) names.push_back(contrast.name);
  return text(design.people(), " maps. Contrasts: ", activation::listed(names), ".");
}

MatchedPeople matchPeople(const PeopleTable& people, const std::vector<std::string>& maps) {
  MatchedPeople matched;
  if (people.rows.empty()) {
    for (std::size_t i = 0; i < maps.size(); ++i) matched.maps.push_back(i), matched.rows.push_back(i);
    return matched;
  }
  const std::size_t id = idColumn(people);
  std::vector<bool> isUsed(maps.size());
  std::vector<std::string> without;
  for (std::size_t row = 0; row < people.rows.size(); ++row) {
    const std::string person = cellOf(people, row, id);
    std::vector<std::size_t> found;
    for (std::size_t m = 0; m < maps.size() && !bareId(person).empty(); ++m)
      if (namesPerson(maps[m], bareId(person))) found.push_back(m);
    // If a person has several rows, the maps of this person are assigned to them in order.
    std::erase_if(found, [&](std::size_t m) { return isUsed[m]; });
    if (found.empty()) {
      without.push_back(person);
      continue;
    }
    isUsed[found.front()] = true;
    matched.maps.push_back(found.front());
    matched.rows.push_back(row);
  }
  if (matched.maps.empty() && maps.size() == people.rows.size()) {
    matched.notes.push_back(Note::warning("No map name contains a " + people.columns[id] +
                                          " of the table: maps and rows are matched in order."));
    for (std::size_t i = 0; i < maps.size(); ++i) matched.maps.push_back(i), matched.rows.push_back(i);
    return matched;
  }
  if (matched.maps.empty())
    throw Error("No map matches a row of the table",
                "no map name contains a " + shown(people.columns[id]) + ", and there are " +
                    std::to_string(maps.size()) + " maps for " + std::to_string(people.rows.size()) + " rows",
                "name the maps by participant, such as sub-01_effect.nii.gz");
  std::vector<std::string> unknown;
  for (std::size_t m = 0; m < maps.size(); ++m)
    if (!isUsed[m]) unknown.push_back(maps[m]);
  if (!without.empty())
    matched.notes.push_back(
        Note::warning(std::to_string(without.size()) + " of " + std::to_string(people.rows.size()) +
                      " people have no map: " + sanitizedForDisplay(activation::listed(without), 300) + "."));
  if (!unknown.empty())
    matched.notes.push_back(Note::warning(std::to_string(unknown.size()) + " of " +
                                          std::to_string(maps.size()) +
                                          " maps match no row of the table and are excluded: " +
                                          sanitizedForDisplay(activation::listed(unknown), 300) + "."));
  return matched;
}

GroupDesign makeGroupDesign(const PeopleTable& people, const std::vector<std::size_t>& given,
                            const DesignRequest& request, Notes& notes, std::vector<std::size_t>& kept) {
  const auto covariates = wordsOf(request.covariates);
  std::vector<std::string> asked = covariates;
  if (!request.groups.empty()) asked.push_back(request.groups);
  if (!request.repeated.empty()) asked.push_back(request.repeated);
  std::vector<std::size_t> columns;
  for (const auto& name : asked)
    columns.push_back(columnNamed(people, name, name == request.groups ? "--groups" : "--covariates"));
  kept.clear();
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (std::any_of(columns.begin(), columns.end(),
                    [&](std::size_t column) { return isMissing(cellOf(people, given[i], column)); }))
      continue;
    kept.push_back(i);
    rows.push_back(given[i]);
  }
  if (kept.size() < given.size())
    notes.push_back(Note::warning(
        std::to_string(given.size() - kept.size()) + " of " + std::to_string(given.size()) +
        " people are excluded, since the table has no value of " + activation::listed(asked) + "."));
  if (rows.size() < 2)
    throw Error("There " + std::string(rows.size() == 1 ? "is one map" : "are no maps") + " of people",
                "the variance between people cannot be estimated", "give more, one for each person");

  GroupDesign design;
  design.rows.resize(rows.size());
  if (request.groups.empty()) {
    design.names = {"mean"};
    for (auto& row : design.rows) row.push_back(1);
  } else {
    addGroups(people, rows, request.groups, design);
  }
  const std::vector<std::string> groups = design.names;
  for (const auto& name : covariates) addCovariate(people, rows, name, design);
  const std::vector<std::string> slopes(design.names.begin() + std::ptrdiff_t(groups.size()),
                                        design.names.end());
  if (!request.repeated.empty()) addRepeated(people, rows, request.repeated, design);
  const std::string text = request.contrast.empty() ? usualContrasts(groups, slopes) : request.contrast;
  const activation::Regressors columnsOfDesign(design.names);
  for (auto& contrast : activation::parseContrasts(text, columnsOfDesign))
    design.contrasts.push_back({std::move(contrast.name), {std::move(contrast.weights)}});
  for (auto& joint : activation::jointContrasts(text, columnsOfDesign))
    if (joint.independent.size() > 1)
      design.contrasts.push_back({std::move(joint.name), std::move(joint.independent)});
    else
      notes.push_back(Note::warning("'" + joint.name +
                                    "' has one independent row, of which it is the square: it is ignored."));
  return design;
}

}  // namespace sulcus::group
