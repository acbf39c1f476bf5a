import type { UptimeReason } from '@panel/contract/uptime-checks'

const reasons: Record<UptimeReason, string> = {
  CONNECTION_LOST: 'the connection ended before there was an answer',
  TIMEOUT: 'there was no answer in time',
  STATUS: 'it answers with an error',
  TEXT_MISSING: 'the text that should be on the page is not there',
  TEXT_PRESENT: 'the text that should not be on the page is there',
  TLS_NAME: 'its certificate is for other names',
  TLS_EXPIRED: 'its certificate has expired',
  TLS_FAILED: 'there is no TLS to be had',
  PROXY_AWAY: 'the proxy did not answer',
  CHECKER_DELAYED: 'it was not asked in time'
}

interface Down {
  url: string
  reason: UptimeReason
  status: number | null
}

/** What its owner is told of a site that went down. */
export const renderDown = ({ url, reason, status }: Down): string =>
  `${url} is down: ${reasons[reason]}${status === null ? '' : ` (${status})`}. Look at the log of its container, or deploy it again.`

/** And when it is back. */
export const renderUp = (url: string): string => `${url} answers as it should again.`
