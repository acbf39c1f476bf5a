import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MachineResources } from '../../net/connection-limits.policy.ts'
import { AdapterError } from '../adapter-error.ts'
import type { HaproxyPaths } from './haproxy-paths.ts'
import type { readInfo } from './haproxy-socket.ts'

export interface Prepared {
  user: { uid: number; gid: number }
  resources: MachineResources
  hasIpv6: boolean
  /** Digests of the files that are there, by path. */
  files: ReadonlyMap<string, string>
}

/** Runs a script of `sh` on the machine. */
export type Shell = (script: string, args: readonly string[], timeoutMs?: number) => Promise<string>

const installMs = 10 * 60_000
const pollMs = 100
const triesMax = 600
const silentMax = 5

const prepareScript = `
LC_ALL=C; export LC_ALL; umask 077
if ! [ -x /usr/sbin/haproxy ]; then
  # The service of the package would not have our configuration.
  [ ! -d /etc/systemd/system ] || [ -e /etc/systemd/system/haproxy.service ] || ln -s /dev/null /etc/systemd/system/haproxy.service
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends haproxy >/dev/null
fi
mkdir -p "$1" "$2/empty"
id -u haproxy; id -g haproxy; ulimit -Hn; sed -n 's/^MemTotal: *\\([0-9]*\\) kB$/\\1/p' /proc/meminfo
[ -e /proc/net/if_inet6 ] && echo yes || echo no
cd "$1"; find . -type f ! -path './.incoming/*' -printf '%P\\0' | xargs -0 -r sha256sum
`
const processScript = `pid=$(cat "$1" 2>/dev/null) && grep -qzxF -- "$2" "/proc/$pid/cmdline" 2>/dev/null && echo "$pid" || true`
const checkScript = `haproxy -c -q -f "$1.new" && mv -f "$1.new" "$1"`
// The directory of the log is there. It keeps what the last start wrote. With systemd, the unit starts it after a restart of the machine.
const startScript = `
if [ -d /run/systemd/system ]; then
  new=$(mktemp -d); trap 'rm -rf "$new"' EXIT
  printf %s "$6" >"$new/$5"; systemd-analyze verify "$new/$5" >&2
  mv "$new/$5" /etc/systemd/system/; systemctl daemon-reload
  systemctl --quiet enable "$5"; systemctl --no-block restart "$5"
else
  setsid haproxy -W -f "$1" -p "$2" -S "$3,mode,600" </dev/null >"$4" 2>&1 &
fi
`
const removeScript = `
unit="/etc/systemd/system/$1"; shift
if [ -e "$unit" ]; then systemctl --quiet disable "\${unit##*/}"; rm -f "$unit"; systemctl daemon-reload; fi
rm -rf -- "$@"
`

const capabilities = ['DAC_READ_SEARCH', 'KILL', 'NET_BIND_SERVICE', 'SETGID', 'SETUID', 'SYS_CHROOT'] // As on the panel's machine.

/** Paths are plain (haproxyPaths), so nothing in them has a meaning for systemd. */
const renderUnit = (
  { config, pid, masterSocket, log, emptyDirectory }: HaproxyPaths,
  runtimeDirectory: string
): string => `# Written by the panel.
[Unit]
Description=Proxy for visitors of the hosting panel
After=network.target
RequiresMountsFor=${config}
StartLimitIntervalSec=0

[Service]
Type=notify
TimeoutStartSec=10min
LimitNOFILE=infinity
ExecStartPre=/bin/mkdir -p -m 700 ${runtimeDirectory} ${emptyDirectory}
ExecStart=/usr/sbin/haproxy -Ws -f ${config} -p ${pid} -S ${masterSocket},mode,600
KillMode=mixed
Restart=on-failure
RestartSec=1
SuccessExitStatus=143
StandardOutput=truncate:${log}
StandardError=inherit
CapabilityBoundingSet=${capabilities.map((name) => `CAP_${name}`).join(' ')}
NoNewPrivileges=yes
ProtectSystem=full

[Install]
WantedBy=multi-user.target
`

/** Starts and stops HAProxy on the machine, where it runs on its own: as a unit, if systemd runs there. */
export function createEdgeProcess(
  shell: Shell,
  paths: HaproxyPaths,
  {
    directory,
    runtimeDirectory,
    info
  }: { directory: string; runtimeDirectory: string; info: () => ReturnType<typeof readInfo> }
) {
  const unit = `${basename(runtimeDirectory)}.service`
  let silent = 0

  async function prepare(): Promise<Prepared> {
    const text = await shell(prepareScript, [directory, runtimeDirectory], installMs)
    const [uid, gid, openFiles, memoryKb, hasIpv6, ...sums] = text.trim().split('\n')
    return {
      user: { uid: Number(uid), gid: Number(gid) },
      resources: {
        openFiles: openFiles === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(openFiles),
        memoryBytes: Number(memoryKb) * 1024
      },
      hasIpv6: hasIpv6 === 'yes',
      files: new Map(sums.map((line) => [join(directory, line.slice(66)), line.slice(0, 64)]))
    }
  }

  /** Undefined if it does not run. Rejects if it runs and does not answer, and ends it after several times: a second one would get half of the connections. */
  async function find(): Promise<Awaited<ReturnType<typeof info>> | undefined> {
    const found = await info().catch((error: unknown) => ({ error }))
    if (!('error' in found)) {
      silent = 0
      return found
    }
    if ((await masterPid()) === '') return undefined
    if (++silent >= silentMax) await stop('TERM')
    throw found.error
  }

  async function start(description: string): Promise<void> {
    const { config, pid, masterSocket, log } = paths
    await shell(startScript, [config, pid, masterSocket, log, unit, renderUnit(paths, runtimeDirectory)])
    await untilServing(description)
  }

  async function reload(description: string): Promise<void> {
    const pid = await masterPid()
    if (pid === '') throw new AdapterError('reverse-proxy-unavailable', 'The proxy of the machine is starting')
    await shell('kill -USR2 "$1"', [pid])
    await untilServing(description)
  }

  async function untilServing(description: string): Promise<void> {
    for (let tries = 1; tries <= triesMax; tries++) {
      const found = await info().catch(() => undefined)
      if (found?.description === description) return
      if (tries % 20 === 0 && (await masterPid()) === '') break
      await sleep(pollMs)
    }
    const reason = (await shell('tail -c 500 "$1"', [paths.log]).catch(() => '')).trim().split('\n').at(-1)
    throw unavailable(reason ?? '')
  }

  const masterPid = async (): Promise<string> => (await shell(processScript, [paths.pid, paths.config])).trim()

  async function stop(signal: 'TERM' | 'USR1'): Promise<void> {
    const pid = await masterPid()
    if (pid !== '') await shell('kill -s "$1" "$2"', [signal, pid])
  }

  return {
    prepare,
    find,
    start,
    reload,
    /** It ends with the connections that it has, and does not start again. */
    async remove() {
      await stop('USR1')
      await shell(removeScript, [unit, directory, runtimeDirectory])
    },
    /** Exchanges the configuration for the new file beside it, if HAProxy accepts that. */
    checkConfig: () => shell(checkScript, [paths.config])
  }
}

export const unavailable = (reason: string, cause?: unknown): AdapterError =>
  new AdapterError('reverse-proxy-unavailable', 'The proxy of the machine could not be set up', {
    cause,
    reason: reason === '' ? 'no reason given' : reason.slice(0, 300)
  })
