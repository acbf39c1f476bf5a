import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findProcesses } from './find-processes.ts'
import type { Run } from './process.ts'
import { run } from './run.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'run-'))
})
afterAll(() => rm(directory, { recursive: true }))

const patient = { timeoutMs: 60_000 }
const shell = (script: string, options: Partial<Parameters<Run>[1]> = {}) =>
  run(['sh', '-c', script], { ...patient, ...options })
const isGone = (seconds: string) => expect.poll(async () => (await findProcesses('sleep', seconds)).size).toBe(0)

describe('output', () => {
  test('is returned unchanged, with the given directory and environment', async () => {
    const options = { cwd: directory, env: { GIVEN: 'ä' } }
    expect(await shell('printf "%s\\n" "$GIVEN" "$HOME"; pwd >&2', options)).toEqual({
      stdout: 'ä\n\n',
      stderr: `${directory}\n`
    })
  })

  test('is reported line by line, including an unterminated last line', async () => {
    const lines: string[] = []
    await shell(`printf 'one\\r\\n\\nthr\\303' >&2; sleep 0.05; printf '\\251e' >&2`, {
      onStderrLine: (line) => lines.push(line)
    })
    expect(lines).toEqual(['one', '', 'thrée'])
  })

  test('can be redirected without a limit', async () => {
    const stdout = new PassThrough()
    const [result, message] = await Promise.all([
      shell('head -c 100000 /dev/zero', { stdout, maxOutputBytes: 10 }),
      text(stdout)
    ])
    expect([result.stdout, message.length]).toEqual(['', 100_000])
  })

  test.each(['', '>&2'])('is limited (%s)', async (where) => {
    expect(await shell(`printf 1234 ${where}`, { maxOutputBytes: 4 })).toBeDefined()
    await expect(shell(`printf 12345 ${where}; sleep 31536110`, { maxOutputBytes: 4 })).rejects.toMatchObject({
      reason: 'output-limit'
    })
    await isGone('31536110')
  })
})

describe('input', () => {
  test.each([
    ['a text', () => 'given'],
    ['a stream', () => Readable.from(['gi', 'ven'])]
  ])('%s', async (_, input) => {
    expect((await run(['cat'], { ...patient, input: input() })).stdout).toBe('given')
  })

  test.each([
    ['a text', () => 'x'.repeat(1_000_000)],
    ['a stream', () => Readable.from(Array.from({ length: 100 }, () => 'x'.repeat(10_000)))]
  ])('%s need not be read', async (_, input) => {
    expect((await shell('exec <&-; echo done', { input: input() })).stdout).toBe('done\n')
    expect((await run(['true'], { ...patient, input: input() })).stdout).toBe('')
  })

  test('fails if the input stream breaks off', async () => {
    const broken = Readable.from(
      (async function* () {
        yield 'half'
        throw new Error('the disk is gone')
      })()
    )
    await expect(run(['cat'], { ...patient, input: broken })).rejects.toMatchObject({ reason: 'failed' })
    const destroyed = new PassThrough()
    destroyed.write('half')
    setTimeout(() => destroyed.destroy(), 20)
    await expect(run(['cat'], { ...patient, input: destroyed })).rejects.toMatchObject({ reason: 'failed' })
  })

  test('is empty by default', async () => {
    expect((await run(['cat'], patient)).stdout).toBe('')
  })
})

describe('failures', () => {
  test('a failing program, with its stderr', async () => {
    await expect(shell('echo why >&2; exit 3')).rejects.toMatchObject({
      name: 'ProcessError',
      message: 'sh: exited with 3',
      reason: 'failed',
      exitCode: 3,
      stderr: 'why\n'
    })
    await expect(shell('kill -9 $$')).rejects.toMatchObject({ message: 'sh: exited with a signal', reason: 'failed' })
  })

  test('children of a failing program are killed', async () => {
    await expect(shell('sleep 31536111 >/dev/null 2>&1 & exit 1')).rejects.toMatchObject({ exitCode: 1 })
    await isGone('31536111')
  })

  test('a missing program and invalid arguments', async () => {
    await expect(run(['no-such-program'], patient)).rejects.toMatchObject({ reason: 'missing' })
    await expect(run(['true', '\0'], patient)).rejects.toMatchObject({ reason: 'failed' })
    await expect(run(['/dev/null'], patient)).rejects.toMatchObject({
      message: '/dev/null: could not be started (EACCES)',
      reason: 'not-started'
    })
  })

  test('a timeout kills the whole process group, also a child that holds the output', async () => {
    const limits = { timeoutMs: 200 }
    await expect(shell('sleep 31536112', limits)).rejects.toMatchObject({ reason: 'timeout' })
    await expect(shell('sleep 31536112 &', limits)).rejects.toMatchObject({ reason: 'timeout' })
    await isGone('31536112')
  })

  test('so does an abort, also before the start', async () => {
    const signal = AbortSignal.timeout(100)
    for (let times = 0; times < 2; times++)
      await expect(shell('sleep 31536113', { signal })).rejects.toMatchObject({ reason: 'aborted' })
    await isGone('31536113')
  })
})
