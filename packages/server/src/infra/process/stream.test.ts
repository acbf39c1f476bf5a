import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { spawnStream } from './stream.ts'

const options = { timeoutMs: 60_000, env: {}, maxBytes: 100 }
const sh = (script: string) => ['sh', '-c', script] as const

test('streams the output', async () => {
  expect(await text(spawnStream(sh('echo hello'), options))).toBe('hello\n')
})

test.each<[string, Parameters<typeof spawnStream>[0], object, object]>([
  ['a status', sh('echo half; echo why >&2; exit 3'), {}, { reason: 'failed', exitCode: 3, stderr: 'why\n' }],
  ['too much', ['yes'], {}, { reason: 'output-limit' }],
  ['no such program', ['no-such-program'], {}, { reason: 'missing' }],
  ['one that cannot be started', ['/dev/null'], {}, { reason: 'not-started' }],
  ['a time-out', ['sleep', '60'], { timeoutMs: 50 }, { reason: 'timeout' }],
  ['an abort before', ['sleep', '60'], { signal: AbortSignal.abort() }, { reason: 'aborted' }]
])('%s destroys it', async (_, argv, changes, error) => {
  await expect(text(spawnStream(argv, { ...options, ...changes }))).rejects.toMatchObject(error)
})
