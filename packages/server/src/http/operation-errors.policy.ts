import { type ErrorCode, errorStatus } from '@panel/contract/errors'
import type { DescribedRoute } from './openapi.ts'
import { writesOf } from './writes.policy.ts'

/**
 * Every error code that a route may return: its declared `errors` and those derived from its configuration. Sorted by
 * status, then in contract order.
 */
export function operationErrors(route: Pick<DescribedRoute, 'method' | 'url' | 'schema' | 'config'>): ErrorCode[] {
  const codes = new Set<ErrorCode>(route.schema?.errors)
  for (const [applies, ...follow] of rules) if (applies(route)) for (const code of follow) codes.add(code)
  return inOrder.filter((code) => codes.has(code))
}

const inOrder = (Object.keys(errorStatus) as ErrorCode[]).sort((one, other) => errorStatus[one] - errorStatus[other])

type Route = Parameters<typeof operationErrors>[0]
type Rule = readonly [(route: Route) => boolean, ...ErrorCode[]]

const methodOf = ({ method }: Route) => String([method].flat()[0])
const isPublic = ({ config }: Route) => config?.access?.kind === 'public'

const ofMachines: readonly ErrorCode[] = ['CONTAINER_ENGINE_UNAVAILABLE', 'FILES_UNAVAILABLE']

const rules: readonly Rule[] = [
  [() => true, 'VALIDATION_ERROR', 'INTERNAL'],
  [({ config }) => config?.admission !== 'free', 'RATE_LIMITED', 'BUSY', 'STORE_UNAVAILABLE', 'WORKER_UNAVAILABLE'],
  [(route) => !isPublic(route), 'UNAUTHENTICATED', 'ACCOUNT_SUSPENDED', 'FORBIDDEN'],
  [({ config }) => config?.access?.kind === 'role', 'FORBIDDEN_ROLE'],
  [({ schema }) => schema?.params !== undefined, 'NOT_FOUND'],
  // Files and containers of a project are on its machine.
  [({ schema }) => schema?.errors?.some((code) => ofMachines.includes(code)) === true, 'NODE_UNAVAILABLE'],
  [(route) => methodOf(route) !== 'GET', 'MALFORMED_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  [(route) => writesOf(methodOf(route), route.url) !== 'nothing', 'DISK_FULL'],
  [(route) => !isPublic(route) && writesOf(methodOf(route), route.url) === 'files', 'QUOTA_EXCEEDED']
]
