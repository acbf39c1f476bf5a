import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { stagingRoot } from '../../process/paths.ts'

/** Staging paths of an import: readable by the panel only, on the same file system as the projects. */
export interface StagingPaths {
  name: string
  directory: string
  archive: string
  unpacked: string
  site: string
  previous: string
  plan: string
}

export const stagingPrefix = 'import-'

export function stagingPaths(config: Pick<Config, 'PROJECTS_DIR'>, importId: string): StagingPaths {
  const name = `${stagingPrefix}${importId}`
  const directory = join(stagingRoot(config), name)
  const at = (file: string) => join(directory, file)
  return {
    name,
    directory,
    archive: at('archive'),
    unpacked: at('unpacked'),
    site: at('site'),
    previous: at('former'),
    plan: at('plan.json')
  }
}

/** At most 32 characters, outside the namespace of tenants. Do not rename: a newer version finishes old imports. */
export const stagingDatabaseOf = (importId: string): string => `panel_import_${importId.slice(-16)}`
export const previousDatabaseOf = (importId: string): string => `panel_former_${importId.slice(-16)}`
