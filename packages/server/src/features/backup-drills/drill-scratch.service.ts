import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { maxVolumes } from '@panel/contract/volumes'
import type { Config } from '../../config.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { DatabaseAccount } from '../../infra/database-server/database-server.ts'
import { removeStaged } from '../../infra/staging/staging.ts'
import { drillFiles, stagingRoot } from '../../process/paths.ts'
import { removeSlotContainer } from '../containers/retire.jobs.ts'
import { findSlot } from '../containers/slot-access.ts'
import type { OnMachine } from '../nodes/on-machine.service.ts'
import type { DrillRow } from './drills.repository.ts'

export const restoredPrefix = 'drill-'

/** `files` and each `volume` are mounted into the container; everything else of the backup stays in `restored`. */
export const scratchPaths = (config: Pick<Config, 'PROJECTS_DIR'>, id: string) => ({
  restored: join(stagingRoot(config), `${restoredPrefix}${id}`),
  files: join(drillFiles(config), id),
  /** Names directly below the directory of drills may only have letters and digits. */
  volume: (index: number) => join(drillFiles(config), `${id}v${index}`)
})

/** The name of a scratch database and of its user: at most 32 characters, and of this drill only. */
const scratchName = (id: string, index: number): string => `drill_${id.slice(-16)}_${index}`

export function scratchAccount(id: string, index: number): DatabaseAccount {
  const name = scratchName(id, index)
  return { database: name, username: name, password: randomBytes(18).toString('base64url') }
}

/** Everything outside the store that a drill made. Idempotent. */
export async function removeScratch(
  deps: Pick<Dependencies, 'config' | 'databaseServers' | 'db' | 'instanceId'> & OnMachine,
  { id, databases }: Pick<DrillRow, 'id' | 'databases'>
): Promise<void> {
  const slot = await findSlot(deps.db, id)
  if (slot) await removeSlotContainer(deps, slot)
  for (const [index, { type }] of databases.entries()) {
    const name = scratchName(id, index)
    await deps.databaseServers[type].drop({ database: name, username: name })
  }
  const { restored, files, volume } = scratchPaths(deps.config, id)
  await removeStaged(restored)
  await removeStaged(files)
  for (let index = 0; index < maxVolumes; index++) await removeStaged(volume(index))
}
