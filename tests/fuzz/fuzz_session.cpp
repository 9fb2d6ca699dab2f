#include "core/activation/activation.h"
#include "core/fibers/fibers.h"
#include "core/io/files.h"
#include "core/registration/registration.h"
#include "core/surface/surface.h"
#include "tests/fuzz/checked_html.h"
#include "tests/fuzz/fuzz_main.h"
#include "tests/support/temporary_folder.h"
#include "ui/jobs/session_file.h"
#ifndef SULCUS_LIBFUZZER
#include "ui/jobs/session_page.h"
#endif

#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

// A session next to the scan that it names.
namespace {

using namespace sulcus;

std::string bytesOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

template <class Options>
Analysis analysis(const char* name) {
  Analysis made;
  made.name = name, made.options = describeOptions<Options>();
  return made;
}

/// The names and options of analyses, which opening a session needs.
const std::vector<Analysis>& analyses() {
  static const std::vector<Analysis> all = {analysis<fibers::FiberOptions>("fibers"),
                                            analysis<activation::ActivationOptions>("activation"),
                                            analysis<registration::RegistrationOptions>("registration"),
                                            analysis<surface::SurfaceOptions>("surface")};
  return all;
}

struct Example {
  std::string image, session;
};

/// A session with a scan from a file and a table in the session's folder.
const Example& example() {
  static const Example made = [] {
    const test::TemporaryFolder folder;
    Grid grid;
    grid.size = {3, 2, 2};
    Layer scan;
    scan.name = "image";
    scan.content = VolumeLayer{std::make_shared<const Series<float>>(grid, 1)};
    io::saveLayer(scan, folder / "image.nii", {});
    ui::model::SessionState state;
    const auto add = [&](Layer layer) {
      ui::model::LayerState placed;
      placed.id = int(state.layers.size()) + 1;
      placed.name = QString::fromStdString(layer.name);
      placed.display = layer.display;
      placed.layer = std::make_shared<const Layer>(std::move(layer));
      state.layers.push_back(std::move(placed));
    };
    add(io::openLayer(folder / "image.nii", {}));
    Layer table;
    table.name = "table", table.content = TableLayer{{"a", "b"}, {{"1", "x"}}};
    add(table);
    state.current = 1, state.analysis = "surface";
    for (const Analysis& analysis : analyses()) {
      auto& chosen = state.choices[analysis.name];
      for (const auto& info : analysis.options) chosen.options[info.name] = info.defaultValue;
    }
    ui::jobs::StoredContents stored;
    ui::jobs::writeSession(state, folder / "s.sulcus", stored, {});
    auto session = nlohmann::ordered_json::parse(bytesOf(folder / "s.sulcus"));
    session["Saved"] = "2026-01-01T00:00:00Z";  // the same bytes every time
    session["Contents"][0]["Source"] = "/scans/image.nii";
    session["Contents"][0]["File"]["Modified"] = 1;
    return Example{bytesOf(folder / "image.nii"), session.dump(1)};
  }();
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::memoryFile("image.nii", example().image.data(), example().image.size());
  const auto session = fuzz::memoryFile("s.sulcus", data, size);
  return fuzz::parseOrError([&] {
    const auto opened = ui::jobs::openSession(session, analyses(), {}, true, Progress{});
#ifndef SULCUS_LIBFUZZER  // libFuzzer builds have no window
    fuzz::requireOwnHtml(ui::jobs::sessionPage("s", opened.state, {}, {}, Progress{}));
#else
    (void)opened;
#endif
  });
}

std::vector<std::string> sulcus::fuzz::seeds() {
  auto functions = nlohmann::json::parse(example().session);
  functions["Contents"][0]["Function"] = "image.nii";  // for a layer that is not peaks
  return {example().session, functions.dump(),
          R"({"Sulcus": "session", "Format": 1, "Contents": [], "Layers": []})",
          R"({"Sulcus": "session", "Format": -1, "Version": "\u0000"})"};
}
