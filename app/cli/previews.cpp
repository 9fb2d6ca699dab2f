#include "app/cli/previews.h"

#include "core/base/error.h"
#include "core/io/streams/staged_files.h"

#include <memory>

namespace sulcus::app::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char *kBegun = "begun", *kNext = "next", *kTaken = "taken";

}  // namespace

bool PreviewFolder::wantsOne() const {
  std::error_code fault;
  return !fs::exists(folder_ / kNext, fault);
}

fs::path PreviewFolder::begin() const {
  fs::remove_all(folder_ / kBegun);
  fs::create_directories(folder_ / kBegun);
  return folder_ / kBegun;
}

void PreviewFolder::publish() const {
  if (wantsOne()) fs::rename(folder_ / kBegun, folder_ / kNext);
}

std::optional<fs::path> PreviewFolder::take() const {
  if (wantsOne()) return std::nullopt;
  fs::remove_all(folder_ / kTaken);
  fs::rename(folder_ / kNext, folder_ / kTaken);
  return folder_ / kTaken;
}

Analysis::Preview previewsInto(const fs::path& folder) {
  const auto throttle = std::make_shared<Throttle>();
  return [previews = PreviewFolder(folder), throttle](const std::vector<Layer>& layers,
                                                      const std::vector<Plot>&) {
    if (!throttle->isOpen() || !previews.wantsOne()) return;
    throttle->begin();
    try {
      const fs::path place = previews.begin();
      for (const Layer& layer : layers)
        io::writeStaged(place / (layer.name + usualExtension(layer)), layer, {});
      previews.publish();
    } catch (const Error&) {  // the run continues without it
    } catch (const fs::filesystem_error&) {
    }
    throttle->end();
  };
}

}  // namespace sulcus::app::cli
