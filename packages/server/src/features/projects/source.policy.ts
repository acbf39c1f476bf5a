import type { ProjectSource, ProjectType } from '@panel/contract/projects'
import { AppError } from '../../errors.ts'

export function checkSource(type: ProjectType, source: ProjectSource | undefined): void {
  if (source === 'FILES' && type !== 'STATIC')
    throw new AppError('INVALID_TARGET', 'Only projects of the type STATIC are served from their files.')
}
