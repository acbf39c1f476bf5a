import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { stagingRoot } from '../../process/paths.ts'

/** Where an import keeps what it has in hand: a directory of the panel alone, on the file system of the projects. */
export interface StagingPaths {
  /** In the staging directory. */
  name: string
  directory: string
  archive: string
  unpacked: string
  /** The site as it will be put in place, and the one that it takes the place of. */
  site: string
  previous: string
  /** What the exchange has to know, should another process finish it. */
  plan: string
}

export function stagingPaths(config: Pick<Config, 'PROJECTS_DIR'>, importId: string): StagingPaths {
  const name = `import-${importId}`
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

/**
 * Names on the engine, of at most 32 characters and none that a tenant's database may have: of the import's random part. `former`, here
 * and above, since an import that was cut off by an update is finished by the newer version.
 */
export const stagingDatabaseOf = (importId: string): string => `panel_import_${importId.slice(-16)}`
export const previousDatabaseOf = (importId: string): string => `panel_former_${importId.slice(-16)}`
