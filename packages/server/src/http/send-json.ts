import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { sendStream } from './send-stream.ts'

/** What is made of a list in one turn of the event loop: about a millisecond of work. */
const sliceLength = 200

/** Sends a list as a JSON array, in slices, so that one of any length keeps nobody waiting for all of it. */
export const sendJsonArray = <T>(reply: FastifyReply, items: readonly T[], view: (item: T) => unknown): Promise<void> =>
  send(reply, items, view, { before: '[', after: ']' })

/** The same as a member of an object. */
export const sendJsonObject = <T>(
  reply: FastifyReply,
  members: object,
  name: string,
  items: readonly T[],
  view: (item: T) => unknown
): Promise<void> => {
  const others = JSON.stringify(members).slice(1, -1)
  const before = `{${others}${others === '' ? '' : ','}${JSON.stringify(name)}:[`
  return send(reply, items, view, { before, after: ']}' })
}

async function send<T>(
  reply: FastifyReply,
  items: readonly T[],
  view: (item: T) => unknown,
  { before, after }: { before: string; after: string }
): Promise<void> {
  void reply.type('application/json; charset=utf-8')
  const sliceFrom = (from: number) =>
    items
      .slice(from, from + sliceLength)
      .map((item) => JSON.stringify(view(item)))
      .join(',')
  if (items.length <= sliceLength) {
    await reply.send(`${before}${sliceFrom(0)}${after}`)
    return
  }
  const slices = async function* () {
    yield before
    for (let from = 0; from < items.length; from += sliceLength) {
      yield `${from === 0 ? '' : ','}${sliceFrom(from)}`
      await setImmediate()
    }
    yield after
  }
  await sendStream(reply, Readable.from(slices(), { objectMode: false }))
}
