import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { findProject } from './projects.repository.ts'

/**
 * Idempotent; a failing step fails the job, which is retried. What is on a machine that does not respond is left for a later
 * attempt. Ends when the project comes back from a backup.
 */
export async function purgeProject(deps: Dependencies, projectId: string, facts: object): Promise<void> {
  let unavailable: unknown
  for (const { project } of deps.features) {
    if (project?.purge === undefined) continue
    if (await findProject(deps.db, projectId)) return
    await project.purge(deps, projectId, facts).catch((error: unknown) => {
      if (!(error instanceof AdapterError && error.kind === 'node-unavailable')) throw error
      unavailable = error
    })
  }
  if (unavailable !== undefined) throw unavailable
}
