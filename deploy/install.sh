#!/bin/sh
# Installs the hosting panel on Debian 12 or 13 and prints the link that creates the administrator account. Run it as root:
#   sh install.sh [--key <public key file>] <hosting-panel_….deb or its https URL>
# With --key, the package must have a signature beside it (<package>.minisig) that this minisign key made. Running it again changes nothing that is
# already there: a newer package is installed, and the link is printed for as long as there is no account.
set -eu

say() { echo "· $*"; }
fail() {
  echo "install.sh: $1" >&2
  shift
  for remedy in "$@"; do echo "  $remedy" >&2; done
  exit 1
}

key=''
package=''
while [ $# -gt 0 ]; do
  case $1 in
    --key)
      [ $# -ge 2 ] || fail 'the option --key needs a file.'
      key=$2
      shift 2
      ;;
    -*) fail "there is no option $1." 'Usage: sh install.sh [--key <public key file>] <package>' ;;
    *)
      package=$1
      shift
      ;;
  esac
done
[ -n "$package" ] || fail 'no package was given.' 'Usage: sh install.sh [--key <public key file>] <package>'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

say 'Checking the server'
[ "$(id -u)" = 0 ] || fail 'this needs root.' "Run it with sudo: sudo sh install.sh $package"
[ -r /etc/os-release ] || fail 'this is not Debian.' 'Use a server with Debian 12 or 13.'
system=$(. /etc/os-release && echo "${ID:-} ${VERSION_ID:-}")
case $system in
  'debian 12' | 'debian 13') ;;
  *) fail "this is $system, not Debian 12 or 13." 'Use a server with Debian 12 or 13.' ;;
esac
[ -d /run/systemd/system ] || fail 'systemd does not run here.' 'Use a virtual or physical machine; in a container, unpack the release archive and run ./panel up.'
megabytes=$(($(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo) / 1024))
[ "$megabytes" -ge 1800 ] || fail "the server has $megabytes MB of memory." 'Use one with 2 GB or more.'
free=$(($(df -Pk /var | awk 'NR == 2 { print $4 }') / 1024))
[ "$free" -ge 5000 ] || fail "there are only $free MB free below /var." 'Free up 5 GB, or use a larger disk.'

# An installed panel has these ports itself.
if ! systemctl is-active --quiet hosting-panel && command -v ss >/dev/null; then
  port=$(sed -n 's/^PORT=//p' /etc/hosting-panel/panel.env 2>/dev/null | tail -n 1)
  for each in 80 443 "${port:-3000}"; do
    user=$(ss -Hltnp "sport = :$each")
    [ -z "$user" ] || fail "port $each is in use: $(echo "$user" | sed -n '1s/.*users:(("\([^"]*\)".*/\1/p')" \
      'Stop or remove that program; the panel serves websites on 80 and 443, and itself on 3000.'
  done
fi

fetch() {
  curl --fail --silent --show-error --location --proto '=https' --max-time 1800 --output "$2" "$1" ||
    fail "$1 could not be downloaded." 'Check the address, or download the file yourself and give its path.'
}
case $package in
  https://*)
    if ! command -v curl >/dev/null; then
      apt-get -qq update && apt-get -qq install -y --no-install-recommends curl ca-certificates >/dev/null
    fi
    say "Downloading $package"
    fetch "$package" "$work/hosting-panel.deb"
    [ -z "$key" ] || fetch "$package.minisig" "$work/hosting-panel.deb.minisig"
    ;;
  http://*) fail 'a package over http can be changed on its way.' 'Give an https URL or a file.' ;;
  *)
    [ -f "$package" ] || fail "there is no file $package."
    cp "$package" "$work/hosting-panel.deb"
    [ -z "$key" ] || cp "$package.minisig" "$work/hosting-panel.deb.minisig" || fail "there is no signature $package.minisig." 'Download it beside the package.'
    ;;
esac

if [ -n "$key" ]; then
  if ! command -v minisign >/dev/null; then
    apt-get -qq update && apt-get -qq install -y --no-install-recommends minisign >/dev/null
  fi
  minisign -V -q -p "$key" -m "$work/hosting-panel.deb" ||
    fail 'the signature does not match the package.' 'Download both again. Do not install this package.'
  say 'The signature is good'
fi
[ "$(dpkg-deb --field "$work/hosting-panel.deb" Package 2>/dev/null)" = hosting-panel ] || fail "$package is not a package of the hosting panel."

say "Installing hosting-panel $(dpkg-deb --field "$work/hosting-panel.deb" Version)"
chmod 755 "$work"
log=/var/log/hosting-panel-install.log
apt-get -qq update >"$log" 2>&1 || true
apt-get -qq install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$work/hosting-panel.deb" >>"$log" 2>&1 ||
  fail 'the package could not be installed.' "See $log"

say 'Starting the panel; the first start installs what it needs and takes some minutes'
systemctl start --no-block hosting-panel
last=''
until [ "$(systemctl show --property=ActiveState --value hosting-panel)" = active ]; do
  [ "$(systemctl show --property=NRestarts --value hosting-panel)" -lt 5 ] ||
    fail 'the panel does not start.' 'journalctl -u hosting-panel says why; then run this again.'
  now=$(systemctl show --property=StatusText --value hosting-panel)
  if [ -n "$now" ] && [ "$now" != "$last" ]; then say "$now"; fi
  last=$now
  sleep 1
done

start=$(systemctl show --property=InvocationID --value hosting-panel)
link=$(journalctl --output=cat "_SYSTEMD_INVOCATION_ID=$start" | sed -n 's/^Setup link[^:]*: //p' | tail -n 1)
if [ -n "$link" ]; then
  echo
  echo 'The panel runs. Create the administrator account with this link, which works once:'
  echo "  $link"
else
  say 'The panel runs, and its administrator account exists'
fi
