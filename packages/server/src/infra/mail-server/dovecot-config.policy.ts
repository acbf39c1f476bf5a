import type { MailDirectories, MailPaths } from './mail-paths.ts'
import { mailPaths } from './mail-paths.ts'
import type { MailPorts } from './mail-ports.ts'
import { addressValue, hexValue, hostnameValue, portValue } from './mail-values.ts'

export interface DovecotConfigOptions extends MailDirectories {
  hostname: string
  listen: readonly string[]
  ports: Pick<MailPorts, 'imap' | 'imaps' | 'managesieve' | 'auth' | 'quota' | 'lmtp' | 'policy'>
  /** Authenticates requests to the login policy server; hexadecimal. */
  policyKey: string
  hasFilter?: boolean
  /** IPv4 address of webmail, which may report the addresses of its clients. */
  trusted?: string | undefined
}

/** Validated values, the same in each language of the configuration. */
export interface DovecotPolicy {
  paths: MailPaths
  hostname: string
  listen: readonly string[]
  ports: DovecotConfigOptions['ports']
  policyKey: string
  hasFilter: boolean
  trusted: string | undefined
}

export function dovecotPolicy(options: DovecotConfigOptions): DovecotPolicy {
  const { hasFilter = false, listen, ports, trusted } = options
  if (listen.length === 0) throw new TypeError('Dovecot has no address to listen on')
  Object.values(ports).forEach(portValue)
  return {
    paths: mailPaths(options),
    hostname: hostnameValue(options.hostname),
    listen: listen.map(addressValue),
    ports,
    policyKey: hexValue(options.policyKey),
    hasFilter,
    trusted: trusted === undefined ? undefined : addressValue(trusted)
  }
}

/** Folders created in every mailbox (RFC 6154). */
export const folders = ['Drafts', 'Sent', 'Junk', 'Trash', 'Archive'] as const

/**
 * Explicit, so that updates add none. Excluded: regex (a pattern can block or crash a delivery), enotify (sends mail to
 * anyone), reject (sends arbitrary text to a forged sender).
 */
export const sieveExtensions = [
  'fileinto',
  'envelope',
  'encoded-character',
  'vacation',
  'subaddress',
  'comparator-i;ascii-numeric',
  'relational',
  'copy',
  'imap4flags',
  'date',
  'index',
  'body',
  'variables',
  'mailbox',
  'special-use',
  'duplicate',
  'ihave'
] as const

/** Only for global scripts, not for those of mailboxes. */
export const globalSieveExtensions = ['vnd.dovecot.pipe', 'imapsieve', 'environment'] as const
