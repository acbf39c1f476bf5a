import type { Labels } from './container-engine.ts'

/** The engine's `label` filter. An empty filter would match foreign objects, so it throws TypeError. */
export function labelFilters(labels: Labels): string[] {
  const entries = Object.entries(labels)
  if (entries.length === 0) throw new TypeError('A list of engine objects needs at least one label')
  return entries.map(([key, value]) => `${key}=${value}`)
}

/** Checked on every response, because compatible engines filter less exactly. */
export const hasLabels = (found: Labels | null | undefined, wanted: Labels): boolean =>
  Object.entries(wanted).every(([key, value]) => found?.[key] === value)
