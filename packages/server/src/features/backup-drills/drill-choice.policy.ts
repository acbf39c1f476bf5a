import type { BackupSchedule } from '@panel/contract/backup-schedule'
import { latestSlot } from '../backups/backup-schedule.policy.ts'

export interface Candidate {
  projectId: string
  backupId: string
  /** Latest drill of the project, with any of its backups. */
  drilledAt: Date | null
}

/**
 * One of the projects without a drill, otherwise one of the third whose latest drill is longest ago. `random` is at least
 * 0 and below 1. A project with backups on several targets is a candidate for each.
 */
export function chooseDrill<C extends Candidate>(candidates: readonly C[], random: () => number): C | undefined {
  const projects = [...new Map(candidates.map(({ projectId, drilledAt }) => [projectId, drilledAt]))].sort(
    ([, a], [, b]) => (a?.getTime() ?? -Infinity) - (b?.getTime() ?? -Infinity)
  )
  const never = projects.filter(([, drilledAt]) => drilledAt === null)
  const eligible = never.length > 0 ? never : projects.slice(0, Math.ceil(projects.length / 3))
  const [projectId] = pick(eligible, random) ?? []
  return pick(
    candidates.filter((candidate) => candidate.projectId === projectId),
    random
  )
}

const pick = <T>(list: readonly T[], random: () => number): T | undefined => list[Math.floor(random() * list.length)]

const hoursAfterBackups = 3
const sunday = 0

/** The latest time at which a drill was due; undefined if drills are off. */
export function drillSlot(
  { drills, hour, minute }: Pick<BackupSchedule, 'drills' | 'hour' | 'minute'>,
  timezone: string,
  now: Date
): Date | undefined {
  const weekdays = drills === 'WEEKLY' ? [sunday] : []
  const times = { isEnabled: drills !== 'OFF', hour: (hour + hoursAfterBackups) % 24, minute, weekdays }
  return latestSlot(times, timezone, now)
}
