#pragma once

#include "core/activation/design/contrasts.h"
#include "core/base/note.h"

#include <string>
#include <vector>

namespace sulcus::group {

/// What is known about people: a table of text, such as participants.tsv.
struct PeopleTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// Which row of the table belongs to which map. A map belongs to the row whose participant_id its name
/// contains, with or without "sub-"; if the table has no such column, the column that names most maps is
/// used. Numbers are also matched without leading zeros. If no name contains any, and there are as many maps
/// as rows, they are matched in order.
struct MatchedPeople {
  std::size_t idColumn = 0;             ///< of the table
  std::vector<std::size_t> maps, rows;  ///< pairs, in the order of the table
  Notes notes;                          ///< people without a map, and maps without a person
};

/// @param maps  names of the maps
/// @throws Error  if nothing matches, or if a person has not as many maps as rows
MatchedPeople matchPeople(const PeopleTable& people, const std::vector<std::string>& maps);

/// A hypothesis about the coefficients: that c'β is not 0; for several rows, that any of them is not.
struct GroupContrast {
  std::string name;                       ///< unique, fit for file names
  std::vector<std::vector<double>> rows;  ///< c, one weight for each column; linearly independent

  bool isJoint() const { return rows.size() > 1; }
};

/// The linear model y = Xβ + ε across people.
struct GroupDesign {
  std::vector<std::string> names;         ///< of the columns, as contrasts name them
  std::vector<std::vector<double>> rows;  ///< X: people × columns
  std::vector<int> block;  ///< of each person: exchanged only within a block; empty: all are exchangeable
  std::vector<GroupContrast> contrasts;

  int people() const { return int(rows.size()); }
  int columns() const { return int(names.size()); }
};

/// What the columns of a table may be used for, in its order.
struct ColumnsByUse {
  std::vector<std::string> groups;      ///< 2…20 different values, of which one at least occurs twice
  std::vector<std::string> covariates;  ///< numbers that vary
  std::vector<std::string> repeated;    ///< values that occur several times
};
ColumnsByUse columnsByUse(const PeopleTable& people);

/// "24 maps. Contrasts: patients-controls, age."
std::string designText(const GroupDesign& design);

/// The options from which the design is made.
struct DesignRequest {
  std::string groups, covariates, repeated, contrast;
  std::size_t idColumn = 0;  ///< of the table, by which excluded people are named
};

/// X has a column for each group, or the single column "mean"; a centered column for each covariate; and, if
/// people were measured repeatedly, a column for each of them that the groups do not already determine.
///
/// @param rows   of the table, one for each map
/// @param notes  receives who was excluded
/// @param kept   receives which of `rows` the design uses: those with all requested columns
/// @throws Error  for unknown columns, covariates that are not numbers or do not vary, groups of one, and
///                contrasts that X does not determine
GroupDesign makeGroupDesign(const PeopleTable& people, const std::vector<std::size_t>& rows,
                            const DesignRequest& request, Notes& notes, std::vector<std::size_t>& kept);

}  // namespace sulcus::group
