import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sleepingProgram } from '../../test/fixtures/sleeping-program.fixture.ts'
import { type RunningProgram, stopProgram } from './lifecycle.ts'
import { type ManagedProgram, NothingToStart } from './managed-program.ts'
import { type WatchOptions, type Watch, watchProgram } from './watch.ts'

let directory: string
let program: ManagedProgram
let watch: Watch
let started: RunningProgram[]
let failures: unknown[]
const never = 3600_000

const sleeper = (seconds: string): ManagedProgram =>
  sleepingProgram({ name: 'the sleeper', log: join(directory, 'sleeper.log'), seconds })

const start = (options: WatchOptions, open: () => Promise<ManagedProgram | undefined> = async () => program) => {
  watch = watchProgram(open, {
    onStart: (running) => started.push(running),
    onFailure: (error) => failures.push(error),
    ...options
  })
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watch-'))
})
afterAll(() => rm(directory, { recursive: true }))
afterEach(async () => {
  await watch.stop()
  await stopProgram(program)
  expect((await program.find()).all).toEqual([])
})

function prepare(seconds: string): void {
  program = sleeper(seconds)
  started = []
  failures = []
}

test('a child’s exit is noticed at once', async () => {
  prepare('31536001')
  start({ probeEveryMs: never })
  await expect.poll(() => started.length).toBe(1)
  process.kill(watch.pid()!, 'SIGKILL')
  await expect.poll(() => started.length).toBe(2)
  expect(started.map(({ outcome }) => outcome)).toEqual(['started', 'started'])
})

test('a running program is adopted, and its exit is noticed', async () => {
  prepare('31536002')
  const left = spawn('sleep', ['31536002'], { stdio: 'ignore' })
  await expect.poll(async () => (await program.find()).main).toBe(left.pid)
  start({ probeEveryMs: never })
  await expect.poll(() => started).toEqual([{ pid: left.pid, outcome: 'adopted' }])
  left.kill('SIGKILL')
  await expect.poll(() => started.length).toBe(2)
  expect(watch.pid()).not.toBe(left.pid)
})

test('a stopped main process counts as silent', async () => {
  prepare('31536003')
  start({ probeEveryMs: 20, retryMs: 10 })
  await expect.poll(() => started.length).toBe(1)
  process.kill(watch.pid()!, 'SIGSTOP')
  await expect.poll(() => started.map(({ outcome }) => outcome)).toEqual(['started', 'started'])
})

test('a program with expensive probes is probed rarely, but a stop is noticed', async () => {
  prepare('31536006')
  let probes = 0
  const probe = async () => {
    probes++
    return 'serving' as const
  }
  program = { ...program, probe, probeEveryMs: never }
  start({ probeEveryMs: 5, retryMs: 5 })
  await expect.poll(() => started.length).toBe(1)
  const requested = probes
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(probes).toBe(requested)
  process.kill(watch.pid()!, 'SIGSTOP')
  await expect.poll(() => started.length).toBe(2)
})

test('a program with isLeftWhenSilent is not killed', async () => {
  prepare('31536005')
  let probes = 0
  const probe = async () => {
    if (probes++ > 0) throw new Error('no answer')
    return 'serving' as const
  }
  program = { ...program, probe, isLeftWhenSilent: true }
  start({ probeEveryMs: 10, retryMs: 10, maxUnanswered: 1 })
  await expect.poll(() => started.length).toBe(1)
  process.kill(watch.pid()!, 'SIGSTOP')
  await new Promise((resolve) => setTimeout(resolve, 200))
  process.kill(watch.pid()!, 'SIGCONT')
  expect(started.length).toBe(1)
  process.kill(watch.pid()!, 'SIGKILL')
  probes = 0
  await expect.poll(() => started.length).toBe(2)
})

test('a failed start is retried; NothingToStart is reported once', async () => {
  prepare('31536004')
  let tries = 0
  start({ backOffMs: 1 }, async () => {
    tries++
    throw tries < 3 ? new Error('not yet') : new NothingToStart('never')
  })
  await expect.poll(() => failures).toEqual([new Error('not yet'), new Error('not yet'), new NothingToStart('never')])
  expect(started).toEqual([])
})
