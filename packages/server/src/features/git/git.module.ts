import { feature } from '../feature.ts'
import { gitRoutes } from './git.routes.ts'
import { removeWorkspace } from './workspace.service.ts'

export const git = feature({
  name: 'git',
  routes: [gitRoutes],
  health: [{ name: 'git', ping: (deps) => deps.gitVersion(), remedy: { code: 'INSTALL_GIT' } }],
  staging: [{ folder: 'repositories', prefix: '' }],
  project: { purge: (deps, projectId) => removeWorkspace(deps, projectId) }
})
