# shellcheck shell=sh
# Sourced by the other examples: finds roofcast and shows each command before its answer.
#
# $ROOFCAST names the program; without it, the one on the PATH is taken, else a build beside this folder.
if [ -z "${ROOFCAST:-}" ]; then
  ROOFCAST=roofcast
  for built in "$(dirname "$0")"/../build/*/roofcast; do
    if [ -x "$built" ] && ! command -v roofcast >/dev/null; then ROOFCAST=$built; fi
  done
fi

ask() {
  printf '$ roofcast'
  for word in "$@"; do
    case $word in
      *[!A-Za-z0-9_./,=+-]*) printf " '%s'" "$word" ;;
      *) printf ' %s' "$word" ;;
    esac
  done
  printf '\n\n'
  "$ROOFCAST" "$@"
  printf '\n'
}
