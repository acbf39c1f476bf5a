import { feature } from '../feature.ts'
import { fileRoutes } from './files.routes.ts'
import { reconcileDirectories, removeProjectDirectory, syncProjectDirectories } from './project-directories.service.ts'
import { getFilesRoot } from './project-files.service.ts'

export const files = feature({
  name: 'files',
  routes: [fileRoutes],
  owners: { '/api/files/:id': ({ db }, userId, { id }) => getFilesRoot(db, id!, userId) },
  project: {
    created: async (deps, _trx, { userId }) => [() => syncProjectDirectories(deps, userId)],
    renamed: async (deps, _trx, { userId }) => [() => syncProjectDirectories(deps, userId)],
    mountsChanged: async (deps, _trx, { userId }) => [() => syncProjectDirectories(deps, userId)],
    // Runs after the containers are removed, which could still write.
    purge: removeProjectDirectory
  },
  reconcile: [
    { name: 'project directories', on: { tables: ['projects', 'users', 'volumes'] }, run: reconcileDirectories }
  ],
  diskUsage: {
    kind: 'FILES',
    async measure({ accountDisk }, accounts) {
      const bytes = await accountDisk.measure(accounts.map(({ uid }) => uid))
      return new Map(accounts.map(({ id, uid }) => [id, bytes.get(uid) ?? 0]))
    }
  },
  staging: [{ folder: 'files', prefix: '' }],
  recover: (deps) => deps.fileStore.sweep()
})
