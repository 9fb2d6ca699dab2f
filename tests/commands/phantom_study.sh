#!/usr/bin/env bash
# Lays out phantoms as a BIDS study: phantom_study.sh FOLDER [SUBJECTS]. Each participant has a diffusion series (the gradients at the
# root), a functional one in two runs (TR and events at the root), a T1w, and white matter in derivatives/segmented. The truth is in
# FOLDER/sourcedata; the T1w were deformed from FOLDER/sourcedata/reference.nii.gz.
set -eu
folder=$1 subjects=${2:-2}
mkdir -p "$folder/sourcedata"
printf '{"Name": "Phantoms", "BIDSVersion": "1.10.0", "DatasetType": "raw"}\n' > "$folder/dataset_description.json"
printf 'Phantoms with known answers.\n' > "$folder/README"
printf '{"TaskName": "both", "RepetitionTime": 3.0}\n' > "$folder/task-both_bold.json"
# The blocks of the phantom: 30 s for pictures, 45 s for sound.
printf 'onset\tduration\ttrial_type\n30\t30\tvisual\n45\t45\tauditory\n90\t30\tvisual\n135\t45\tauditory\n150\t30\tvisual\n' \
  > "$folder/task-both_events.tsv"
made=$folder/derivatives/segmented
mkdir -p "$made"
printf '{"Name": "Segmented", "BIDSVersion": "1.10.0", "DatasetType": "derivative", "GeneratedBy": [{"Name": "phantom"}]}\n' \
  > "$made/dataset_description.json"
truth=$folder/sourcedata
for ((i = 1; i <= subjects; ++i)); do
  sub=sub-$(printf %02d "$i")
  mkdir -p "$folder/$sub/dwi" "$folder/$sub/func" "$folder/$sub/anat" "$made/$sub/anat"
  sulcus-cli phantom fibers --seed "$i" --out "$truth/$sub/fibers" > /dev/null
  sulcus-cli phantom activation --seed "$i" --out "$truth/$sub/activation" > /dev/null
  sulcus-cli phantom registration --kind brain --size 48 --noise 0 --seed "$i" --out "$truth/$sub/registration" > /dev/null
  sulcus-cli phantom surface --size 32 --seed "$i" --out "$truth/$sub/surface" > /dev/null 2> "$truth/refusal" ||
    grep -q 'built without VTK' "$truth/refusal"
  rm -f "$truth/refusal"
  cp "$truth/$sub/fibers/dwi.nii.gz" "$folder/$sub/dwi/${sub}_dwi.nii.gz"
  cp "$truth/$sub/fibers/dwi.bval" "$truth/$sub/fibers/dwi.bvec" "$folder/"
  for run in 1 2; do cp "$truth/$sub/activation/bold.nii.gz" "$folder/$sub/func/${sub}_task-both_run-${run}_bold.nii.gz"; done
  cp "$truth/$sub/registration/template.nii.gz" "$folder/$sub/anat/${sub}_T1w.nii.gz"
  [ ! -e "$truth/$sub/surface" ] || cp "$truth/$sub/surface/mask.nii.gz" "$made/$sub/anat/${sub}_label-WM_mask.nii.gz"
done
cp "$truth/sub-01/registration/reference.nii.gz" "$truth/reference.nii.gz"
