#!/bin/bash
# Runs the command lines of one case file in an empty folder: run.sh FILE FOLDER-OF-sulcus-cli [MISSING…]
#
# A case is one line:
#   EXIT-CODE :: COMMAND [:: out TEXT]... [:: err TEXT]... [:: needs WORD]...
# bash runs COMMAND; TEXT must occur in its standard output or standard error, "no out TEXT" and "no err TEXT" must not. Lines that start
# with # describe the following ones.
#
# A case that needs a WORD that is MISSING is left out and counted. If the first line is "# needs WORD", all cases need it, and without it the
# file is skipped (exit code 77). The word "data" stands for real scans in $DATA; tests/cross/run explains the others, and here, on Linux with
# all toolkits, none of them is missing.
set -u
cases=$(realpath "$1")
PATH=$(realpath "$2"):$PATH
shift 2
root=$(realpath "$(dirname "$0")/../..")
# Scripts that make the files of cases.
export MAKE="$root/tests/commands"
export DATA="${SULCUS_TEST_DATA:-$root/../shared/data}"
declare -A missing=() left_out=()
for word in "$@"; do missing[$word]=1; done
[ -d "$DATA" ] || missing[data]=1
if [[ $(head -n 1 "$cases") =~ ^'# needs '([[:alnum:]-]+) ]] && [ -n "${missing[${BASH_REMATCH[1]}]:-}" ]; then
  case ${BASH_REMATCH[1]} in
    data) echo "skipped: no real scans in $DATA (SULCUS_TEST_DATA says where they are)" ;;
    *) echo "skipped: all cases need ${BASH_REMATCH[1]}" ;;
  esac
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
printed=$folder.out complained=$folder.err
trap 'rm -rf "$folder" "$printed" "$complained"' EXIT

failures=0 count=0 number=0
fail() {
  failures=$((failures + 1))
  printf '%s:%d: %s\n  %s\n' "$(basename "$cases")" "$number" "$1" "$command"
  sed 's/^/  out: /' "$printed"
  sed 's/^/  err: /' "$complained"
}

# holds FILE TEXT: whether the text is in the file; where paths have backslashes, these count as slashes
holds() {
  [ -n "${missing[posix]:-}" ] || { grep -qF -- "$2" "$1"; return; }
  tr '\134' / <"$1" | grep -qF -- "${2//\\//}"
}

# is_left_out: whether a part of the case $rest says that it needs what is missing
is_left_out() {
  local parts=$rest word
  while [[ $parts == *' :: needs '* ]]; do
    parts=${parts#* :: needs }
    word=${parts%% :: *}
    [ -z "${missing[$word]:-}" ] || { left_out[$word]=$((${left_out[$word]:-0} + 1)); return 0; }
  done
  return 1
}

while IFS= read -r line || [ -n "$line" ]; do
  number=$((number + 1))
  case $line in '' | '#'*) continue ;; esac
  wanted=${line%% *}
  rest=${line#*:: }
  ! is_left_out || continue
  count=$((count + 1))
  command=${rest%% :: *}
  bash -c "$command" >"$printed" 2>"$complained" </dev/null
  code=$?
  [ "$code" = "$wanted" ] || fail "exit code $code instead of $wanted"
  while [[ $rest == *' :: '* ]]; do
    rest=${rest#* :: }
    check=${rest%% :: *}
    case $check in
      'out '*) holds "$printed" "${check#out }" || fail "standard output lacks '${check#out }'" ;;
      'err '*) holds "$complained" "${check#err }" || fail "standard error lacks '${check#err }'" ;;
      'no out '*) ! holds "$printed" "${check#no out }" || fail "standard output has '${check#no out }'" ;;
      'no err '*) ! holds "$complained" "${check#no err }" || fail "standard error has '${check#no err }'" ;;
      'needs '*) ;;
      *) fail "the case says '$check', which is not a check" ;;
    esac
  done
done <"$cases"
printf '%d command lines, %d failures' "$count" "$failures"
for word in "${!left_out[@]}"; do printf ', %d left out (%s)' "${left_out[$word]}" "$word"; done
echo
[ "$count" -gt 0 ] && [ "$failures" = 0 ]
