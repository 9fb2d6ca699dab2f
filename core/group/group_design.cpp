#include "core/group/group_design.h"

#include "core/activation/design/names.h"
#include "core/base/error.h"
#include "core/base/missing.h"
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

constexpr std::size_t kMostGroups = 20;

std::size_t columnNamed(const PeopleTable& people, const std::string& name, const char* option) {
  const auto found = std::find(people.columns.begin(), people.columns.end(), name);
  if (found == people.columns.end())
    throw Error(
        "The table of people has no column " + inQuotes(name),
        people.columns.empty() ? "no table was given" : "it has " + activation::listed(people.columns),
        "check " + Message::option(option), ErrorKind::usage);
  if (std::find(found + 1, people.columns.end(), name) != people.columns.end())
    throw Error("The table of people has several columns " + inQuotes(name), "it is not clear which is meant",
                "give each column a name of its own");
  return std::size_t(found - people.columns.begin());
}

std::string cellOf(const PeopleTable& people, std::size_t row, std::size_t column) {
  return column < people.rows[row].size() ? people.rows[row][column] : "";
}

/// The label of a person in a name, without "sub-".
std::string_view bareId(std::string_view id) {
  if (id.starts_with("sub-") || id.starts_with("SUB-") || id.starts_with("Sub-")) id.remove_prefix(4);
  return id;
}

/// The label after "sub-" in the name of a map; nullopt without.
std::optional<std::string_view> labelIn(std::string_view name) {
  const auto sub = name.find("sub-");
  if (sub == name.npos) return std::nullopt;
  const std::string_view label = name.substr(sub + 4);
  return label.substr(0, label.find_first_of("_. /"));
}

/// Whether a map of this name belongs to the person: by "sub-", else by the id as a whole word.
bool namesPerson(std::string_view name, std::string_view id) {
  if (id.empty()) return false;
  if (const auto label = labelIn(name)) return *label == id;
  const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (auto at = name.find(id); at != name.npos; at = name.find(id, at + 1)) {
    const bool before = at > 0 && isPart(name[at - 1]),
               after = at + id.size() < name.size() && isPart(name[at + id.size()]);
    if (!before && !after) return true;
  }
  return false;
}

/// Whether the two are the same number; spreadsheets write 1 for 01.
bool isSameNumber(std::string_view a, std::string_view b) {
  const auto isNumber = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  };
  const auto significant = [](std::string_view text) {
    return text.substr(std::min(text.find_first_not_of('0'), text.size()));
  };
  return isNumber(a) && isNumber(b) && significant(a) == significant(b);
}

/// The column that says who people are: participant_id, else the one whose cells name the most maps.
std::size_t idColumn(const PeopleTable& people, const std::vector<std::string>& maps) {
  const auto found = std::find(people.columns.begin(), people.columns.end(), "participant_id");
  if (found != people.columns.end()) return std::size_t(found - people.columns.begin());
  std::size_t best = 0;
  std::ptrdiff_t most = 0;
  for (std::size_t column = 0; column < people.columns.size(); ++column) {
    std::set<std::string> ids;
    for (std::size_t row = 0; row < people.rows.size(); ++row)
      ids.emplace(bareId(cellOf(people, row, column)));
    const auto named = std::ranges::count_if(maps, [&](const std::string& map) {
      return std::ranges::any_of(ids, [&](const std::string& id) { return namesPerson(map, id); });
    });
    if (named <= most) continue;
    most = named;
    best = column;
  }
  return best;
}

