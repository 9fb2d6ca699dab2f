#!/bin/bash
# A scan is replaced by another one while a run reads it: replaced.sh FOLDER-OF-sulcus-cli [MOMENTS]. Whenever that happens, the run is
# refused, or its provenance has the checksum of what it used, or a warning instead of a checksum.
set -u
export PATH="$(realpath "$1"):$PATH"
moments=${2:-40}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

fail() {
  echo "$1"
  cat said
  exit 1
}
fibers() {
  sulcus-cli fibers --dwi dwi.nii.gz --bval a/dwi.bval --bvec a/dwi.bvec --mask a/mask.nii.gz --model adc --outputs peaks \
    --overwrite --out "$1"
}
peaks() { gzip -dc <"$1"/peaks.nii.gz | sha256sum; }

declare -A whose=()
for one in a b; do
  sulcus-cli phantom fibers --seed ${#whose[@]} --out $one --quiet >said || fail "no phantom"
  cp $one/dwi.nii.gz dwi.nii.gz
  fibers ref_$one >said 2>&1 || fail "no result"
  whose[$(peaks ref_$one)]=$(sha256sum <$one/dwi.nii.gz | cut -d' ' -f1)
done
[ ${#whose[@]} = 2 ] || fail "both scans give the same peaks"

without=0 refused=0
declare -A used=()
for ((i = 0; i < moments; ++i)); do
  cp a/dwi.nii.gz dwi.nii.gz
  cp b/dwi.nii.gz next.nii.gz
  sleep "$(printf '0.%04d' $((15 * i)))" && mv next.nii.gz dwi.nii.gz &
  if fibers r >said 2>&1; then
    wait $!
    sum=${whose[$(peaks r)]:-a mixture}
    told=$(grep -A2 '"Slot": "dwi"' r/provenance.json | sed -n 's/.*"Sha256": "\([^"]*\)".*/\1/p')
    if [ -z "$told" ] && grep -q 'has changed since it was read' said r/provenance.json; then
      without=$((without + 1))
    elif [ "$told" != "$sum" ]; then
      fail "replaced after $i moments: the provenance tells of ${told:-nothing}, the peaks are of $sum"
    fi
    used[$sum]=1
  else
    wait $!
    refused=$((refused + 1))
    grep -q 'changed' said || fail "replaced after $i moments: refused for another reason"
  fi
done
[ ${#used[@]} = 2 ] || fail "of $moments moments none was before, or none after it was read"
echo "$moments moments: $without without a checksum, $refused refused, the others tell the one that was used"
