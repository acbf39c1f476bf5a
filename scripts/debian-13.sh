#!/bin/sh
# Runs a command of a checkout as on a Debian 13 of its own: its files, processes, network and /run are separate from this machine's, which
# may be a Debian 12. The checkout and the folder for results are at the same paths as here; what the command changes in the checkout is thrown
# away. The tree is made on the first run and kept, with the Debian packages that the command installs.
# Usage (root): debian-13.sh <tree> <checkout> <results> <node> <command> [arguments]
set -eu

if [ "$1" != --inside ]; then
  tree=$1
  if ! [ -e "$tree/etc/debian_version" ]; then
    mkdir -p "$(dirname "$tree")"
    # What it mounts in the tree ends with it, also when it is killed.
    rm -rf --one-file-system "$tree.new"
    unshare --mount mmdebstrap --quiet --variant=minbase --include=ca-certificates,git,iproute2,procps trixie "$tree.new"
    # Keeps packages from starting services.
    printf '#!/bin/sh\nexit 101\n' >"$tree.new/usr/sbin/policy-rc.d"
    chmod 755 "$tree.new/usr/sbin/policy-rc.d"
    mv "$tree.new" "$tree"
  fi
  export DEBIAN_13_NPM=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
  scratch=$(mktemp -d "$tree.XXXXXX")
  # Both end with this script, however it ends.
  setpriv --pdeathsig KILL unshare --fork --kill-child --pid --mount --uts --ipc --net "$0" --inside "$scratch" "$@" &
  inside=$!
  trap 'kill $inside 2>/dev/null || :; rm -rf "$scratch"' EXIT
  trap 'exit 143' INT TERM
  # Before that, the process is not in its network namespace yet.
  until [ -e "$scratch/ready" ]; do
    kill -0 $inside
    sleep 0.1
  done
  # Reaches this machine's network without any rule in its firewall.
  setpriv --pdeathsig KILL slirp4netns --configure --mtu=1500 --disable-host-loopback $inside tap0 >/dev/null &
  status=0
  wait $inside || status=$?
  exit $status
fi

shift
scratch=$1 tree=$2 checkout=$3 results=$4 node=$5
shift 5
mount --bind "$tree" "$tree"
cd "$tree"
mkdir -p old "./$checkout" "./$results" usr/local/lib/node_modules/npm "$scratch/changes" "$scratch/work"
mount -t proc proc proc
mount -t tmpfs tmpfs run
mount --rbind /dev dev
mount -t tmpfs tmpfs dev/shm
# Of this network namespace, with this machine's cgroups.
mount -t sysfs sysfs sys
mount --rbind /sys/fs/cgroup sys/fs/cgroup
# redirect_dir: otherwise folders of the checkout cannot be renamed, as builds do.
mount -t overlay overlay -o "redirect_dir=on,lowerdir=$checkout,upperdir=$scratch/changes,workdir=$scratch/work" "./$checkout"
mount --bind "$results" "./$results"
mount --bind "$DEBIAN_13_NPM" usr/local/lib/node_modules/npm
ln -sf ../lib/node_modules/npm/bin/npm-cli.js usr/local/bin/npm
ln -sf "$node" usr/local/bin/node
cp /etc/ssl/certs/ca-certificates.crt etc/ssl/certs/
# slirp4netns forwards to the resolver of this machine.
echo 'nameserver 10.0.2.3' >etc/resolv.conf
# The panel ends all processes of such an account (job-user.ts), and one of this machine's panels would reach those in here.
sed -i '/^panel-job-/d' etc/passwd etc/group
for number in $(seq 64); do
  printf 'panel-job-%d:x:%d:%d::/nonexistent:/usr/sbin/nologin\n' "$number" "$((2000001000 + number))" "$((2000001000 + number))" >>etc/passwd
  printf 'panel-job-%d:x:%d:\n' "$number" "$((2000001000 + number))" >>etc/group
done
ip link set lo up
touch "$scratch/ready"
pivot_root . old
umount -l /old
until ip -4 address show dev tap0 2>/dev/null | grep -q inet; do sleep 0.1; done
cd "$checkout"
exec "$@"
