#pragma once

#include "core/analysis/analysis.h"
#include "core/base/note.h"
#include "ui/model/session/session_state.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

// A session in a file, NAME.sulcus: JSON that says which files are open, how they are shown, what is chosen
// and what was run. Layers without a file of their own are stored in a folder next to it, NAME.sulcus.d. For
// workers.
namespace sulcus::ui::jobs {

/// What is already stored in the files of a session.
struct StoredContents {
  /// The file of each content in the folder. Contents never change, so each is written once.
  std::map<std::weak_ptr<const void>, std::string, std::owner_less<>> names;
  /// Modification time of the session file when it was last read or written; none if it was not.
  std::optional<std::filesystem::file_time_type> written;
};

/// The folder of a session file.
std::filesystem::path sessionFolder(const std::filesystem::path& file);

/// Writes a session. The file is replaced in one step once everything it refers to has been written, so at
/// any moment it is either the old session or the new one; then whatever only the old one needed is removed
/// from the folder.
///
/// @param stored     contents of the folder; kept up to date
/// @param autosaved  the session file (or "") that is being autosaved: paths are then absolute and no
/// checksums
///                   are computed
/// @throws Error     if something cannot be written, or another program has written the file since `stored`
void writeSession(const model::SessionState& state, const std::filesystem::path& file, StoredContents& stored,
                  const Progress& progress, const std::optional<std::filesystem::path>& autosaved = {});

/// A session as it was read.
struct OpenedSession {
  model::SessionState state;
  StoredContents stored;            ///< see writeSession()
  std::filesystem::path autosaved;  ///< the session file that was autosaved; "" for none
  std::vector<std::string>
      missing;  ///< missing files; unless `rest` was set, nothing was opened in that case
  Notes notes;  ///< differences from when it was saved
};

/// Opens a session.
///
/// @param analyses  those to which runs and choices may belong; must outlive the session
/// @param lookIn    a folder in which missing files are also searched by name; "" for none
/// @param rest      opens the remaining files if some are missing
/// @throws Error    if it is not a session, damaged, or of a newer format
OpenedSession openSession(const std::filesystem::path& file, const std::vector<Analysis>& analyses,
                          const std::filesystem::path& lookIn, bool rest, const Progress& progress);

}  // namespace sulcus::ui::jobs
