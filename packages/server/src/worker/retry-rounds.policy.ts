/** A failed step is skipped for this many rounds at most; a full round runs it all the same. */
const mostSkipped = 31

/** How many rounds to leave a step out after this many failures in a row, so that a part that is absent costs less and less: 0, 1, 3, 7, … */
export const roundsToSkip = (failures: number): number => Math.min(2 ** (failures - 1) - 1, mostSkipped)
