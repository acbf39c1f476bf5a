import type { ProjectType } from '@panel/contract/projects'
import type { Dependencies } from '../dependencies.ts'
import type { ProjectTypeHooks } from './feature.ts'

/** What a feature does for a type of project; undefined for types that are an image and nothing else. */
export const projectTypeOf = (
  { features }: Pick<Dependencies, 'features'>,
  type: ProjectType
): ProjectTypeHooks | undefined =>
  features.map(({ projectTypes }) => projectTypes?.[type]).find((hooks) => hooks !== undefined)
