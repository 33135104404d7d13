#!/usr/bin/env bash
# Builds the wheel for this platform: packaging/wheel.sh [OUT] [OPTIONS FOR MATURIN]
# OUT is dist/ where it is left out. maturin comes from PyPI into a virtual environment below the target folder.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-dist}
tools=${CARGO_TARGET_DIR:-target}/maturin
[ -x "$tools/bin/maturin" ] || { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet 'maturin>=1.9,<2'; }
exec "$tools/bin/maturin" build --release --out "$out" "${@:2}"
