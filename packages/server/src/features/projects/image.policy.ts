import type { CreateProject, ProjectType } from '@panel/contract/projects'
import { AppError } from '../../errors.ts'

/** An image is what projects of the type IMAGE run, in place of a repository. */
export function checkImage(
  type: ProjectType,
  { gitUrl, image, imageAutoDeploy }: Pick<CreateProject, 'gitUrl' | 'image' | 'imageAutoDeploy'>
): void {
  if (type === 'IMAGE') {
    if (gitUrl != null) throw new AppError('INVALID_TARGET', 'A project of the type IMAGE has no repository.')
    return
  }
  if (image != null || imageAutoDeploy === true)
    throw new AppError('INVALID_TARGET', 'Only projects of the type IMAGE have an image.')
}
