import type { VariableFacts } from './variable-facts.ts'

const suffixes = [
  ['g', 2 ** 30],
  ['m', 2 ** 20],
  ['k', 2 ** 10]
] as const

/** The value as written in `.env`; null if it is not set. */
export function valueText(value: unknown, unit: VariableFacts['unit']): string | null {
  if (value === undefined) return null
  if (value === null) return 'unlimited'
  if (Array.isArray(value)) return value.map(itemText).join(',')
  if (typeof value === 'number' && unit === 'bytes') {
    const suffix = suffixes.find(([, factor]) => value >= factor && value % factor === 0)
    return suffix ? `${value / suffix[1]}${suffix[0]}` : String(value)
  }
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, each]) => `${key}=${String(each)}`)
      .join(',')
  return String(value)
}

const itemText = (item: unknown): string =>
  typeof item === 'object' && item !== null ? Object.values(item).join('@') : String(item)
