#include "core/io/companions.h"
#include "tests/fuzz/fuzz_main.h"

// The JSON file next to a scan: read for the scan, and merged into that of a result in its place, which has
// to be readable. Provenance is also such a file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sulcus;
  const auto json = sulcus::fuzz::memoryFile("scan.json", data, size);
  const auto scan = std::filesystem::path(json).replace_extension(".nii");
  return sulcus::fuzz::parseOrError([&] {
    const sulcus::io::Sidecar sidecar = sulcus::io::readSidecar(scan);
    sulcus::Layer layer;
    layer.unit = sidecar.unit;
    sulcus::VolumeLayer volume;
    volume.secondsPerVolume = sidecar.repetitionTime, volume.volumeNames = sidecar.volumeNames;
    layer.content = volume;
    const std::string merged = io::sidecarJson(layer, json);
    sulcus::fuzz::memoryFile("scan.json", merged.data(), merged.size());
    try {
      sulcus::io::readSidecar(scan);
    } catch (const sulcus::Error&) {
      std::abort();  // a written file must be readable
    }
  });
}

std::vector<std::string> sulcus::fuzz::seeds() {
  sulcus::Provenance run;
  run.analysis = "fibers", run.version = "0.1.0", run.backend = "cpu";
  run.parameters = {{"order", std::int64_t(8)}, {"model", std::string("csd")}};
  run.inputs = {{"dwi", "dwi.nii.gz", "0123abcd"}};
  run.stages = {{"fit", 0.25}};
  sulcus::Layer layer;
  layer.unit = "mm²/s", layer.provenance = std::make_shared<const sulcus::Provenance>(run);
  return {
      sulcus::io::provenanceJson(run), io::sidecarJson(layer),
      R"({"SulcusKind": "peaks", "Units": "mm", "VolumeNames": ["a", 2, null, "c"], "RepetitionTime": 2.5})",
      R"({"CoordinateSpace": "LPS", "RepetitionTime": 1e400, "EchoTime": -0, "Own": {"a": [[[]]]}})"};
}
