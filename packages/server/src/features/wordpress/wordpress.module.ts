import { z } from 'zod'
import { feature } from '../feature.ts'
import { runImport } from './import.jobs.ts'
import { recoverImports } from './import.reconcile.ts'
import { getImport } from './import-request.service.ts'
import { stagingPrefix } from './import-paths.service.ts'
import { isImportedInto, listSwappingProjects, listWithStaging } from './imports.repository.ts'
import { ensureSiteDatabase, prepareSiteFiles } from './wordpress-site.service.ts'
import { wordpressRoutes } from './wordpress.routes.ts'

const importJob = z.object({ importId: z.string() })

declare module '../../worker/jobs.ts' {
  interface Queues {
    'wordpress.import': z.infer<typeof importJob>
  }
}

export const wordpress = feature({
  name: 'wordpress',
  routes: [wordpressRoutes],
  owners: {
    '/api/projects/:id/wordpress/imports/:importId': ({ db }, userId, { id, importId }) =>
      getImport({ db }, userId, id!, importId!)
  },
  jobs: {
    'wordpress.import': {
      concurrency: 3,
      timeoutSeconds: 24 * 3600 - 1,
      retries: 0,
      data: importJob,
      run: (deps, { importId }, { lease, signal }) => runImport(deps, lease.workerId, importId, signal)
    }
  },
  staging: [
    {
      folder: '',
      prefix: stagingPrefix,
      listKept: async (db) => (await listWithStaging(db)).map((id) => `${stagingPrefix}${id}`)
    }
  ],
  // A WordPress with the tables of one site and the files of another offers its installer to visitors.
  project: { listHeld: listSwappingProjects },
  database: {
    deletionProblem: async (trx, id) =>
      (await isImportedInto(trx, id))
        ? 'A WordPress site is being imported into this database. Wait for the import to finish.'
        : undefined
  },
  projectTypes: {
    WORDPRESS: { isWithoutRepository: true, prepare: ensureSiteDatabase, prepareFiles: prepareSiteFiles }
  },
  reconcile: [
    { name: 'wordpress imports', on: { commits: true }, run: (deps, { lease }) => recoverImports(deps, lease) }
  ]
})
