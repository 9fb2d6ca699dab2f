#!/bin/bash
# Runs in unusual environments: surroundings.sh FOLDER-OF-sulcus-cli [LIBRARY]. Another locale, no home, a deleted current folder, names
# that are not text, open file descriptors, clocks that run backwards (LIBRARY is clock_back.cpp), two runs at once.
set -u
export PATH="$(realpath "$1"):$PATH"
clock_back=${2:+$(realpath "$2")}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0
fail() {
  echo "$1"
  failures=$((failures + 1))
}
sulcus-cli phantom surface --size 32 --out s --quiet >/dev/null || exit 1
surface=(sulcus-cli surface --mask "$folder/s/mask.nii.gz" --patch 3 --neighbours 8 --quiet)
"${surface[@]}" --out plain >plain.txt || exit 1

# A locale with decimal commas, generated here if it is not installed.
if ! locale -a | grep -qix 'de_DE.utf-\?8' && localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" >/dev/null 2>&1; then
  export LOCPATH=$folder
fi
if [ "$(LC_ALL=de_DE.UTF-8 printf '%.1f' 1,5 2>/dev/null)" = 1,5 ]; then
  LC_ALL=de_DE.UTF-8 "${surface[@]}" --out german >german.txt
  for file in surface.vtp energy.tsv phi.nii.gz; do cmp plain/$file german/$file || fail "$file is another one in German"; done
  ! grep -qE '[0-9],[0-9]' german/*.json german.txt || fail 'numbers are written with commas'
  LC_ALL=de_DE.UTF-8 sulcus-cli convert plain/surface.vtp german.ply --quiet >/dev/null && LC_ALL=de_DE.UTF-8 sulcus-cli info german.ply s/mask.nii.gz --json --quiet >in.de &&
    sulcus-cli info german.ply s/mask.nii.gz --json --quiet >in.c && cmp in.c in.de || fail 'a surface is read as another one in German'
else
  echo 'skipped: there is no German locale, and none can be made'
fi
unset LOCPATH

# No home, a read-only home, no variables at all.
program=$(command -v sulcus-cli)
env -u HOME "$program" info s/mask.nii.gz >/dev/null || fail 'without HOME'
HOME=/proc "$program" info s/mask.nii.gz >/dev/null || fail 'with a HOME that cannot be written'
env -i "$program" info s/mask.nii.gz >/dev/null || fail 'without any variables'

# Clocks: files from the future, and a clock that is set back an hour at every query.
touch -d 2090-01-01 s/mask.nii.gz
"${surface[@]}" --out future >future.txt || fail 'a file of the future'
cmp plain/surface.vtp future/surface.vtp || fail 'a file of the future gives another surface'
touch s/mask.nii.gz
if [ -n "$clock_back" ]; then
  for turn in 1 2; do
    LD_PRELOAD=$clock_back timeout 60 "${surface[@]}" --out back --overwrite >back.txt 2>said || fail "with a clock set back: $(head -c 300 said)"
    cmp plain/surface.vtp back/surface.vtp && cmp plain/phi.nii.gz back/phi.nii.gz || fail 'a clock set back gives another surface'
  done
  [ "$(LD_PRELOAD=$clock_back date +%s)" -lt $(($(date +%s) - 3000)) ] || fail 'the clock was not set back'
  ! grep -qE ' -[0-9.]+ s' back.txt && ! grep -qE '"[a-z ]*seconds?": -' back/*.json || fail 'something took less than no time'
fi

# Ten thousand files are already open, and hardly any may be opened.
if (ulimit -n 10100 2>/dev/null); then
  (
    ulimit -n 10100
    for ((i = 0; i < 10000; ++i)); do exec {open}</dev/null; done
    "${surface[@]}" --out open >open.txt && cmp plain/surface.vtp open/surface.vtp
  ) || fail 'with 10000 files open'
else
  echo 'skipped: this shell may not open 10000 files'
fi
limits=(4 6 8 12 16 24)
[ -n "$clock_back" ] || limits=(8 12 16 24)  # a sanitizer opens a pipe to test whether it may read an object, and reports a refusal
for limit in "${limits[@]}"; do
  rm -rf few
  (ulimit -n $limit && timeout 60 "$program" "${surface[@]:1}" --out few) >few.txt 2>said
  case $? in
    0) cmp plain/surface.vtp few/surface.vtp || fail "with $limit files another surface" ;;
    3 | 4) [ "$(wc -l <said)" = 1 ] && [ ! -e few ] || fail "with $limit files: $(head -c 300 said)" ;;
    127) : ;;  # the loader could not open the libraries
    *) fail "with $limit files: $(head -c 300 said)" ;;
  esac
done

# The current folder has been deleted.
mkdir gone
(
  cd gone && rmdir ../gone || exit 1
  "$program" info "$folder/s/mask.nii.gz" >/dev/null || exit 2
  "$program" convert "$folder/s/mask.nii.gz" "$folder/far.nii" --quiet >/dev/null || exit 3
  "$program" info mask.nii.gz >/dev/null 2>"$folder/said"
  [ $? = 3 ] && grep -q mask.nii.gz "$folder/said" || exit 4
  "$program" phantom surface --out here >/dev/null 2>"$folder/said"
  [ $? = 3 ] && grep -q here "$folder/said" || exit 5
) || fail "in a folder that is gone: case $?"

# A name that is not text, and one that would write to the terminal.
odd=$(printf 'caf\351\033[31m\n.nii')
cp s/mask.nii.gz odd.nii.gz && sulcus-cli convert odd.nii.gz "$odd" --json --quiet >printed || fail 'a name of odd bytes'
python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="utf-8"))' printed 2>/dev/null || ! command -v python3 >/dev/null || fail 'its JSON is no JSON'
sulcus-cli info "$odd" >printed || fail 'a name of odd bytes cannot be read'
! LC_ALL=C grep -q $'\033' printed || fail 'escape sequences are printed'
sulcus-cli info "$odd.none" >printed 2>said
[ $? = 3 ] && [ "$(wc -l <said)" = 1 ] && grep -qF 'caf\xe9\x1b[31m\x0a.nii.none' said || fail "an odd name is not shown as it should be: $(cat -v said)"
"${surface[@]/mask.nii.gz/mask.nii.gz}" --out "$odd.results" --json >printed || fail 'a folder of odd bytes'

# Two runs write to one folder at once: it contains the complete result of one of them.
for seed in 1 2; do sulcus-cli phantom surface --size 32 --seed $seed --out only$seed --quiet >/dev/null || exit 1; done
one_of() { diff -r $1 only1 >/dev/null || diff -r $1 only2 >/dev/null; }
for turn in 1 2 3 4 5; do
  rm -rf both && [ $turn -gt 2 ] && mkdir both && [ $turn -gt 4 ] && mkdir both/theirs
  pids=()
  for seed in 1 2; do
    sulcus-cli phantom surface --size 32 --seed $seed --out both --overwrite --quiet >/dev/null 2>said$seed &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || fail "of two runs one failed: $(cat said1 said2)"; done
  rm -rf both/theirs
  one_of both || fail "the results of two runs are mixed (turn $turn)"
done
rm -rf both
pids=()
for seed in 1 2; do
  sulcus-cli phantom surface --size 32 --seed $seed --out both --quiet >/dev/null 2>said$seed &
  pids+=($!)
done
done_well=0
for pid in "${pids[@]}"; do wait "$pid" && done_well=$((done_well + 1)); done
[ "$done_well" -ge 1 ] && one_of both || fail "of two runs $done_well succeeded, and the results are mixed"
! find . -name '.part-*' | grep . || fail 'temporary files are left'
echo "$failures failures"
[ "$failures" = 0 ]
