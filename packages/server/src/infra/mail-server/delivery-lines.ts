import type { DeliveryEntry } from './delivery-log.ts'

// Parses the Postfix log (postlogd): time in UTC without a year, host, process, text. Most of a line is untrusted:
// addresses, server replies, delivery ids. Lines are therefore matched by process name, which remote parties cannot
// forge, and addresses by Postfix's own grammar, which quotes anything with a special meaning.

const address = String.raw`((?:"(?:[^"\\]|\\[^])*"|[^"<> ,@]*)(?:@[^"<> ,]*)?)`
const queueId = '([0-9A-Za-z]+)'

const prefix = /^([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d) \S+ postfix\/((?:[\w-]+\/)*)([a-z]+)\[\d+\]: /

const delivery = new RegExp(
  `^${queueId}: to=<${address}>, (?:orig_to=<${address}>, )?relay=([^,]*), (?:conn_use=\\d+, )?delay=([\\d.]+), delays=[\\d./]+, ` +
    'dsn=\\d\\.\\d+\\.\\d+, status=([a-z-]+)(?: \\(([^]*)\\))?$'
)
const queued = new RegExp(`^${queueId}: from=<${address}>, size=\\d+, nrcpt=\\d+ \\(queue active\\)$`)
const expired = new RegExp(`^${queueId}: from=<${address}>, status=(?:force-)?expired, returned to sender$`)
const refusal = new RegExp(
  `^(?:NOQUEUE|${queueId}): (?:milter-)?reject: [A-Z-]+ from (\\S+): ((?:\\d{3} )?([45])\\.[^]*)$`
)
// Matched from the end: the text before contains the recipient as the client gave it.
const refusalEnd = new RegExp(`; from=<${address}>(?: to=<${address}>)? proto=\\w+ helo=<[^<> ]*>$`)

/** Address verification probes (`deliverable`, `undeliverable`) are skipped. */
const statuses: Readonly<Record<string, DeliveryEntry['status']>> = {
  sent: 'success',
  deferred: 'deferred',
  bounced: 'bounced',
  expired: 'bounced'
}

type LoggedDelivery = Omit<DeliveryEntry, 'at'>
/** Sender of a queue id, from the `queue active` line of each attempt. */
type Sender = { queueId: string; sender: string }
type Reader = (text: string) => LoggedDelivery | Sender | undefined

const readDelivery: Reader = (text) => {
  const [, id, recipient, originalRecipient, relay, delay, word, reason = ''] = delivery.exec(text) ?? []
  const status = statuses[word ?? '']
  if (status === undefined) return undefined
  return {
    status,
    sender: undefined,
    recipient,
    originalRecipient,
    queueId: id,
    relay: relay === 'none' ? undefined : relay,
    delaySeconds: Number(delay),
    reason
  }
}

const unknownDelivery = {
  recipient: undefined,
  originalRecipient: undefined,
  queueId: undefined,
  relay: undefined,
  delaySeconds: undefined
}

const readQueue: Reader = (text) => {
  const [, id, sender] = queued.exec(text) ?? []
  if (id !== undefined && sender !== undefined) return { queueId: id, sender }
  const [, lost, giver] = expired.exec(text) ?? []
  if (lost === undefined || giver === undefined) return undefined
  return { ...unknownDelivery, status: 'bounced', queueId: lost, sender: giver, reason: 'expired, returned to sender' }
}

const readRefusal: Reader = (text) => {
  const end = refusalEnd.exec(text)
  const [, id, relay, reason, kind] = (end && refusal.exec(text.slice(0, end.index))) ?? []
  if (!end || reason === undefined) return undefined
  const status = kind === '4' ? 'deferred' : 'rejected'
  return { ...unknownDelivery, status, sender: end[1], recipient: end[2], queueId: id, relay, reason }
}

/** By the process that wrote the line. */
const readers: Readonly<Record<string, Reader>> = {
  smtp: readDelivery,
  lmtp: readDelivery,
  local: readDelivery,
  virtual: readDelivery,
  pipe: readDelivery,
  error: readDelivery,
  discard: readDelivery,
  qmgr: readQueue,
  smtpd: readRefusal,
  cleanup: readRefusal
}

/** Queue id of the second pass of forwarded mail (postfix-config.render.ts). */
const secondPassId = (service: string | undefined, { status, reason }: LoggedDelivery): string | undefined =>
  service === 'forward/' && status === 'success' ? /: queued as (\w+)$/.exec(reason)?.[1] : undefined

/** Deliveries, newest first, from log lines, newest first. Other lines are skipped. */
export function readDeliveries(lines: Iterable<string>, now: Date): DeliveryEntry[] {
  const entries: DeliveryEntry[] = []
  const senders = new Map<string, string>()
  const firstPasses = new Map<string, LoggedDelivery>()
  const keyOf = (id: string | undefined, recipient: string | undefined) => `${id} ${recipient}`
  let latestTime = now
  for (const line of lines) {
    const [start, month, day, hours, minutes, seconds, service, process] = prefix.exec(line) ?? []
    const delivery = readers[process ?? '']?.(line.slice(start!.length))
    if (!delivery) continue
    if (!('status' in delivery)) {
      senders.set(delivery.queueId, delivery.sender)
      continue
    }
    const passedOn = secondPassId(service, delivery)
    if (passedOn !== undefined) {
      firstPasses.set(keyOf(passedOn, delivery.recipient), delivery)
      continue
    }
    const at = timeBefore(latestTime, `${day} ${month}`, `${hours}:${minutes}:${seconds}`)
    if (!at) continue
    entries.push({ at, ...delivery })
    latestTime = at
  }
  return entries.map((entry) => {
    const first = firstPasses.get(keyOf(entry.queueId, entry.recipient))
    const { queueId, originalRecipient } = first ?? entry
    return { ...entry, originalRecipient, sender: entry.sender ?? senders.get(queueId ?? '') }
  })
}

/** Tolerates clocks that were set back by up to a day. */
const dayMs = 86_400_000

/** The latest year in which the time is not after `latestTime`. */
function timeBefore(latestTime: Date, day: string, time: string): Date | undefined {
  const latest = latestTime.getTime() + dayMs
  // February 29 occurs at least every eighth year.
  for (let year = new Date(latest).getUTCFullYear(), tries = 0; tries <= 8; year--, tries++) {
    const at = new Date(`${day} ${year} ${time} UTC`)
    if (at.getTime() <= latest && Number(day.slice(0, 2)) === at.getUTCDate()) return at
  }
  return undefined
}
