import { rm } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import type { Dependencies } from '../../dependencies.ts'
import { deployments } from '../../db/schema/deployments.ts'
import { projects } from '../../db/schema/projects.ts'
import { users } from '../../db/schema/users.ts'
import { label } from '../../infra/container-engine/labels.ts'
import { childrenFirst } from '../builds/image-cleanup.policy.ts'
import { listSlots } from '../containers/container-slots.repository.ts'
import { removeVolumes } from '../containers/containers.service.ts'
import { removeSlotContainer } from '../containers/retire.ts'
import { applyRemoval, type Removal } from '../domains/domain-removal.ts'
import { deleteAllEnvVars } from '../env-vars/env-vars.repository.ts'
import { keyDirectory, workspaceDirectory } from '../git/workspace.ts'

/**
 * Removes what a deleted project leaves outside the store, and its secrets inside. Every step may find its work done already;
 * a step that fails fails the job, which is tried again.
 */
export async function purgeProject(deps: Dependencies, projectId: string, removal: Removal): Promise<void> {
  await applyRemoval(deps, removal)
  for (const slot of await listSlots(deps.db, projectId)) await removeSlotContainer(deps, slot)
  await removeVolumes(deps, projectId)
  await removeFiles(deps, projectId)
  const images = await deps.engine.listImages({ [label.instance]: deps.instanceId, [label.project]: projectId })
  for (const image of childrenFirst(images)) {
    for (const reference of image.tags.length > 0 ? image.tags : [image.id]) await deps.engine.removeImage(reference)
  }
  await deps.db.update(deployments).set({ image: null, imageSpec: null }).where(eq(deployments.projectId, projectId))
  await rm(workspaceDirectory(deps.config, projectId), { recursive: true, force: true })
  await rm(keyDirectory(deps.config, projectId), { recursive: true, force: true })
  await deleteAllEnvVars(deps.db, projectId)
}

/** After the containers, which would go on writing. */
async function removeFiles(deps: Pick<Dependencies, 'db' | 'hostHelper'>, projectId: string): Promise<void> {
  const [project] = await deps.db
    .select({ uid: users.uid, filesName: projects.filesName })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.userId))
    .where(eq(projects.id, projectId))
  if (!project || project.filesName === null) return
  await deps.hostHelper.removeProject(project.uid, projectId)
}
