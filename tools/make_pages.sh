#!/usr/bin/env bash
# Makes the site of both games, with one of each starter below starters/NAME, in OUTPUT/site.
#
#     tools/make_pages.sh HOME OUTPUT [LANG]
#
# HOME is the address of the project, which the pages link to; LANG is all unless it is given.
set -euo pipefail
home=$1 output=$2 lang=${3:-all}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ppgen export site --lang "$lang" --home "$home" --output "$output" --quiet --preset tonight --preset sleeves --preset one-piece
for name in $(ppgen new --starter list | cut -d' ' -f1); do
  case $name in plain | empty) continue ;; esac # nothing to play
  ppgen new "$work/$name" --starter "$name" --quiet
  ppgen export site --data "$work/$name" --home "$home" --output "$work/out" --quiet
  mkdir -p "$output/site/starters"
  rm -rf "$output/site/starters/$name"
  mv "$work/out/site" "$output/site/starters/$name"
done
git log -1 --format='%H %cI' >"$output/site/commit.txt"
