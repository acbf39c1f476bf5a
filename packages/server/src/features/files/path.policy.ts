import { posix } from 'node:path'
import type { ErrorCode } from '@panel/contract/errors'

/** What a client's path stands for: names joined by `/`, '' for the root; or why it is refused. */
type TreePath = { path: string; problem?: undefined } | { problem: { code: ErrorCode; message: string } }

/**
 * The checks of a path that need no look at the disk; their order decides the code where several fail. Whatever begins with two dots
 * once it is normalised is forbidden, a name such as `..a` too. A backslash is a character like any other.
 */
export function treePath(requestedPath: string): TreePath {
  if (requestedPath.includes('\0')) return refuse('PATH_INVALID', 'A path has no null byte')
  const path = posix.normalize(requestedPath)
  if (path.startsWith('..')) return refuse('PATH_FORBIDDEN', 'The path leads out of the project')
  if (path.startsWith('/'))
    return refuse('PATH_FORBIDDEN', 'Give the path relative to the project, without a slash before it')
  // As UTF-8 it would be another name, and two such paths the same one.
  if (!path.isWellFormed()) return refuse('PATH_INVALID', 'The path has half a character in it')
  if (path.split('/').some((name) => Buffer.byteLength(name) > maxNameBytes))
    return refuse('PATH_INVALID', `No name in a path is longer than ${maxNameBytes} bytes`)
  return { path: path === '.' || path === './' ? '' : path.replace(/\/$/, '') }
}

const refuse = (code: ErrorCode, message: string) => ({ problem: { code, message } })

// NAME_MAX of Linux.
const maxNameBytes = 255
