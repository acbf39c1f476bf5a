import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { projectTree } from '../files/project-files.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'nodes'>

/** Makes the folders that an application expects among the files of its project, before its release command runs. */
export async function makeKeptFolders(
  deps: Deps,
  { id, userId, filesNodeId: nodeId, name }: ProjectRow,
  folders: readonly string[]
): Promise<void> {
  const tree = await projectTree(deps, { id, userId, nodeId, name, filesName: name }, { protects: 'nothing' })
  const paths = folders.flatMap((folder) => {
    const names = folder.split('/')
    return names.map((_, at) => names.slice(0, at + 1).join('/'))
  })
  for (const path of new Set(paths)) {
    await tree.mkdir(path).catch((error: unknown) => {
      if (!(error instanceof AdapterError && error.kind === 'file-exists')) throw error
    })
  }
}
