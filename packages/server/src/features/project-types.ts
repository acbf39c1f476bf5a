import type { ProjectType } from '@panel/contract/projects'
import type { Dependencies } from '../dependencies.ts'
import type { ProjectTypeHooks } from './feature.ts'

/** The hooks for a project type; undefined for types that are only an image. */
export const projectTypeOf = (
  { features }: Pick<Dependencies, 'features'>,
  type: ProjectType
): ProjectTypeHooks | undefined =>
  features.map(({ projectTypes }) => projectTypes?.[type]).find((hooks) => hooks !== undefined)
