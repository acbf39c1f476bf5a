import { posix } from 'node:path'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { AdapterError, type AdapterErrorKind } from '../../infra/adapter-error.ts'
import type { ProjectTree } from './worker-tree.ts'
import { recordChange } from './change-record.service.ts'
import type { ProjectScope } from './project-scope.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'now'>

/** Each is made by its path from the root and told in the audit log: in one request of two thousand, that would go on for minutes. */
const deepest = 64

/** Makes the directories above a path of the tree that are missing. Somebody else may make them at the same time. */
export async function makeParents(deps: Deps, scope: ProjectScope, tree: ProjectTree, path: string): Promise<void> {
  const parent = posix.dirname(path)
  if (parent === '.' || (await isThere(tree, parent))) return
  const names = parent.split('/')
  if (names.length > deepest)
    throw new AppError(
      'PATH_INVALID',
      `Missing directories are made down to ${deepest} levels; make the first ones of this path on their own`
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

async function isThere(tree: ProjectTree, path: string): Promise<boolean> {
  try {
    await tree.stat(path)
    return true
  } catch (error) {
    if (isKind(error, 'file-not-found')) return false
    throw error
  }
}

const isKind = (error: unknown, kind: AdapterErrorKind): boolean => error instanceof AdapterError && error.kind === kind
