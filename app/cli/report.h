#pragma once

#include "core/analysis/analysis.h"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

// Results as text and as JSON.
namespace sulcus::app::cli {

/// Four significant digits, "0.02134", "1.5e-07"; more of large numbers, "10000000".
std::string shortNumber(double value);

/// A Markdown table, its columns aligned for reading in a terminal.
std::string markdownTable(const std::vector<std::string>& head,
                          const std::vector<std::vector<std::string>>& rows);

/// Largest, mean and 95th percentile difference, fraction within tolerance, verdict.
std::string agreementTable(const std::vector<AgreementRow>& rows);
/// Time of each stage on both backends, speed-up, throughput.
std::string timeTable(const RunResult& cpu, const RunResult& gpu);

nlohmann::ordered_json toJson(const std::vector<AgreementRow>& rows);
nlohmann::ordered_json toJson(const Comparison& comparison);
/// Voxels, seconds, stages and notes of a run.
nlohmann::ordered_json toJson(const RunResult& result);

}  // namespace sulcus::app::cli
