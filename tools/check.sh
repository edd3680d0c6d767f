#!/usr/bin/env bash
# Every check that needs no build: format, sizes, layers, tests, data files, prose, shell. CI and the
# pre-commit hook run the same.
#   tools/check.sh          check
#   tools/check.sh --fix    format the code in place first
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
status=0
run() {
  "$@" || {
    echo "failed: $1 ${2:-}" >&2
    status=1
  }
}
mapfile -t code < <(git ls-files -- '*.cpp' '*.hpp')
if [ "${1:-}" = --fix ]; then clang-format -i "${code[@]}"; fi
run clang-format --dry-run --Werror "${code[@]}"
run python3 tools/check_limits.py
run python3 tools/check_layers.py
run python3 tools/check_tests.py
run yamllint --strict -c .yamllint model_cards hw_profiles
mapfile -t shell < <(git grep -lE '^#!.*\b(bash|sh)\b' -- scripts tools .ci examples)
run shellcheck -x scripts/packages.sh "${shell[@]}"
mapfile -t prose < <(git ls-files -- '*.md' 'src' 'model_cards' 'hw_profiles' 'examples' 'scripts' 'tools')
run codespell --quiet-level 2 --ignore-words .codespell-ignore "${prose[@]}"
[ $status -eq 0 ] && echo "checks: all passed"
exit $status
