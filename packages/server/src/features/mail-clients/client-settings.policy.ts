import type { MailServiceSettings } from '@panel/contract/mail-clients'
import type { Config } from '../../config.ts'

export type MailServicePorts = Pick<
  Config,
  'IMAPS_PORT' | 'IMAP_PORT' | 'SUBMISSIONS_PORT' | 'SUBMISSION_PORT' | 'MANAGESIEVE_PORT'
>

/** The server of a domain's mail as a program is to reach it, of each service the best way first. */
export const mailServicesAt = (host: string, ports: MailServicePorts): MailServiceSettings[] => [
  { service: 'IMAP', host, port: ports.IMAPS_PORT, security: 'TLS' },
  { service: 'IMAP', host, port: ports.IMAP_PORT, security: 'STARTTLS' },
  { service: 'SMTP', host, port: ports.SUBMISSIONS_PORT, security: 'TLS' },
  { service: 'SMTP', host, port: ports.SUBMISSION_PORT, security: 'STARTTLS' },
  { service: 'ManageSieve', host, port: ports.MANAGESIEVE_PORT, security: 'STARTTLS' }
]

/** The best way to a service; programs that know one only are told this. */
export const bestOf = (
  services: readonly MailServiceSettings[],
  service: MailServiceSettings['service']
): MailServiceSettings => services.find((each) => each.service === service)!

/**
 * The name by which mail programs reach the server: the domain's own, unless that has no certificate they trust and one of the server's own
 * names has. `trusted` are names and wildcards with such a certificate.
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

/** The names whose certificate is served for a host. */
export const wildcardAndName = (name: string): string[] => [name, `*.${name.slice(name.indexOf('.') + 1)}`]
