#pragma once

#include "core/base/note.h"
#include "core/image/labels/label_table.h"
#include "core/image/volume.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

// Names of labels. Their files are read in label_tables.cpp; FreeSurfer's own names are in
// freesurfer_labels.cpp.
namespace sulcus::io {

/// The names that belong to an image of labels: those of the file beside it by its name (NAME.tsv, .csv,
/// .label, .lut, .ctab, .txt, .nii.txt, or the …_dseg.tsv that BIDS inherits), else FreeSurfer's where the
/// image is FreeSurfer's by its format or name. Null when there are none.
///
/// @param note  gets a sentence on where they are from
std::shared_ptr<const LabelTable> labelNamesOf(const std::filesystem::path& image, Note& note);

/// A table as BIDS writes it: index, name and, where one has a color, color.
std::string labelTableText(const LabelTable& names);
/// Such a text; empty where it is something else. Messages name `name`.
LabelTable labelTableIn(std::string_view text, const std::string& name);

/// The segmentation and the parcellation by Desikan and Killiany, with the colors in which FreeSurfer shows
/// them.
const LabelTable& freeSurferLabels();

}  // namespace sulcus::io
