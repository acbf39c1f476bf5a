import { setTimeout as sleep } from 'node:timers/promises'
import { databaseTypes, type DatabaseType } from '@panel/contract/databases'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import type { DatabaseRow } from './databases.repository.ts'

type Deps = Pick<Dependencies, 'databaseServers' | 'logger'>

// `sizeBytes` is optional, so responses wait at most this long, and queries to a hanging engine must not pile up.
const waitMs = 1_000
const sizeQueryLimit = createConcurrencyLimit({ total: 16, perKey: 8, what: 'size queries' })
const none: ReadonlyMap<string, number> = new Map()

export async function readSizes(deps: Deps, rows: readonly DatabaseRow[]): Promise<ReadonlyMap<string, number>> {
  const sizes = await Promise.all(
    databaseTypes.map(async (type) => {
      const ofType = rows.filter((row) => row.type === type)
      const byName = ofType.length === 0 ? none : await sizesWithin(deps, type, ofType)
      return ofType.flatMap(({ id, name }): [string, number][] => {
        const bytes = byName.get(name)
        return bytes === undefined ? [] : [[id, bytes]]
      })
    })
  )
  return new Map(sizes.flat())
}

async function sizesWithin(
  { databaseServers, logger }: Deps,
  type: DatabaseType,
  rows: readonly DatabaseRow[]
): Promise<ReadonlyMap<string, number>> {
  const names = rows.map((row) => row.name)
  const answer = sizeQueryLimit
    .run(type, () => databaseServers[type].sizes(names))
    .catch((error: unknown) => {
      logger.warn({ type, error: messageOf(error) }, 'Could not read database sizes')
      return none
    })
  const timeout = new AbortController()
  try {
    return await Promise.race([answer, sleep(waitMs, none, { signal: timeout.signal })])
  } finally {
    timeout.abort()
  }
}
