#!/usr/bin/env bash
# What the window writes where the locale has decimal commas: german.sh FOLDER-WITH-THE-PROGRAMS
set -eu
PATH=$1:$PATH
command -v Xvfb > /dev/null || { echo 'skipped: Xvfb is not installed'; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if ! locale -a | grep -qix 'de_DE.utf-\?8'; then
  localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" > /dev/null 2>&1 || { echo 'skipped: there is no German locale, and none can be made'; exit 77; }
  export LOCPATH=$folder
fi
sulcus-cli phantom fibers --out p --quiet
for locale in C de_DE.UTF-8; do
  env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM LC_ALL=$locale sulcus p/dwi.nii.gz p/mask.nii.gz \
    --layout axial --size 300x300 --save-session $locale.sulcus --page $locale.html
  # When and as what they were saved is another matter.
  sed -i -e '/"Saved"/d' -e "s/$locale/s/g" -e 's/[0-9-]\{10\}[T ][0-9:]\{5,8\}Z\?/then/g' $locale.sulcus $locale.html
done
cmp C.sulcus de_DE.UTF-8.sulcus
cmp C.html de_DE.UTF-8.html
