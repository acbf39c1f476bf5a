/** The middle of the values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

/** The value that this share of the values stays at or below. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

export interface Row {
  /** Rows with a ratio have different names within a part: ratios are recorded by name. */
  name: string
  figure: string
  ratio?: number
  aim?: string
}

const rows: Row[] = []

/** Prints and keeps one row: its figure, and the ratio to the base with the aim, such as `<= 2x`, or `<= 1x of 120 MB` for a budget. */
export function report(name: string, figure: string, ratio?: { value: number; aim?: string }): void {
  const compared = ratio ? `   ${ratio.value.toFixed(2)}x${ratio.aim === undefined ? '' : ` (aim ${ratio.aim})`}` : ''
  console.log(`${name.padEnd(44)} ${figure.padStart(14)}${compared}`)
  rows.push({ name, figure, ...(ratio && { ratio: ratio.value, aim: ratio.aim }) })
}

export const reportedRows = (): readonly Row[] => rows
