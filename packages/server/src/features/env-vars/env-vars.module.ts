import { feature } from '../feature.ts'
import { getOwnEnvGroup } from './env-group-access.ts'
import { deleteEnvGroupsOf, replaceGroupsOfProject } from './env-groups.repository.ts'
import { envGroupRoutes } from './env-groups.routes.ts'
import { brokenReferencesFound } from './env-vars.attention.ts'
import { deleteAllEnvVars } from './env-vars.repository.ts'
import { envVarRoutes } from './env-vars.routes.ts'

export const envVars = feature({
  name: 'env-vars',
  routes: [envVarRoutes, envGroupRoutes],
  owners: { '/api/env-groups/:id': ({ db }, userId, { id }) => getOwnEnvGroup(db, id!, userId) },
  attention: [brokenReferencesFound],
  account: { deleted: (_deps, trx, userId) => deleteEnvGroupsOf(trx, userId) },
  project: {
    // The project row remains, so a foreign key does not detach its groups.
    deleted: (_deps, trx, { id }) => replaceGroupsOfProject(trx, id, []),
    purge: (deps, projectId) => deleteAllEnvVars(deps.db, projectId)
  }
})
