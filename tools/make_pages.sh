#!/usr/bin/env bash
# Makes the site of both games, with one of each starter below starters/NAME and the documentation below docs, in
# OUTPUT/site. Needs requirements-docs.txt.
#
#     tools/make_pages.sh HOME OUTPUT [LANG]
#
# HOME is the address of the project, which the pages link to; LANG is all unless it is given.
set -euo pipefail
home=$1 output=$2 lang=${3:-all}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
links=(--link "ppgen=docs/index.html")
for name in $(ppgen new --starter list | cut -d' ' -f1); do
  case $name in plain | empty) continue ;; esac # nothing to play
  ppgen new "$work/$name" --starter "$name" --quiet
  ppgen export site --data "$work/$name" --home "$home" --output "$work/sites/$name" --quiet
  links+=(--link "$(sed -n 's/^title = "\(.*\)"$/\1/p' "$work/$name/deck.toml" | head -n 1)=starters/$name/index.html")
done
ppgen export site --lang "$lang" --home "$home" --output "$output" --quiet "${links[@]}" \
  --preset tonight --preset sleeves --preset one-piece
rm -rf "$output/site/starters"
mkdir "$output/site/starters"
for site in "$work"/sites/*/site; do
  mv "$site" "$output/site/starters/$(basename "$(dirname "$site")")"
done
python -m tools.docs_site "$output/site/docs"
git log -1 --format='%H %cI' >"$output/site/commit.txt"
