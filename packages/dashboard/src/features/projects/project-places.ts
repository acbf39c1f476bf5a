import type { Schema } from '../../api/client.ts'
import type { Inspection } from './new-project.queries.ts'

export type Place = Omit<Schema<'ProjectPlace'>, 'type'> & { type?: Schema<'ProjectPlace'>['type'] | undefined }

/** Stands for the repository itself in the address of the page, as a value that differs from none. */
export const repositoryItself = '.'

/** Where a project of the repository can lie: as a whole, in a folder that was found, or in the requested one. */
export function placeOptions({
  places,
  rootDirectory,
  dockerfilePath
}: Pick<Inspection, 'places' | 'rootDirectory' | 'dockerfilePath'>): Place[] {
  const whole: Place = { rootDirectory: null, dockerfilePath: null }
  const options = [whole, ...places]
  const isListed = options.some(
    (place) => place.rootDirectory === rootDirectory && place.dockerfilePath === dockerfilePath
  )
  return isListed ? options : [whole, { rootDirectory, dockerfilePath }, ...places]
}
