#!/usr/bin/env bash
# Builds the wheel for this platform: packaging/wheel.sh [OUT] [OPTIONS FOR MATURIN]
# OUT is dist/ where it is left out. maturin comes from PyPI into a virtual environment below the target folder.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-dist}")
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
[ -x "$target/maturin/bin/maturin" ] || { python3 -m venv "$target/maturin" && "$target/maturin/bin/pip" install --quiet 'maturin>=1.9,<2'; }
# maturin wants its settings, the page and the licences in one folder; at the top of the repository stands what pre-commit installs.
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cp packaging/wheel/pyproject.toml README.md LICENSE-MIT LICENSE-APACHE "$stage"
ln -s "$PWD" "$stage/source"
cd "$stage"
CARGO_TARGET_DIR=$target "$target/maturin/bin/maturin" build ${PROFILE:-"--release"} --out "$out" "${@:2}"
