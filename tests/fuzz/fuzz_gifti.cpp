#include "tests/fuzz/fuzz_meshes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sulcus;
  fuzz::openAsPointValues("values.label.gii", data, size);
  return fuzz::openAsMesh("surface.gii", data, size);
}

std::vector<std::string> sulcus::fuzz::seeds() {
  return {
      sulcus::io::giftiBytes(seedMesh()),
      "<GIFTI Version=\"1.0\" NumberOfDataArrays=\"1\"><LabelTable><Label Key=\"5\" Red=\"1\" Green=\"0.5\" "
      "Blue=\"0\">V1</Label></LabelTable><DataArray Intent=\"NIFTI_INTENT_LABEL\" "
      "DataType=\"NIFTI_TYPE_INT32\" Dimensionality=\"1\" Dim0=\"4\" Encoding=\"ASCII\">"
      "<Data>0 5 5 0</Data></DataArray></GIFTI>",
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE GIFTI SYSTEM \"gifti.dtd\">\n"
      "<GIFTI Version=\"1.0\" NumberOfDataArrays=\"2\">"
      "<DataArray Intent=\"NIFTI_INTENT_POINTSET\" DataType=\"NIFTI_TYPE_FLOAT32\" Dimensionality=\"2\" "
      "Dim0=\"4\" "
      "Dim1=\"3\" Encoding=\"ASCII\" "
      "ArrayIndexingOrder=\"ColumnMajorOrder\"><CoordinateSystemTransformMatrix>"
      "<DataSpace><![CDATA[NIFTI_XFORM_UNKNOWN]]></"
      "DataSpace><TransformedSpace><![CDATA[NIFTI_XFORM_SCANNER_ANAT]]>"
      "</TransformedSpace><MatrixData>1 0 0 5 0 -1 0 6 0 0 1 7 0 0 0 "
      "1</MatrixData></CoordinateSystemTransformMatrix>"
      "<Data>0 1 0 0 0 0 1 0 0 0 0 1</Data></DataArray>"
      "<DataArray Intent=\"NIFTI_INTENT_TRIANGLE\" DataType=\"NIFTI_TYPE_INT32\" Dimensionality=\"2\" "
      "Dim0=\"2\" "
      "Dim1=\"3\" Encoding=\"Base64Binary\" "
      "Endian=\"BigEndian\"><Data>AAAAAAAAAAEAAAACAAAAAAAAAAMAAAAB</Data>"
      "</DataArray></GIFTI>"};
}
