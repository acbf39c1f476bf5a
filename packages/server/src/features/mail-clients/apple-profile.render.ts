import { createHash } from 'node:crypto'
import type { MailServiceSettings } from '@panel/contract/mail-clients'
import { type Xml, xml, xmlDocument } from '../../text/xml.ts'
import { bestOf } from './client-settings.policy.ts'

type Value = string | number | boolean | readonly Dictionary[]
interface Dictionary {
  readonly [key: string]: Value
}

/** Contains no password. UUIDs derive from the mailbox id, so that reinstalling replaces the profile. */
export function renderAppleProfile(
  { id, address }: { id: string; address: string },
  services: readonly MailServiceSettings[]
): string {
  const imap = bestOf(services, 'IMAP')
  const smtp = bestOf(services, 'SMTP')
  const account = {
    PayloadType: 'com.apple.mail.managed',
    PayloadVersion: 1,
    PayloadIdentifier: `panel.mail.${id}.account`,
    PayloadUUID: uuidOf(`account ${id}`),
    PayloadDisplayName: address,
    EmailAccountType: 'EmailTypeIMAP',
    EmailAccountDescription: address,
    EmailAddress: address,
    IncomingMailServerAuthentication: 'EmailAuthPassword',
    IncomingMailServerHostName: imap.host,
    IncomingMailServerPortNumber: imap.port,
    IncomingMailServerUseSSL: true,
    IncomingMailServerUsername: address,
    OutgoingMailServerAuthentication: 'EmailAuthPassword',
    OutgoingMailServerHostName: smtp.host,
    OutgoingMailServerPortNumber: smtp.port,
    OutgoingMailServerUseSSL: true,
    OutgoingMailServerUsername: address,
    OutgoingPasswordSameAsIncomingPassword: true
  }
  const profile = {
    PayloadType: 'Configuration',
    PayloadVersion: 1,
    PayloadIdentifier: `panel.mail.${id}`,
    PayloadUUID: uuidOf(`profile ${id}`),
    PayloadDisplayName: `Mail of ${address}`,
    PayloadDescription: `Sets up the mailbox ${address}.`,
    PayloadContent: [account]
  }
  return xmlDocument(
    xml`${doctype}<plist version="1.0">
${plistValue(profile)}
</plist>`
  )
}

const doctype = xml`<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
`

function plistValue(value: Value | Dictionary): Xml {
  if (typeof value === 'string') return xml`<string>${value}</string>`
  if (typeof value === 'number') return xml`<integer>${value}</integer>`
  if (typeof value === 'boolean') return value ? xml`<true/>` : xml`<false/>`
  if (Array.isArray(value)) return xml`<array>${(value as readonly Dictionary[]).map(plistValue)}</array>`
  const members = Object.entries(value as Dictionary).map(
    ([key, member]) => xml`
<key>${key}</key>${plistValue(member)}`
  )
  return xml`<dict>${members}
</dict>`
}

/** UUIDv8 (RFC 9562 §5.8). */
function uuidOf(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex').toUpperCase()
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