/// The maps of each row of the table: those that its id names; where none does and the id is a number, those
/// with the same number after "sub-". A map is in one row alone, or in all that have its id.
std::vector<std::vector<std::size_t>> mapsOfRows(const PeopleTable& people, std::size_t id,
                                                 const std::vector<std::string>& maps, Notes& notes) {
  std::vector<std::vector<std::size_t>> found(people.rows.size());
  std::vector<bool> isNamed(maps.size());
  for (std::size_t row = 0; row < found.size(); ++row)
    for (std::size_t m = 0; m < maps.size(); ++m) {
      if (!namesPerson(maps[m], bareId(cellOf(people, row, id)))) continue;
      found[row].push_back(m);
      isNamed[m] = true;
    }
  std::string example;
  for (std::size_t row = 0; row < found.size(); ++row) {
    if (!found[row].empty()) continue;
    const std::string person = cellOf(people, row, id);
    for (std::size_t m = 0; m < maps.size(); ++m)
      if (const auto label = labelIn(maps[m]); label && !isNamed[m] && isSameNumber(*label, bareId(person)))
        found[row].push_back(m);
    if (example.empty() && !found[row].empty())
      example = person + " is sub-" + std::string(*labelIn(maps[found[row].front()]));
  }
  if (!example.empty())
    notes.push_back("The table's numbers are without the zeros that the names of the maps have: " +
                    sanitizedForDisplay(example, 80) + ".");
  return found;
}

/// Throws Error unless a person with several rows has as many maps, and one with several maps as many rows.
void requireAsManyRows(const PeopleTable& people, std::size_t id, const std::vector<std::string>& maps,
                       const std::vector<std::vector<std::size_t>>& found) {
  std::map<std::string, std::size_t> rows;
  for (std::size_t row = 0; row < found.size(); ++row) ++rows[std::string(bareId(cellOf(people, row, id)))];
  for (std::size_t row = 0; row < found.size(); ++row) {
    const std::string person = cellOf(people, row, id);
    const std::size_t count = rows[std::string(bareId(person))];
    if (found[row].empty() || found[row].size() == count) continue;
    std::vector<std::string> names;
    for (const std::size_t m : found[row]) names.push_back(maps[m]);
    throw Error("The table has " + counted(std::int64_t(count), "row") + " for " + inQuotes(person) +
                    ", but there " +
                    (names.size() == 1 ? "is one map" : "are " + std::to_string(names.size()) + " maps") +
                    ": " + sanitizedForDisplay(activation::listed(names), 200),
                "it is not clear which belong together",
                "give one map for each row; people who were measured repeatedly have a row for each time");
  }
}

/// Throws Error where two groups are written alike but for capitals or blanks.
void requireDistinct(const std::vector<std::string>& levels) {
  const auto plain = [](const std::string& level) {
    std::string text;
    for (const char c : level)
      if (c != ' ') text += char(std::tolower(static_cast<unsigned char>(c)));
    return text;
  };
  for (std::size_t a = 0; a < levels.size(); ++a)
    for (std::size_t b = a + 1; b < levels.size(); ++b)
      if (plain(levels[a]) == plain(levels[b]))
        throw Error(
            "The groups " + inQuotes(levels[a]) + " and " + inQuotes(levels[b]) + " are written almost alike",
            "each would be a group of its own", "write them the same in the table");
}

void addGroups(const PeopleTable& people, const std::vector<std::size_t>& rows, const std::string& name,
               GroupDesign& design) {
  const std::size_t column = columnNamed(people, name, "groups");
  std::vector<std::string> levels;
  std::map<std::string, int> counts;
  for (const std::size_t row : rows) {
    const std::string level = cellOf(people, row, column);
    if (counts[level]++ == 0) levels.push_back(level);
  }
  std::sort(levels.begin(), levels.end());
  requireDistinct(levels);
  if (levels.size() > kMostGroups)
    throw Error(
        "The column " + inQuotes(name) + " has " + std::to_string(levels.size()) + " different values",
        "each would be a group", "give numbers as {covariates}"_message, ErrorKind::usage);
  for (const auto& level : levels)
    if (counts[level] < 2)
      throw Error("The group " + inQuotes(level) + " has one person",
                  "the variance within it cannot be estimated", "exclude the person, or join groups");
  for (const auto& level : levels)
    design.names.push_back(activation::uniqueName(activation::fileSafeName(level, "group"), design.names));
  for (std::size_t n = 0; n < rows.size(); ++n)
    for (const auto& level : levels) design.rows[n].push_back(cellOf(people, rows[n], column) == level);
}

