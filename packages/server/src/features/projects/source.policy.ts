import type { ProjectSource, ProjectType } from '@panel/contract/projects'
import { AppError } from '../../errors.ts'

export function checkSource(type: ProjectType, source: ProjectSource | undefined): void {
  if (source === 'FILES' && type !== 'STATIC' && type !== 'PHP')
    throw new AppError('INVALID_TARGET', 'Only projects of the types STATIC and PHP are served from their files.')
}

interface Kept {
  type: ProjectType
  source: ProjectSource
  keepsFiles: boolean
}

export function checkKeepsFiles({ type, source, keepsFiles }: Kept): void {
  if (keepsFiles) return
  if (type === 'WORDPRESS' || type === 'PHP' || source === 'FILES')
    throw new AppError('INVALID_TARGET', 'Sites of the types WORDPRESS and PHP, and sites that are served from their files, keep files.') // oxfmt-ignore
}
