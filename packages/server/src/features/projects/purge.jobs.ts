import type { Dependencies } from '../../dependencies.ts'

/**
 * Has each feature remove what a deleted project leaves outside the store, and its secrets inside. Every step may find its work done
 * already; a step that fails fails the job, which is tried again.
 */
export async function purgeProject(deps: Dependencies, projectId: string, facts: object): Promise<void> {
  for (const { project } of deps.features) await project?.purge?.(deps, projectId, facts)
}
