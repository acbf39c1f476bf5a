import { join } from 'node:path'
import { exists } from '../disk/exists.ts'
import { findMount } from '../disk/mounts.ts'
import type { Run } from '../process/process.ts'
import type { AccountDisk } from './account-disk.ts'
import { hasUserQuotas, limitCommand, parseReport, reportCommand } from './user-quota.policy.ts'

const quotaTimeoutMs = 30_000
const walkTimeoutMs = 10 * 60_000
const maxReportBytes = 64 * 2 ** 20
const lowPriority = ['nice', '-n', '19', 'ionice', '-c', '3'] as const

interface Options {
  run: Run
  projectsDirectory: string
}

/** One query for all accounts if user quotas are on; otherwise walks each account's files in turn. */
export function createLocalAccountDisk({ run, projectsDirectory }: Options): AccountDisk {
  const quotaMount = async () => {
    const mount = await findMount(projectsDirectory)
    return mount && hasUserQuotas(mount) && process.getuid?.() === 0 ? mount.point : undefined
  }
  const report = async (point: string) =>
    parseReport((await run(reportCommand(point), { timeoutMs: quotaTimeoutMs, maxOutputBytes: maxReportBytes })).stdout)
  return {
    isLimited: async () => (await quotaMount()) !== undefined,
    async covers(directory) {
      const point = await quotaMount()
      return point !== undefined && (await findMount(directory))?.point === point
    },
    async measure(uids) {
      const point = await quotaMount()
      const used = new Map<number, number>()
      if (point !== undefined) {
        const all = await report(point)
        for (const uid of uids) used.set(uid, all.get(uid)?.bytes ?? 0)
      } else for (const uid of uids) used.set(uid, await walk(run, join(projectsDirectory, 'u', String(uid))))
      return used
    },
    async limit(limits) {
      const point = await quotaMount()
      if (point === undefined) return
      const now = await report(point)
      for (const [uid, bytes] of limits) {
        const command = limitCommand(point, uid, bytes)
        const isUnchanged = (now.get(uid)?.limit ?? 0) === Number(command[4]) * 1024
        if (!isUnchanged) await run(command, { timeoutMs: quotaTimeoutMs })
      }
    }
  }
}

async function walk(run: Run, directory: string): Promise<number> {
  if (!(await exists(directory))) return 0
  const command = [...lowPriority, 'du', '--summarize', '--one-file-system', '--block-size=1', '--', directory] as const
  // du exits with 1 and prints a line for each file that vanished meanwhile. Retrying might never succeed.
  const { stdout } = await run(command, { timeoutMs: walkTimeoutMs, exitCodes: [1], stderr: 'ignore' })
  return stdout === '' ? 0 : bytesOf(stdout)
}

const bytesOf = (output: string): number => Number.parseInt(output, 10)
