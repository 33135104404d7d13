#!/usr/bin/env bash
# What action.yml runs: finds out what to compare with, says how to get it where the clone lacks it, and runs `memfile check`.
#
# In, as variables: MEMFILE_PATHS (one a line), MEMFILE_BASE, MEMFILE_FAIL_ON, GITHUB_BASE_REF (the branch a pull request goes to),
# MEMFILE_BEFORE (the commit a push replaced), MEMFILE_SOURCE (the folder of this action). Out: annotations; exit 1 where findings
# remain, 2 where nothing could be compared.
set -euo pipefail

# Text of a workflow command, in the escapes of @actions/core.
escaped() {
  local text=$1
  text=${text//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '%s' "${text//$'\n'/%0A}"
}
stop() {
  printf '::error title=memfile::%s\n' "$(escaped "$1")"
  exit 2
}
is_commit() { git rev-parse --verify --quiet --end-of-options "$1^{commit}" >/dev/null; }

history='This clone lacks the history to compare with. Give `actions/checkout` the input `fetch-depth: 0`.'

base=${MEMFILE_BASE:-}
if [ -n "$base" ]; then
  what="\`$base\`"
elif [ -n "${GITHUB_BASE_REF:-}" ]; then
  base=refs/remotes/origin/$GITHUB_BASE_REF
  what="the target branch \`$GITHUB_BASE_REF\`"
  is_commit "$base" || stop "There is no ${what#the }. $history"
elif [ -n "${MEMFILE_BEFORE:-}" ] && [ -n "${MEMFILE_BEFORE//0/}" ]; then
  base=$MEMFILE_BEFORE
  what="what was pushed over"
  if ! is_commit "$base"; then
    if [ "$(git rev-parse --is-shallow-repository)" = true ]; then stop "The commit before this push is not here. $history"; fi
    # A forced push: what stood there before is in no clone any more.
    printf '::notice title=memfile::%s\n' "The commit before this push is gone; compared with nothing older than HEAD."
    base=
  fi
fi
# A file may be a base, too; a revision must share a commit with HEAD.
if [ -n "$base" ] && is_commit "$base" && ! git merge-base --end-of-options "$base" HEAD >/dev/null; then
  if [ "$(git rev-parse --is-shallow-repository)" = true ]; then stop "HEAD and $what have no common commit here. $history"; fi
  stop "HEAD and $what have no common commit."
fi

memfile=memfile
if ! command -v memfile >/dev/null; then
  # Only the commands are needed, not the doors for editors and agents.
  root=${RUNNER_TEMP:-${TMPDIR:-/tmp}}/memfile
  cargo install --quiet --locked --no-default-features --path "$MEMFILE_SOURCE" --root "$root" || stop "memfile could not be built; is there a Rust toolchain?"
  memfile=$root/bin/memfile
fi

args=(check --output-format github)
[ -z "$base" ] || args+=("--base=$base")
[ -z "${MEMFILE_FAIL_ON:-}" ] || args+=("--fail-on=$MEMFILE_FAIL_ON")
args+=(--)
while IFS= read -r path; do
  # Blanks around a line are the workflow file's, not the path's.
  path=${path#"${path%%[![:space:]]*}"}
  path=${path%"${path##*[![:space:]]}"}
  [ -z "$path" ] || args+=("$path")
done <<<"${MEMFILE_PATHS:-}"

"$memfile" "${args[@]}" || exit
echo "memfile: nothing to report" >&2
