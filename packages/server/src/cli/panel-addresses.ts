import { isIPv6 } from 'node:net'
import type { Config } from '../config.ts'
import { setupPath } from '../features/auth/first-account.policy.ts'
import { publicIpOf } from '../features/domains/public-ip.service.ts'
import type { RunningPanel } from '../server.ts'

/** The URL that opens the panel. */
export const addressOf = (panel: RunningPanel): string =>
  panel.deps.config.PANEL_DOMAIN ? panel.deps.config.API_BASE_URL : `http://localhost:${panel.address.port}`

/**
 * The link that creates the first administrator. The token is in the fragment, which browsers do not send. Names the server by its
 * public address, because most people open the link from another machine.
 */
export function setupLink(panel: RunningPanel, token: string): string {
  const { config } = panel.deps
  const { HOST, API_BASE_URL } = config
  const host = ['0.0.0.0', '::'].includes(HOST) ? publicIpOf(config) : isIPv6(HOST) ? `[${HOST}]` : HOST
  const base = API_BASE_URL.startsWith('http://localhost:') ? `http://${host}:${panel.address.port}` : API_BASE_URL
  return `${base}${setupPath}#${token}`
}

/** The URL that opens a site. */
export function siteUrl(config: Pick<Config, 'PROXY_HTTP_PORT'>, hostname: string): string {
  return `http://${hostname}${config.PROXY_HTTP_PORT === 80 ? '' : `:${config.PROXY_HTTP_PORT}`}`
}
