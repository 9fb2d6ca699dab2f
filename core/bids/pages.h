#pragma once

#include "core/base/note.h"
#include "core/bids/outliers.h"
#include "core/bids/records.h"

#include <filesystem>
#include <string>
#include <vector>

// Reports as HTML: each page is one file with its pictures inside, which needs no other file or network.
namespace sulcus::bids {

/// The page of one participant: every run with its figures, pictures, notes, agreement and provenance; failed
/// runs first.
///
/// @param records  of this participant
/// @param out      output folder, where the pictures lie
std::string participantPage(const std::string& subject, const std::vector<Record>& records,
                            const std::filesystem::path& out);

/// A picture of the page of a study.
struct PagePicture {
  std::string caption, png;  ///< png: the bytes of the file
};

/// What the page of a study shows of one analysis.
struct StudySection {
  std::string analysis;
  RunTable table;
  std::vector<PagePicture> means;
  Notes notes;
};

/// The page of the study: tables with the worst runs first, every figure as a row of dots, mean maps, the
/// pictures of the worst runs, and links to the pages of the participants.
std::string studyPage(const std::string& title, const std::vector<StudySection>& sections,
                      const std::filesystem::path& out);

}  // namespace sulcus::bids
