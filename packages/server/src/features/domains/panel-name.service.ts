import { webmailHostname } from '../../config/mail.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Route } from '../../infra/reverse-proxy/reverse-proxy.ts'
import { webmailEndpoint } from '../../infra/webmail/webmail.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { isCertified } from './routes.repository.ts'

/** Whether PANEL_DOMAIN has a certificate; from then on the panel is HTTPS-only, whatever the domain's settings. */
export async function isPanelCertified({ config, db }: Pick<Dependencies, 'config' | 'db'>): Promise<boolean> {
  return config.PANEL_DOMAIN !== undefined && isCertified(db, config.PANEL_DOMAIN)
}

/** Hostnames of the panel itself, even if an administrator added them as domains for their certificates. */
export const ownHostnames = (config: Dependencies['config']): string[] =>
  [config.PANEL_DOMAIN, webmailHostname(config)].filter((name) => name !== undefined)

export async function ownRoute(
  { config, db, network }: Pick<Dependencies, 'config' | 'db' | 'network'>,
  hostname: string
): Promise<Route> {
  if (hostname !== webmailHostname(config))
    return { hostname, target: { kind: 'panel' }, forceHttps: await isCertified(db, hostname) }
  // No passwords in plain text; until there is a certificate, browsers warn about the proxy's default one.
  return { hostname, target: { kind: 'container', ...webmailEndpoint(await network()) }, forceHttps: true }
}

export const pingProxy = workerVerb('domains.pingProxy', [], ({ proxy }: Pick<Dependencies, 'proxy'>) => proxy.ping())
