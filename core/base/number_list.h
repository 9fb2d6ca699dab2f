#pragma once

#include <set>
#include <string>
#include <vector>

// Lists of numbers as options take them: "0,65".
namespace sulcus {

/// Numbers separated by commas or blanks.
///
/// @param option   that takes the list, for the message
/// @param example  of a valid list
/// @throws Error   (usage) for anything but finite numbers
std::vector<double> numbersIn(const std::string& list, const char* option, const char* example);

/// The volumes of the option drop-volumes, counted from 0.
///
/// @param count   of volumes in the series
/// @throws Error  (usage) for a number that is not that of a volume
std::set<int> droppedVolumes(const std::string& list, int count);

/// "2 volumes of 70 left out as asked (0,65, counted from 0)."; "" if there are none.
std::string droppedNote(const std::set<int>& dropped, int count);

}  // namespace sulcus
