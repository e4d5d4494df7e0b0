#!/bin/sh
# Installs the command `millrace` of {{origin}} below ~/.millrace, or brings it up to date. It needs Node.js {{node}} or newer.
#
#   curl -fsSL {{origin}}/install.sh | sh
#   curl -fsSL {{origin}}/install.sh | sh -s -- --uninstall
#
# MILLRACE_INSTALL names another folder. What changes is one link, at the end: until then the former command works.
#
#   ~/.millrace/bin/millrace          the link to put on your PATH
#   ~/.millrace/cli/<version>-<id>/   the program; the one before stays until the next change, for what still runs
set -eu

origin='{{origin}}'
version='{{version}}'
sha256='{{sha256}}'
oldest_node='{{node}}'
# In each folder that this script made: it removes no other.
mark='installed-by-script'

say() { printf '%s\n' "$*"; }

fail() {
  printf 'millrace: %s\n' "$*" >&2
  exit 1
}

main() {
  [ -n "${MILLRACE_INSTALL:-}${HOME:-}" ] || fail 'HOME is not set: set MILLRACE_INSTALL to the folder to install in, and run this again'
  root=${MILLRACE_INSTALL:-$HOME/.millrace}
  case $root in
    /*) ;;
    *) fail "MILLRACE_INSTALL is $root: use an absolute path, such as $HOME/.millrace" ;;
  esac
  link=$root/bin/millrace
  case "${1:-}" in
    '') install ;;
    --uninstall) uninstall ;;
    *) fail "unknown option $1: run this without options to install, or with --uninstall" ;;
  esac
}

install() {
  check_node
  command -v tar > /dev/null 2>&1 || fail 'tar is missing: install it with your package manager, and run this again'
  made_root=
  [ -d "$root" ] || made_root=1
  mkdir -p "$root/bin" "$root/cli" 2> /dev/null && [ -w "$root/bin" ] && [ -w "$root/cli" ] ||
    { clean_up; fail "$root cannot be written: set MILLRACE_INSTALL to a folder that you can write to, and run this again"; }
  draft=$root/.draft-$$
  trap clean_up EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  remove_dead_drafts
  mkdir "$draft" 2> /dev/null || fail "$draft cannot be created: free some space on its disk, and run this again"

  archive=$draft/millrace.tgz
  download "$origin/cli/millrace-$version.tgz" "$archive"
  check_sum "$archive"
  unpacked=$(tar -xzf "$archive" -C "$draft" 2>&1) || fail_to_write "$unpacked"
  : 2> /dev/null > "$draft/package/$mark" && chmod +x "$draft/package/dist/main.js" || fail_to_write ''
  said=$(node "$draft/package/dist/main.js" --version 2>&1) ||
    fail "the program from $origin does not run here: $(last_line "$said")"

  former=$(readlink "$link" 2> /dev/null || :)
  name=$version-$$
  mv "$draft/package" "$root/cli/$name" && ln -s "../cli/$name/dist/main.js" "$draft/link" ||
    fail_to_write ''
  mv -f "$draft/link" "$link" || fail "$link cannot be replaced: remove it, and run this again"
  remove_others "$name" "$former"
  if [ -n "$former" ]; then say "Installed $said as $link, in place of the previous version"; else say "Installed $said as $link"; fi
  tell_path
}

uninstall() {
  [ -e "$link" ] || [ -L "$link" ] || [ -d "$root/cli" ] || fail "nothing is installed in $root"
  case $(readlink "$link" 2> /dev/null || :) in
    ../cli/*) rm -f "$link" || fail "$link cannot be removed: make $root/bin writable, and run this again" ;;
  esac
  remove_others '' ''
  for folder in "$root/cli" "$root/bin" "$root"; do rmdir "$folder" 2> /dev/null || :; done
  [ -d "$root/cli" ] && fail "not everything in $root/cli can be removed: check what is left there"
  say "Removed $link"
  say 'Logins remain in ~/.config/millrace, and downloads in ~/.cache/millrace.'
}

check_node() {
  get='get it from https://nodejs.org/en/download or your package manager, and run this again'
  command -v node > /dev/null 2>&1 || fail "Node.js is missing: the command needs $oldest_node or newer; $get"
  found=$(node -p process.versions.node 2> /dev/null) || fail "$(command -v node) does not run: $get"
  major=${found%%.*} && minor=${found#*.} && minor=${minor%%.*}
  if [ "$major" -lt "${oldest_node%%.*}" ] ||
    { [ "$major" -eq "${oldest_node%%.*}" ] && [ "$minor" -lt "${oldest_node#*.}" ]; }; then
    fail "Node.js $found at $(command -v node) is too old: the command needs $oldest_node or newer; $get"
  fi
}

# The message of curl and wget is on the last line.
last_line() { printf '%s\n' "$1" | sed '/^[[:space:]]*$/d' | tail -n 1; }

# download <address> <file>
download() {
  if command -v curl > /dev/null 2>&1; then
    told=$(curl -fsS --connect-timeout 20 --retry 2 -o "$2" "$1" 2>&1) && return
  elif command -v wget > /dev/null 2>&1; then
    # GNU's tries 20 times; that of busybox has no such option.
    tries=
    case $(wget --version 2>&1) in *GNU*) tries='-t 2' ;; esac
    # shellcheck disable=SC2086 # two words, or none
    told=$(wget $tries -T 20 -O "$2" "$1" 2>&1) && return
  else
    fail 'curl and wget are missing: install one of them, and run this again'
  fi
  case $told in
    *'not yet valid'* | *'not yet activated'* | *expired*)
      fail "$origin has a certificate that is not valid at $(date), the time on this machine's clock: correct the clock, or renew the certificate ($(last_line "$told"))" ;;
    *ertificate*)
      fail "$origin has a certificate that this machine does not trust: add its authority to the system's trusted authorities ($(last_line "$told"))" ;;
    *404*)
      fail "$1 no longer exists: the server has changed in the meantime; run the command again" ;;
    *'No space left'* | *'Failure writing'* | *'Failed writing'* | *'Failed to write'* | *'error writing'* | *'short write'*)
      fail_to_write "$told" ;;
  esac
  fail "$1 could not be downloaded: $(last_line "$told"); check the network and HTTPS_PROXY, and run the command again"
}

# Node.js is there in any case, and computes the same everywhere.
check_sum() {
  found=$(node -e 'const { createHash } = require("crypto"); console.log(createHash("sha256").update(require("fs").readFileSync(process.argv[1])).digest("hex"))' "$1") ||
    fail "$1 cannot be read: nothing was installed"
  [ "$found" = "$sha256" ] ||
    fail "$origin/cli/millrace-$version.tgz was damaged in transit: its SHA-256 is $found, expected $sha256; nothing was installed. Something between here and the server cut it off or changed it: run the command again, and if that does not help, tell whoever runs the server"
}

fail_to_write() {
  case $1 in
    *'No space left'* | *'Failure writing'* | *'Failed writing'* | *'Failed to write'* | *'error writing'* | *'short write'* | '')
      fail "the disk of $root is full, or cannot be written: free 10 MB there, or set MILLRACE_INSTALL to a folder on another disk, and run this again" ;;
  esac
  fail "the program cannot be unpacked in $root: $(last_line "$1"); run this again"
}

clean_up() {
  [ -z "${draft:-}" ] || rm -rf "$draft"
  rmdir "$root/cli" "$root/bin" 2> /dev/null || :
  [ -z "$made_root" ] || rmdir "$root" 2> /dev/null || :
}

# Drafts of processes that were killed.
remove_dead_drafts() {
  for each in "$root"/.draft-*; do
    [ -d "$each" ] && ! kill -0 "${each##*-}" 2> /dev/null && rm -rf "$each"
  done
  return 0
}

# remove_others <the folder to keep> <the link to keep>
remove_others() {
  for each in "$root"/cli/*; do
    [ "$each" != "$root/cli/$1" ] && [ "../cli/${each##*/}/dist/main.js" != "$2" ] &&
      [ -f "$each/$mark" ] && rm -rf "$each"
  done
  return 0
}

tell_path() {
  case ":$PATH:" in
    *":$root/bin:"*)
      first=$(command -v millrace || :)
      [ "$first" = "$link" ] || say "Another millrace comes first on your PATH, at $first: remove it, or put $root/bin before it." ;;
    *)
      case ${SHELL:-} in
        */fish) say "Add it to your PATH:  fish_add_path $root/bin" ;;
        */zsh) tell_profile .zshrc ;;
        */bash) tell_profile .bashrc ;;
        *) tell_profile .profile ;;
      esac ;;
  esac
  say "Next:  millrace login --url $origin"
}

tell_profile() {
  say "Add it to your PATH:  echo 'export PATH=\"$root/bin:\$PATH\"' >> ~/$1"
  say "For this terminal:  export PATH=\"$root/bin:\$PATH\""
}

# On the last line, so that half a script does nothing.
main "$@"
