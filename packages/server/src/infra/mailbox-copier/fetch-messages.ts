import type { FetchMessageObject, ImapFlow } from 'imapflow'
import type { LeftOut } from './mailbox-copier.ts'
import { canonicalFlags } from './message-flags.policy.ts'

export interface WantedMessage {
  uid: number
  /** Bytes, as reported by the source. */
  size: number
}

interface FetchedMessage extends WantedMessage {
  flags: string[]
  receivedAt: Date
  /** Undefined if it no longer exists or is skipped. */
  content: Buffer | undefined
  leftOut?: LeftOut
}

/** Small messages are fetched in batches to save round trips. */
const batchMessages = 50
const batchBytes = 2 * 2 ** 20
const smallBytes = 2 ** 20
/** Chunk size for large messages. */
const partBytes = 2 ** 20

/** Yields each wanted message of the open folder once, in order, whatever the source returns. */
export async function* fetchMessages(
  source: ImapFlow,
  wanted: readonly WantedMessage[],
  maxBytes: number
): AsyncGenerator<FetchedMessage> {
  for (const batch of batchesOf(wanted)) {
    const found = batch.length > 1 ? await fetchTogether(source, batch) : new Map<number, FetchMessageObject>()
    for (const one of batch) {
      const message = found.get(one.uid)
      if (message?.source) yield { ...one, ...factsOf(message), content: message.source }
      else yield await fetchAlone(source, one, maxBytes)
      found.delete(one.uid)
    }
  }
}

function* batchesOf(wanted: readonly WantedMessage[]): Generator<WantedMessage[]> {
  let batch: WantedMessage[] = []
  let bytes = 0
  for (const one of wanted) {
    if (
      batch.length === batchMessages ||
      (batch.length > 0 && bytes + one.size > batchBytes) ||
      one.size > smallBytes
    ) {
      if (batch.length > 0) yield batch
      batch = []
      bytes = 0
    }
    batch.push(one)
    // Large messages get a batch of their own.
    bytes += one.size > smallBytes ? batchBytes : one.size
  }
  if (batch.length > 0) yield batch
}

/** Messages missing in the result are fetched individually. */
async function fetchTogether(
  source: ImapFlow,
  batch: readonly WantedMessage[]
): Promise<Map<number, FetchMessageObject>> {
  const uids = new Set(batch.map(({ uid }) => uid))
  const found = new Map<number, FetchMessageObject>()
  const query = { uid: true, flags: true, internalDate: true, source: true }
  try {
    for await (const message of source.fetch([...uids].join(','), query, { uid: true }))
      if (uids.has(message.uid)) found.set(message.uid, message)
  } catch (error) {
    refuseAllButRefusals(error)
  }
  return found
}

async function fetchAlone(source: ImapFlow, wanted: WantedMessage, maxBytes: number): Promise<FetchedMessage> {
  const none = { ...wanted, flags: [], receivedAt: new Date(), content: undefined }
  const tooLarge = { ...none, leftOut: 'message-too-large' } as const
  if (wanted.size > maxBytes) return tooLarge
  try {
    const message = await source.fetchOne(
      String(wanted.uid),
      { uid: true, flags: true, internalDate: true },
      { uid: true }
    )
    if (!message || message.uid !== wanted.uid) return none
    const content = await download(source, wanted.uid, maxBytes)
    if (content === undefined) return { ...none, leftOut: 'unreadable' }
    return content.length > maxBytes ? tooLarge : { ...wanted, ...factsOf(message), content }
  } catch (error) {
    refuseAllButRefusals(error)
    return { ...none, leftOut: 'unreadable' }
  }
}

/** In chunks; stops just above `maxBytes`. */
async function download(source: ImapFlow, uid: number, maxBytes: number): Promise<Buffer | undefined> {
  const options = { uid: true, chunkSize: partBytes, maxBytes: maxBytes + 1 }
  const { content } = await source.download(String(uid), undefined, options)
  if (!content) return undefined
  const parts: Buffer[] = []
  for await (const part of content as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts)
}

/** Ignores NO and BAD: the message is skipped. Any other error ends the connection. */
function refuseAllButRefusals(error: unknown): void {
  const { responseStatus } = error as { responseStatus?: unknown }
  if (responseStatus !== 'NO' && responseStatus !== 'BAD') throw error
}

const factsOf = ({ flags = new Set(), internalDate }: FetchMessageObject) => ({
  flags: canonicalFlags(flags),
  receivedAt: validDate(internalDate) ?? new Date()
})

/** Undefined for dates that IMAP cannot represent. */
function validDate(date: Date | string | undefined): Date | undefined {
  const found = new Date(date ?? Number.NaN)
  const year = found.getUTCFullYear()
  return year >= 1970 && year <= 9998 ? found : undefined
}
