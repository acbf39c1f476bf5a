import type { DkimKeyStatus } from '@panel/contract/dkim-keys'

/** A key is retired by its owner alone: nobody else knows when the last mail that it signed has arrived. */
const moves = {
  ACTIVE: ['RETIRING'],
  RETIRING: ['RETIRED'],
  RETIRED: []
} as const satisfies Record<DkimKeyStatus, readonly DkimKeyStatus[]>

/** The states from which a move to `target` is allowed: what the compare-and-swap compares. */
export const sourcesOf = (target: DkimKeyStatus): DkimKeyStatus[] =>
  (Object.keys(moves) as DkimKeyStatus[]).filter((source) => (moves[source] as readonly string[]).includes(target))
