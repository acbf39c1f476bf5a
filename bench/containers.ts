import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { machineCgroups } from '../packages/server/src/infra/cgroup/machine-cgroups.ts'
import { run } from '../packages/server/src/infra/process/run.ts'

const top = 'panelbench'

/** What containers are to the kernel: cgroups of this machine with the names that engines give them, and a process in each. Takes root. */
export async function startContainers(count: number): Promise<{ ids: string[]; stop(): Promise<void> }> {
  const cgroups = machineCgroups(run)
  const ids = Array.from({ length: count }, () => randomBytes(32).toString('hex'))
  const processes = ids.map(() => spawn('sleep', ['3600'], { stdio: 'ignore' }))
  for (const [n, id] of ids.entries()) {
    await cgroups.ensure([top, id], { memoryBytes: 2 ** 28 })
    await cgroups.enter([top, id], processes[n]!.pid!)
  }
  return {
    ids,
    async stop() {
      await Promise.all(
        processes.map(async (child) => {
          const ended = once(child, 'exit')
          child.kill('SIGKILL')
          await ended
        })
      )
      await cgroups.remove([top])
    }
  }
}
