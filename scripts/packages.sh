# shellcheck shell=bash
# Debian packages that roofcast needs; sourced by scripts/run, scripts/test and .ci/run.
# shellcheck disable=SC2034  # used by those that source this file
build_packages=(g++ cmake ninja-build ccache libboost-dev libyaml-cpp-dev libcli11-dev libfmt-dev
  nlohmann-json3-dev)
test_packages=(doctest-dev git)
sanitizer_packages=(clang libclang-rt-14-dev)
bench_packages=(libbenchmark-dev)
check_packages=(clang-format clang-tidy python3 python3-yaml shellcheck codespell yamllint universal-ctags)

# Installs those of the given packages that are missing. Asks dpkg first, so that a second call costs
# a few milliseconds and needs neither root nor a network.
need() {
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null)" = 'ii ' ] || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "roofcast: install these packages as root, then run this again: ${missing[*]}" >&2
      return 1
    }
    as_root=(sudo)
  fi
  echo "Installing ${missing[*]}" >&2
  "${as_root[@]}" apt-get update -qq >&2 &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      "${missing[@]}" >&2
}
