#pragma once

#include <set>
#include <string>
#include <vector>

// Lists of numbers as options have them: "0,65".
namespace sulcus {

/// Numbers separated by commas or blanks.
///
/// @param flag     for the message, without --
/// @param example  of what would be right
/// @throws Error   (usage) for what is no finite number
std::vector<double> numbersIn(const std::string& list, const char* flag, const char* example);

/// The volumes of --drop-volumes, counted from 0.
///
/// @param count   of volumes in the series
/// @throws Error  (usage) for what is no number of a volume of it
std::set<int> droppedVolumes(const std::string& list, int count);

/// "2 volumes of 70 left out as asked (0,65, counted from 0)."; "" where none are.
std::string droppedNote(const std::set<int>& dropped, int count);

}  // namespace sulcus
