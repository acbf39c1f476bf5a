import type { Dependencies } from '../../dependencies.ts'
import { findProject } from './projects.repository.ts'

/** Idempotent; a failing step fails the job, which is retried. Ends when the project comes back from a backup. */
export async function purgeProject(deps: Dependencies, projectId: string, facts: object): Promise<void> {
  for (const { project } of deps.features) {
    if (project?.purge === undefined) continue
    if (await findProject(deps.db, projectId)) return
    await project.purge(deps, projectId, facts)
  }
}
