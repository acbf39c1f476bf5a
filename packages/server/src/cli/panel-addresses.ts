import { isIPv6 } from 'node:net'
import type { Config } from '../config.ts'
import { setupPath } from '../features/auth/first-account.policy.ts'
import { publicIpOf } from '../features/domains/public-ip.service.ts'
import type { RunningPanel } from '../server.ts'

export const addressOf = (panel: RunningPanel): string =>
  panel.deps.config.PANEL_DOMAIN ? panel.deps.config.API_BASE_URL : `http://localhost:${panel.address.port}`

/** Setup link. The token is in the fragment, which browsers do not send. */
export function setupLink(panel: RunningPanel, token: string): string {
  const { config } = panel.deps
  const { HOST, API_BASE_URL } = config
  const host = ['0.0.0.0', '::'].includes(HOST) ? publicIpOf(config) : isIPv6(HOST) ? `[${HOST}]` : HOST
  const base = API_BASE_URL.startsWith('http://localhost:') ? `http://${host}:${panel.address.port}` : API_BASE_URL
  return `${base}${setupPath}#${token}`
}

export function siteUrl(config: Pick<Config, 'PROXY_HTTP_PORT'>, hostname: string): string {
  return `http://${hostname}${config.PROXY_HTTP_PORT === 80 ? '' : `:${config.PROXY_HTTP_PORT}`}`
}
