import type { Logger } from 'pino'
import { messageOf } from '../../text/message-of.ts'
import type { RunThere } from '../node-connection/node-connection.ts'
import { ProcessError } from '../process/process.ts'

interface BootRulesOptions {
  run: RunThere
  /** Of the rules. */
  table: string
  /** Absolute path of their file, on a file system that is there before the network. */
  path: string
  logger: Pick<Logger, 'warn'>
}

/** Rules that are loaded when the machine starts. Problems are logged, never thrown: what applies now is more important. */
export interface BootRules {
  save(rules: string): Promise<void>
  /** Loads the file, which is there, from now on. */
  enable(): Promise<void>
  remove(): Promise<void>
}

const timeoutMs = 30_000

// The paths are plain (process/paths.ts), so nothing in them has a meaning for systemd or nft.
const start = `
LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin; export LC_ALL PATH; umask 022
rules=$1 unit=$2 units=/etc/systemd/system
`
const saveScript = `${start}
[ -d /run/systemd/system ] || exit 0
mkdir -p "\${rules%/*}"
cat >"$rules.new"; nft -c -f "$rules.new"; sync "$rules.new"; mv -f "$rules.new" "$rules"
`
const enableScript = `${start}
[ -d /run/systemd/system ] || exit 0
new=$(mktemp -d); trap 'rm -rf "$new"' EXIT
cat >"$new/$unit"
if ! cmp -s "$new/$unit" "$units/$unit"; then
  systemd-analyze verify "$new/$unit" >&2
  mv -f "$new/$unit" "$units/"; systemctl daemon-reload
fi
systemctl --quiet enable "$unit"
`
const removeScript = `${start}
if [ -e "$units/$unit" ]; then
  systemctl --quiet disable "$unit"; rm -f "$units/$unit"; systemctl daemon-reload
fi
rm -f -- "$rules"
`

// After Debian's unit, which begins with "flush ruleset". What needs the network starts later, and with it the container engine.
const renderUnit = (path: string): string => `# Written by the panel.
[Unit]
Description=Firewall rules of the hosting panel
DefaultDependencies=no
Wants=network-pre.target
Before=network-pre.target docker.service shutdown.target
After=nftables.service
Conflicts=shutdown.target
RequiresMountsFor=${path}
ConditionPathExists=${path}

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/sbin/nft -f ${path}

[Install]
WantedBy=sysinit.target
`

/**
 * A unit of systemd that loads the rules before the network and the container engine start, so that they apply when the panel starts
 * later or not at all. Does nothing where systemd does not run.
 */
export function createBootRules({ run, table, path, logger }: BootRulesOptions): BootRules {
  const shell = async (script: string, input = ''): Promise<boolean> => {
    try {
      await run(['sh', '-euc', script, 'sh', path, `${table}-firewall.service`], { timeoutMs, input })
      return true
    } catch (error) {
      const reason = error instanceof ProcessError ? error.stderr.trim().slice(0, 300) : ''
      logger.warn({ table, error: reason || messageOf(error) }, 'the firewall rules for the next start of the machine could not be saved') // oxfmt-ignore
      return false
    }
  }
  let saved: string | undefined
  let isEnabled = false
  async function enable(): Promise<void> {
    isEnabled ||= await shell(enableScript, renderUnit(path))
  }
  return {
    async save(rules) {
      if (rules === saved) return
      if (!(await shell(saveScript, rules))) return
      saved = rules
      await enable()
    },
    enable,
    async remove() {
      saved = undefined
      isEnabled = false
      await shell(removeScript)
    }
  }
}
