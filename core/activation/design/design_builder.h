#pragma once

#include "core/activation/design/design.h"
#include "core/activation/design/names.h"
#include "core/base/error.h"

#include <string>
#include <utility>
#include <vector>

// Converts tables to columns of a design.
namespace sulcus::activation {

/// The table in a layer; `role` says in an error what it should have been.
const TableLayer& tableIn(const Layer& layer, const char* role);

/// Column `c` as numbers. If `filled` is given, a missing first cell becomes 0 and `filled` true.
/// @throws Error naming the cell that is not a number
Eigen::VectorXd columnIn(const Layer& layer, const TableLayer& table, std::size_t c, bool* filled = nullptr);

/// Names separated by semicolons or commas.
std::vector<std::string> namesIn(const std::string& text);

/// Builds a design column by column, starting with the intercept.
class DesignBuilder {
 public:
  explicit DesignBuilder(Eigen::Index scans) {
    design_.matrix.resize(scans, 0);
    design_.confounds.resize(scans, 0);
    add(Eigen::VectorXd::Ones(scans), "intercept");
  }

  /// @param given  the name in events or table; empty: `name`
  void add(const Eigen::VectorXd& column, const std::string& name, const std::string& given = {}) {
    append(column, name, design_.matrix, design_.names);
    design_.given.push_back(given.empty() ? design_.names.back() : given);
  }
  void addConfound(const Eigen::VectorXd& column, const std::string& name) {
    append(column, name, design_.confounds, design_.confoundNames);
  }
  /// Records the name of a constant column of a table, which becomes the intercept.
  void callIntercept(const std::string& given) { design_.given[0] = given; }
  void areEvents() { design_.ofEvents = true; }
  void setResponse(std::vector<int> columns) { design_.responses.push_back(std::move(columns)); }
  int columns() const { return design_.regressors(); }
  void note(std::string sentence) { design_.notes.push_back(std::move(sentence)); }
  Eigen::Index scans() const { return design_.matrix.rows(); }

  Design take() { return std::move(design_); }

 private:
  void append(const Eigen::VectorXd& column, const std::string& name, Eigen::MatrixXd& columns,
              std::vector<std::string>& names) {
    names.push_back(uniqueName(name, design_.allNames()));
    columns.conservativeResize(Eigen::NoChange, columns.cols() + 1);
    columns.rightCols(1) = column;
  }

  Design design_;
};

/// Adds the selected columns of a table of confounds, or none for null. Returns whether they model slow
/// changes.
/// @throws Error for requested columns that are missing, and for a wrong number of rows
bool addConfounds(DesignBuilder& builder, const Layer* layer, const DesignOptions& options);

}  // namespace sulcus::activation
