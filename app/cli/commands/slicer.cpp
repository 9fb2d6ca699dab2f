#include "app/cli/descriptors.h"
#include "core/base/sanitized.h"

#include <algorithm>
#include <cmath>

namespace sulcus::app::cli {
namespace {

std::string xmlElement(const std::string& tag, const std::string& text) {
  return "<" + tag + ">" + escapedForXml(text) + "</" + tag + ">";
}

/// The elements common to all parameters. Names and flags are C++ identifiers there; the command line accepts
/// _ for -.
std::string xmlNames(const std::string& name, const std::string& label, const std::string& help) {
  std::string identifier = name;
  std::replace(identifier.begin(), identifier.end(), '-', '_');
  return "      " + xmlElement("name", identifier) + "\n      " + xmlElement("longflag", identifier) +
         "\n      " + xmlElement("label", label) + "\n      " + xmlElement("description", help) + "\n";
}

Layer layerWith(LayerContent content) {
  Layer layer;
  layer.content = std::move(content);
  return layer;
}

/// An image, a surface or another file, depending on what the slot accepts.
std::string xmlOf(const InputSlot& slot) {
  const bool several = slot.many || !slot.overflow.empty();
  std::string tag = "image", attributes;
  if (slot.accepts && slot.accepts(layerWith(MeshLayer{})) &&
      !slot.accepts(
          layerWith(VolumeLayer{std::make_shared<const Series<float>>(Grid{{1, 1, 1}, {}}, 1), {}, 0, {}})))
    tag = "geometry";
  else if (slot.accepts && slot.accepts(layerWith(TableLayer{}))) {
    tag = "file";
    attributes = " fileExtensions=\".tsv,.csv,.txt,.mat\"";
  }
  if (tag == "image" && slot.name == "dwi") attributes = " type=\"diffusion-weighted\"";
  if (several) attributes += " multiple=\"true\"";
  return "    <" + tag + attributes + ">\n" + xmlNames(slot.name, slot.label, slot.help) +
         "      <channel>input</channel>\n    </" + tag + ">\n";
}

std::string xmlOf(const OptionInfo& info) {
  const std::string help = info.help + (info.unit.empty() ? "" : " (" + info.unit + ")");
  const std::string standard = formatOption(info.defaultValue);
  std::string tag, more = "      " + xmlElement("default", standard) + "\n";
  if (std::holds_alternative<bool>(info.defaultValue)) {
    tag = "boolean";
    // Such a flag is given if it is on: an option that is on by default is switched off by a flag of its own.
    if (standard == "true")
      return "    <boolean>\n" + xmlNames("no-" + info.name, "No " + info.label, "Not: " + help) +
             "      <default>false</default>\n    </boolean>\n";
  } else if (!info.choices.empty()) {
    tag = "string-enumeration";
    for (const auto& choice : info.choices) more += "      " + xmlElement("element", choice) + "\n";
  } else if (std::holds_alternative<std::string>(info.defaultValue)) {
    tag = "string";
  } else {
    tag = std::holds_alternative<std::int64_t>(info.defaultValue) ? "integer" : "double";
    if (info.maximum > info.minimum && std::isfinite(info.maximum))
      more +=
          "      <constraints>" + xmlElement("minimum", formatOption(info.minimum)) +
          xmlElement("maximum", formatOption(info.maximum)) +
          xmlElement("step", formatOption(info.step > 0 ? info.step : (info.maximum - info.minimum) / 100)) +
          "</constraints>\n";
  }
  return "    <" + tag + ">\n" + xmlNames(info.name, info.label, help) + more + "    </" + tag + ">\n";
}

std::string xmlGroup(const std::string& label, const std::string& help, bool advanced,
                     const std::string& content) {
  if (content.empty()) return {};
  return std::string("  <parameters") + (advanced ? " advanced=\"true\"" : "") + ">\n    " +
         xmlElement("label", label) + "\n    " + xmlElement("description", help) + "\n" + content +
         "  </parameters>\n";
}

}  // namespace

std::string slicerText(const Analysis& analysis) {
  std::string inputs, options, more, running;
  for (const auto& slot : analysis.inputs) inputs += xmlOf(slot);
  for (const auto& info : analysis.options) (info.advanced || info.flagOnly ? more : options) += xmlOf(info);
  for (const auto& info : runOptions()) running += xmlOf(info);
  running += "    <boolean>\n" + xmlNames("overwrite", "Overwrite", "Replace results that exist") +
             "      <default>false</default>\n    </boolean>\n    <boolean hidden=\"true\">\n" +
             xmlNames("filter-progress", "Progress", "Report progress in 3D Slicer's format") +
             "      <default>true</default>\n    </boolean>\n";
  const std::string out = "    <directory>\n" + xmlNames("out", "Results", "Folder for the results") +
                          "      <channel>output</channel>\n    </directory>\n";
  return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<executable>\n  <category>Sulcus</category>\n  " +
         xmlElement("title", analysis.title) + "\n  " + xmlElement("description", analysis.summary) + "\n  " +
         xmlElement("version", sulcusVersion()) +
         "\n  <documentation-url></documentation-url>\n  <license>Apache-2.0</license>\n"
         "  <contributor>Sulcus developers</contributor>\n" +
         xmlGroup("Files", "Inputs and output folder", false, inputs + out) +
         xmlGroup("Parameters", "Parameters of the method", false, options) +
         xmlGroup("More", "Advanced parameters", true, more) + xmlGroup("Running", "Device", true, running) +
         "</executable>\n";
}

}  // namespace sulcus::app::cli
