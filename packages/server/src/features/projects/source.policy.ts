import type { ProjectSource, ProjectType } from '@panel/contract/projects'
import { AppError } from '../../errors.ts'

export function checkSource(type: ProjectType, source: ProjectSource | undefined): void {
  if (source === 'FILES' && type !== 'STATIC' && type !== 'PHP')
    throw new AppError('INVALID_TARGET', 'Only projects of the types STATIC and PHP are served from their files.')
}
