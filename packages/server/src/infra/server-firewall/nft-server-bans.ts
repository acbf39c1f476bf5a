import { AdapterError } from '../adapter-error.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { renderAddedBans, renderAllBans } from './bans.render.ts'
import { changeAlone, createNft, createTableHold } from './nft.ts'
import type { ServerBans } from './server-bans.ts'

interface NftServerBans {
  table: string
  bridgePrefix: string
  run: Run
}

/** Every full round of the reconcile loop applies the bans; most servers have none. */
const absenceHoldsMs = 10 * 60_000

/** A table of its own, so that changes to the rules and their rollback leave the bans alone. */
export function createNftServerBans(options: NftServerBans): ServerBans {
  const { table, run } = options
  const nft = createNft(run)
  const hold = createTableHold(table)
  let knownAbsentAt: number | undefined
  const isKnownAbsent = () => knownAbsentAt !== undefined && performance.now() - knownAbsentAt < absenceHoldsMs
  const isLoaded = async () => {
    try {
      return (await nft(['list', 'tables', 'inet'])).split('\n').includes(`table inet ${table}`)
    } catch (error) {
      // Without nft there is nothing to remove.
      const cause = error instanceof AdapterError ? error.cause : undefined
      if (cause instanceof ProcessError && cause.reason === 'missing') return false
      throw error
    }
  }
  return {
    exclusively: (work) => changeAlone(table, work),
    async apply(bans) {
      if (bans.length === 0) {
        if (isKnownAbsent()) return
        if (!(await isLoaded())) {
          knownAbsentAt = performance.now()
          return
        }
      }
      knownAbsentAt = undefined
      await hold()
      await nft(['-f', '-'], renderAllBans(options, bans))
    },
    async add(bans) {
      if (bans.length === 0) return
      knownAbsentAt = undefined
      await hold()
      await nft(['-f', '-'], renderAddedBans(options, bans))
    }
  }
}
