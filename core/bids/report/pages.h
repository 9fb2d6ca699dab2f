#pragma once

#include "core/base/note.h"
#include "core/bids/report/outliers.h"
#include "core/bids/results/records.h"

#include <filesystem>
#include <string>
#include <vector>

// Reports in HTML: each page is a self-contained file with embedded pictures.
namespace sulcus::bids {

/// The page of one participant: every run with its figures, pictures, notes, agreement and provenance; failed
/// runs first.
///
/// @param records  of this participant
/// @param out      output folder, where the pictures lie
std::string participantPage(const std::string& subject, const std::vector<Record>& records,
                            const std::filesystem::path& out);

/// A picture on the page of a study.
struct PagePicture {
  std::string caption, png;  ///< png: content of the file
};

/// The part of the page of a study about one analysis.
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
