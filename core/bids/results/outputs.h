#pragma once

#include "core/analysis/analysis.h"
#include "core/bids/jobs.h"

#include <string>
#include <vector>

// Names of an analysis' results in a derivatives data set.
namespace sulcus::bids {

/// The common part of the names of a job's results.
Name resultName(const Job& job);
/// `name` for results that have no name in BIDS: with a description and a suffix.
Name described(Name name, const std::string& stem, const std::string& suffix);

/// The name of one layer or file of a result.
///
/// @param stem       of the file that the analysis itself would write, e.g. "mean_visual"; may contain `*`
/// @param extension  of that file: ".nii.gz", ".tsv", ".vtp", ".txt" or ".json"
/// @param model      of diffusion maps, see modelOf(); may be "*"
Name outputName(const Analysis& analysis, const Job& job, const std::string& stem,
                const std::string& extension, const std::string& model);

/// `name`, with a number after its contrast or else its description if it equals one of `taken`: labels keep
/// only the letters of "win+" and "win-".
Name freeName(const Name& name, const std::vector<Name>& taken);

/// The model that a result was made with; "" for analyses whose names do not contain one.
std::string modelOf(const Analysis& analysis, const RunResult& result);

/// The name of the record of a run: what was run, on what, with which figures.
Name recordName(const std::string& analysis, const Job& job);
/// The name of its pictures, counted from 1, or "*" for all.
Name pictureName(const std::string& analysis, const Job& job, const std::string& number);

/// All files that results of this job may have, for StagedFiles::results(); none of them can belong to
/// another job or analysis.
std::vector<std::string> possibleNames(const Analysis& analysis, const Job& job);

}  // namespace sulcus::bids
