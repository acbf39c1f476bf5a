import { AdapterError } from '../adapter-error.ts'
import type { RunThere } from '../node-connection/node-connection.ts'
import { ProcessError } from '../process/process.ts'
import { createStartUnit, type StartUnitOptions } from '../process/start-unit.ts'
import type { MachineTunnel } from './machine-tunnel.ts'
import { addressesOf, key, parseState, renderPeers, renderStart } from './wireguard.render.ts'

interface WireguardOptions {
  run: RunThere
  interfaceName: string
  /** Only root can read it, and only the machine's programs do. */
  keyPath: string
  /** Absolute path of the script that makes the interface again when the machine starts. */
  startPath: string
  logger: StartUnitOptions['logger']
}

const timeoutMs = 20_000

// One run at a time on each machine: the lock is on the directory of the key, and wireguard-go, which stays in the background until
// its interface is removed, must not inherit it. Private keys are never arguments: printf is built into the shell.
const ensureScript = `
LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin; export LC_ALL PATH
umask 077
i=$1 key=$2 port=$3 addresses=$4 routes=$5 renew=$6 missing= new=0
mkdir -p "\${key%/*}"
exec 9<"\${key%/*}"
flock 9
command -v wg >/dev/null || missing=wireguard-tools
if ! ip link show dev "$i" >/dev/null 2>&1; then
  new=1
  if ! ip link add dev "$i" type wireguard 2>/dev/null; then
    if ! command -v wireguard-go >/dev/null; then missing="$missing wireguard-go"
    elif [ -z "$missing" ]; then setsid wireguard-go "$i" </dev/null >/dev/null 2>&1 9<&-; fi
  fi
fi
if [ -n "$missing" ]; then echo "missing=$missing"; exit; fi
if ! [ -s "$key" ]; then
  draft=$(mktemp "$key.XXXXXX")
  wg genkey >"$draft"
  sync "$draft"
  mv "$draft" "$key"
fi
for peer in $renew; do wg set "$i" peer "$peer" remove; done
{ printf '[Interface]\\nPrivateKey = %s\\nListenPort = %s\\n' "$(cat "$key")" "$port"; cat; } | wg syncconf "$i" /dev/stdin
for address in $addresses; do ip address replace "$address/32" dev "$i"; done
ip -o -4 address show dev "$i" | while read -r _ _ _ old _; do
  case " $addresses " in *" \${old%/*} "*) ;; *) ip address del "$old" dev "$i";; esac
done
ip link set up dev "$i"
kept=' '
for route in $routes; do
  ip route replace "\${route%:*}/32" dev "$i" src "\${route#*:}"
  kept="$kept\${route%:*} "
done
ip -4 route show dev "$i" | while read -r old _; do
  case "$kept" in *" $old "*) ;; *) ip route del "$old" dev "$i";; esac
done
echo "key=$(wg pubkey <"$key")"
echo "new=$new"
echo "time=$(date +%s)"
wg show "$i" latest-handshakes | sed 's/^/handshake=/'
`

const removeScript = `
PATH=/usr/sbin:/usr/bin:/sbin:/bin
if [ -d "\${2%/*}" ]; then exec 9<"\${2%/*}"; flock 9; fi
! ip link show dev "$1" >/dev/null 2>&1 || ip link del dev "$1"
rm -f -- "$2"
`

// Containers publish ports at addresses of the interface, and the engine starts no container whose address is missing. The path is
// plain (process/paths.ts), so nothing in it has a meaning for systemd.
const renderUnit = (startPath: string): string => `# Written by the panel.
[Unit]
Description=Encrypted network of the hosting panel
After=network-pre.target
Before=docker.service
RequiresMountsFor=${startPath}
ConditionPathExists=${startPath}

[Service]
Type=oneshot
RemainAfterExit=yes
TimeoutStartSec=60
ExecStart=/bin/sh ${startPath}
StandardOutput=null

[Install]
WantedBy=multi-user.target
`

/**
 * WireGuard of the kernel, or where it has none, wireguard-go of Debian. With systemd, the interface is there when the machine
 * starts, also while the panel does not run.
 */
export function createWireguard({ run, interfaceName, keyPath, startPath, logger }: WireguardOptions): MachineTunnel {
  const atStart = createStartUnit({
    run,
    name: `panel-${interfaceName}.service`,
    path: startPath,
    check: ['sh', '-n'],
    text: renderUnit(startPath),
    logger
  })
  const shell = async (script: string, args: readonly string[], input = ''): Promise<string> => {
    try {
      const argv = ['sh', '-euc', script, 'sh', interfaceName, keyPath, ...args] as const
      return (await run(argv, { timeoutMs, input })).stdout
    } catch (cause) {
      if (!(cause instanceof ProcessError)) throw cause
      const reason = cause.stderr.trim().split('\n').at(-1)?.slice(0, 300) || cause.message
      throw new AdapterError('node-unavailable', 'The encrypted network of the machine cannot be set up', {
        cause,
        reason
      })
    }
  }
  return {
    async ensure({ port, peers, renew = [] }) {
      const { addresses, routes } = addressesOf(peers)
      const args = [String(port), addresses.join(' '), routes.join(' ')]
      const state = parseState(await shell(ensureScript, [...args, renew.map(key).join(' ')], renderPeers(peers)))
      if (!('missingPackages' in state)) {
        const values = [interfaceName, keyPath, ...args, '']
        await atStart.save(renderStart(ensureScript, values, renderPeers(peers)))
      }
      return state
    },
    async remove() {
      await atStart.remove()
      await shell(removeScript, [])
    }
  }
}
