import { posix } from 'node:path'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { AdapterError, type AdapterErrorKind } from '../../infra/adapter-error.ts'
import type { ProjectTree } from './worker-tree.ts'
import { recordChange } from './change-record.service.ts'
import type { ProjectScope } from './project-scope.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'now'>

/** Each level is one call and one audit entry; thousands of levels would block a request for minutes. */
const maxDepth = 64

/** Creates the missing parent directories of a path. Tolerates concurrent creation. */
export async function makeParents(deps: Deps, scope: ProjectScope, tree: ProjectTree, path: string): Promise<void> {
  const parent = posix.dirname(path)
  if (parent === '.' || (await exists(tree, parent))) return
  const names = parent.split('/')
  if (names.length > maxDepth)
    throw new AppError(
      'PATH_INVALID',
      `The path is more than ${maxDepth} levels deep. Create its first folders separately.`
    )
  for (const at of names.keys()) {
    const above = names.slice(0, at + 1).join('/')
    try {
      await tree.mkdir(above)
    } catch (error) {
      if (isKind(error, 'file-exists')) continue
      throw error
    }
    await recordChange(deps, scope, 'file.directory_created', { path: above })
  }
}

async function exists(tree: ProjectTree, path: string): Promise<boolean> {
  try {
    await tree.stat(path)
    return true
  } catch (error) {
    if (isKind(error, 'file-not-found')) return false
    throw error
  }
}

const isKind = (error: unknown, kind: AdapterErrorKind): boolean => error instanceof AdapterError && error.kind === kind
