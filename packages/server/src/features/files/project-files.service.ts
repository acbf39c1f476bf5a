import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { FileTree, TreeOptions } from '../../infra/file-store/file-store.ts'
import { projectDirectory } from '../../process/paths.ts'
import { findProject, type ProjectRow } from '../projects/project-access.ts'
import { findUid } from '../users/account-access.ts'
import { syncProjectDirectories } from './project-directories.service.ts'
import { createWorkerTree, declareTreeVerbs, type ProjectTree } from './worker-tree.ts'
import { isProtectedName } from './protected-name.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'fileStore' | 'hostHelper'>

/** Returns the caller's live project; anything else is 404, where other project routes answer 403. */
export async function getFilesProject(db: Dependencies['db'], projectId: string, userId: string): Promise<ProjectRow> {
  const project = await findProject(db, projectId)
  if (project?.userId !== userId) throw new AppError('NOT_FOUND', 'Project not found')
  return project
}

export async function openProjectTree(
  deps: Deps & Pick<Dependencies, 'worker'>,
  userId: string,
  projectId: string
): Promise<{ project: ProjectRow; tree: ProjectTree }> {
  const project = await getFilesProject(deps.db, projectId, userId)
  const { worker } = deps
  const tree = worker ? createWorkerTree(treeVerbs, { ...deps, worker }, project.id) : await guardedTree(deps, project)
  return { project, tree }
}

type Project = Pick<ProjectRow, 'id' | 'userId' | 'name' | 'filesName'>

const guardedTree = (deps: Deps, project: Project): Promise<FileTree> =>
  projectTree(deps, project, { isProtected: isProtectedName })

export async function treeOfProject(deps: Deps, projectId: string): Promise<FileTree> {
  const project = await findProject(deps.db, projectId)
  if (!project) throw new AppError('NOT_FOUND', 'Project not found')
  return guardedTree(deps, project)
}

const treeVerbs = declareTreeVerbs(treeOfProject)

/** Opens the files of a live project and creates its directory if missing. */
export async function projectTree(
  deps: Deps,
  project: Project,
  options: Pick<TreeOptions, 'isProtected'>
): Promise<FileTree> {
  if (project.filesName !== project.name) await syncProjectDirectories(deps, project.userId)
  const uid = await findUid(deps.db, project.userId)
  if (uid === undefined) throw new AppError('NOT_FOUND', 'Project not found')
  return deps.fileStore.tree({ root: projectDirectory(deps.config, project.id), uid, ...options })
}
