import type pg from 'pg'

/** How many statements a connection keeps planned at most: each takes some tens of kB of its process. */
const maxPlanned = 200
/** A statement of this process is worth it from then on; many, as those with lists of any length, never come again. */
const plannedFrom = 3
/** Of those that came less often, so many are remembered. */
const maxCounted = 1_000

/**
 * Gives the statements that come again and again a name, by which each connection plans them once: to plan one that joins tables takes PostgreSQL
 * longer than to answer it. All connections of a pool share the names.
 */
export function createPlannedStatements(): { planOnce(client: pg.PoolClient): void } {
  const nameOf = createStatementNames()
  return {
    planOnce(client) {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown
      const planned = (statement: unknown, ...rest: unknown[]) =>
        query(hasValues(statement, rest[0]) ? { ...statement, name: nameOf(statement.text) } : statement, ...rest)
      client.query = planned as typeof client.query
    }
  }
}

/** As Drizzle asks. What has a name keeps it, and a statement without values may be several, which cannot be planned together. */
const hasValues = (statement: unknown, values: unknown): statement is { text: string } =>
  typeof statement === 'object' &&
  statement !== null &&
  'text' in statement &&
  typeof statement.text === 'string' &&
  !('name' in statement && statement.name !== undefined) &&
  Array.isArray(values) &&
  values.length > 0

/** Undefined for a statement that is not worth a name, or comes when all are given. */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  return (text) => {
    const name = names.get(text)
    if (name !== undefined || names.size >= maxPlanned) return name
    const count = (counts.get(text) ?? 0) + 1
    counts.delete(text)
    if (count < plannedFrom) {
      counts.set(text, count)
      if (counts.size > maxCounted) counts.delete(counts.keys().next().value!)
      return undefined
    }
    names.set(text, `panel_${names.size}`)
    return names.get(text)
  }
}
