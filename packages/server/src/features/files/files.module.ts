import { feature } from '../feature.ts'
import { fileRoutes } from './files.routes.ts'
import { reconcileDirectories, removeProjectDirectory, syncProjectDirectories } from './project-directories.service.ts'

export const files = feature({
  name: 'files',
  routes: [fileRoutes],
  project: {
    created: async (deps, _trx, { userId }) => [() => syncProjectDirectories(deps, userId)],
    renamed: async (deps, _trx, { userId }) => [() => syncProjectDirectories(deps, userId)],
    // After the containers, which would go on writing.
    purge: removeProjectDirectory
  },
  reconcile: [{ name: 'project directories', on: { tables: ['projects', 'users'] }, run: reconcileDirectories }],
  recover: (deps) => deps.fileStore.sweep()
})
