import type { Queryable } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { findProject, type ProjectRow } from './projects.repository.ts'

// What other features may ask of the rows.
export {
  findProject,
  findProjectNamed,
  listDeployedProjects,
  listProjectIds,
  lockProject,
  type ProjectRow,
  updateProject
} from './projects.repository.ts'

/**
 * The caller's own project. Absent or deleted is 404, another user's is 403, for an ADMIN as for anyone. Every
 * feature below a project starts here, but for files.
 */
export async function getOwnProject(db: Queryable, id: string, userId: string): Promise<ProjectRow> {
  return ownedBy(await findProject(db, id), userId)
}

/** The same decision on a row that is already loaded, for example under a lock. */
export function ownedBy(project: ProjectRow | undefined, userId: string): ProjectRow {
  if (!project) throw new AppError('NOT_FOUND', 'Project not found')
  if (project.userId !== userId) throw new AppError('FORBIDDEN', 'This project belongs to another account')
  return project
}
