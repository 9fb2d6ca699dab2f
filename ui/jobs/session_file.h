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
// and what was run. Layers that are in no file of their own lie in a folder beside it, NAME.sulcus.d. For
// workers.
namespace sulcus::ui::jobs {

/// What of a session is in its files already.
struct StoredContents {
  /// The file of each content in its folder. Contents never change, so each is written once.
  std::map<std::weak_ptr<const void>, std::string, std::owner_less<>> names;
  /// When the session file was written, as it was read or written last; none: it was not.
  std::optional<std::filesystem::file_time_type> written;
};

/// The folder of a session file.
std::filesystem::path sessionFolder(const std::filesystem::path& file);

/// Writes a session. The file is replaced at once when everything beside it has been written, so at any
/// moment it is the old session or the new one; then what only the old one needed is removed from the folder.
///
/// @param stored  what the folder holds; kept up to date
/// @param autosaved  the session file (or "") that is autosaved: then paths are absolute and no checksums are
/// taken
/// @throws Error  when something cannot be written, or another program has written the file since `stored`
void writeSession(const model::SessionState& state, const std::filesystem::path& file, StoredContents& stored,
                  const Progress& progress, const std::optional<std::filesystem::path>& autosaved = {});

/// A session as it was found.
struct OpenedSession {
  model::SessionState state;
  StoredContents stored;            ///< see writeSession()
  std::filesystem::path autosaved;  ///< the session file that was autosaved; "" for none
  std::vector<std::string>
      missing;  ///< files that are not there; unless `rest`, nothing has been opened then
  Notes notes;  ///< what is otherwise than when it was saved
};

/// Opens a session.
///
/// @param analyses  those that runs and choices may be of; must outlive the session
/// @param lookIn    where missing files are looked for by name, too; "" for nowhere
/// @param rest      opens what is there when files are missing
/// @throws Error    when it is no session, damaged, or of a newer format
OpenedSession openSession(const std::filesystem::path& file, const std::vector<Analysis>& analyses,
                          const std::filesystem::path& lookIn, bool rest, const Progress& progress);

}  // namespace sulcus::ui::jobs
