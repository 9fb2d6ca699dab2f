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

/// The names of an image of labels: those in a file beside it with its name (NAME.tsv, .csv, .label, .lut,
/// .ctab, .txt, .nii.txt, or the …_dseg.tsv that BIDS inherits), else FreeSurfer's names if the image is from
/// FreeSurfer by its format or name. Null if there are none.
///
/// @param note  receives a sentence on their origin
std::shared_ptr<const LabelTable> labelNamesOf(const std::filesystem::path& image, Note& note);

/// A table in BIDS format: index, name and, if any label has one, color.
std::string labelTableText(const LabelTable& names);
/// Parses such a text; empty if it is something else. Messages name `name`.
LabelTable labelTableIn(std::string_view text, const std::string& name);

/// The labels of the segmentation and of the Desikan–Killiany parcellation, with FreeSurfer's colors.
const LabelTable& freeSurferLabels();

}  // namespace sulcus::io
