import type { ClientSettings, MailServiceSettings } from '@panel/contract/mail-clients'
import { mailHostname } from '../../config/mail.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { parseDomainName } from '../domains/hostname.policy.ts'
import { addressOf } from '../mailboxes/mail-address.policy.ts'
import { getOwnMailbox } from '../mailboxes/mailbox-access.ts'
import { refuseWithoutMail } from '../mailboxes/mail-domain-access.ts'
import { renderAppleProfile } from './apple-profile.render.ts'
import { chooseMailHost, mailServicesAt, wildcardAndName } from './client-settings.policy.ts'
import { isMailDomain, listTrustedNames } from './mail-clients.repository.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'now'>

export async function showClientSettings(deps: Deps, userId: string, id: string): Promise<ClientSettings> {
  refuseWithoutMail(deps)
  const address = addressOf(await getOwnMailbox(deps.db, id, userId))
  const domain = domainOf(address)
  const { services, isTrusted } = await servicesOf(deps, domain)
  const query = new URLSearchParams({ emailaddress: address })
  return {
    address,
    username: address,
    services,
    isTrusted,
    automatic: {
      autoconfig: `https://autoconfig.${domain}/mail/config-v1.1.xml?${query}`,
      autodiscover: `https://autodiscover.${domain}/autodiscover/autodiscover.xml`,
      appleProfile: `/api/mailboxes/${id}/apple-profile`
    }
  }
}

export async function makeAppleProfile(
  deps: Deps,
  userId: string,
  id: string
): Promise<{ address: string; profile: string }> {
  refuseWithoutMail(deps)
  const address = addressOf(await getOwnMailbox(deps.db, id, userId))
  const { services } = await servicesOf(deps, domainOf(address))
  return { address, profile: renderAppleProfile({ id, address }, services) }
}

/** Public. Never reads mailboxes, so that addresses cannot be enumerated. */
export async function findDomainSettings(
  deps: Deps,
  domain: string
): Promise<{ domain: string; services: MailServiceSettings[] }> {
  const parsed = parseDomainName(domain)
  if (!deps.config.MAIL || 'problem' in parsed || !(await isMailDomain(deps.db, parsed.hostname)))
    throw new AppError('NOT_FOUND', 'This server does not host mail for the domain')
  return { domain: parsed.hostname, services: (await servicesOf(deps, parsed.hostname)).services }
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

export const hasTrustedCertificate = async ({ db, now }: Pick<Deps, 'db' | 'now'>, host: string): Promise<boolean> =>
  (await listTrustedNames(db, wildcardAndName(host), now())).size > 0

async function servicesOf(
  { config, db, now }: Deps,
  domain: string
): Promise<{ services: MailServiceSettings[]; isTrusted: boolean }> {
  const own = [mailHostname(config), ...(config.PANEL_DOMAIN === undefined ? [] : [config.PANEL_DOMAIN])]
  const trusted = await listTrustedNames(db, [`mail.${domain}`, ...own].flatMap(wildcardAndName), now())
  const { host, isTrusted } = chooseMailHost(domain, own, trusted)
  return { services: mailServicesAt(host, config), isTrusted }
}
