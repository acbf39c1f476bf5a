import { z } from 'zod'
import { accountNetworkPrefix } from '../net/panel-network.ts'
import { bytes, parsedBy, parseIpv4Network, parseIpv4Networks, parseNetworks, port, whole } from './values.ts'

/** Container engine, project containers and reverse proxy. */
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
  CONTAINER_FILES_LIMIT: whole(1000, 1_000_000_000).default(500_000),
  CONTAINER_DISK_SECONDS: whole(1, 3600).default(60),
  DEPLOY_PIDS_LIMIT: whole(16, 100_000).default(256),
  ACCOUNT_MEMORY_LIMIT: z.string().pipe(bytes).optional(),
  ACCOUNT_CPU_LIMIT: z.coerce.number().min(0.01).max(1024).optional(),
  ACCOUNT_PIDS_LIMIT: whole(16, 1_000_000).optional(),
  DEPLOY_START_TIMEOUT: whole(1, 3600).default(60),
  DEPLOY_DRAIN_SECONDS: whole(0, 3600).default(30),
  KEEP_RELEASES: whole(1, 100).default(3),
  CONTAINER_POOLS: z
    .string()
    .default('')
    .pipe(parsedBy((text) => parseIpv4Networks(text, accountNetworkPrefix))),
  MACHINE_TUNNEL_PORT: port.default(51_820),
  MACHINE_TUNNEL_SUBNET: z
    .string()
    .default('10.83.0.0/24')
    .pipe(parsedBy((text) => parseIpv4Network(text, 29))),
  EGRESS_DENY_PRIVATE: z.stringbool().default(true),
  EGRESS_ALLOW: z.string().default('').pipe(parsedBy(parseNetworks)),
  ALLOW_CONTAINER_SMTP: z.stringbool().default(false)
}

/** Problem of the port range; both ends are valid ports. */
export function portRangeProblem(values: {
  DEPLOY_PORT_RANGE_START: number
  DEPLOY_PORT_RANGE_END: number
}): string | undefined {
  return values.DEPLOY_PORT_RANGE_END < values.DEPLOY_PORT_RANGE_START
    ? 'must not be below DEPLOY_PORT_RANGE_START'
    : undefined
}
