#include "core/bids/companions.h"

#include "core/base/error.h"
#include "core/base/sanitized.h"
#include "core/io/companions.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"
#include "core/io/volumes/phase_encoding.h"
#include "core/io/volumes/scan_timing.h"

#include <algorithm>
#include <cmath>

namespace sulcus::bids {
namespace {

namespace fs = std::filesystem;

/// Entities that describe the processing of an image; files beside it need not share them.
const std::vector<std::string> kProcessing{"desc", "space", "res", "den", "cohort"};

std::string shownName(const File& file) { return inQuotes(file.name.text(), 120); }

/// The nearest of these files; throws Error if two are equally near. Null if there is none.
const File* nearest(const std::vector<const File*>& files, const char* what) {
  if (files.empty()) return nullptr;
  if (files.size() > 1 && files[0]->folder == files[1]->folder &&
      files[0]->name.entities.size() == files[1]->name.entities.size())
    throw Error(shownName(*files[0]) + " and " + shownName(*files[1]) + " both match",
                std::string("it is not clear which are the ") + what, "remove or rename one of them");
  return files.front();
}

/// A kind of file that belongs to scans.
struct Companion {
  std::string suffix, extension;
  const char* what;                      ///< for errors
  std::vector<std::string> except = {};  ///< entities that it may have and the scan not
};

/// The nearest file in the first data set that has one.
fs::path nearestIn(const Study& study, const Dataset& first, const File& scan, const Companion& kind) {
  std::vector<const Dataset*> order{&first};
  for (const auto& dataset : study)
    if (&dataset != &first) order.push_back(&dataset);
  for (const Dataset* dataset : order)
    if (const File* file =
            nearest(inheritedBy(scan, *dataset, kind.suffix, kind.extension, kind.except), kind.what))
      return presentPath(*dataset, *file);
  return {};
}

void addGradientsOf(Job& job, const Dataset& dataset, const File& scan) {
  for (const char* extension : {".bval", ".bvec"}) {
    const File* file = nearest(inheritedBy(scan, dataset, scan.name.suffix, extension), "gradients");
    if (!file)
      throw Error(shownName(scan) + " has no " + (extension + 1) + " file",
                  "without its gradients a diffusion series says nothing about directions",
                  "add NAME.bval and NAME.bvec next to it or in a folder above");
    job.gradients.push_back(presentPath(dataset, *file));
  }
}

bool hasFolderAndSpaceOf(const File& scan, const File& file) {
  return file.folder == scan.folder && file.name.label("space") == scan.name.label("space") &&
         file.name.label("res") == scan.name.label("res");
}

/// The nearest of these files, or no path.
fs::path nearestPath(const Dataset& dataset, const std::vector<const File*>& files, const char* kind) {
  const File* file = nearest(files, kind);
  return file ? presentPath(dataset, *file) : fs::path();
}

/// The brain mask in the scan's folder and space.
fs::path maskOf(const Dataset& dataset, const File& scan) {
  std::vector<const File*> masks;
  for (const char* extension : {".nii.gz", ".nii"})
    for (const File* file : inheritedBy(scan, dataset, "mask", extension, {"desc"}))
      if (file->name.label("desc") == "brain" && hasFolderAndSpaceOf(scan, *file)) masks.push_back(file);
  return nearestPath(dataset, masks, "brain mask");
}

/// The mask of a lesion in the scan's folder and space: label-lesion or desc-lesion.
fs::path lesionOf(const Dataset& dataset, const File& scan) {
  std::vector<const File*> masks;
  for (const char* suffix : {"mask", "roi"})
    for (const char* extension : {".nii.gz", ".nii"})
      for (const File* file : inheritedBy(scan, dataset, suffix, extension, {"desc", "label"}))
        if ((sameLabel(file->name.label("label"), "lesion") ||
             sameLabel(file->name.label("desc"), "lesion")) &&
            hasFolderAndSpaceOf(scan, *file))
          masks.push_back(file);
  return nearestPath(dataset, masks, "lesion");
}

fs::path confoundsOf(const Dataset& dataset, const File& scan) {
  for (const char* suffix : {"timeseries", "regressors"}) {
    auto tables = inheritedBy(scan, dataset, suffix, ".tsv", {"desc"});
    std::erase_if(tables, [](const File* file) { return file->name.label("desc") != "confounds"; });
    if (const File* file = nearest(tables, "confounds")) return presentPath(dataset, *file);
  }
  return {};
}

/// Adds the sidecars of the scan; those of the raw scan that it was made from come last.
void addSidecars(Job& job, const Study& study, const Dataset& dataset, const File& scan) {
  std::vector<const Dataset*> order{&dataset};
  for (const auto& other : study)
    if (&other != &dataset && !other.derivative) order.push_back(&other);
  for (const Dataset* each : order)
    for (const File* file : inheritedBy(scan, *each, scan.name.suffix, ".json",
                                        each == &dataset ? std::vector<std::string>() : kProcessing))
      if (file->present) job.sidecars.push_back(each->pathOf(*file));
}

/// The words of a key whose value is a string or a list.
std::vector<std::string> wordsAt(const nlohmann::ordered_json& json, const char* key) {
  std::vector<std::string> words;
  const auto found = json.find(key);
  if (found == json.end()) return words;
  if (found->is_string()) words.push_back(found->get<std::string>());
  if (found->is_array())
    for (const auto& word : *found)
      if (word.is_string()) words.push_back(word.get<std::string>());
  return words;
}
/// The words of the first sidecar that has any.
std::vector<std::string> wordsAt(const std::vector<fs::path>& sidecars, const char* key) {
  for (const fs::path& file : sidecars)
    if (auto words = wordsAt(io::openCompanionJson(file).object, key); !words.empty()) return words;
  return {};
}

/// Whether a file in fmap/ is meant for a scan.
///
/// @param sources  B0FieldSource of the scan
bool isMeantFor(const fs::path& file, const std::string& scan, const std::vector<std::string>& sources) {
  const auto sidecars = io::sidecarsOf(file);
  const auto identifiers = wordsAt(sidecars, "B0FieldIdentifier"),
             intended = wordsAt(sidecars, "IntendedFor");
  const auto isSource = [&](const std::string& id) {
    return std::ranges::find(sources, id) != sources.end();
  };
  const auto isScan = [&](const std::string& path) { return path == scan || path.ends_with("/" + scan); };
  return std::ranges::any_of(identifiers, isSource) ||
         (sources.empty() && std::ranges::any_of(intended, isScan));
}

/// Whether distortion can be corrected by a file of this name in fmap/.
bool isFieldScan(const Name& name) {
  return (name.extension == ".nii" || name.extension == ".nii.gz") &&
         (name.suffix == "epi" || name.suffix == "fieldmap");
}

/// The images with opposite phase encoding and field maps in fmap/ that are intended for a scan.
std::vector<fs::path> fieldMapsOf(const Job& job, const Dataset& dataset, const File& scan) {
  const auto sources = wordsAt(job.sidecars, "B0FieldSource");
  std::vector<fs::path> files;
  for (const File& file : dataset.files)
    if (file.datatype == "fmap" && isFieldScan(file.name) &&
        file.name.label("sub") == scan.name.label("sub") &&
        file.name.label("ses") == scan.name.label("ses") && file.present &&
        isMeantFor(dataset.pathOf(file), scan.name.text(), sources))
      files.push_back(dataset.pathOf(file));
  return files;
}

/// The T1 scan of the participant of a raw scan: of the same session before others, not a copy in a
/// template's space, prepared ones first; null if there is none.
std::pair<const Dataset*, const File*> ownT1(const Study& study, const File& scan) {
  std::pair<const Dataset*, const File*> best{nullptr, nullptr};
  const auto rank = [&](const Dataset& dataset, const File& file) {
    return 2 * int(file.name.label("ses") == scan.name.label("ses")) + int(dataset.derivative);
  };
  for (const Dataset& dataset : study)
    for (const File& file : dataset.files) {
      const Name& name = file.name;
      const bool isImage = name.extension == ".nii" || name.extension == ".nii.gz";
      if (!isImage || file.datatype != "anat" || name.suffix != "T1w" || !file.present ||
          name.label("sub") != scan.name.label("sub") || !name.label("space").empty() ||
          !name.label("part").empty() || name.label("desc") != (dataset.derivative ? "preproc" : ""))
        continue;
      if (!best.second || rank(dataset, file) > rank(*best.first, *best.second)) best = {&dataset, &file};
    }
  return best;
}

/// Adds the own T1 scan where nothing else shows the field that distorts a raw scan, and says so.
void addOwnT1(Job& job, const Study& study, const Dataset& dataset, const File& scan) {
  if (dataset.derivative) return;
  const auto [in, file] = ownT1(study, scan);
  if (!file) return;
  constexpr Vec3<int> kAnySize{2, 2, 2};
  const auto encoding = io::readDistortionMetadata(dataset.pathOf(scan), kAnySize).encoding;
  if (!encoding) {
    job.notes.push_back(
        "The own T1 scan is not used for distortion: the JSON file of the scan does not say "
        "PhaseEncodingDirection and TotalReadoutTime.");
    return;
  }
  job.inputs["t1"] = {presentPath(*in, *file)};
  job.notes.push_back(
      "There are no field map scans for this scan: distortion is looked for by the own T1 scan, " +
      shownName(*file) + ".");
}

bool has(const std::vector<std::string>& slots, const char* slot) {
  return std::find(slots.begin(), slots.end(), slot) != slots.end();
}

bool wantsEvents(const std::vector<std::string>& slots, const std::vector<std::string>& given) {
  return has(slots, "events") && !has(given, "events") && !has(given, "design");
}

fs::path eventsOf(const Study& study, const Dataset& dataset, const File& scan) {
  return nearestIn(study, dataset, scan, {"events", ".tsv", "events"});
}

}  // namespace

fs::path presentPath(const Dataset& dataset, const File& file) {
  fs::path path = dataset.pathOf(file);
  io::requireFetched(path);
  return path;
}

bool isFieldMapOf(const fs::path& file, const fs::path& scan) {
  std::string fault;
  const auto name = parsedName(file.filename().string(), fault);
  return name && isFieldScan(*name) && file.parent_path().filename() == "fmap" &&
         file.parent_path().parent_path() == scan.parent_path().parent_path() &&
         isMeantFor(file, scan.filename().string(), wordsAt(io::sidecarsOf(scan), "B0FieldSource"));
}

void addCompanions(Job& job, const Study& study, const Dataset& dataset, const File& scan,
                   const std::vector<std::string>& slots, const std::vector<std::string>& given) {
  const auto isWanted = [&](const char* slot) { return has(slots, slot) && !has(given, slot); };
  const auto add = [&](const char* slot, const fs::path& file) {
    if (!file.empty()) job.inputs[slot] = {file};
  };
  addSidecars(job, study, dataset, scan);
  if (scan.name.suffix == "dwi") addGradientsOf(job, dataset, scan);
  if (isWanted("mask")) add("mask", maskOf(dataset, scan));
  if (isWanted("lesion")) add("lesion", lesionOf(dataset, scan));
  if (isWanted("confounds")) add("confounds", confoundsOf(dataset, scan));
  if (isWanted("fieldmap"))
    if (auto files = fieldMapsOf(job, dataset, scan); !files.empty())
      job.inputs["fieldmap"] = std::move(files);
  if (isWanted("t1") && isWanted("fieldmap") && !job.inputs.contains("fieldmap"))
    addOwnT1(job, study, dataset, scan);
  if (!wantsEvents(slots, given)) return;
  job.secondsPerVolume = io::timingIn(job.sidecars).repetition;
  add("events", eventsOf(study, dataset, scan));
  if (job.inputs["events"].empty())
    throw Error(shownName(scan) + " has no events.tsv", "it says what was expected in each scan",
                "add one, or leave out this task ({task-label})"_message);
}

bool lacksEvents(const Study& study, const Dataset& dataset, const File& scan,
                 const std::vector<std::string>& slots, const std::vector<std::string>& given) {
  try {
    return wantsEvents(slots, given) && eventsOf(study, dataset, scan).empty();
  } catch (const Error&) {  // events exist; addCompanions() reports what is wrong with them
    return false;
  }
}

std::string referenceLabel(const fs::path& reference) {
  std::string fault;
  const auto name = parsedName(reference.filename().string(), fault);
  for (const char* key : {"space", "tpl"})
    if (name && !name->label(key).empty()) return name->label(key);
  return labelOf(io::stemOf(reference));
}

}  // namespace sulcus::bids
