#include "core/bids/dataset.h"

#include "core/base/error.h"
#include "core/base/file_fault.h"
#include "core/base/sanitized.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"

#include <algorithm>
#include <set>
#include <system_error>

namespace sulcus::bids {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDescription = "dataset_description.json";

/// Entries of a folder sorted by name, so that nothing depends on the file system. Hidden ones are left out.
/// Throws Error if it cannot be listed.
std::vector<fs::directory_entry> entriesOf(const fs::path& folder) {
  std::vector<fs::directory_entry> entries;
  std::error_code fault;
  for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault))
    if (!at->path().filename().string().starts_with('.')) entries.push_back(*at);
  if (fault) throw fileFault(fs::filesystem_error("", folder, fault));
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.path().filename() < b.path().filename(); });
  return entries;
}

bool isFolder(const fs::directory_entry& entry) {
  std::error_code fault;
  return entry.is_directory(fault);
}

std::string textIn(const nlohmann::ordered_json& json, const char* key) {
  return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
}

/// Reads the folders of one data set; see Dataset.
class Reader {
 public:
  explicit Reader(Dataset& dataset) : dataset_(dataset) {}

  void read() {
    for (const auto& entry : entriesOf(dataset_.root)) {
      const std::string name = entry.path().filename().string();
      if (isFolder(entry) && name.starts_with("sub-")) {
        readSubject(entry.path());
      } else if (!isFolder(entry)) {
        add(entry, "", "");
      }
    }
  }

 private:
  void readSubject(const fs::path& folder) {
    const std::string label = folder.filename().string().substr(4);
    if (label.empty()) return;
    if (!isLabel(label))
      return leaveOut(folder.filename(), "its label has other characters than letters and digits");
    dataset_.subjects.push_back(label);
    readSession(folder, folder.filename());
  }

  void readSession(const fs::path& folder, const fs::path& below) {
    for (const auto& entry : listed(folder, below)) {
      const std::string name = entry.path().filename().string();
      if (!isFolder(entry)) {
        add(entry, below, "");
      } else if (name.starts_with("ses-") && below.has_filename() && !below.has_parent_path()) {
        readSession(entry.path(), below / name);
      } else if (name == "anat" || name == "func" || name == "dwi" || name == "fmap") {
        for (const auto& file : listed(entry.path(), below / name))
          if (!isFolder(file)) add(file, below / name, name);
      }
    }
  }

  /// The entries of a participant's folder; if it cannot be listed, none and a note.
  std::vector<fs::directory_entry> listed(const fs::path& folder, const fs::path& below) {
    try {
      return entriesOf(folder);
    } catch (const Error& fault) {
      leaveOut(below, fault.what());
      return {};
    }
  }

  void add(const fs::directory_entry& entry, const fs::path& folder, const std::string& datatype) {
    const std::string text = entry.path().filename().string();
    std::string fault;
    const auto name = parsedName(text, fault);
    if (!name && !fault.empty()) leaveOut(folder / text, fault);
    if (!name) return;
    std::string wanted[2];
    for (const auto& part : folder) {
      if (part.string().starts_with("sub-")) wanted[0] = part.string().substr(4);
      if (part.string().starts_with("ses-")) wanted[1] = part.string().substr(4);
    }
    for (const auto& [key, label] : {std::pair{"sub", wanted[0]}, std::pair{"ses", wanted[1]}})
      if (!label.empty() && name->label(key) != label && (!datatype.empty() || !name->label(key).empty()))
        return leaveOut(folder / text, "its folder is that of " + std::string(key) + "-" + label);
    std::error_code missing;
    dataset_.inFolder[folder].push_back(dataset_.files.size());
    dataset_.files.push_back({folder, *name, datatype, entry.exists(missing)});
  }

  void leaveOut(const fs::path& file, const std::string& why) {
    dataset_.notes.push_back(inQuotes(file.string(), 120) + " was skipped: " + why + ".");
  }

  Dataset& dataset_;
};

