import { median, type Row } from './figures.ts'

/** Ratios by the names of their rows. */
export type Ratios = Readonly<Record<string, number>>

export interface Comparison {
  name: string
  /** Undefined where the part did not measure it this time. */
  ratio?: number
  /** Undefined where it is new. */
  recorded?: number
  /** How much worse than recorded, as a share: 0.1 is 10 %. Below zero where it got better. */
  worse: number
}

/** How much worse than recorded a ratio may be. */
export const tolerance = 0.1

/**
 * The ratios to a counterpart measured in the same run. A budget (`<= 1x of 120 MB`) has its limit, and most of them depend on how fast
 * the machine is.
 */
export function comparableRatios(rows: readonly Row[]): Ratios {
  const compared = rows.filter(({ ratio, aim }) => ratio !== undefined && !aim?.includes('x of '))
  const ratios = Object.fromEntries(compared.map(({ name, ratio }) => [name.trim(), Number(ratio!.toFixed(2))]))
  if (Object.keys(ratios).length < compared.length) throw new Error('Two ratios of a part have the same name')
  return ratios
}

/** Each measured ratio beside the recorded one, and the recorded ones that were not measured. */
export function compareRatios(rows: readonly Row[], recorded: Ratios): Comparison[] {
  const measured = comparableRatios(rows)
  const moreIsBetter = new Set(rows.filter(({ aim }) => aim?.startsWith('>=')).map(({ name }) => name.trim()))
  return [...new Set([...Object.keys(measured), ...Object.keys(recorded)])].map((name) => {
    const [now, before] = [measured[name], recorded[name]]
    if (now === undefined || before === undefined) return { name, ratio: now, recorded: before, worse: 0 }
    return { name, ratio: now, recorded: before, worse: (moreIsBetter.has(name) ? before / now : now / before) - 1 }
  })
}

/** One line for the terminal. */
export function comparisonLine({ name, ratio, recorded, worse }: Comparison): string {
  const cell = (value: number | undefined, absent: string) => (value === undefined ? absent : `${value.toFixed(2)}x`).padStart(12) // oxfmt-ignore
  const mark = worse > tolerance ? `   WORSE by ${(worse * 100).toFixed(0)} %` : ''
  return `  ${name.padEnd(52)} ${cell(ratio, 'not measured')}   recorded ${cell(recorded, 'none')}${mark}`
}

/** Of several runs of a part: each row with a ratio as in the run whose ratio is the median, the others as in the last run. */
export function medianRows(runs: readonly (readonly Row[])[]): Row[] {
  return runs.at(-1)!.map((row) => {
    if (row.ratio === undefined) return row
    const same = runs.flatMap((rows) => rows.filter(({ name, ratio }) => name === row.name && ratio !== undefined))
    const middle = median(same.map(({ ratio }) => ratio!))
    return same.find(({ ratio }) => ratio === middle)!
  })
}
