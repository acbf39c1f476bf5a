import type { Queryable } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import { getOwnProject, type ProjectRow } from '../projects/project-access.ts'

/** The caller's own WordPress: absent is 404, another's 403, another type NOT_WORDPRESS. */
export async function getOwnSite(db: Queryable, projectId: string, userId: string): Promise<ProjectRow> {
  const project = await getOwnProject(db, projectId, userId)
  if (project.type !== 'WORDPRESS')
    throw new AppError('NOT_WORDPRESS', 'This project is not a WordPress; create one with the type WORDPRESS')
  return project
}

/** Per process, as it is memory and connections of this one: each keeps the disk and the database server busy; what is sent afterwards is slow only for who reads it slowly. */
export const dumpLimit = createConcurrencyLimit({ total: 2, perKey: 1, what: 'exports' })

/** Per process, whose open files they are: archives that arrive, for as long as the client takes: each fills the disk. What is done with them is a job. */
export const importUploadLimit = createConcurrencyLimit({ total: 16, perKey: 2, what: 'imports' })
