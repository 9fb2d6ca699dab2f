#include "core/io/tables/label_tables.h"

namespace sulcus::io {
namespace {

struct Structure {
  int left, right;  ///< labels; 0: not lateralized
  const char* name;
  std::array<std::uint8_t, 3> color;
};

constexpr Structure kStructures[] = {
    {2, 41, "Cerebral-White-Matter", {245, 245, 245}},
    {3, 42, "Cerebral-Cortex", {205, 62, 78}},
    {4, 43, "Lateral-Ventricle", {120, 18, 134}},
    {5, 44, "Inf-Lat-Vent", {196, 58, 250}},
    {7, 46, "Cerebellum-White-Matter", {220, 248, 164}},
    {8, 47, "Cerebellum-Cortex", {230, 148, 34}},
    {10, 49, "Thalamus", {0, 118, 14}},
    {11, 50, "Caudate", {122, 186, 220}},
    {12, 51, "Putamen", {236, 13, 176}},
    {13, 52, "Pallidum", {12, 48, 255}},
    {14, 0, "3rd-Ventricle", {204, 182, 142}},
    {15, 0, "4th-Ventricle", {42, 204, 164}},
    {16, 0, "Brain-Stem", {119, 159, 176}},
    {17, 53, "Hippocampus", {220, 216, 20}},
    {18, 54, "Amygdala", {103, 255, 255}},
    {24, 0, "CSF", {60, 60, 60}},
    {26, 58, "Accumbens-area", {255, 165, 0}},
    {28, 60, "VentralDC", {165, 42, 42}},
    {30, 62, "vessel", {160, 32, 240}},
    {31, 63, "choroid-plexus", {0, 200, 200}},
    {72, 0, "5th-Ventricle", {120, 190, 150}},
    {77, 0, "WM-hypointensities", {200, 70, 255}},
    {80, 0, "non-WM-hypointensities", {164, 108, 226}},
    {85, 0, "Optic-Chiasm", {234, 169, 30}},
    {251, 0, "CC_Posterior", {0, 0, 64}},
    {252, 0, "CC_Mid_Posterior", {0, 0, 112}},
    {253, 0, "CC_Central", {0, 0, 160}},
    {254, 0, "CC_Mid_Anterior", {0, 0, 208}},
    {255, 0, "CC_Anterior", {0, 0, 255}},
};

struct Gyrus {
  const char* name;
  std::array<std::uint8_t, 3> color;
};

/// The gyri of the cortex: their labels are 1001 + place on the left and 2001 + place on the right.
constexpr Gyrus kGyri[] = {
    {"bankssts", {25, 100, 40}},
    {"caudalanteriorcingulate", {125, 100, 160}},
    {"caudalmiddlefrontal", {100, 25, 0}},
    {"corpuscallosum", {120, 70, 50}},
    {"cuneus", {220, 20, 100}},
    {"entorhinal", {220, 20, 10}},
    {"fusiform", {180, 220, 140}},
    {"inferiorparietal", {220, 60, 220}},
    {"inferiortemporal", {180, 40, 120}},
    {"isthmuscingulate", {140, 20, 140}},
    {"lateraloccipital", {20, 30, 140}},
    {"lateralorbitofrontal", {35, 75, 50}},
    {"lingual", {225, 140, 140}},
    {"medialorbitofrontal", {200, 35, 75}},
    {"middletemporal", {160, 100, 50}},
    {"parahippocampal", {20, 220, 60}},
    {"paracentral", {60, 220, 60}},
    {"parsopercularis", {220, 180, 140}},
    {"parsorbitalis", {20, 100, 50}},
    {"parstriangularis", {220, 60, 20}},
    {"pericalcarine", {120, 100, 60}},
    {"postcentral", {220, 20, 20}},
    {"posteriorcingulate", {220, 180, 220}},
    {"precentral", {60, 20, 220}},
    {"precuneus", {160, 140, 180}},
    {"rostralanteriorcingulate", {80, 20, 140}},
    {"rostralmiddlefrontal", {75, 50, 125}},
    {"superiorfrontal", {20, 220, 160}},
    {"superiorparietal", {20, 180, 140}},
    {"superiortemporal", {140, 220, 220}},
    {"supramarginal", {80, 160, 20}},
    {"frontalpole", {100, 0, 100}},
    {"temporalpole", {70, 70, 70}},
    {"transversetemporal", {150, 150, 200}},
    {"insula", {255, 192, 32}},
};

LabelTable allLabels() {
  LabelTable names;
  for (const Structure& one : kStructures) {
    const std::string name = one.name;
    names[one.left] = {one.right ? "Left-" + name : name, one.color};
    if (one.right) names[one.right] = {"Right-" + name, one.color};
  }
  names[1000] = {"ctx-lh-unknown", {{25, 5, 25}}};
  names[2000] = {"ctx-rh-unknown", {{25, 5, 25}}};
  Label place = 1;
  for (const Gyrus& gyrus : kGyri) {
    names[1000 + place] = {std::string("ctx-lh-") + gyrus.name, gyrus.color};
    names[2000 + place] = {std::string("ctx-rh-") + gyrus.name, gyrus.color};
    ++place;
  }
  return names;
}

}  // namespace

const LabelTable& freeSurferLabels() {
  static const LabelTable names = allLabels();
  return names;
}

}  // namespace sulcus::io
