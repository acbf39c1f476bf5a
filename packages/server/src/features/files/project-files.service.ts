import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { FileTree, TreeOptions } from '../../infra/file-store/file-store.ts'
import { projectDirectory } from '../../paths.ts'
import { findProject, type ProjectRow } from '../projects/project-access.ts'
import { findUid } from '../users/account-access.ts'
import { syncProjectDirectories } from './project-directories.service.ts'
import { isProtectedName } from './protected-name.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'fileStore' | 'hostHelper'>

/** The caller's project and its files. Whatever is not the caller's live project is 404, where other routes of a project say 403. */
export async function openProjectTree(
  deps: Deps,
  userId: string,
  projectId: string
): Promise<{ project: ProjectRow; tree: FileTree }> {
  const project = await findProject(deps.db, projectId)
  if (project?.userId !== userId) throw new AppError('NOT_FOUND', 'There is no such project')
  return { project, tree: await projectTree(deps, project, { isProtected: isProtectedName }) }
}

/** The files of a live project, whose directory is there from then on. */
export async function projectTree(
  deps: Deps,
  project: Pick<ProjectRow, 'id' | 'userId' | 'name' | 'filesName'>,
  options: Pick<TreeOptions, 'isProtected'>
): Promise<FileTree> {
  if (project.filesName !== project.name) await syncProjectDirectories(deps, project.userId)
  const uid = await findUid(deps.db, project.userId)
  if (uid === undefined) throw new AppError('NOT_FOUND', 'There is no such project')
  return deps.fileStore.tree({ root: projectDirectory(deps.config, project.id), uid, ...options })
}
