import type { MailServiceSettings } from '@panel/contract/mail-clients'
import type { Config } from '../../config.ts'

export type MailServicePorts = Pick<
  Config,
  'IMAPS_PORT' | 'IMAP_PORT' | 'SUBMISSIONS_PORT' | 'SUBMISSION_PORT' | 'MANAGESIEVE_PORT'
>

/** Connection settings, for each service the most secure first. */
export const mailServicesAt = (host: string, ports: MailServicePorts): MailServiceSettings[] => [
  { service: 'IMAP', host, port: ports.IMAPS_PORT, security: 'TLS' },
  { service: 'IMAP', host, port: ports.IMAP_PORT, security: 'STARTTLS' },
  { service: 'SMTP', host, port: ports.SUBMISSIONS_PORT, security: 'TLS' },
  { service: 'SMTP', host, port: ports.SUBMISSION_PORT, security: 'STARTTLS' },
  { service: 'ManageSieve', host, port: ports.MANAGESIEVE_PORT, security: 'STARTTLS' }
]

/** For formats with one entry per service. */
export const bestOf = (
  services: readonly MailServiceSettings[],
  service: MailServiceSettings['service']
): MailServiceSettings => services.find((each) => each.service === service)!

/**
 * The host name for mail clients: `mail.<domain>` unless only one of the server's own names has a trusted certificate.
 * `trusted`: names and wildcards with a trusted certificate.
 */
export function chooseMailHost(
  domain: string,
  own: readonly string[],
  trusted: ReadonlySet<string>
): { host: string; isTrusted: boolean } {
  const isTrusted = (name: string) => wildcardAndName(name).some((each) => trusted.has(each))
  const names = [`mail.${domain}`, ...own]
  const host = names.find(isTrusted)
  return { host: host ?? names[0]!, isTrusted: host !== undefined }
}

/** Certificate names that cover a host. */
export const wildcardAndName = (name: string): string[] => [name, `*.${name.slice(name.indexOf('.') + 1)}`]
