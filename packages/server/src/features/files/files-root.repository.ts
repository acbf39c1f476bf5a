import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Queryable } from '../../db/database.ts'
import { projects } from '../../db/schema/projects.ts'
import { volumes } from '../../db/schema/volumes.ts'

/** A directory that the file manager shows: of a project, or of one of its volumes. */
export interface FilesRoot {
  id: string
  userId: string
  projectId: string
  nodeId: string
  /** Of the directory. */
  name: string
  filesName: string | null
  volume: { name: string; sizeMb: number; usedBytes: number } | undefined
}

export async function findFilesRoot(db: Queryable, id: string): Promise<FilesRoot | undefined> {
  const [project] = await db
    .select({
      userId: projects.userId,
      nodeId: projects.filesNodeId,
      name: projects.name,
      filesName: projects.filesName
    })
    .from(projects)
    .where(and(eq(projects.id, id), isNull(projects.deletedAt)))
  if (project) return { id, projectId: id, ...project, volume: undefined }
  const [found] = await db
    .select({ volume: volumes, userId: projects.userId, nodeId: projects.filesNodeId, projectName: projects.name })
    .from(volumes)
    .innerJoin(projects, eq(projects.id, volumes.projectId))
    .where(and(eq(volumes.id, id), isNull(volumes.deletedAt), isNull(projects.deletedAt)))
  if (!found) return undefined
  const { volume, userId, nodeId, projectName } = found
  const { projectId, name, filesName, sizeMb, usedBytes } = volume
  return {
    id,
    userId,
    projectId,
    nodeId,
    name: `${projectName}.${name}`,
    filesName,
    volume: { name, sizeMb, usedBytes }
  }
}

/** Until the next measurement. */
export async function addVolumeUse(db: Queryable, id: string, bytes: number): Promise<void> {
  await db
    .update(volumes)
    .set({ usedBytes: sql`${volumes.usedBytes} + ${bytes}` })
    .where(eq(volumes.id, id))
}
