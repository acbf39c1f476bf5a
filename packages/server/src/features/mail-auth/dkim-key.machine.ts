import type { DkimKeyStatus } from '@panel/contract/dkim-keys'

/** RETIRED only on request: the server cannot know when the last message signed with the key has arrived. */
const moves = {
  ACTIVE: ['RETIRING'],
  RETIRING: ['RETIRED'],
  RETIRED: []
} as const satisfies Record<DkimKeyStatus, readonly DkimKeyStatus[]>

/** States from which a transition to `target` is allowed, for compare-and-swap updates. */
export const sourcesOf = (target: DkimKeyStatus): DkimKeyStatus[] =>
  (Object.keys(moves) as DkimKeyStatus[]).filter((source) => (moves[source] as readonly string[]).includes(target))
