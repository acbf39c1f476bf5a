import { feature } from '../feature.ts'
import { limitsOf, measureContainers, stopContainersOf } from './container-disk.jobs.ts'
import { isAnyDeployment, listWarned, sumByAccount, sumContainers } from './container-disk.repository.ts'
import { watchFreeSpace } from './free-space.watch.ts'

declare module '../../worker/jobs.ts' {
  interface Queues {
    'container-disk.measure': object
  }
}

export const containerDisk = feature({
  name: 'container-disk',
  jobs: {
    'container-disk.measure': {
      concurrency: 1,
      timeoutSeconds: 600,
      retries: 0,
      async run(deps, _data, { resource }) {
        await resource(watchFreeSpace).begin()
        await measureContainers(deps)
      }
    }
  },
  schedules: ({ CONTAINER_DISK_SECONDS }) => [
    { queue: 'container-disk.measure', everySeconds: CONTAINER_DISK_SECONDS, isNeeded: isAnyDeployment }
  ],
  async diskPlaces({ db, engine }) {
    return [{ kind: 'CONTAINERS', path: await engine.storageDirectory(), bytes: await sumContainers(db) }]
  },
  diskUsage: {
    kind: 'CONTAINERS',
    measure: ({ db }, accounts) =>
      sumByAccount(
        db,
        accounts.map(({ id }) => id)
      ),
    // All of it, because containers run as the account's uid.
    async measureOwned({ db }, accounts) {
      const ids = accounts.map(({ id }) => id)
      return sumByAccount(db, ids)
    },
    halt: stopContainersOf,
    async listNearLimit(deps, userId) {
      const { bytes: serverBytes, files: limitFiles } = limitsOf(deps)
      const rows = await listWarned(deps.db, userId, serverBytes)
      return rows.map(({ projectId, deploymentId, bytes, files, warnedAt, limitBytes }) => ({
        projectId,
        deploymentId,
        bytes,
        limitBytes,
        files,
        limitFiles,
        warnedAt: warnedAt!.toISOString()
      }))
    }
  }
})
