import { feature } from '../feature.ts'
import { gitRoutes } from './git.routes.ts'
import { pushReceiverRoutes } from './push-receiver.routes.ts'
import { removeWorkspace } from './workspace.ts'

export const git = feature({
  name: 'git',
  routes: [gitRoutes, pushReceiverRoutes],
  project: { purge: (deps, projectId) => removeWorkspace(deps.config, projectId) }
})
