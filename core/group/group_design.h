#pragma once

#include "core/activation/design/contrasts.h"
#include "core/base/note.h"

#include <string>
#include <vector>

namespace sulcus::group {

/// What is known of people: a table of texts, such as participants.tsv.
struct PeopleTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// Which row of the table belongs to which map. A map belongs to the row whose participant_id stands in its
/// name, with "sub-" or without; without that column, to that of the column which names the most maps.
/// Numbers are matched without leading zeros, too. Where no name has any, and there are as many of both, they
/// go together in order.
struct MatchedPeople {
  std::size_t idColumn = 0;             ///< of the table
  std::vector<std::size_t> maps, rows;  ///< pairs, in the order of the table
  Notes notes;                          ///< people without a map, and maps without a person
};

/// @param maps  names of the maps
/// @throws Error  where nothing goes together, or a person has not as many maps as rows
MatchedPeople matchPeople(const PeopleTable& people, const std::vector<std::string>& maps);

/// What is asked of the coefficients: whether c'β is 0, or of several rows whether any of them is not.
struct GroupContrast {
  std::string name;  ///< unique, fit for file names
  std::vector<std::vector<double>>
      rows;  ///< c, one weight for each column; of several none is a sum of others

  bool isJoint() const { return rows.size() > 1; }
};

/// The linear model y = Xβ + ε across people.
struct GroupDesign {
  std::vector<std::string> names;         ///< of the columns, as contrasts name them
  std::vector<std::vector<double>> rows;  ///< X: people × columns
  std::vector<int> block;  ///< of each person: exchanged within a block alone; empty: all alike
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

/// What of the options the design is made of.
struct DesignRequest {
  std::string groups, covariates, repeated, contrast;
  std::size_t idColumn = 0;  ///< of the table, names who is left out
};

/// X has a column for each group, or the one column "mean"; a centered column for each covariate; and, where
/// people were measured repeatedly, a column for each of them but what the groups say already.
///
/// @param rows   of the table, one for each map
/// @param notes  receives who was left out
/// @param kept   receives which of `rows` the design uses: those with all requested columns
/// @throws Error  for unknown columns, covariates that are no numbers or do not vary, groups of one, and
///                contrasts that X does not determine
GroupDesign makeGroupDesign(const PeopleTable& people, const std::vector<std::size_t>& rows,
                            const DesignRequest& request, Notes& notes, std::vector<std::size_t>& kept);

}  // namespace sulcus::group
