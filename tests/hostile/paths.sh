#!/bin/bash
# Gives every flag that takes a file something that is not a file, or is not readable: paths.sh FOLDER-OF-sulcus-cli. Each is refused at
# once, in one sentence that names it.
set -u
export PATH="$(realpath "$1"):$PATH"
folder=$(mktemp -d)
trap 'chmod -R u+rwX "$folder"; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
chmod 755 .
failures=0 count=0

# refused NAME COMMAND...
refused() {
  local name=$1 code
  shift
  count=$((count + 1))
  timeout 30 "$@" >printed 2>said </dev/null
  code=$?
  if [ "$code" != 3 ]; then
    echo "exit code $code instead of 3 ($(head -c 300 said)): $*"
  elif ! grep -qF "'$name'" said || [ "$(wc -l <said)" != 1 ] || [ "$(wc -c <said)" -gt 800 ]; then
    echo "not one sentence that names '$name' ($(head -c 300 said)): $*"
  elif LC_ALL=C grep -q '[[:cntrl:]]' said; then
    echo "control characters reach the terminal: $*"
  else
    return
  fi
  failures=$((failures + 1))
}

sulcus-cli phantom fibers --out f --quiet >/dev/null && sulcus-cli phantom activation --out a --quiet >/dev/null &&
  sulcus-cli phantom registration --out g --quiet >/dev/null && sulcus-cli phantom surface --out s --size 32 --quiet >/dev/null || exit 1
sulcus-cli convert s/truth.nii.gz image.nii --quiet >/dev/null &&
  sulcus-cli registration --template g/template.nii.gz --reference g/reference.nii.gz --affine none --iterations 2 --out d --quiet >/dev/null || exit 1
mkfifo pipe && ln -s loop loop && ln -s /dev/zero zero && : >empty

# Every flag that takes a file, with the others valid.
commands=(
  'fibers --out r --dwi X'
  'fibers --out r --dwi f/dwi.nii.gz --bval X --bvec f/dwi.bvec' 'fibers --out r --dwi f/dwi.nii.gz --bval f/dwi.bval --bvec X'
  'fibers --out r --dwi f/dwi.nii.gz --grad X' 'fibers --out r --dwi f/dwi.nii.gz --mask X' 'fibers --out r --dwi f/dwi.nii.gz --truth X'
  'fibers --out r --sh X' 'fibers --out r --tensor X' 'fibers --out r --dwi f/dwi.nii.gz --params X'
  'activation --out r --bold X --design a/design.tsv' 'activation --out r --bold a/bold.nii.gz --design X'
  'activation --out r --bold a/bold.nii.gz --events X' 'activation --out r --bold a/bold.nii.gz --design a/design.tsv --mask X'
  'activation --out r --bold a/bold.nii.gz --design a/design.tsv --tissue X' 'activation --out r --bold a/bold.nii.gz --design a/design.tsv --params X'
  'registration --out r --template X --reference g/reference.nii.gz' 'registration --out r --template g/template.nii.gz --reference X'
  'registration --out r --template g/template.nii.gz --reference g/reference.nii.gz --truth X'
  'surface --out r --mask X' 'surface --out r --image X' 'surface --out r --mesh X' 'surface --out r --phi X' 'surface --out r --mask s/mask.nii.gz --truth X'
  'apply --field X --image image.nii --like image.nii --out r.nii' 'apply --field d/displacement.nii.gz --image X --like image.nii --out r.nii'
  'convert X r.nii' 'compare X image.nii' 'compare image.nii X' 'info X'
)
for command in "${commands[@]}"; do
  for bad in pipe zero loop empty none; do
    refused $bad sulcus-cli ${command//X/$bad}
  done
done
[ ! -e r ] && [ ! -e r.nii ] || { echo 'a refused run left something'; failures=$((failures + 1)); }

# Files that a file names, or that are searched next to it.
head -c 352 image.nii >pair.hdr && printf 'ni1' | dd of=pair.hdr bs=1 seek=344 conv=notrunc status=none
mkfifo pair.img && refused pair.img sulcus-cli info pair.hdr
printf 'NDims = 3\nDimSize = 2 2 2\nElementSpacing = 1 1 1\nElementType = MET_FLOAT\nElementDataFile = pipe\n' >head.mhd
refused pipe sulcus-cli info head.mhd
printf 'NRRD0004\ntype: float\ndimension: 3\nsizes: 2 2 2\nendian: little\nencoding: raw\ndata file: pipe\n' >head.nhdr
refused pipe sulcus-cli info head.nhdr
cp image.nii beside.nii && mkfifo beside.json beside.bval beside.bvec
timeout 30 sulcus-cli info beside.nii >/dev/null || { echo 'pipes beside a scan are not left alone'; failures=$((failures + 1)); }

# Users other than root encounter unreadable files and unwritable folders.
drop=()
[ "$(id -u)" != 0 ] || drop=(setpriv --reuid 65534 --regid 65534 --clear-groups)
if [ "$(id -u)" = 0 ] && ! "${drop[@]}" "$(command -v sulcus-cli)" --version >/dev/null 2>&1; then
  echo 'skipped: as root, and nobody else may run the program, nothing is unreadable'
else
  cp image.nii secret.nii && chmod 000 secret.nii && mkdir closed && chmod 555 closed
  refused secret.nii "${drop[@]}" sulcus-cli info "$folder/secret.nii"
  refused r "${drop[@]}" sulcus-cli phantom surface --out closed/r
fi
echo "$count commands, $failures failures"
[ "$failures" = 0 ]
