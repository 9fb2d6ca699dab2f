#!/bin/bash
# Kills runs that replace a result, just before many of their calls that change files: kill.sh FOLDER-OF-sulcus-cli LIBRARY (fault_at.cpp).
# The result is then completely old or completely new, and the next run removes the remains of the killed one.
set -u
export PATH="$(realpath "$1"):$PATH"
library=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
moments=50

fail() {
  echo "$scenario, killed before call $call of $total: $1"
  find r -exec ls -ld {} +
  exit 1
}

same() { diff -r --exclude='.part-*' "$1" "$2" >/dev/null 2>&1; }
leftovers() { [ -n "$(find . -name '.part-*')" ]; }
whole_is() { same r "$1" && ! leftovers; }

# Every existing file of `r` is equal to that in folder $1.
only_of() {
  (cd r && find . -name '.part-*' -prune -o -type f -print) | while IFS= read -r file; do
    cmp -s "r/$file" "$1/$file" || return 1
  done
}

# Runs the command until its call number $call; the shell's own message about it is not shown.
killed() {
  { FAULT_OF=changes FAULT_IS=kill FAULT_AT=$call LD_PRELOAD=$library "$@" >/dev/null 2>&1; } 2>/dev/null && fail "it was not killed"
}

# over NAME CHECK COMMAND...: the command writes to `r`, which equals `old` before and `new` after it.
over() {
  scenario=$1 check=$2 call=0
  shift 2
  rm -rf r && cp -a old r && FAULT_OF=changes FAULT_COUNT=count LD_PRELOAD=$library "$@" >/dev/null || fail "it does not work"
  total=$(cat count) && [ "$total" -ge 10 ] || fail "nothing to kill at"
  whole_is new || fail "the whole run did not make it new"
  for ((i = 1; i <= moments; ++i)); do
    call=$((1 + (total - 1) * i / moments))
    rm -rf r && cp -a old r
    killed "$@"
    $check
  done
  echo "$scenario: at $moments of $total calls"
}

# The next run is refused, since there is a result, but cleans up after the killed one.
settle() {
  "${again[@]}" >/dev/null 2>said && fail "a result was replaced unasked"
  grep -q 'exists already' said || fail "the next run says: $(cat said)"
  whole_is old || whole_is new || fail "the next run did not make it whole"
}
exchanged() { same r old || same r new || fail "it is half old, half new"; settle; }
moved() { only_of old || only_of new || fail "old files lie beside new ones"; settle; }
beside() {
  if cmp -s r/s.nii.gz old/s.nii.gz; then only_of old; else only_of new; fi || fail "the files beside the scan are not its own"
  settle
}

phantom=(sulcus-cli phantom surface --size 32 --seed 2 --quiet --out r)
again=("${phantom[@]}")
sulcus-cli phantom surface --size 32 --seed 1 --quiet --out old >/dev/null && "${phantom[@]}" >/dev/null && mv r new || exit 1
echo mine >old/notes.md && cp old/notes.md new
over 'a folder of results' exchanged "${phantom[@]}" --overwrite

mkdir old/theirs new/theirs
over 'results beside a folder of others' moved "${phantom[@]}" --overwrite

mkdir p && sulcus-cli phantom fibers --quiet --out p/f >/dev/null || exit 1
rm -rf old new && mkdir old new
for extension in nii.gz json bval bvec; do cp "p/f/dwi.$extension" "old/s.$extension"; done
sed -i 's/3000/2000/g' old/s.bval && sulcus-cli phantom fibers --seed 2 --quiet --out p/g >/dev/null || exit 1
convert=(sulcus-cli convert p/g/dwi.nii.gz r/s.nii.gz --quiet)
again=("${convert[@]}")
rm -rf r && mkdir r && "${convert[@]}" >/dev/null && rm -rf new && mv r new || exit 1
over 'a scan and what lies beside it' beside "${convert[@]}" --overwrite

# There was no result before.
scenario='a first result' call=0
rm -rf r && FAULT_OF=changes FAULT_COUNT=count LD_PRELOAD=$library sulcus-cli phantom surface --size 32 --quiet --out r >/dev/null || exit 1
total=$(cat count) && rm -rf old && mv r old
for ((i = 1; i <= moments; ++i)); do
  call=$((1 + (total - 1) * i / moments))
  rm -rf r
  killed sulcus-cli phantom surface --size 32 --quiet --out r
  [ ! -e r ] || same r old || fail "there is half a result"
  sulcus-cli phantom surface --size 32 --quiet --overwrite --out r >/dev/null || fail "the next run does not work"
  whole_is old || fail "the next run is not whole"
done
echo "$scenario: at $moments of $total calls"