void addCovariate(const PeopleTable& people, std::size_t id, const std::vector<std::size_t>& rows,
                  const std::string& name, GroupDesign& design) {
  const std::size_t column = columnNamed(people, name, "covariates");
  std::vector<double> values;
  double mean = 0;
  for (const std::size_t row : rows) {
    const auto number = numberIn(cellOf(people, row, column));
    if (!number || !std::isfinite(*number))
      throw Error("The covariate " + inQuotes(name) + " of " + inQuotes(cellOf(people, row, id)) + " is " +
                      inQuotes(cellOf(people, row, column)),
                  "numbers are needed", "correct it, or give it as {groups}"_message);
    values.push_back(*number);
    mean += *number / double(rows.size());
  }
  if (std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); }))
    throw Error("The covariate " + inQuotes(name) + " is the same for all people",
                "it cannot explain anything", "leave it out");
  design.names.push_back(activation::uniqueName(activation::fileSafeName(name, "covariate"), design.names));
  for (std::size_t n = 0; n < rows.size(); ++n) design.rows[n].push_back(values[n] - mean);
}

/// Makes a block of each person who was measured repeatedly, and a column for each but the first.
void addRepeated(const PeopleTable& people, const std::vector<std::size_t>& rows, const std::string& name,
                 GroupDesign& design) {
  const std::size_t column = columnNamed(people, name, "repeated");
  std::vector<std::string> who;
  for (const std::size_t row : rows) {
    const std::string person = cellOf(people, row, column);
    auto found = std::find(who.begin(), who.end(), person);
    if (found == who.end()) found = who.insert(who.end(), person);
    design.block.push_back(int(found - who.begin()));
  }
  if (who.size() == rows.size())
    throw Error("No person was measured repeatedly by the column " + inQuotes(name), "each value occurs once",
                "omit {repeated}"_message, ErrorKind::usage);
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
  return joined(parts, "; ");
}

/// Names of columns that follow each other; a name with blanks may be quoted, or stand there as in the table.
std::vector<std::string> columnsIn(const std::string& text, const PeopleTable& people) {
  constexpr const char* kBetween = " ,;\t";
  std::vector<std::string> names;
  for (std::size_t begin = 0; (begin = text.find_first_not_of(kBetween, begin)) != text.npos;) {
    std::size_t end = std::min(text.find_first_of(kBetween, begin), text.size());
    for (const std::string& column : people.columns) {
      const std::size_t after = begin + column.size();
      if (text.compare(begin, column.size(), column) == 0 && after > end &&
          (after == text.size() || std::string_view(kBetween).find(text[after]) != std::string_view::npos))
        end = after;
    }
    if (const std::size_t quote = text.find('"', begin + 1); text[begin] == '"' && quote != text.npos) {
      names.push_back(text.substr(begin + 1, quote - begin - 1));
      begin = quote + 1;
      continue;
    }
    names.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return names;
}

}  // namespace

ColumnsByUse columnsByUse(const PeopleTable& people) {
  ColumnsByUse uses;
  for (std::size_t column = 0; column < people.columns.size(); ++column) {
    std::map<std::string, int> counts;
    bool areNumbers = true;
    for (std::size_t row = 0; row < people.rows.size(); ++row) {
      const std::string cell = cellOf(people, row, column);
      if (saysMissing(cell)) continue;
      ++counts[cell];
      areNumbers = areNumbers && numberIn(cell);
    }
    const bool anyTwice = std::ranges::any_of(counts, [](const auto& one) { return one.second > 1; });
    const std::string& name = people.columns[column];
    if (anyTwice && counts.size() > 1 && counts.size() <= kMostGroups) uses.groups.push_back(name);
    if (areNumbers && counts.size() > 1) uses.covariates.push_back(name);
    if (anyTwice && counts.size() > 1) uses.repeated.push_back(name);
  }
  return uses;
}

