import { setTimeout as sleep } from 'node:timers/promises'
import { AdapterError } from '../adapter-error.ts'
import { type ReleaseName, takeName } from '../process/name-lock.ts'
import { ProcessError, type Run } from '../process/process.ts'

const timeoutMs = 10_000
const waitMs = 20_000
const holdMs = 500
const pollMs = 20

/** Runs nft. Rejects with AdapterError `firewall-unavailable`. */
export function createNft(run: Run) {
  return async (args: readonly string[], input?: string): Promise<string> => {
    try {
      const given = input === undefined ? {} : { input }
      return (await run(['nft', ...args], { timeoutMs, env: { LC_ALL: 'C' }, ...given })).stdout
    } catch (cause) {
      if (!(cause instanceof ProcessError)) throw cause
      const says = 'The firewall of the server could not be changed'
      if (cause.reason === 'missing')
        throw new AdapterError('firewall-unavailable', says, { cause, reason: 'nft is not installed' })
      const firstLine = cause.stderr.trim().split('\n')[0]?.slice(0, 300)
      throw new AdapterError('firewall-unavailable', says, { cause, reason: `nft: ${firstLine || cause.message}` })
    }
  }
}

/** The process that holds the lock keeps the table in force (dead-tables.ts). */
export const takeServerTable = (table: string): Promise<ReleaseName | undefined> => takeName(`server-firewall ${table}`)

/** Keeps the lock of a table from the first call on. */
export function createTableHold(table: string): () => Promise<void> {
  let held: ReleaseName | undefined
  // Another panel that looks for dead tables has the lock for a moment. Another process of this panel keeps it.
  return async () => void (held ??= await takeWithin(holdMs, () => takeServerTable(table)))
}

/** Runs one change of a table at a time on this machine, also across processes. */
export async function changeAlone<T>(table: string, work: () => Promise<T>): Promise<T> {
  const release = await takeWithin(waitMs, () => takeName(`server-firewall-change ${table}`))
  if (!release) throw new AdapterError('firewall-unavailable', 'Another firewall change is in progress. Try again.')
  try {
    return await work()
  } finally {
    await release()
  }
}

async function takeWithin(
  limitMs: number,
  take: () => Promise<ReleaseName | undefined>
): Promise<ReleaseName | undefined> {
  for (const deadline = performance.now() + limitMs; ; await sleep(pollMs)) {
    const release = await take()
    if (release || performance.now() > deadline) return release
  }
}
