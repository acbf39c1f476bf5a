import { z } from 'zod'
import { feature } from '../feature.ts'
import { ailingContainers } from './projects.attention.ts'
import { getOwnProject } from './project-access.ts'
import { listProjectIds, resumeProjectsOf, stopProjectsOf, readProjectCounts } from './projects.repository.ts'
import { projectRoutes } from './projects.routes.ts'
import { deleteProjectRows } from './projects.service.ts'
import { sumSizes } from './project-sizes.repository.ts'
import { purgeProject } from './purge.jobs.ts'
import { sizeToCount } from './size.policy.ts'

// Plus the facts that the features need after the rows are deleted.
const purgeJob = z.looseObject({ projectId: z.string() })

declare module '../../worker/jobs.ts' {
  interface Queues {
    'projects.purge': z.infer<typeof purgeJob>
  }
}

export const projects = feature({
  name: 'projects',
  attention: [ailingContainers],
  routes: [projectRoutes],
  owners: { '/api/projects/:id': ({ db }, userId, { id }) => getOwnProject(db, id!, userId) },
  jobs: {
    'projects.purge': {
      concurrency: 2,
      timeoutSeconds: 600,
      retries: 50,
      data: purgeJob,
      run: (deps, { projectId, ...facts }) => purgeProject(deps, projectId, facts)
    }
  },
  quotas: { maxProjects: { noun: 'projects', count: readProjectCounts } },
  capacity: (config, db, scope) => sumSizes(db, scope, sizeToCount(config, { size: null, instances: 1 })),
  account: {
    async holdings(trx, userId) {
      const ids = await listProjectIds(trx, userId)
      return { audit: { projects: ids }, ...(ids.length > 0 ? { inWords: `${ids.length} projects` } : {}) }
    },
    suspended: async (deps, trx, userId) => stopProjectsOf(trx, userId, deps.now()),
    resumed: async (deps, trx, userId) => resumeProjectsOf(trx, userId, deps.now()),
    async deleted(deps, trx, userId) {
      for (const id of await listProjectIds(trx, userId)) await deleteProjectRows(deps, trx, id)
    }
  }
})
