#pragma once

#include "app/cli/cli_context.h"
#include "app/cli/parser.h"
#include "core/analysis/analysis.h"

#include <functional>
#include <string>
#include <vector>

// The commands of sulcus-cli. Each one adds its flags to the parser and returns what to run; results go to
// standard output, progress and errors to standard error.
namespace sulcus::app::cli {

struct FileRun;

struct Command {
  CLI::App* parser;
  std::function<int(const CliContext&)> run;  ///< returns the exit code; throws Error, Cancelled
};

Command addInfo(CLI::App& program);
Command addDevices(CLI::App& program);
Command addCompare(CLI::App& program);
Command addConvert(CLI::App& program);
/// A thumbnail of a scan or a session.
Command addThumbnail(CLI::App& program);
/// Clusters and peaks of a map.
Command addClusters(CLI::App& program);
/// The lines of tracts that meet regions.
Command addBundle(CLI::App& program);
/// Deforms any image by a saved displacement field.
Command addApply(CLI::App& program);
/// Volumes of regions from log Jacobians.
Command addVolumes(CLI::App& program);
/// Maps from the saved draws of an activation run.
Command addDraws(CLI::App& program);
/// Eigenpairs of a symmetric tensor of any order and dimension.
Command addEigenpairs(CLI::App& program);
/// One command for each phantom provided by an analysis.
std::vector<Command> addPhantoms(CLI::App& program);
/// The command of one row of the table.
///
/// @param fileRun  how it works on files that are not all opened at once
Command addAnalysis(CLI::App& program, const Analysis& analysis);
Command addAnalysis(CLI::App& program, const Analysis& analysis, const FileRun& fileRun);
/// The command of the row of templates.
Command addTemplate(CLI::App& program, const Analysis& analysis);
/// Prints the script with which a shell completes commands and flags: it asks printCandidates().
Command addCompletion(CLI::App& program);
/// Prints what the last of the words of an unfinished call may become, each on a line, a tab before its
/// meaning; nothing where a file is expected.
void printCandidates(const CLI::App& program, std::vector<std::string> words);
/// The command that runs an analysis on a study.
///
/// @param words of the command line: the flags are those of the analysis that its --analysis names, wherever
///               that is
Command addBids(CLI::App& program, const std::vector<Analysis>& table, const std::vector<std::string>& words);
/// What --analysis of a study may name.
std::vector<std::string> studyAnalysisNames(const std::vector<Analysis>& table);

/// Runs the command named on the command line; returns the exit code. Throws Error, Cancelled.
///
/// @param session for a run requested by another machine; otherwise it follows from the words
int runProgram(int count, char** words, CliContext session = {});

/// Adds --json and --quiet.
void addTalkFlags(CLI::App& parser);

}  // namespace sulcus::app::cli
