import { AppError } from '../../errors.ts'
import { treePath } from './path.policy.ts'
import { isProtectedName } from '../../infra/file-store/file-store.ts'

export function pathToRead(requestedPath: string): string {
  const result = treePath(requestedPath)
  if (result.problem) throw new AppError(result.problem.code, result.problem.message)
  return result.path
}

/** Must not be the root. Protected names are allowed: a user with read access can copy the file anyway. */
export function pathToCopy(requestedPath: string): string {
  const path = pathToRead(requestedPath)
  if (path === '') throw new AppError('PATH_INVALID', 'This path is the project root. Specify a file or folder in it.')
  return path
}

/** Not the root, no protected name. The file tree checks where links point. */
export function pathToChange(requestedPath: string): string {
  const path = pathToCopy(requestedPath)
  refuseProtected(path)
  return path
}

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
      `The file manager does not change ${name}, because it may contain secrets. Use environment variables or SFTP.`
    )
}
