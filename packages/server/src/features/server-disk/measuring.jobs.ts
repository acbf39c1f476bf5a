import { join } from 'node:path'
import type { Dependencies } from '../../dependencies.ts'
import { auditArchiveDirectory, stagingRoot, storeDirectory, storeReservePath } from '../../process/paths.ts'
import { messageOf } from '../../text/message-of.ts'
import type { DiskPlace } from '../feature.ts'
import { followAlerts } from './alerts.service.ts'
import { describeDisks, isMeasurementDue, largestProjects } from './server-disk.policy.ts'
import { findMeasurement, listProjectPlaces, type ProjectPlace, saveMeasurement } from './server-disk.repository.ts'

/** Measures unless the last measurement is recent, and notifies administrators of disks that fill up. */
export async function measureServerDisk(deps: Dependencies, { everySeconds }: { everySeconds: number }): Promise<void> {
  if (isMeasurementDue(await findMeasurement(deps.db, deps.nodeId), deps.now(), everySeconds))
    await measureDisksNow(deps)
  else await followAlerts(deps)
}

export async function measureDisksNow(deps: Dependencies): Promise<void> {
  const { config, db, nodeId, now, serverDisk } = deps
  const [startedAt, measuredAt] = [performance.now(), now()]
  const projects = await listProjectPlaces(db, nodeId)
  const panelDisk = await serverDisk.findFileSystem(config.DATA_DIR)
  const projectsDisk = await serverDisk.findFileSystem(config.PROJECTS_DIR)
  const places = [
    ...(await findFileSystems(deps, await listPlaces(deps))),
    ...(projectsDisk ? placesBelow(config, projects).map((place) => ({ ...place, fileSystem: projectsDisk })) : [])
  ]
  const sizes = await serverDisk.measure(places.flatMap(({ path, bytes }) => (bytes === undefined ? [path] : [])))
  const measured = places.map((place) => ({
    ...place,
    device: place.fileSystem.device,
    bytes: place.bytes ?? sizes.get(place.path) ?? 0
  }))
  // The same file system is listed at the mount point that the panel's own directories have.
  const mounted = [...places.map(({ fileSystem }) => fileSystem), projectsDisk, panelDisk].filter(
    (each) => each !== undefined
  )
  const fileSystems = [...new Map(mounted.map((each) => [each.device, each])).values()]
  await saveMeasurement(db, {
    nodeId,
    measuredAt,
    tookMs: Math.round(performance.now() - startedAt),
    disks: describeDisks(fileSystems, measured, panelDisk?.device),
    projects: largestProjects(projects, measured)
  })
  await followAlerts(deps)
}

/** What the features keep, and what belongs to none. A feature whose part is unavailable is skipped. */
async function listPlaces(deps: Dependencies): Promise<DiskPlace[]> {
  const { config, logger, serverDisk } = deps
  const logs = (await serverDisk.list(config.DATA_DIR)).filter(({ name }) => name.endsWith('.log'))
  const own: DiskPlace[] = [
    { kind: 'STORE', path: storeDirectory(config) },
    { kind: 'STORE', path: storeReservePath(config) },
    { kind: 'LOGS', path: auditArchiveDirectory(config) },
    ...logs.map(({ path, bytes }): DiskPlace => ({ kind: 'LOGS', path, bytes }))
  ]
  const ofFeatures = await Promise.all(
    deps.features.map(async ({ name, diskPlaces }) => {
      try {
        return (await diskPlaces?.(deps)) ?? []
      } catch (error) {
        logger.warn({ feature: name, error: messageOf(error) }, 'could not list what a feature keeps on the disk')
        return []
      }
    })
  )
  return [...own, ...ofFeatures.flat()]
}

async function findFileSystems({ serverDisk }: Dependencies, places: readonly DiskPlace[]) {
  const paths = [...new Set(places.map(({ path }) => path))]
  const found = new Map(
    await Promise.all(paths.map(async (path) => [path, await serverDisk.findFileSystem(path)] as const))
  )
  return places.flatMap((place) => {
    const fileSystem = found.get(place.path)
    return fileSystem ? [{ ...place, fileSystem }] : []
  })
}

/** Files (infra/host-helper/project-tree.ts) and repository of each project, then the rest: inner before outer. */
function placesBelow(config: Dependencies['config'], projects: readonly ProjectPlace[]): DiskPlace[] {
  const root = config.PROJECTS_DIR
  return [
    ...projects.flatMap(({ id, name, uid }) =>
      [join(root, 'u', String(uid), name), join(root, id)].map((path): DiskPlace => ({
        kind: 'PROJECTS',
        path,
        projectId: id
      }))
    ),
    { kind: 'TEMPORARY', path: stagingRoot(config) },
    { kind: 'PROJECTS', path: root }
  ]
}
