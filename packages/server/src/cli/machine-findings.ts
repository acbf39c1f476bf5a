import type { Config } from '../config.ts'
import { openDatabase } from '../db/database.ts'
import { findEmbeddedPostgres } from '../db/embedded-postgres.ts'
import { findSetting } from '../db/settings.ts'
import { features } from '../features/index.ts'
import { listMachines } from '../features/nodes/nodes.service.ts'
import { run } from '../infra/process/run.ts'
import { storeDirectory } from '../process/paths.ts'
import type { Finding } from '../programs/finding.ts'
import { messageOf } from '../text/message-of.ts'

/** A row for each added machine, or for each of its problems, from the panel's last check. None while the store is down. */
export async function machineFindings(config: Config): Promise<Finding[]> {
  const url = config.DATABASE_URL ?? (await findEmbeddedPostgres(storeDirectory(config), run))
  if (url === undefined) return []
  const db = openDatabase(url, () => {})
  try {
    const nodeId = (await findSetting(db, 'instance_id')) ?? ''
    const { machines } = await listMachines({ config, db, features, nodeId })
    return machines
      .filter(({ isOwn }) => !isOwn)
      .flatMap(({ name, status, panelVersion, problems }) => {
        const reachable = status === 'ACTIVE' || status === 'PAUSED'
        const row = { part: `Machine ${name}`, found: true, reachable, ...(panelVersion && { version: panelVersion }) }
        return problems.length === 0 ? [row] : problems.map(({ message }) => ({ ...row, remedy: message }))
      })
  } catch (error) {
    // The store of another version, before ./panel up.
    return [{ part: 'Machines', found: false, advice: messageOf(error) }]
  } finally {
    await db.$client.end()
  }
}
