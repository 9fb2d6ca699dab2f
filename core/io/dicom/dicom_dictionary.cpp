#include "core/io/dicom/dicom_dictionary.h"

#include <map>

namespace sulcus::io {

ElementStorage storageOf(DicomTag tag) {
  static const std::map<DicomTag, ElementStorage> table{
      {0x00080008, {Holds::text}},         // image type
      {0x00080016, {Holds::text}},         // class of the object
      {0x00080018, {Holds::text}},         // UID of the image
      {0x00080022, {Holds::text}},         // date of the acquisition
      {0x0008002a, {Holds::text}},         // date and time of the acquisition
      {0x00080032, {Holds::text}},         // time of the acquisition
      {0x00080060, {Holds::text}},         // modality
      {0x0008103e, {Holds::text}},         // series description
      {0x00180050, {Holds::decimals}},     // slice thickness
      {0x00180080, {Holds::decimals}},     // repetition time
      {0x00180081, {Holds::decimals}},     // echo time
      {0x00180086, {Holds::decimals}},     // echo number
      {0x00180088, {Holds::decimals}},     // spacing between slices
      {0x00189076, {Holds::sequence}},     // diffusion gradient direction sequence
      {0x00189087, {Holds::doubles, 1}},   // b-value
      {0x00189089, {Holds::doubles, 3}},   // diffusion gradient orientation
      {0x00189112, {Holds::sequence}},     // timing of a frame
      {0x00189117, {Holds::sequence}},     // diffusion of a frame
      {0x0020000e, {Holds::text}},         // series UID
      {0x00200011, {Holds::text}},         // series number
      {0x00200012, {Holds::decimals}},     // acquisition number
      {0x00200013, {Holds::decimals}},     // instance number
      {0x00200032, {Holds::decimals, 3}},  // position
      {0x00200037, {Holds::decimals, 6}},  // orientation
      {0x00200052, {Holds::text}},         // frame of reference
      {0x00200100, {Holds::decimals}},     // temporal position
      {0x00209113, {Holds::sequence}},     // position of a frame
      {0x00209116, {Holds::sequence}},     // orientation of a frame
      {0x00280002, {Holds::whole, 1}},     // samples per pixel
      {0x00280004, {Holds::text}},         // photometric interpretation
      {0x00280008, {Holds::decimals, 1}},  // number of frames
      {0x00280010, {Holds::whole, 1}},     // rows
      {0x00280011, {Holds::whole, 1}},     // columns
      {0x00280030, {Holds::decimals, 2}},  // pixel spacing
      {0x00280100, {Holds::whole, 1}},     // bits allocated
      {0x00280101, {Holds::whole, 1}},     // bits stored
      {0x00280102, {Holds::whole, 1}},     // high bit
      {0x00280103, {Holds::whole, 1}},     // pixel representation
      {0x00281052, {Holds::decimals, 1}},  // rescale intercept
      {0x00281053, {Holds::decimals, 1}},  // rescale slope
      {0x00283000, {Holds::sequence}},     // lookup table for the numbers
      {0x00289110, {Holds::sequence}},     // pixel measures of a frame
      {0x00289145, {Holds::sequence}},     // scaling of a frame
      {0x52009229, {Holds::sequence}},     // shared functional groups
      {0x52009230, {Holds::sequence}},     // functional groups of each frame
  };
  if (const auto found = table.find(tag); found != table.end()) return found->second;
  return {};
}

}  // namespace sulcus::io
