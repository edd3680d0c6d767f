#!/usr/bin/env bash
# Runs every fuzz target of a build for some seconds, two at a time.
#   tools/fuzz.sh build/asan 60
set -euo pipefail
build=$1 seconds=$2
cd "$(dirname "${BASH_SOURCE[0]}")/.."
shopt -s nullglob
targets=("$build"/tests/fuzz/*_fuzz)
[ ${#targets[@]} -gt 0 ] || { echo "fuzz: no target in $build/tests/fuzz" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fuzz() {
  local target=$1 name corpus
  name=$(basename "$target")
  corpus=$work/$name
  mkdir -p "$corpus"
  # The seeds: real files, and the broken ones of the tests.
  find model_cards hw_profiles tests/data -name '*.yaml' -exec cp --backup=numbered -t "$corpus" {} +
  if "$target" "$corpus" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 \
    -artifact_prefix="$build/" >"$work/$name.log" 2>&1; then
    printf '%s: %s\n' "$name" "$(grep -E '^Done|stat::number_of_executed_units' "$work/$name.log" | tail -n 1)"
  else
    tail -n 60 "$work/$name.log" >&2
    echo "fuzz: $name failed; its input is beside the build ($build/)" >&2
    return 1
  fi
}

status=0
running=()
for target in "${targets[@]}"; do
  fuzz "$target" &
  running+=($!)
  if [ ${#running[@]} -eq 2 ]; then
    for job in "${running[@]}"; do wait "$job" || status=1; done
    running=()
  fi
done
for job in "${running[@]}"; do wait "$job" || status=1; done
exit $status
