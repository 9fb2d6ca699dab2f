#pragma once

#include "core/analysis/analysis.h"
#include "core/bids/jobs.h"

#include <string>
#include <vector>

// What the results of an analysis are called in a derivatives data set.
namespace sulcus::bids {

/// The common part of the names of a job's results.
Name resultName(const Job& job);
/// `name` as results are called that have no name in BIDS: by a description and a suffix.
Name described(Name name, const std::string& stem, const std::string& suffix);

/// The name of one layer or file of a result.
///
/// @param stem       of the file the analysis would write by itself, e.g. "mean_visual"; may contain `*`
/// @param extension  of that file: ".nii.gz", ".tsv", ".vtp", ".txt" or ".json"
/// @param model      of diffusion maps, see modelOf(); may be "*"
Name outputName(const Analysis& analysis, const Job& job, const std::string& stem,
                const std::string& extension, const std::string& model);

/// `name`, with a number after its contrast or else its description where one of `taken` is the same: of
/// "win+" and "win-" a label has the letters alone.
Name freeName(const Name& name, const std::vector<Name>& taken);

/// The model that a result was made with; "" for analyses whose names do not tell one.
std::string modelOf(const Analysis& analysis, const RunResult& result);

/// The record of a run: what was run, on what, with which figures.
Name recordName(const std::string& analysis, const Job& job);
/// Its pictures, counted from 1, or "*" for all.
Name pictureName(const std::string& analysis, const Job& job, const std::string& number);

/// All files that results of this job may have, as StagedFiles::results() takes them, none of which can be
/// that of another job or analysis.
std::vector<std::string> possibleNames(const Analysis& analysis, const Job& job);

}  // namespace sulcus::bids
