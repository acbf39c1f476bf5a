import { totalmem } from 'node:os'
import { z } from 'zod'
import { ownDomain } from './panel.ts'
import { isHostname } from '../net/hostname.ts'
import { bytes, listOf, mailFrom, parsedBy, parseNetworks, port, whole } from './values.ts'

const onOrOff = z.stringbool({ truthy: ['on', 'true', '1'], falsy: ['off', 'false', '0'] })

export const mailVariables = {
  // The panel's own mail.
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: mailFrom.optional(),
  // The mail servers.
  MAIL: onOrOff.default(true),
  /** Roundcube at webmail.<PANEL_DOMAIN>, if that is set. */
  WEBMAIL: onOrOff.default(true),
  /** Needs about 270 MB, so the default is on with more than 2 GB of memory. */
  MAIL_SPAM_FILTER: onOrOff.default(() => totalmem() > 2 * 2 ** 30),
  SMTP_PORT: port.default(25),
  SUBMISSION_PORT: port.default(587),
  SUBMISSIONS_PORT: port.default(465),
  IMAP_PORT: port.default(143),
  IMAPS_PORT: port.default(993),
  MANAGESIEVE_PORT: port.default(4190),
  /** On loopback only. */
  MAIL_AUTH_PORT: port.default(12345),
  MAIL_QUOTA_PORT: port.default(12346),
  LMTP_PORT: port.default(24),
  MAIL_POLICY_PORT: port.default(12347),
  MAIL_SRS_PORT: port.default(12348),
  MAIL_SRS_REVERSE_PORT: port.default(12349),
  MAIL_FORWARD_PORT: port.default(12350),
  MAIL_MESSAGE_LIMIT: z
    .string()
    .pipe(bytes)
    .default(50 * 2 ** 20),
  /** Recipients per hour. */
  MAIL_HOURLY_MAILBOX: whole(1, 1_000_000).default(300),
  MAIL_HOURLY_DOMAIN: whole(1, 1_000_000).default(1_000),
  MAIL_HOURLY_ACCOUNT: whole(1, 1_000_000).default(2_000),
  /** Query public DNS blocklists. */
  MAIL_SPAM_LOOKUPS: onOrOff.default(true),
  /** Seconds after which a greylisted message is accepted. */
  MAIL_GREYLIST_SECONDS: whole(1, 86_400).default(300),
  /** Days to keep deleted mailboxes. */
  MAILBOX_KEEP_DAYS: whole(0, 365).default(14),
  /** Concurrent mailbox imports. */
  MAILBOX_IMPORTS: whole(1, 20).default(2),
  /** Private addresses that mailbox imports may connect to. */
  MAILBOX_IMPORT_ALLOW: z.string().default('').pipe(parsedBy(parseNetworks)),
  /** Private addresses that notifications may be sent to, also over HTTP and on any port. */
  NOTIFICATION_ALLOW: z.string().default('').pipe(parsedBy(parseNetworks)),
  MAILBOX_IMPORT_CA_FILE: z.string().optional(),
  /** Days to keep DMARC reports. */
  MAIL_REPORTS_KEEP_DAYS: whole(1, 400).default(90),
  /** DNS blocklists to check for this server's addresses (RFC 5782). */
  MAIL_BLOCKLISTS: z
    .string()
    .default('zen.spamhaus.org,bl.spamcop.net,dnsbl.dronebl.org,psbl.surriel.com,dnsbl-1.uceprotect.net')
    .pipe(parsedBy(parseBlocklists))
}

const maxBlocklists = 10

function parseBlocklists(text: string): string[] {
  const zones = listOf(text).map((zone) => zone.toLowerCase().replace(/\.$/, ''))
  const bad = zones.find((zone) => !isHostname(zone) || !zone.includes('.'))
  if (bad !== undefined) throw new Error(`must be zones such as zen.spamhaus.org, not "${bad}"`)
  if (zones.length > maxBlocklists) throw new Error(`must name at most ${maxBlocklists} zones`)
  return [...new Set(zones)]
}

export const mailDefaults = (values: { MAIL_FROM?: string | undefined } & Parameters<typeof ownDomain>[0]) => ({
  MAIL_FROM: values.MAIL_FROM ?? `no-reply@${ownDomain(values)}`
})

/** Hostname in the SMTP greeting. */
export const mailHostname = (config: Parameters<typeof ownDomain>[0]): string => `mail.${ownDomain(config)}`

/** Hostname of the webmail; undefined if there is none. */
export const webmailHostname = (config: {
  MAIL: boolean
  WEBMAIL: boolean
  PANEL_DOMAIN?: string | undefined
}): string | undefined =>
  config.MAIL && config.WEBMAIL && config.PANEL_DOMAIN !== undefined ? `webmail.${config.PANEL_DOMAIN}` : undefined
