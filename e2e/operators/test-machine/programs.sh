#!/bin/bash
# The programs of a test machine (../printed-commands.test.ts). The script runs the function with the name by which it was called.
set -eu
checkout=$(dirname "$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")")
state=/run/machine

# Makes a copy of this machine's files, and waits. The copy has the packages of the guides, without their settings.
machine() {
  mount -t tmpfs tmpfs /mnt
  mkdir /mnt/upper /mnt/work /mnt/root
  mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
  for each in dev sys; do mount --rbind /$each /mnt/root/$each; done
  mount -t proc proc /mnt/root/proc
  mount -t tmpfs tmpfs /mnt/root/run
  ip link set lo up
  for each in 10.0.0.1 10.0.0.2; do ip address add $each/32 dev lo; done
  echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start
  cd /mnt/root
  rm -rf opt/machine opt/boost50 etc/boost50.env var/lib/redis
  mkdir -p opt/machine run/redis run/machine
  install -d -o redis -g redis var/lib/redis run/redis
  install -d -o caddy -g caddy var/lib/caddy var/log/caddy
  printf '127.0.0.1 localhost likes.example\n10.0.0.1 old.internal\n' > etc/hosts
  # The old Redis also has an address of its network, and sends from it to replicas.
  sed -i 's/^bind .*/bind 127.0.0.1 10.0.0.1/; s/^protected-mode .*/protected-mode no/; s/^repl-diskless-sync-delay .*/repl-diskless-sync-delay 0/' etc/redis/redis.conf
  for each in systemctl journalctl apt-get git vercel npm; do
    ln -s "$checkout/e2e/operators/test-machine/programs.sh" opt/machine/$each
  done
  echo ready
  # bash ends the zombies of services.
  exec chroot . bash -c 'sleep infinity & wait'
}

until_true() { for _ in $(seq 100); do "$@" > /dev/null 2>&1 && return; sleep 0.1; done; return 1; }

# Runs a command as a service: without the variables of this shell, and with a log.
service() {
  local name=$1; shift
  echo "$ $*" >> $state/$name.log
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@" >> $state/$name.log 2>&1 < /dev/null &
  echo $! > $state/$name.pid
}

start_redis-server() {
  service redis-server runuser -u redis -- redis-server /etc/redis/redis.conf --daemonize no
  until_true sh -c "redis-cli PING | grep -q PONG"
}

# The process of the unit, as another user.
start_boost50() {
  local unit=/etc/systemd/system/boost50.service
  value() { sed -n "s/^$1=//p" $unit; }
  local settings folder command
  settings=$(value EnvironmentFile) folder=$(value WorkingDirectory) command=$(value ExecStart)
  service boost50 env $(value Environment) settings="$settings" folder="$folder" command="$command" bash -c \
    'set -a; . "$settings"; cd "$folder"; exec setpriv --reuid nobody --regid nogroup --clear-groups $command'
}

# No authority gives out a certificate here, so Caddy signs it. Nothing else in the file changes.
caddy_as_unit() {
  sed 's/^\tskip_install_trust$/&\n\tlocal_certs/' /etc/caddy/Caddyfile > $state/Caddyfile
  service caddy-$1 env HOME=/var/lib/caddy $(sed -n 's/^Environment=//p' /etc/systemd/system/caddy.service.d/*.conf) \
    setpriv --reuid caddy --regid caddy --clear-groups caddy "$@" --config $state/Caddyfile --adapter caddyfile
}
start_caddy() {
  caddy_as_unit run
  mv $state/caddy-run.pid $state/caddy.pid
  until_true curl --insecure --silent https://likes.example/
}
reload_caddy() { caddy_as_unit reload && wait $!; }

stop_unit() {
  local pid
  pid=$(cat $state/$1.pid 2> /dev/null) || return 0
  kill "$pid" 2> /dev/null || true
  until_true sh -c "! kill -0 $pid"
  rm $state/$1.pid
}

systemctl() {
  local verb=$1 now= each; shift
  for each; do
    each=${each%.service}
    case $verb$each in
      *--now) now=yes ;;
      *--quiet) ;;
      start*) "start_$each" ;;
      stop*) stop_unit $each ;;
      restart*) stop_unit $each; "start_$each" ;;
      reload*) "reload_$each" ;;
      is-active*) kill -0 "$(cat $state/$each.pid)" ;;
      is-enabled*) test -f $state/$each.enabled ;;
      enable*) touch $state/$each.enabled; [ -z "$now" ] || "start_$each" ;;
      disable*) rm -f $state/$each.enabled; [ -z "$now" ] || stop_unit $each ;;
      *) echo "systemctl $verb $each is unknown here" >&2; exit 1 ;;
    esac
  done
  # daemon-reload has no unit.
}

journalctl() { until_true test -f $state/$2.log && tail -20 $state/$2.log; }

# Debian enables and starts a server when it installs it. These packages are installed already.
apt-get() {
  local each
  for each; do
    if [ $each = redis-server ]; then systemctl enable --now $each; fi
  done
}

git() { :; }
# Runs a command with the variables of the project.
vercel() {
  while [ "$1" != -- ]; do shift; done
  shift
  (set -a; . /etc/boost50.env; "$@")
}

# A release gets the build of the tests, because a build takes a minute. The tools run without npm, whose start takes longer
# than their work.
npm() {
  case "$* " in
    "run release "*--build* | "run release "*--back*) ;;
    "run release "*)
      [ $# -gt 2 ] || set -- "$@" --
      set -- "$@" --build "$checkout/.data/builds/deployed" --demo-build
      ;;
    "run doctor "* | "run ledger "* | "run inbox "*)
      local tool=$2; shift 2
      # npm would keep the options for itself.
      [ "${1:---}" = -- ] || { echo "npm run $tool has arguments without --" >&2; exit 1; }
      shift $(($# > 0))
      exec node scripts/tool.mjs "$tool" "$@"
      ;;
  esac
  exec /usr/bin/npm "$@"
}

name=${0##*/}
if [ "$name" = programs.sh ]; then "$@"; else "$name" "$@"; fi
