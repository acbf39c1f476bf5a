import { feature } from '../feature.ts'
import { deleteAllEnvVars } from './env-vars.repository.ts'
import { envVarRoutes } from './env-vars.routes.ts'

export const envVars = feature({
  name: 'env-vars',
  routes: [envVarRoutes],
  project: { purge: (deps, projectId) => deleteAllEnvVars(deps.db, projectId) }
})