std::string designText(const GroupDesign& design) {
  std::vector<std::string> names;
  for (const auto& contrast : design.contrasts) names.push_back(contrast.name);
  return text(design.people(), " maps. Contrasts: ", activation::listed(names), ".");
}

namespace {

/// Matches maps and rows in their order.
void matchInOrder(std::size_t maps, MatchedPeople& matched) {
  for (std::size_t i = 0; i < maps; ++i) {
    matched.maps.push_back(i);
    matched.rows.push_back(i);
  }
}

/// Throws Error if too few maps match rows of the table.
void requireMatches(const PeopleTable& people, const std::vector<std::string>& maps,
                    const MatchedPeople& matched) {
  const std::string column = inQuotes(people.columns[matched.idColumn]);
  if (matched.maps.empty())
    throw Error("No map matches a row of the table",
                "no map name contains a " + column + ", and there are " + std::to_string(maps.size()) +
                    " maps for " + std::to_string(people.rows.size()) + " rows",
                "name the maps by participant, such as sub-01_effect.nii.gz");
  if (matched.maps.size() == 1 && maps.size() > 1)
    throw Error("Only one of " + std::to_string(maps.size()) +
                    " maps matches a row of the table: " + inQuotes(maps[matched.maps.front()]),
                "the variance between people cannot be estimated", "check the column " + column);
}

/// Warns of people without a map, and of maps of nobody in the table.
void noteUnmatched(const PeopleTable& people, const std::vector<std::string>& maps,
                   const std::vector<std::string>& without, MatchedPeople& matched) {
  std::vector<std::string> unknown;
  for (std::size_t m = 0; m < maps.size(); ++m)
    if (std::ranges::find(matched.maps, m) == matched.maps.end()) unknown.push_back(maps[m]);
  if (!without.empty())
    matched.notes.push_back(
        Note::warning(std::to_string(without.size()) + " of " + std::to_string(people.rows.size()) +
                      " people have no map: " + sanitizedForDisplay(activation::listed(without), 300) + "."));
  if (!unknown.empty())
    matched.notes.push_back(Note::warning(std::to_string(unknown.size()) + " of " +
                                          std::to_string(maps.size()) +
                                          " maps match no row of the table and are excluded: " +
                                          sanitizedForDisplay(activation::listed(unknown), 300) + "."));
}

}  // namespace

MatchedPeople matchPeople(const PeopleTable& people, const std::vector<std::string>& maps) {
  MatchedPeople matched;
  if (people.rows.empty()) {
    matchInOrder(maps.size(), matched);
    return matched;
  }
  const std::size_t id = matched.idColumn = idColumn(people, maps);
  const auto found = mapsOfRows(people, id, maps, matched.notes);
  requireAsManyRows(people, id, maps, found);
  std::vector<bool> isUsed(maps.size());
  std::vector<std::string> without;
  for (std::size_t row = 0; row < people.rows.size(); ++row) {
    const std::string person = cellOf(people, row, id);
    // The maps of a person with several rows go to these rows in order.
    const auto next = std::ranges::find_if(found[row], [&](std::size_t m) { return !isUsed[m]; });
    if (next == found[row].end()) {
      without.push_back(person.empty() ? "the one of row " + std::to_string(row + 1) : person);
      continue;
    }
    isUsed[*next] = true;
    matched.maps.push_back(*next);
    matched.rows.push_back(row);
  }
  if (matched.maps.empty() && maps.size() == people.rows.size()) {
    const bool hasIds = people.columns[id] == "participant_id";
    matched.notes.push_back(Note::warning((hasIds ? "No map name contains a participant_id of the table"
                                                  : "The table has no column participant_id, and no other "
                                                    "names the maps") +
                                          std::string(": maps and rows are matched in order.")));
    matchInOrder(maps.size(), matched);
    return matched;
  }
  requireMatches(people, maps, matched);
  noteUnmatched(people, maps, without, matched);
  return matched;
}

