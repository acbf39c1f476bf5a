import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { stagingRoot } from '../../process/paths.ts'

export const stagingPrefix = 'care-'

/** Of a task, in the staging area, which only the panel can access. */
export function carePaths(config: Pick<Config, 'PROJECTS_DIR'>, taskId: string) {
  const name = `${stagingPrefix}${taskId}`
  const directory = join(stagingRoot(config), name)
  const at = (file: string) => join(directory, file)
  return {
    name,
    directory,
    dump: at('database.sql'),
    /** Of an update: a copy of the site's files. They take the place of the project's in a restore. */
    files: at('files'),
    /** The files that a restore replaced. */
    replaced: at('replaced'),
    /** Of a copy: what the other site has, and the files that it replaced, which take their place again in a restore. */
    copied: at('copied'),
    copiedDump: at('copied.sql'),
    before: at('before')
  }
}

/** At most 32 characters, outside the namespace of tenants. */
export const restoredDatabaseOf = (taskId: string): string => `panel_care_${taskId.slice(-16)}`
export const replacedDatabaseOf = (taskId: string): string => `panel_replaced_${taskId.slice(-16)}`
export const copiedDatabaseOf = (taskId: string): string => `panel_copied_${taskId.slice(-16)}`
