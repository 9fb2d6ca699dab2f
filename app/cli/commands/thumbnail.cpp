#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/report.h"
#include "core/base/error.h"
#include "core/io/export/slice_picture.h"
#include "core/io/files.h"
#include "core/io/streams/atomic_file.h"
#include "core/io/streams/byte_source.h"
#include "core/io/streams/file_json.h"
#include "core/io/volumes/header_text.h"

#include <optional>

#include <CLI/CLI.hpp>

namespace sulcus::app::cli {
namespace {

namespace fs = std::filesystem;

struct ThumbnailRequest {
  std::string file, picture;
  int size = 256;
  bool overwrite = false;
};

/// The file of a layer of a session: a scan at its own path, or a file in the session's folder; names cannot
/// lead outside that folder.
std::optional<fs::path> fileOf(const nlohmann::ordered_json& content, const fs::path& session) {
  if (content.contains("File")) return session.parent_path() / content["File"].at("Path").get<std::string>();
  if (!content.contains("Stored")) return {};
  return (fs::path(session) += ".d") / fs::path(content["Stored"].get<std::string>()).filename();
}

/// The lowest image of a session.
io::Picture pictureOfSession(const fs::path& session, int size) try {
  const auto json = io::openJson(session);
  for (const auto& layer : json.at("Layers")) {
    const auto file = fileOf(json.at("Contents").at(layer.at("Content").get<std::size_t>()), session);
    if (!file) continue;
    try {
      return io::slicePicture(io::openLayer(*file), size);
    } catch (const Error&) {  // not an image, or gone: try the next one
    }
  }
  throw Error(io::quoted(session) + " shows no image", "none of its layers has slices that can be read",
              "open it in the window");
} catch (const nlohmann::json::exception& fault) {
  throw Error(io::quoted(session) + " is not a readable session", fault.what(), "open another one");
}

/// Refuses a name that suggests another picture format. File managers use names with any extension, or none.
void requirePngName(const fs::path& picture) {
  const std::string end = io::lowered(picture.extension().string());
  for (const char* other : {".jpg", ".jpeg", ".tif", ".tiff", ".gif", ".bmp", ".webp", ".svg", ".pdf"})
    if (end == other)
      throw Error("The thumbnail cannot be written as " + io::quoted(picture),
                  "its name ends in " + end + ", and a thumbnail is a PNG file", "end its name in .png");
}

int thumbnail(const ThumbnailRequest& request) {
  requirePngName(request.picture);
  io::requirePlace(request.picture, request.overwrite);
  const fs::path file = request.file;
  const io::Picture picture = file.extension() == ".sulcus"
                                  ? pictureOfSession(file, request.size)
                                  : io::slicePicture(io::openLayer(file), request.size);
  io::writeFile(request.picture, io::pngBytes(picture), request.overwrite);
  return exit_code::done;
}

}  // namespace

Command addThumbnail(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "thumbnail", "Makes a small picture (PNG) of a scan or a session, for file managers");
  auto request = std::make_shared<ThumbnailRequest>();
  addText(*parser, "FILE", request->file, "A scan, or a session (.sulcus)")->required();
  addText(*parser, "PICTURE", request->picture, "The picture to write")->required();
  parser->add_option("--size", request->size, "Largest width and height in pixels (default 256)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  parser->add_flag("--overwrite", request->overwrite, "Replace PICTURE if it exists")->group("Common");
  return {parser, [request](const CliContext&) { return thumbnail(*request); }};
}

}  // namespace sulcus::app::cli
