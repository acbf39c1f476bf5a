import { join } from 'node:path'
import { directorySizes } from '../disk/directory-sizes.ts'
import { findMount } from '../disk/mounts.ts'
import type { Run } from '../process/process.ts'
import type { AccountDisk } from './account-disk.ts'
import { hasUserQuotas, limitCommand, parseReport, reportCommand } from './user-quota.policy.ts'

const quotaTimeoutMs = 30_000
const maxReportBytes = 64 * 2 ** 20

interface Options {
  run: Run
  projectsDirectory: string
}

/** One query for all accounts if user quotas are on; otherwise walks each account's files and snapshots in turn. */
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
      } else
        for (const uid of uids)
          used.set(
            uid,
            await walk(
              run,
              ['u', 'snapshots'].map((folder) => join(projectsDirectory, folder, String(uid)))
            )
          )
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

async function walk(run: Run, directories: readonly string[]): Promise<number> {
  return [...(await directorySizes(run, directories)).values()].reduce((sum, bytes) => sum + bytes, 0)
}
