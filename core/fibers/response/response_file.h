#pragma once

#include "core/image/layer.h"

#include <span>
#include <string>
#include <vector>

// Responses in MRtrix's format: text with a row for each shell, the smallest b first, with the zonal
// harmonics r_0, r_2, … of the signal. The row of a scan's b = 0 may be among them.

namespace sulcus::fibers {

/// The rows of a table of numbers. Throws Error if a cell is not a number.
std::vector<std::vector<double>> responseRows(const Layer& table);

/// The response S/S0 of one shell of a scan.
///
/// With a row for b = 0 the other rows are divided by its signal. Without one, a mean signal of at most 1 is
/// taken as S/S0, as responseText() writes it; a larger one is in the unit of the scan and divided by
/// `unweightedSignal`, which affects the scale of the amplitudes but not the directions.
///
/// @param rows              one row: that of the shell; as many as `shells`: all of them; one more: with b =
///                          0 first
/// @param shells            number of weighted shells of the scan
/// @param shell             which of them, from 0
/// @param unweightedSignal  of a typical voxel of the scan
/// @param order             r_0 … r_order are returned; terms missing in the rows are 0, and higher ones are
///                          omitted
/// @throws Error            if the number of rows does not match, or it is not the response of a fiber
std::vector<double> responseOfShell(std::span<const std::vector<double>> rows, int shells, int shell,
                                    double unweightedSignal, int order);

/// The text of a file with the response r_0, r_2, … of one shell, S/S0, in all digits.
std::string responseText(std::span<const double> zonal, double b);

/// The text of a tissue's response file: a row for each shell (s/mm²), in the unit of the scan.
std::string tissueResponseText(std::span<const std::vector<double>> rows, std::span<const double> shells);

}  // namespace sulcus::fibers
