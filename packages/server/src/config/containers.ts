import { z } from 'zod'
import { bytes, parsedBy, parseNetworks, port, whole } from './values.ts'

// Addresses of a /20, less the engine's own range and the first few (features/domains/slot-address.policy.ts).
const maxHostPorts = 3_800

/** The engine, the containers of deployments, and the proxy before them. */
export const containerVariables = {
  PROXY_HTTP_PORT: port.default(80),
  PROXY_HTTPS_PORT: port.default(443),
  PROXY_UNLIMITED_SOURCES: z.string().default('').pipe(parsedBy(parseNetworks)),
  DOCKER_SOCKET: z.string().default('/var/run/docker.sock'),
  DEPLOY_PORT_RANGE_START: port.default(8100),
  DEPLOY_PORT_RANGE_END: port.default(8999),
  DEPLOY_MEMORY_LIMIT: z.string().default('128m').pipe(bytes),
  DEPLOY_CPU_LIMIT: z.coerce.number().min(0.01).max(1024).default(1),
  CONTAINER_DISK_LIMIT: z.string().default('2g').pipe(bytes),
  DEPLOY_PIDS_LIMIT: whole(16, 100_000).default(256),
  ACCOUNT_MEMORY_LIMIT: z.string().pipe(bytes).optional(),
  ACCOUNT_CPU_LIMIT: z.coerce.number().min(0.01).max(1024).optional(),
  ACCOUNT_PIDS_LIMIT: whole(16, 1_000_000).optional(),
  DEPLOY_START_TIMEOUT: whole(1, 3600).default(60),
  DEPLOY_DRAIN_SECONDS: whole(0, 3600).default(30),
  KEEP_RELEASES: whole(1, 100).default(3)
}

/** What is wrong with DEPLOY_PORT_RANGE_END next to DEPLOY_PORT_RANGE_START, which are each a port. */
export function portRangeProblem(values: {
  DEPLOY_PORT_RANGE_START: number
  DEPLOY_PORT_RANGE_END: number
}): string | undefined {
  const others = values.DEPLOY_PORT_RANGE_END - values.DEPLOY_PORT_RANGE_START
  if (others < 0) return 'must not be below DEPLOY_PORT_RANGE_START'
  if (others >= maxHostPorts)
    return `must leave at most ${maxHostPorts} ports: each has an address on the proxy network`
  return undefined
}