/// The description of a data set; an empty object if there is none. Throws Error if it is damaged.
nlohmann::ordered_json descriptionOf(const fs::path& root) {
  std::error_code fault;
  const fs::path file = root / kDescription;
  if (!fs::exists(file, fault)) return nlohmann::ordered_json::object();
  return io::openJson(file);
}

bool isOurs(const nlohmann::ordered_json& description) {
  if (!description.contains("GeneratedBy") || !description["GeneratedBy"].is_array()) return false;
  return std::any_of(description["GeneratedBy"].begin(), description["GeneratedBy"].end(),
                     [](const auto& program) { return textIn(program, "Name") == "Sulcus"; });
}

Dataset opened(const fs::path& root, const nlohmann::ordered_json& description) {
  Dataset dataset;
  dataset.root = root;
  dataset.name = textIn(description, "Name");
  dataset.derivative = textIn(description, "DatasetType") == "derivative" ||
                       description.contains("PipelineDescription") ||
                       root.parent_path().filename() == "derivatives";
  Reader(dataset).read();
  return dataset;
}

/// Throws Error unless the description contains what BIDS requires.
void requireDescription(const fs::path& root, const nlohmann::ordered_json& description) {
  const Message skip = "correct it, or give {skip-bids-validation}"_message;
  if (!fs::exists(root / kDescription))
    throw Error(io::quotedPath(root) + " has no " + kDescription, "it is what makes a folder a BIDS data set",
                "give the folder that holds it, write one with Name and BIDSVersion, or give "
                "{skip-bids-validation}"_message);
  for (const char* key : {"Name", "BIDSVersion"})
    if (textIn(description, key).empty())
      throw Error(io::quotedPath(root / kDescription) + " has no text " + key, "BIDS requires it", skip);
}

}  // namespace

Study openStudy(const fs::path& given, bool check, const fs::path& leaveOut) {
  std::error_code fault;
  if (!fs::is_directory(given, fault))
    throw Error(io::quotedPath(given) + " is not a folder", "a study is a folder with one folder per subject",
                "give the folder of a BIDS data set");
  const fs::path root = fs::weakly_canonical(given, fault), out = fs::weakly_canonical(leaveOut, fault);
  const auto description = descriptionOf(root);
  if (check) requireDescription(root, description);
  Study study{opened(root, description)};
  if (study.front().subjects.empty())
    throw Error(io::quotedPath(given) + " has no subjects", "there is no folder sub-LABEL in it",
                "give the folder of a BIDS data set");

  const auto addOther = [&](const fs::path& folder) {
    if (folder == out || !fs::exists(folder / kDescription, fault)) return;
    try {
      const auto other = descriptionOf(folder);
      if (!isOurs(other)) study.push_back(opened(folder, other));
    } catch (const Error& damaged) {
      study.front().notes.push_back("The data set " + io::quotedPath(folder) +
                                    " was skipped: " + damaged.what());
    }
  };
  if (fs::is_directory(root / "derivatives", fault)) try {
      for (const auto& entry : entriesOf(root / "derivatives"))
        if (isFolder(entry)) addOther(entry.path());
    } catch (const Error& unreadable) {
      study.front().notes.push_back(std::string("Derivatives were skipped: ") + unreadable.what());
    }
  if (root.parent_path().filename() == "derivatives") addOther(root.parent_path().parent_path());
  return study;
}

std::vector<const File*> inheritedBy(const File& scan, const Dataset& dataset, const std::string& suffix,
                                     const std::string& extension, const std::vector<std::string>& except) {
  std::vector<const File*> found;
  for (std::filesystem::path folder = scan.folder;; folder = folder.parent_path()) {
    const std::size_t nearer = found.size();
    if (const auto here = dataset.inFolder.find(folder); here != dataset.inFolder.end())
      for (const std::size_t index : here->second) {
        const File& file = dataset.files[index];
        if (file.name.suffix == suffix && file.name.extension == extension &&
            file.name.describes(scan.name, except))
          found.push_back(&file);
      }
    std::stable_sort(found.begin() + std::ptrdiff_t(nearer), found.end(), [](const File* a, const File* b) {
      return a->name.entities.size() > b->name.entities.size();
    });
    if (folder.empty()) return found;
  }
}

}  // namespace sulcus::bids
