#include "core/bids/report/outliers.h"
#include "core/bids/report/pages.h"
#include "core/bids/results/records.h"
#include "core/io/streams/file_json.h"
#include "tests/fuzz/checked_html.h"
#include "tests/fuzz/fuzz_main.h"

// A record of a run in the results of a study, and the pages made from it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sulcus;
  const std::filesystem::path file = fuzz::memoryFile("sub-01_desc-fibers_provenance.json", data, size);
  return fuzz::parseOrError([&] {
    const std::vector<bids::Record> records{bids::openRecord(file)};
    const bids::Record& record = records.front();
    for (const auto& path : record.files)
      if (path.starts_with('/') || ("/" + path + "/").find("/../") != path.npos) std::abort();
    const std::filesystem::path out = file.parent_path();
    fuzz::requireOwnHtml(bids::participantPage(record.subject, records, out));
    bids::StudySection section;
    section.analysis = record.analysis;
    section.table = bids::runTable(records, record.analysis);
    section.notes = record.notes;
    fuzz::requireOwnHtml(bids::studyPage(record.run, {section}, out));
    if (record.done) {
      const std::string again = bids::recordText(record);  // a written file must be readable
      bids::openRecord(fuzz::memoryFile("again_provenance.json", again.data(), again.size()));
    }
  });
}

std::vector<std::string> sulcus::fuzz::seeds() {
  sulcus::bids::Record record;
  record.done = true, record.analysis = "fibers", record.subject = "01", record.run = "sub-01_dwi";
  record.created = "2026-01-01T00:00:00Z", record.key = "{}";
  record.figures = {{"median_residual", "mm", "How far <b>off</b>", 0.25}, {"none", "", "", NAN}};
  sulcus::AgreementRow row;
  row.quantity = "angle", row.unit = "°", row.mean = 0.1, row.maximum = 2, row.shareWithin = 1;
  record.agreement = {row};
  record.notes = {Note::warning("<script>alert(1)</script>"), "A note."};
  record.files = {"sub-01/dwi/sub-01_peaks.nii.gz"}, record.bytes = {10};
  record.shown = record.files;
  record.pictures = {{"sub-01/dwi/picture.png", "\" onload=\"f()"}};
  record.provenance.analysis = "fibers", record.provenance.backend = "cpu";
  record.provenance.device = "a processor", record.provenance.commandLine = "sulcus-cli fibers";
  record.provenance.parameters = {{"order", std::int64_t(8)}, {"model", std::string("csd")}};
  record.provenance.inputs = {{"dwi", "bids:raw:sub-01/dwi/sub-01_dwi.nii.gz", "0123456789abcdef01"}};
  auto failed = record;
  failed.done = false, failed.problem = "It failed (<i>why</i>): do";
  return {sulcus::bids::recordText(record), sulcus::bids::recordText(failed)};
}
