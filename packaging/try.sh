#!/usr/bin/env bash
# Builds the wheel and the npm packages, installs each in a fresh place and lets it repair a file: packaging/try.sh [OUT]
set -euo pipefail
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
out=$(realpath -m "${1:-$temp/dist}")
cd "$(dirname "$0")/.."

# What the program is to repair, and what must come of it.
repair() {
  mkdir -p "$temp/$1/tree"
  cd "$temp/$1/tree"
  printf '## Project memory\n\n- Port: 1 (2026-01-01)\n- Port: 2 (2026-02-01)\n' >AGENTS.md
  for command in fix check; do env HOME="$temp/$1" XDG_STATE_HOME="$temp/$1/state" "$2" "$command" AGENTS.md; done
  grep -qx -- '- Port: 1 (2026-01-01) \[historical\] replaced by: 2 as of 2026-02-01' AGENTS.md
  cd - >/dev/null
}

packaging/wheel.sh "$out"
python3 -m venv "$temp/venv"
"$temp/venv/bin/pip" install --quiet --no-index "$out"/memfile-*.whl
repair pip "$temp/venv/bin/memfile"

# The same program; there is no need to build it twice.
MEMFILE_BIN=$temp/venv/bin/memfile node packaging/npm.js "$out"
mkdir "$temp/node"
(cd "$temp/node" && npm install --silent --offline --no-audit --no-fund "$out"/memfile-[0-9]*.tgz)
repair npm "$temp/node/node_modules/.bin/memfile"

echo "2 passed, 0 failed"
