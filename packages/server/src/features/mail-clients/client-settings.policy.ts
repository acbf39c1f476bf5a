import type { MailServiceSettings } from '@panel/contract/mail-clients'
import type { Config } from '../../config.ts'

export type MailServicePorts = Pick<
  Config,
  'IMAPS_PORT' | 'IMAP_PORT' | 'SUBMISSIONS_PORT' | 'SUBMISSION_PORT' | 'MANAGESIEVE_PORT'
>

export const mailServicesAt = (host: string, ports: MailServicePorts): MailServiceSettings[] => [
  { service: 'IMAP', host, port: ports.IMAPS_PORT, security: 'TLS' },
  { service: 'IMAP', host, port: ports.IMAP_PORT, security: 'STARTTLS' },
  { service: 'SMTP', host, port: ports.SUBMISSIONS_PORT, security: 'TLS' },
  { service: 'SMTP', host, port: ports.SUBMISSION_PORT, security: 'STARTTLS' },
  { service: 'ManageSieve', host, port: ports.MANAGESIEVE_PORT, security: 'STARTTLS' }
]

export const bestOf = (
  services: readonly MailServiceSettings[],
  service: MailServiceSettings['service']
): MailServiceSettings => services.find((each) => each.service === service)!

/** `mail.<domain>`, or the server's own name if only that is in `trusted` (names and wildcards). */
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

export const wildcardAndName = (name: string): string[] => [name, `*.${name.slice(name.indexOf('.') + 1)}`]
