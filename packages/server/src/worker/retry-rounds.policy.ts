/** Maximum rounds that a failed step is skipped; a full round runs it anyway. */
const maxSkipped = 31

/** Rounds to skip a step after this many consecutive failures (exponential backoff): 0, 1, 3, 7, … */
export const roundsToSkip = (failures: number): number => Math.min(2 ** (failures - 1) - 1, maxSkipped)
