#!/usr/bin/env bash
# What the window writes with a locale with decimal commas, for files with non-English names, and on a scaled desktop: german.sh
# FOLDER-WITH-THE-PROGRAMS
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
sulcus-cli phantom surface --size 32 --out s --quiet
for kind in points commas; do
  mkdir $kind
  [ $kind = points ] && locale=C || locale=de_DE.UTF-8
  env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM LC_ALL=$locale sulcus p/dwi.nii.gz p/mask.nii.gz s/true_surface.vtp \
    --layout axial --size 300x300 --save-session $kind/s.sulcus --page $kind/s.html
  # Except the time of saving.
  sed -i -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+Z/then/g' $kind/s.sulcus $kind/s.html
done
cmp points/s.sulcus commas/s.sulcus
cmp points/s.html commas/s.html

# Folders and files keep their names in any locale.
place="Größe, Müller's 日本" scan='Köpfe №1_dseg.nii.gz'
mkdir "$place"
cp p/mask.nii.gz "$place/$scan"
for locale in C de_DE.UTF-8; do
  windowless() { env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM LC_ALL=$locale sulcus "$@" --layout axial --size 300x300; }
  windowless "$place/$scan" --save-session "$place/Übung $locale.sulcus" --screenshot "$place/Bild $locale.png"
  grep -qF "$scan" "$place/Übung $locale.sulcus"
  windowless --session "$place/Übung $locale.sulcus" --screenshot "$place/nochmal $locale.png" --page "$place/Seite $locale.html"
  cmp "$place/Bild $locale.png" "$place/nochmal $locale.png"
  grep -qF 'Köpfe №1_dseg' "$place/Seite $locale.html"
done
cmp "$place/Bild C.png" "$place/Bild de_DE.UTF-8.png"

# A picture has the requested size, whatever the scale of the desktop.
QT_SCALE_FACTOR=2 windowless "$place/$scan" --screenshot large.png
cmp "$place/Bild C.png" large.png
