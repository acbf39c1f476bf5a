import { afterEach, expect, test } from 'vitest'
import { createThreadPool, openThread, type Thread, WorkerThreadError } from './worker-thread.ts'

type Request = 'echo' | 'throw' | 'spin' | 'fill'

const script = new URL('../../../test/fixtures/echo.worker.ts', import.meta.url)
const open: Thread<Request, number>[] = []
const openEcho = (answerWithinMs = 30_000) => {
  const thread = openThread<Request, number>(script, undefined, { answerWithinMs, maxMemoryMb: 24 })
  open.push(thread)
  return thread
}
afterEach(() => Promise.all(open.splice(0).map((thread) => thread.close())))

test('a thread answers in the order of the requests', async () => {
  const thread = openEcho()
  expect(await Promise.all([thread.ask('echo'), thread.ask('echo'), thread.ask('echo')])).toEqual([1, 2, 3])
})

test.each<[string, Request, number]>([
  ['throws', 'throw', 30_000],
  ['does not answer', 'spin', 5_000],
  ['takes too much memory', 'fill', 30_000]
])('a thread that %s rejects what waits for it, and what comes after', async (_, request, answerWithinMs) => {
  const thread = openEcho(answerWithinMs)
  const answers = await Promise.allSettled([thread.ask('echo'), thread.ask(request), thread.ask('echo')])
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  await expect(thread.ask('echo')).rejects.toThrow(WorkerThreadError)
})

test('a pool uses a thread again, replaces one that failed, and has one key wait for no more than one piece of work of another', async () => {
  const pool = createThreadPool<Request, number>(script, { what: 'echoes', waiting: 3, answerWithinMs: 30_000 })
  const done: string[] = []
  const run = (key: string, name: string, request: Request = 'echo') =>
    pool.run(key, request).then(
      (served) => done.push(`${name} ${served}`),
      () => done.push(`${name} failed`)
    )
  const refused = pool.run('a', 'echo')
  await Promise.all([run('a', 'a2'), run('a', 'a3', 'throw'), run('a', 'a4'), run('b', 'b1'), refused])
  expect(done).toEqual(['a2 2', 'b1 3', 'a3 failed', 'a4 1'])
})

test('a pool refuses what would wait behind too much of its own', async () => {
  const pool = createThreadPool<Request, number>(script, { what: 'echoes', waiting: 1, answerWithinMs: 30_000 })
  const all = [pool.run('a', 'echo'), pool.run('a', 'echo')]
  await expect(pool.run('a', 'echo')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(await Promise.all(all)).toEqual([1, 2])
})
