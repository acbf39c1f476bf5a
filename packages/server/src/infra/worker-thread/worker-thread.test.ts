import { afterEach, expect, test } from 'vitest'
import { openThread, type Thread, WorkerThreadError } from './worker-thread.ts'

type Request = 'echo' | 'throw' | 'spin' | 'fill'

const script = new URL('../../../test/fixtures/echo.worker.ts', import.meta.url)
const open: Thread<Request, number>[] = []
const openEcho = (answerWithinMs = 30_000) => {
  const thread = openThread<Request, number>(script, undefined, { answerWithinMs, maxMemoryMb: 24 })
  open.push(thread)
  return thread
}
afterEach(() => Promise.all(open.splice(0).map((thread) => thread.close())))

test('answers requests in order', async () => {
  const thread = openEcho()
  expect(await Promise.all([thread.ask('echo'), thread.ask('echo'), thread.ask('echo')])).toEqual([1, 2, 3])
})

test.each<[string, Request, number]>([
  ['throws', 'throw', 30_000],
  ['does not answer', 'spin', 5_000],
  ['takes too much memory', 'fill', 30_000]
])('a thread that %s rejects what waits for it, and what comes after', async (_, request, answerWithinMs) => {
  const thread = openEcho(answerWithinMs)
  // Awaited, because an exception of the thread may arrive before its earlier answer.
  expect(await thread.ask('echo')).toBe(1)
  const answers = await Promise.allSettled([thread.ask(request), thread.ask('echo')])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(thread.ask('echo')).rejects.toThrow(WorkerThreadError)
})
