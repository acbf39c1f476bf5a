import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MailQueue } from '../../src/infra/mail-server/mail-queue.ts'

export interface MailQueueEnvironment {
  queue: MailQueue
  /** Queues an undeliverable message and waits for its first attempt. */
  enqueue(sender: string): Promise<void>
  close(): Promise<void>
}

/** Contract of the fake and the real queue. */
export function describeMailQueue(name: string, open: () => Promise<MailQueueEnvironment>): void {
  describe(`mail queue: ${name}`, () => {
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
    const stateOf = async (id: string) => (await queue.find(id))?.queue

    test('is listed oldest first with the reason', async () => {
      const { messages, total } = await queue.list(100)
      expect([messages.map(({ sender }) => sender), total]).toEqual([['ann@one.test', 'ben@one.test'], 2])
      for (const { recipients, recipientCount, bytes, queue: state } of messages) {
        expect(recipientCount).toBe(1)
        expect(recipients).toEqual([{ address: expect.stringContaining('@'), reason: expect.stringMatching(/\w/) }])
        expect([bytes > 0, state]).toEqual([true, 'deferred'])
      }
    })

    test('reports that there are more', async () => {
      const { messages, total } = await queue.list(1)
      expect([messages.map(({ sender }) => sender), total]).toEqual([['ann@one.test'], 2])
    })

    test('filters lists and counts', async () => {
      const { messages, total } = await queue.list(1, ({ sender }) => sender.startsWith('ben'))
      expect([messages.map(({ sender }) => sender), total]).toEqual([['ben@one.test'], 1])
    })

    test('a message is held, released, retried and deleted', async () => {
      const [id, other] = (await list()).map((message) => message.id) as [string, string]
      expect(await queue.find(id)).toEqual({ queue: 'deferred', sender: 'ann@one.test' })
      expect(await queue.hold(id)).toBe(true)
      expect(await queue.hold(id)).toBe(false)
      await queue.flush(id)
      expect(await stateOf(id)).toBe('hold')
      expect((await list()).map((message) => [message.id, message.queue])).toEqual([
        [id, 'hold'],
        [other, 'deferred']
      ])
      expect(await queue.release(id)).toBe(true)
      expect(await stateOf(id)).not.toBe('hold')
      expect(await queue.release(id)).toBe(false)
      await queue.flush(id)
      await queue.flushAll()
      expect(await queue.delete(id)).toBe(true)
      expect(await queue.delete(id)).toBe(false)
      expect(await queue.find(id)).toBeUndefined()
      expect((await list()).map((message) => message.id)).toEqual([other])
    })

    test.each(['ALL', '-', '-d', '', '../x', 'AB35826644F', '4jWdh75MSBzLxKl'])(
      'an unknown message: %j',
      async (id) => {
        expect(await queue.delete(id)).toBe(false)
        expect(await queue.hold(id)).toBe(false)
        expect(await queue.release(id)).toBe(false)
        expect(await queue.find(id)).toBeUndefined()
        await queue.flush(id)
        expect(await list()).toHaveLength(1)
      }
    )
  })
}
