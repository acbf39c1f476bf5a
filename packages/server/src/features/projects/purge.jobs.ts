import type { Dependencies } from '../../dependencies.ts'

/** Idempotent; a failing step fails the job, which is retried. */
export async function purgeProject(deps: Dependencies, projectId: string, facts: object): Promise<void> {
  for (const { project } of deps.features) await project?.purge?.(deps, projectId, facts)
}
