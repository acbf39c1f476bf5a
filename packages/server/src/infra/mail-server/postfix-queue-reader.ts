import { StringDecoder } from 'node:string_decoder'
import { Writable } from 'node:stream'
import { z } from 'zod'
import type { QueuedMessage } from './mail-queue.ts'

const QueueLine = z.object({
  queue_name: z.enum(['incoming', 'active', 'deferred', 'hold', 'maildrop', 'corrupt']),
  queue_id: z.string(),
  arrival_time: z.number(),
  message_size: z.number(),
  sender: z.string(),
  recipients: z.array(z.object({ address: z.string(), delay_reason: z.string().optional() }))
})

/** For messages with very many recipients; the rest of the line is only counted. */
const maxLineLength = 256 * 1024
const maxRecipients = 20

/** Streams a queue listing of any length and keeps the oldest matching messages. Invalid lines are skipped. */
export function createQueueReader(limit: number, isWanted: (message: QueuedMessage) => boolean = () => true) {
  const decoder = new StringDecoder('utf8')
  const line = createLine()
  let kept: QueuedMessage[] = []
  let total = 0
  const take = () => {
    const message = parseQueueLine(...line.take())
    if (!message || !isWanted(message)) return
    total++
    kept.push({ ...message, recipients: message.recipients.slice(0, maxRecipients) })
    if (kept.length > 2 * limit) kept = oldest(kept, limit)
  }
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const [rest, ...next] = decoder.write(chunk).split('\n')
      line.add(rest!)
      for (const text of next) {
        take()
        line.add(text)
      }
      done()
    }
  })
  return {
    stream,
    result(): { messages: QueuedMessage[]; total: number } {
      line.add(decoder.end())
      take()
      return { messages: oldest(kept, limit), total }
    }
  }
}

/** Start of each recipient. Quotes inside JSON strings are escaped, so untrusted text cannot contain it. */
const recipientStart = '{"address"'

function createLine() {
  let text = ''
  let left = 0
  // The end of the last chunk, which may be the beginning of `recipientStart`.
  let edge = ''
  return {
    add(piece: string) {
      const fits = piece.slice(0, Math.max(0, maxLineLength - text.length))
      const over = piece.slice(fits.length)
      text += fits
      if (over === '') return
      if (edge === '') edge = text.slice(1 - recipientStart.length)
      left += (edge + over).split(recipientStart).length - 1
      edge = (edge + over).slice(1 - recipientStart.length)
    },
    /** The line, closed if it was truncated, and the number of omitted recipients. */
    take(): [line: string, recipientsLeft: number] {
      const taken: [string, number] = edge === '' ? [text, 0] : closed(text, left)
      text = edge = ''
      left = 0
      return taken
    }
  }
}

function closed(text: string, left: number): [string, number] {
  const cut = text.lastIndexOf(recipientStart)
  return cut === -1 ? ['', 0] : [`${text.slice(0, cut).replace(/, ?$/, '')}]}`, left + 1]
}

function parseQueueLine(line: string, recipientsLeft: number): QueuedMessage | undefined {
  if (line.trim() === '') return undefined
  const parsed = QueueLine.safeParse(parseJson(line))
  if (!parsed.success) return undefined
  const { data } = parsed
  return {
    id: data.queue_id,
    queue: data.queue_name,
    arrivedAt: new Date(data.arrival_time * 1000),
    bytes: data.message_size,
    sender: data.sender,
    recipients: data.recipients.map(({ address, delay_reason }) => ({ address, reason: delay_reason })),
    recipientCount: data.recipients.length + recipientsLeft
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Arrival times are in whole seconds; long queue ids sort by microsecond.
const oldest = (messages: readonly QueuedMessage[], limit: number): QueuedMessage[] =>
  [...messages].sort((a, b) => a.arrivedAt.getTime() - b.arrivedAt.getTime() || (a.id < b.id ? -1 : 1)).slice(0, limit)
