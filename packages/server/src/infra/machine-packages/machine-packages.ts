import { basename, dirname } from 'node:path'
import { AdapterError } from '../adapter-error.ts'
import type { NodeConnection } from '../node-connection/node-connection.ts'
import { ProcessError } from '../process/process.ts'
import { programPath } from '../process/program-path.ts'
import { killGroup, startChild } from '../process/start-child.ts'

/** What the panel needs on an added machine. Both are idempotent, and reject with AdapterError node-unavailable and the reason. */
export interface MachinePackages {
  /**
   * Copies this version of the panel to the machine, where it is used from then on. Nothing if this one was not installed as a Debian package: its folder is
   * not one of several versions then.
   */
  putPanel(signal: AbortSignal): Promise<void>
  /** Upgrades those of Debian's packages that are installed; new ones are not installed. */
  upgrade(signal: AbortSignal): Promise<void>
}

interface Options {
  connection: Pick<NodeConnection, 'run'>
  /** Folder of the running version. */
  root: string
}

const copyMs = 15 * 60_000
const upgradeMs = 30 * 60_000

// Of what the panel starts on machines.
const packages = ['docker.io', 'containerd', 'runc', 'haproxy', 'nftables', 'openssh-server', 'wireguard-tools', 'wireguard-go'] // oxfmt-ignore

// The folder appears when it is complete. Versions of the package itself are dpkg's; those that were copied before are removed.
const copyScript = `
umask 022
versions=$1; name=$2; new="$versions/.incoming"
mkdir -p "$versions"; rm -rf "$new"; mkdir "$new"
tar -x -C "$new"
: >"$new/$name/.copied"
sync -f "$new"
mv -T "$new/$name" "$versions/$name"
rm -rf "$new"
`
const findScript = `[ -d "$1/$2" ] && echo yes || echo no`
const useScript = `
ln -sfn "versions/$2" "\${1%/*}/.current"
mv -T "\${1%/*}/.current" "\${1%/*}/current"
for old in "$1"/*/.copied; do
  [ ! -e "$old" ] || [ "$old" = "$1/$2/.copied" ] || rm -rf "\${old%/.copied}"
done
`
// An earlier attempt may have been interrupted, or still run. Changed configuration files stay as they are.
const upgradeScript = `
LC_ALL=C DEBIAN_FRONTEND=noninteractive; export LC_ALL DEBIAN_FRONTEND
tries=0
until dpkg --configure -a --force-confdef --force-confold >/dev/null; do
  tries=$((tries + 1)); [ $tries -lt 30 ] || exit 1; sleep 10
done
apt-get -q -o DPkg::Lock::Timeout=300 -o APT::Update::Error-Mode=any update >/dev/null
installed=$(dpkg-query -W -f '\${db:Status-Status} \${Package}\\n' "$@" 2>/dev/null | sed -n 's/^installed //p')
[ -z "$installed" ] || apt-get -q -y -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold install --only-upgrade $installed >/dev/null
`

/** By dpkg, apt and tar of the machine. */
export function createMachinePackages({ connection, root }: Options): MachinePackages {
  const [versions, name] = [dirname(root), basename(root)]
  const shell = (script: string, args: readonly string[], options: Parameters<typeof connection.run>[1]) =>
    connection.run(['sh', '-ec', script, 'sh', ...args], options)
  return {
    putPanel: (signal) =>
      explained(async () => {
        if (basename(versions) !== 'versions') return
        const { stdout } = await shell(findScript, [versions, name], { timeoutMs: 15_000, signal })
        if (stdout.trim() === 'no') {
          const tar = await startChild(['tar', '-c', '-C', versions, '--', name], { env: { PATH: programPath }, stdio: ['ignore', 'pipe', 'ignore'] }) // oxfmt-ignore
          try {
            await shell(copyScript, [versions, name], { input: tar.stdout!, timeoutMs: copyMs, signal })
          } finally {
            killGroup(tar)
          }
        }
        await shell(useScript, [versions, name], { timeoutMs: 60_000, signal })
      }),
    upgrade: (signal) =>
      explained(async () => void (await shell(upgradeScript, packages, { timeoutMs: upgradeMs, signal })))
  }
}

async function explained(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ProcessError)) throw error
    const lines = error.stderr.trim().split('\n')
    const reason = lines.find((line) => line.startsWith('E: ')) ?? lines.at(-1)
    throw new AdapterError('node-unavailable', 'The machine could not be upgraded', {
      cause: error,
      reason: (reason || error.message).slice(0, 300)
    })
  }
}
