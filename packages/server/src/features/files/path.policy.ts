import { posix } from 'node:path'
import type { ErrorCode } from '@panel/contract/errors'

type TreePath = { path: string; problem?: undefined } | { problem: { code: ErrorCode; message: string } }

/** The order of the checks decides the error code. `..a` is forbidden too; a backslash is an ordinary character. */
export function treePath(requestedPath: string): TreePath {
  if (requestedPath.includes('\0')) return refuse('PATH_INVALID', 'The path contains a NUL byte')
  const path = posix.normalize(requestedPath)
  if (path.startsWith('..')) return refuse('PATH_FORBIDDEN', 'The path points outside the project')
  if (path.startsWith('/'))
    return refuse('PATH_FORBIDDEN', 'The path must be relative to the project, without a leading slash')
  // Encoding as UTF-8 would map different lone surrogates to the same name.
  if (!path.isWellFormed()) return refuse('PATH_INVALID', 'The path contains an unpaired surrogate')
  if (path.split('/').some((name) => Buffer.byteLength(name) > maxNameBytes))
    return refuse('PATH_INVALID', `A name in the path is longer than ${maxNameBytes} bytes`)
  return { path: path === '.' || path === './' ? '' : path.replace(/\/$/, '') }
}

const refuse = (code: ErrorCode, message: string) => ({ problem: { code, message } })

const maxNameBytes = 255
