import { StringDecoder } from 'node:string_decoder'
import { Writable } from 'node:stream'
import { z } from 'zod'
import type { QueuedMessage } from './mail-queue.ts'

/** As `postqueue -j` writes each message on a line of its own. */
const QueueLine = z.object({
  queue_name: z.enum(['incoming', 'active', 'deferred', 'hold', 'maildrop', 'corrupt']),
  queue_id: z.string(),
  arrival_time: z.number(),
  message_size: z.number(),
  sender: z.string(),
  recipients: z.array(z.object({ address: z.string(), delay_reason: z.string().optional() }))
})

// Of one line: a message may have thousands of recipients.
const maxLineLength = 4 * 2 ** 20
/** Of one message: who looks at the queue sees why it waits by these. */
const maxRecipients = 100

/** Takes the list of the queue as it comes, however long, and keeps the oldest of those that are wanted. A line that is none is left out. */
export function createQueueReader(limit: number, isWanted: (message: QueuedMessage) => boolean = () => true) {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let kept: QueuedMessage[] = []
  let count = 0
  const take = (line: string) => {
    const message = parseQueueLine(line)
    if (!message || !isWanted(message)) return
    count++
    kept.push(message)
    if (kept.length > 2 * limit) kept = oldest(kept, limit)
  }
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const lines = (rest + decoder.write(chunk)).split('\n')
      rest = lines.pop()!
      if (rest.length > maxLineLength) rest = ''
      lines.forEach(take)
      done()
    }
  })
  return {
    stream,
    result(): { messages: QueuedMessage[]; isCut: boolean } {
      take(rest + decoder.end())
      rest = ''
      return { messages: oldest(kept, limit), isCut: count > limit }
    }
  }
}

/** Undefined of what is no message. */
export function parseQueueLine(line: string): QueuedMessage | undefined {
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
    recipients: data.recipients
      .slice(0, maxRecipients)
      .map(({ address, delay_reason }) => ({ address, reason: delay_reason }))
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Times are those of seconds. A long id begins with one of microseconds, in digits that sort as they count (enable_long_queue_ids).
const oldest = (messages: readonly QueuedMessage[], limit: number): QueuedMessage[] =>
  messages.toSorted((a, b) => a.arrivedAt.getTime() - b.arrivedAt.getTime() || (a.id < b.id ? -1 : 1)).slice(0, limit)
