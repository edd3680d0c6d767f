#!/bin/sh
# From which batch on does one more sequence cost more than it brings?
set -eu
# shellcheck source=examples/ask.sh
. "$(dirname "$0")/ask.sh"

# Without --change, whatif answers with every scheme and with the curve over the batch and its knee.
ask whatif llama-3.1-8b --gpu h100-sxm5-80

# The whole curve as CSV, for a plot.
ask sweep llama-3.1-8b --gpu h100-sxm5-80 --batch 1..181+20 --where fits --format csv