namespace {

struct AskedColumn {
  std::string name;
  std::size_t index;
};

std::vector<AskedColumn> askedColumns(const PeopleTable& people, const DesignRequest& request) {
  std::vector<AskedColumn> asked;
  const auto add = [&](const std::string& name, const char* option) {
    asked.push_back({name, columnNamed(people, name, option)});
  };
  for (const std::string& name : columnsIn(request.covariates, people)) add(name, "covariates");
  if (!request.groups.empty()) add(request.groups, "groups");
  if (!request.repeated.empty()) add(request.repeated, "repeated");
  return asked;
}

/// Splits people into those of whom the table gives all that is asked for and the others.
///
/// @param kept     receives the indices in `given` of the first
/// @return         sentences such as "sub-02 (age)" on the others
std::vector<std::string> peopleWithoutValues(const PeopleTable& people, const std::vector<std::size_t>& given,
                                             const std::vector<AskedColumn>& asked, std::size_t idColumn,
                                             std::vector<std::size_t>& kept) {
  std::vector<std::string> without;
  kept.clear();
  for (std::size_t i = 0; i < given.size(); ++i) {
    std::vector<std::string> missing;
    for (const AskedColumn& column : asked)
      if (saysMissing(cellOf(people, given[i], column.index))) missing.push_back(column.name);
    if (missing.empty())
      kept.push_back(i);
    else
      without.push_back(cellOf(people, given[i], idColumn) + " (" + activation::listed(missing) + ")");
  }
  return without;
}

void addContrasts(const std::string& text, GroupDesign& design, Notes& notes) {
  const activation::Regressors columns(design.names);
  for (auto& contrast : activation::parseContrasts(text, columns))
    design.contrasts.push_back({std::move(contrast.name), {std::move(contrast.weights)}});
  for (auto& joint : activation::jointContrasts(text, columns))
    if (joint.independent.size() > 1)
      design.contrasts.push_back({std::move(joint.name), std::move(joint.independent)});
    else
      notes.push_back(Note::warning("'" + joint.name +
                                    "' has one independent row, of which it is the square: it is ignored."));
}

}  // namespace

GroupDesign makeGroupDesign(const PeopleTable& people, const std::vector<std::size_t>& given,
                            const DesignRequest& request, Notes& notes, std::vector<std::size_t>& kept) {
  const std::vector<AskedColumn> asked = askedColumns(people, request);
  const std::vector<std::string> without = peopleWithoutValues(people, given, asked, request.idColumn, kept);
  std::vector<std::size_t> rows;
  for (const std::size_t i : kept) rows.push_back(given[i]);
  if (!without.empty() && rows.size() < 2) {
    std::vector<std::string> names;
    for (const AskedColumn& column : asked) names.push_back(column.name);
    throw Error("The table has " + activation::listed(names) + " of " +
                    (rows.empty() ? "nobody" : "only one person") + " with a map",
                "the variance between people cannot be estimated", "fill in the table, or omit a column");
  }
  if (!without.empty())
    notes.push_back(Note::warning(std::to_string(without.size()) + " of " + std::to_string(given.size()) +
                                  " people are excluded, since the table lacks values: " +
                                  sanitizedForDisplay(activation::listed(without), 300) + "."));
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
  for (const auto& name : columnsIn(request.covariates, people))
    addCovariate(people, request.idColumn, rows, name, design);
  const std::vector<std::string> slopes(design.names.begin() + std::ptrdiff_t(groups.size()),
                                        design.names.end());
  if (!request.repeated.empty()) addRepeated(people, rows, request.repeated, design);
  addContrasts(request.contrast.empty() ? usualContrasts(groups, slopes) : request.contrast, design, notes);
  return design;
}

}  // namespace sulcus::group
