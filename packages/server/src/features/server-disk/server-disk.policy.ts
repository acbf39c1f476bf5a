import type { ServerDiskFileSystem, ServerDiskKind, ServerDiskProject } from '@panel/contract/server-disk'
import type { FileSystem } from '../../infra/server-disk/server-disk.ts'

interface MeasuredPlace {
  kind: ServerDiskKind
  /** Device of the file system that it is on. */
  device: number
  bytes: number
}

/** One entry per file system, that of the panel first. What is in no place of the panel is OTHER. */
export function describeDisks(
  fileSystems: readonly FileSystem[],
  places: readonly MeasuredPlace[],
  panelDevice: number | undefined
): ServerDiskFileSystem[] {
  return fileSystems
    .map(({ device, mountPoint, totalBytes, usedBytes, freeBytes }) => {
      const kinds = new Map<ServerDiskKind, number>()
      for (const place of places)
        if (place.device === device) kinds.set(place.kind, (kinds.get(place.kind) ?? 0) + place.bytes)
      const known = [...kinds.values()].reduce((sum, bytes) => sum + bytes, 0)
      kinds.set('OTHER', Math.max(0, usedBytes - known))
      return {
        path: mountPoint,
        isPanels: device === panelDevice,
        totalBytes,
        usedBytes,
        freeBytes,
        kinds: [...kinds].map(([kind, bytes]) => ({ kind, bytes })).toSorted((a, b) => b.bytes - a.bytes)
      }
    })
    .toSorted((a, b) => Number(b.isPanels) - Number(a.isPanels) || a.path.localeCompare(b.path))
}

const listedProjects = 50

export function largestProjects(
  projects: readonly { id: string; name: string }[],
  places: readonly (Pick<MeasuredPlace, 'kind' | 'bytes'> & { projectId?: string | undefined })[]
): ServerDiskProject[] {
  const sums = new Map(projects.map(({ id, name }) => [id, { id, name, filesBytes: 0, imagesBytes: 0 }]))
  for (const { kind, bytes, projectId } of places) {
    const sum = sums.get(projectId ?? '')
    if (sum) sum[kind === 'PROJECTS' ? 'filesBytes' : 'imagesBytes'] += bytes
  }
  return [...sums.values()]
    .map((sum) => ({ ...sum, bytes: sum.filesBytes + sum.imagesBytes }))
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, listedProjects)
}

/** Share of the time that may be spent on measuring, so that a large server is measured less often. */
const measuringShare = 0.05
/** Schedules do not run to the second. */
const slack = 0.9

export const isMeasurementDue = (
  last: { measuredAt: Date; tookMs: number } | undefined,
  now: Date,
  everySeconds: number
): boolean =>
  last === undefined ||
  now.getTime() - last.measuredAt.getTime() >= Math.max(everySeconds * 1000 * slack, last.tookMs / measuringShare)

/** Of what a program other than root can use. */
export const usedPercent = ({ usedBytes, freeBytes }: Pick<ServerDiskFileSystem, 'usedBytes' | 'freeBytes'>): number =>
  usedBytes + freeBytes === 0 ? 0 : (100 * usedBytes) / (usedBytes + freeBytes)

const hysteresisPercent = 5
const hysteresisFactor = 1.5

export type DiskAlert = { about: 'forecast' } | { about: 'disk'; path: string }

/** Key of an alert in the store. */
export const alertKey = (alert: DiskAlert): string => (alert.about === 'forecast' ? 'forecast' : alert.path)

interface AlertFacts {
  daysUntilFull: number | null
  disks: readonly Pick<ServerDiskFileSystem, 'path' | 'isPanels' | 'usedBytes' | 'freeBytes'>[]
  alertDays: number
  alertPercent: number
}

/**
 * Alerts that hold now. One that was raised before ends only with a margin, so that it does not flap. The panel's own
 * disk has its threshold in monitoring, which reads it every minute.
 */
export function findAlerts(raised: ReadonlySet<string>, facts: AlertFacts): DiskAlert[] {
  const { daysUntilFull, disks, alertDays, alertPercent } = facts
  const days = raised.has('forecast') ? alertDays * hysteresisFactor : alertDays
  const forecast: DiskAlert[] = daysUntilFull !== null && daysUntilFull < days ? [{ about: 'forecast' }] : []
  const full = disks
    .filter(({ isPanels }) => !isPanels)
    .filter((disk) => usedPercent(disk) > alertPercent - (raised.has(disk.path) ? hysteresisPercent : 0))
  return [...forecast, ...full.map(({ path }) => ({ about: 'disk', path }) as const)]
}
