import { expect, test } from 'vitest'
import { createThreadPool } from './thread-pool.ts'

type Request = 'echo' | 'throw'

const script = new URL('../../test/fixtures/echo.worker.ts', import.meta.url)

test('a pool reuses threads, replaces a failed one, and delays a key by at most one job of another', async () => {
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

test('a pool refuses work when the key’s queue is full', async () => {
  const pool = createThreadPool<Request, number>(script, { what: 'echoes', waiting: 1, answerWithinMs: 30_000 })
  const all = [pool.run('a', 'echo'), pool.run('a', 'echo')]
  await expect(pool.run('a', 'echo')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(await Promise.all(all)).toEqual([1, 2])
})
