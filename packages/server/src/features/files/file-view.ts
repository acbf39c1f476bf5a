import { posix } from 'node:path'
import type { FileNode } from '@panel/contract/files'
import type { FoundFile } from '../../infra/file-store/file-store.ts'

export function fileView({ name, path, type, size, mtime, mode }: FoundFile): FileNode {
  return {
    name,
    path,
    type,
    size,
    mtime: timeOf(mtime).toISOString(),
    extension: type === 'file' ? posix.extname(name).slice(1).toLowerCase() : '',
    mode: mode.toString(8).padStart(4, '0')
  }
}

/** The epoch if the file's mtime is outside the range of Date. */
export const timeOf = (mtime: Date): Date => (Number.isNaN(mtime.getTime()) ? new Date(0) : mtime)
