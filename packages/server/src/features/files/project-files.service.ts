import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import type { FileTree, TreeOptions } from '../../infra/file-store/file-store.ts'
import { projectDirectory } from '../../process/paths.ts'
import { adaptersOn } from '../nodes/on-machine.service.ts'
import { findUid } from '../users/account-access.ts'
import { findFilesRoot, type FilesRoot } from './files-root.repository.ts'
import { syncProjectDirectories } from './project-directories.service.ts'
import { createWorkerTree, declareTreeVerbs, type ProjectTree } from './worker-tree.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'nodes'>

/** Returns the caller's live project or volume; anything else is 404, where other project routes answer 403. */
export async function getFilesRoot(db: Dependencies['db'], id: string, userId: string): Promise<FilesRoot> {
  const root = await findFilesRoot(db, id)
  if (root?.userId !== userId) throw new AppError('NOT_FOUND', 'Project not found')
  return root
}

export async function openProjectTree(
  deps: Deps & Pick<Dependencies, 'worker'>,
  userId: string,
  id: string
): Promise<{ root: FilesRoot; tree: ProjectTree }> {
  const root = await getFilesRoot(deps.db, id, userId)
  const { worker } = deps
  const tree = worker ? createWorkerTree(treeVerbs, { ...deps, worker }, root.id) : await guardedTree(deps, root)
  return { root, tree }
}

type Root = Pick<FilesRoot, 'id' | 'userId' | 'nodeId' | 'name' | 'filesName'>

const guardedTree = (deps: Deps, root: Root): Promise<FileTree> => projectTree(deps, root, { protects: 'secrets' })

export async function treeOfProject(deps: Deps, id: string): Promise<FileTree> {
  const root = await findFilesRoot(deps.db, id)
  if (!root) throw new AppError('NOT_FOUND', 'Project not found')
  return guardedTree(deps, root)
}

const treeVerbs = declareTreeVerbs(treeOfProject)

/** Opens the files of a live project or volume on its machine and creates its directory if missing. */
export async function projectTree(
  deps: Deps,
  project: Root,
  options: Pick<TreeOptions, 'protects'>
): Promise<FileTree> {
  if (project.filesName !== project.name) await syncProjectDirectories(deps, project.userId)
  const uid = await findUid(deps.db, project.userId)
  if (uid === undefined) throw new AppError('NOT_FOUND', 'Project not found')
  const { fileStore } = await adaptersOn(deps, project.nodeId)
  return fileStore.tree({ root: projectDirectory(deps.config, project.id), uid, ...options })
}
