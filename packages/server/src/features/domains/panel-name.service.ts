import { workerVerb } from '../../worker-verb.ts'
import type { Dependencies } from '../../dependencies.ts'
import { isCertified } from './routes.repository.ts'

/** Whether the proxy has a certificate for PANEL_DOMAIN: from then on the panel is for HTTPS alone, whatever its owner has set for the name. */
export async function isPanelCertified({ config, db }: Pick<Dependencies, 'config' | 'db'>): Promise<boolean> {
  return config.PANEL_DOMAIN !== undefined && isCertified(db, config.PANEL_DOMAIN)
}

/** Whether the proxy is there that serves it. */
export const pingProxy = workerVerb('domains.pingProxy', [], ({ proxy }: Pick<Dependencies, 'proxy'>) => proxy.ping())
