import type { Queryable } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { findProject, type ProjectRow } from './projects.repository.ts'

export { findFreePool, isInScope } from './project-sizes.repository.ts'
export {
  findProject,
  findProjectNamed,
  listDeployedProjects,
  listProjectIds,
  lockProject,
  type ProjectRow,
  updateProject
} from './projects.repository.ts'

/** 404 if it does not exist or is deleted, 403 if it belongs to another account, also for an ADMIN. */
export async function getOwnProject(db: Queryable, id: string, userId: string): Promise<ProjectRow> {
  return ownedBy(await findProject(db, id), userId)
}

export function ownedBy(project: ProjectRow | undefined, userId: string): ProjectRow {
  if (!project) throw new AppError('NOT_FOUND', 'Project not found')
  if (project.userId !== userId) throw new AppError('FORBIDDEN', 'This project belongs to another account')
  return project
}
