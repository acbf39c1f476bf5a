import { webmailHostname } from '../../config/mail.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Route } from '../../infra/reverse-proxy/reverse-proxy.ts'
import { webmailEndpoint } from '../../infra/webmail/webmail.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { isCertified } from './routes.repository.ts'

/** Whether the proxy has a certificate for PANEL_DOMAIN: from then on the panel is for HTTPS alone, whatever its owner has set for the name. */
export async function isPanelCertified({ config, db }: Pick<Dependencies, 'config' | 'db'>): Promise<boolean> {
  return config.PANEL_DOMAIN !== undefined && isCertified(db, config.PANEL_DOMAIN)
}

/** Names that lead to what is the panel's own, also where an administrator added them as domains, for their certificates. */
export const ownHostnames = (config: Dependencies['config']): string[] =>
  [config.PANEL_DOMAIN, webmailHostname(config)].filter((name) => name !== undefined)

/** The route of one of these. */
export async function ownRoute(
  { config, db, network }: Pick<Dependencies, 'config' | 'db' | 'network'>,
  hostname: string
): Promise<Route> {
  if (hostname !== webmailHostname(config))
    return { hostname, target: { kind: 'panel' }, forceHttps: await isCertified(db, hostname) }
  // No password of a mailbox goes in the clear: until there is a certificate, the proxy's own is there, of which browsers warn.
  return { hostname, target: { kind: 'container', ...webmailEndpoint(await network()) }, forceHttps: true }
}

/** Whether the proxy is there that serves it. */
export const pingProxy = workerVerb('domains.pingProxy', [], ({ proxy }: Pick<Dependencies, 'proxy'>) => proxy.ping())
