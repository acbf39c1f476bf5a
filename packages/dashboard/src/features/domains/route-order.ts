import type { Schema } from '../../api/client.ts'

type Domain = Pick<Schema<'Domain'>, 'hostname' | 'pathPrefix' | 'isWildcard'>

/** The last two labels; for grouping only. */
const groupOf = ({ hostname }: Domain): string => hostname.replace(/^\*\./, '').split('.').slice(-2).join('.')

const labels = (hostname: string): number => hostname.split('.').length

/** Matching order: exact hostnames before wildcards, closer wildcards first, longer paths first. */
const inOrder = (a: Domain, b: Domain): number =>
  Number(a.isWildcard) - Number(b.isWildcard) ||
  labels(b.hostname) - labels(a.hostname) ||
  a.hostname.localeCompare(b.hostname) ||
  (b.pathPrefix ?? '').length - (a.pathPrefix ?? '').length ||
  (a.pathPrefix ?? '').localeCompare(b.pathPrefix ?? '')

export function routeOrder<Route extends Domain>(routes: readonly Route[]): [name: string, routes: Route[]][] {
  const groups = new Map<string, Route[]>()
  for (const route of routes) groups.set(groupOf(route), [...(groups.get(groupOf(route)) ?? []), route])
  return [...groups].sort(([a], [b]) => a.localeCompare(b)).map(([name, group]) => [name, group.sort(inOrder)])
}
