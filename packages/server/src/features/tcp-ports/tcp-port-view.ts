import type { TcpPort } from '@panel/contract/tcp-ports'
import type { Config } from '../../config.ts'
import { tcpPortRange } from '../../config/tcp-ports.ts'
import { publicIpOf } from '../domains/public-ip.service.ts'
import type { ProjectRow } from '../projects/project-access.ts'
import type { TcpPortRow } from './tcp-ports.repository.ts'

type ViewConfig = Pick<Config, 'PANEL_DOMAIN' | 'PUBLIC_IP' | 'SERVER_IP' | 'TCP_PORTS' | 'TCP_TLS_PORT'>

/** `names` are those of the project, for TLS. */
export function tcpPortView(
  config: ViewConfig,
  { id, kind, containerPort, createdAt, ...row }: TcpPortRow,
  { status, liveDeploymentId }: Pick<ProjectRow, 'status' | 'liveDeploymentId'>,
  names: readonly string[]
): TcpPort {
  const publishedPort = kind === 'TLS' ? (config.TCP_TLS_PORT ?? null) : row.publishedPort
  const hosts = kind === 'TLS' ? names : [config.PANEL_DOMAIN ?? publicIpOf(config)]
  return {
    id,
    kind,
    containerPort,
    publishedPort,
    addresses: publishedPort === null ? [] : hosts.map((host) => `${host}:${publishedPort}`),
    isOpen: status === 'ACTIVE' && liveDeploymentId !== null && isServed(config, kind, publishedPort),
    createdAt: createdAt.toISOString()
  }
}

/** An administrator may have changed the range since. */
function isServed(config: ViewConfig, kind: TcpPort['kind'], port: number | null): boolean {
  if (port === null || kind === 'TLS') return port !== null
  const range = tcpPortRange(config)
  return range !== undefined && port >= range.first && port <= range.last
}
