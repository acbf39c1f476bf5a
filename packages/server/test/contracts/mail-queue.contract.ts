import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MailQueue } from '../../src/infra/mail-server/mail-queue.ts'

export interface MailQueueEnvironment {
  queue: MailQueue
  /** Puts a message there that cannot be delivered for now, and waits until it has been tried. */
  enqueue(sender: string): Promise<void>
  close(): Promise<void>
}

/** The same behaviour of the real one and of the fake. */
export function describeMailQueue(name: string, open: () => Promise<MailQueueEnvironment>): void {
  describe(`queue of mail: ${name}`, () => {
    let environment: MailQueueEnvironment
    let queue: MailQueue
    beforeAll(async () => {
      environment = await open()
      queue = environment.queue
      await environment.enqueue('ann@one.test')
      await environment.enqueue('ben@one.test')
    })
    afterAll(() => environment?.close())
    const list = async () => (await queue.list(100)).messages
    const stateOf = async (id: string) => (await list()).find((message) => message.id === id)?.queue

    test('is listed, oldest first, with the reason', async () => {
      const { messages, isCut } = await queue.list(100)
      expect([messages.map(({ sender }) => sender), isCut]).toEqual([['ann@one.test', 'ben@one.test'], false])
      for (const { recipients, bytes, queue: state } of messages) {
        expect(recipients).toEqual([{ address: expect.stringContaining('@'), reason: expect.stringMatching(/\w/) }])
        expect([bytes > 0, state]).toEqual([true, 'deferred'])
      }
    })

    test('more than is asked for is said to be there', async () => {
      const { messages, isCut } = await queue.list(1)
      expect([messages.map(({ sender }) => sender), isCut]).toEqual([['ann@one.test'], true])
    })

    test('a message is held, released, tried and deleted', async () => {
      const [id, other] = (await list()).map((message) => message.id) as [string, string]
      expect(await queue.hold(id)).toBe(true)
      expect(await stateOf(id)).toBe('hold')
      expect(await queue.flush(id)).toBe(false)
      expect(await queue.release(id)).toBe(true)
      expect(await stateOf(id)).not.toBe('hold')
      expect(await queue.release(id)).toBe(false)
      expect(await queue.flush(id)).toBe(true)
      await queue.flushAll()
      expect(await queue.delete(id)).toBe(true)
      expect(await queue.delete(id)).toBe(false)
      expect((await list()).map((message) => message.id)).toEqual([other])
    })

    test.each(['ALL', '-', '-d', '', '../x', 'AB35826644F', '4jWdh75MSBzLxKl'])(
      'what is no message of it: %j',
      async (id) => {
        expect(await queue.delete(id)).toBe(false)
        expect(await queue.hold(id)).toBe(false)
        expect(await queue.release(id)).toBe(false)
        expect(await queue.flush(id)).toBe(false)
        expect(await list()).toHaveLength(1)
      }
    )
  })
}
