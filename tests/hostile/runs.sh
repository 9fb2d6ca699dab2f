# Sourced by tests that make runs fail: a small run of each command, on phantoms that are made in the current folder.
phantoms() {
  sulcus-cli phantom fibers --out f --quiet >/dev/null && sulcus-cli phantom activation --out a --quiet >/dev/null &&
    sulcus-cli phantom registration --out g --quiet >/dev/null && sulcus-cli phantom surface --size 32 --out s --quiet >/dev/null
}
declare -A commands=(
  [phantom]='phantom surface --size 32'
  [fibers]='fibers --dwi f/dwi.nii.gz --model adc --order 4'
  [activation]='activation --bold a/bold.nii.gz --design a/design.tsv --draws 40 --thinning 1'
  [registration]='registration --template g/template.nii.gz --reference g/reference.nii.gz --iterations 2 --levels 1 --affine none'
  [surface]='surface --mask s/mask.nii.gz --patch 3 --neighbours 8 --iterations 2'
)
# The times of stages, and the date, differ from run to run.
# An input that could not be read again has no checksum, and a note says so.
same() { diff -r --exclude='.part-*' -I '"Created": ' -I '"Sha256": "' -I '^ *"[A-Za-z0-9 -]*": [0-9.e-]*,\?$' "$1" "$2" >/dev/null 2>&1; }
one_sentence() { [ "$(grep -c '^sulcus-cli: ' "$1")" = 1 ] && [ "$(grep -vc '^sulcus-cli: ' "$1")" = 0 ]; }
