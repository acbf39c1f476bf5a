import type { Schema } from '../../api/client.ts'

type Domain = Pick<Schema<'Domain'>, 'hostname' | 'pathPrefix' | 'isWildcard'>

/** The last two labels: what people think of as one name, nothing that decides. */
const groupOf = ({ hostname }: Domain): string => hostname.replace(/^\*\./, '').split('.').slice(-2).join('.')

const labels = (hostname: string): number => hostname.split('.').length

/** Whole hosts before wildcards, of these the nearer before the further; of one host the longer path before the shorter. */
const inOrder = (a: Domain, b: Domain): number =>
  Number(a.isWildcard) - Number(b.isWildcard) ||
  labels(b.hostname) - labels(a.hostname) ||
  a.hostname.localeCompare(b.hostname) ||
  (b.pathPrefix ?? '').length - (a.pathPrefix ?? '').length ||
  (a.pathPrefix ?? '').localeCompare(b.pathPrefix ?? '')

/** As a request is decided, by the name that they stand below. */
export function routeOrder<Route extends Domain>(routes: readonly Route[]): [name: string, routes: Route[]][] {
  const groups = new Map<string, Route[]>()
  for (const route of routes) groups.set(groupOf(route), [...(groups.get(groupOf(route)) ?? []), route])
  return [...groups].sort(([a], [b]) => a.localeCompare(b)).map(([name, group]) => [name, group.sort(inOrder)])
}
