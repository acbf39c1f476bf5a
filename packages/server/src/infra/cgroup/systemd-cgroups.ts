import { join } from 'node:path'
import { messageOf } from '../../text/message-of.ts'
import type { Run } from '../process/process.ts'
import { CgroupError, type CgroupLimits, type CgroupPath, type Cgroups, checkPath } from './cgroup.ts'
import { pidsBelow } from './cgroup-files.ts'

// systemd is busy for that long while a slow server configures packages.
const timeoutMs = 60_000

export function createSystemdCgroups({
  version,
  run,
  root = '/sys/fs/cgroup'
}: {
  version: 1 | 2
  run: Run
  root?: string
}): Cgroups {
  const call = async (...argv: [string, ...string[]]) => {
    await run(argv, { timeoutMs }).catch((cause: unknown) => {
      throw new CgroupError(`systemd call failed: ${messageOf(cause)}`, { cause })
    })
  }
  const listPids = (path: CgroupPath) => pidsBelow(join(root, ...(version === 1 ? ['pids'] : []), ...slicesOf(path)))
  return {
    async ensure(path, limits) {
      checkPath(path)
      await call('systemctl', 'set-property', '--runtime', sliceOf(path), ...properties(limits))
      // BuildKit puts no unit of systemd into it, and the cgroup of a slice that is not active may go away.
      await call('systemctl', 'start', sliceOf(path))
      return sliceOf(path)
    },
    directory: (path) => `/${slicesOf(path).join('/')}`,
    async enter(path, pid) {
      checkPath(path)
      if ((await listPids(path)).includes(pid)) return
      // In a new scope, because systemd cannot move processes into a slice.
      const manager = ['org.freedesktop.systemd1', '/org/freedesktop/systemd1', 'org.freedesktop.systemd1.Manager']
      const scope = [`${path.join('-')}-p${pid}.scope`, 'replace', '2', 'PIDs', 'au', '1', String(pid), 'Slice', 's', sliceOf(path), '0'] // oxfmt-ignore
      await call('busctl', 'call', ...manager, 'StartTransientUnit', 'ssa(sv)a(sa(sv))', ...scope)
    },
    listPids,
    async remove(path) {
      checkPath(path)
      await call('systemctl', 'stop', sliceOf(path))
      // Reverts the properties, which otherwise stay in /run until reboot.
      await call('systemctl', 'revert', sliceOf(path))
      return true
    }
  }
}

const sliceOf = (path: CgroupPath) => `${path.join('-')}.slice`

/** Slices nest by name prefix: `a.slice/a-b.slice`. */
const slicesOf = (path: CgroupPath) => path.map((_, index) => `${path.slice(0, index + 1).join('-')}.slice`)

const properties = ({ memoryBytes, cpus, pids, weight = 100 }: CgroupLimits): string[] => [
  `MemoryMax=${memoryBytes ?? 'infinity'}`,
  `MemorySwapMax=${memoryBytes === undefined ? 'infinity' : 0}`,
  `CPUQuota=${cpus === undefined ? '' : `${Math.round(cpus * 100)}%`}`,
  `CPUWeight=${weight}`,
  `IOWeight=${weight}`,
  `TasksMax=${pids ?? 'infinity'}`
]
