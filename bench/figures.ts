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
  name: string
  figure: string
  ratio?: number
  aim?: string
}

const rows: Row[] = []

/** Prints one row, and keeps it: what, its figure, and the ratio to the base with the aim. */
export function report(name: string, figure: string, ratio?: { value: number; aim: string }): void {
  console.log(
    `${name.padEnd(44)} ${figure.padStart(14)}${ratio ? `   ${ratio.value.toFixed(2)}x (aim ${ratio.aim})` : ''}`
  )
  rows.push({ name, figure, ...(ratio && { ratio: ratio.value, aim: ratio.aim }) })
}

/** The rows since the last time. */
export function takeRows(): Row[] {
  return rows.splice(0)
}
