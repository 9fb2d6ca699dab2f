#!/bin/bash
# Commands that run out of memory: limits.sh FOLDER-OF-sulcus-cli [STEP in KiB]. Under every limit on the address space that suffices for
# the loader, a command succeeds, or says what is missing, ends with exit code 4 and leaves no files, or at least none that affect the next
# one if a library's own thread got no memory.
set -u
export PATH="$(realpath "$1"):$PATH"
step=${2:-1000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

sulcus-cli phantom surface --out p --quiet >/dev/null || exit 1
mkdir made
under() { # LIMIT COMMAND…
  (ulimit -v "$1" && cd made && shift && sulcus-cli "$@" --quiet >/dev/null 2>../said)
  code=$?
}
tried=0
tried=0 done=0
sweep() {
  local kib=50000 most
  while under "$kib" "$@" && [ $code = 127 ]; do kib=$((kib + 500)); done
  [ $kib -gt 50000 ] || { echo "the first limit is no limit"; exit 1; }
  for ((most = kib + 45000, kib -= 500; kib < most; kib += step)); do
    under "$kib" "$@"
    case $code in
      0) done=$((done + 1)) ;;
      4)
        mv said first
        grep -q 'a library could' first && [ -n "$(ls -A made)" ] && { under unlimited "$@"; rm -r made/[!.]*; }
        [ "$(wc -l <first)" = 1 ] && [ -z "$(ls -A made)" ] && grep -q 'ulimit\|memory' first ||
          { echo "$* under $kib KiB ends by code 4 with this and leaves '$(ls -A made)':"; cat first; exit 1; }
        ;;
      127) ;; # the loader's
      *) echo "$* under $kib KiB ends by code $code:"; cat said; exit 1 ;;
    esac
    rm -rf made/*
    tried=$((tried + 1))
  done
}
sweep info ../p/true_surface.vtp
sweep convert ../p/mask.nii.gz made.nrrd
sweep surface --mask ../p/mask.nii.gz --iterations 1 --out result
[ $done -gt 0 ] || { echo "nothing was done under any limit"; exit 1; }
echo "$tried limits, $done runs done under them"
