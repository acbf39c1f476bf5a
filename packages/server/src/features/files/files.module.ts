import { feature } from '../feature.ts'
import { fileRoutes } from './files.routes.ts'
import { reconcileDirectories } from './project-directories.ts'

export const files = feature({
  name: 'files',
  routes: [fileRoutes],
  reconcile: [{ name: 'project directories', on: { tables: ['projects', 'users'] }, run: reconcileDirectories }],
  recover: (deps) => deps.fileStore.sweep()
})
