import type { ProjectType } from '@panel/contract/projects'
import { AppError } from '../../errors.ts'

export function checkPageCache(type: ProjectType, pageCache: boolean | undefined): void {
  if (pageCache === true && type !== 'WORDPRESS')
    throw new AppError('INVALID_TARGET', 'Only projects of the type WORDPRESS have a page cache.')
}
