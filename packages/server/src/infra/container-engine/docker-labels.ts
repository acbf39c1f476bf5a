import type { Labels } from './container-engine.ts'

/** The engine's `label` filter. Without a label it would match everything, also what is not ours: a programmer's mistake. */
export function labelFilters(labels: Labels): string[] {
  const entries = Object.entries(labels)
  if (entries.length === 0) throw new TypeError('A list of engine objects needs at least one label')
  return entries.map(([key, value]) => `${key}=${value}`)
}

/** Whether an object carries all of `wanted`. Asked again of each answer: compatible engines filter less exactly. */
export const hasLabels = (found: Labels | null | undefined, wanted: Labels): boolean =>
  Object.entries(wanted).every(([key, value]) => found?.[key] === value)
