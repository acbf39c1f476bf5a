import type { Queryable } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import { getOwnProject, type ProjectRow } from '../projects/project-access.ts'

/** Returns the caller's WordPress project. 404 if absent, 403 if not the caller's, NOT_WORDPRESS for other types. */
export async function getOwnSite(db: Queryable, projectId: string, userId: string): Promise<ProjectRow> {
  const project = await getOwnProject(db, projectId, userId)
  if (project.type !== 'WORDPRESS')
    throw new AppError('NOT_WORDPRESS', 'This project is not a WordPress site. Create a project of type WORDPRESS.')
  return project
}

/** Per process: each dump loads the disk and the database server. Sending the archive afterwards does not count. */
export const dumpLimit = createConcurrencyLimit({ total: 2, perKey: 1, what: 'exports' })

/** Per process: each upload takes disk space and an open file for as long as the client takes. */
export const importUploadLimit = createConcurrencyLimit({ total: 16, perKey: 2, what: 'imports' })
