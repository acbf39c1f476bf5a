import { setTimeout as sleep } from 'node:timers/promises'
import { databaseTypes, type DatabaseType } from '@panel/contract/databases'
import { createConcurrencyLimit } from '../../concurrency/concurrency-limit.ts'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import type { DatabaseRow } from './databases.repository.ts'

type Deps = Pick<Dependencies, 'databaseServers' | 'logger'>

// An answer does not wait longer for a member that may be null; and engines that hang do not gather questions of this process.
const waitMs = 1_000
const sizeQueryLimit = createConcurrencyLimit({ total: 16, perKey: 8, what: 'size queries' })
const none: ReadonlyMap<string, number> = new Map()

/** Bytes of each of these databases, by id; those that an engine does not tell within a second are left out. */
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
      logger.warn({ type, error: messageOf(error) }, 'no sizes of databases')
      return none
    })
  const tooLate = new AbortController()
  try {
    return await Promise.race([answer, sleep(waitMs, none, { signal: tooLate.signal })])
  } finally {
    tooLate.abort()
  }
}
