import type { Queryable } from '../../db/database.ts'
import { listGroupsOfProject } from './env-groups.repository.ts'
import { listEnvVarFacts, listEnvVarsOfGroups } from './env-vars.repository.ts'

export { listEnvVarFacts } from './env-vars.repository.ts'

/** Whether a variable of the project, or of one of its groups, refers to this database or group. */
export async function isReferredTo(db: Queryable, projectId: string, name: string): Promise<boolean> {
  const groups = await listGroupsOfProject(db, projectId)
  const ofGroups = await listEnvVarsOfGroups(db, groups.map(({ id }) => id)) // oxfmt-ignore
  const variables = [...(await listEnvVarFacts(db, { projectId })), ...ofGroups]
  return variables.some(({ references }) => references?.some((reference) => reference.startsWith(`${name}.`)))
}
