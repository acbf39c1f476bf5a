import { AppError } from '../../errors.ts'
import { treePath } from './path.policy.ts'
import { isProtectedName } from './protected-name.policy.ts'

/** The path that a client names, to look at; '' is the root. */
export function pathToRead(requestedPath: string): string {
  const result = treePath(requestedPath)
  if (result.problem) throw new AppError(result.problem.code, result.problem.message)
  return result.path
}

/** One in the project, to copy: who may read it has it anyway, so that protected names are as any other. */
export function pathToCopy(requestedPath: string): string {
  const path = pathToRead(requestedPath)
  if (path === '')
    throw new AppError('PATH_INVALID', 'Name a file or a directory in the project; this is the project itself')
  return path
}

/** One that it wants to make, change or remove: not the root, and no protected name in it. What it leads to, the tree looks at. */
export function pathToChange(requestedPath: string): string {
  const path = pathToCopy(requestedPath)
  refuseProtected(path)
  return path
}

/** A directory that something is put into. */
export function directoryToChange(requestedPath: string): string {
  const path = pathToRead(requestedPath)
  refuseProtected(path)
  return path
}

function refuseProtected(path: string): void {
  const name = path.split('/').find(isProtectedName)
  if (name !== undefined)
    throw new AppError(
      'PATH_PROTECTED',
      `The file manager does not change ${name}: it may hold secrets. Use the environment variables or SFTP.`
    )
}
