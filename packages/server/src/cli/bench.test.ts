import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { compareRatios, comparableRatios, medianRows } from '../../../../bench/compare.ts'
import { runInProcess, runParts } from '../../../../bench/run-parts.ts'
import { isAlive } from '../infra/process/signal.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bench-parts-'))
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(directory, { recursive: true })
})

async function runPrograms(programs: Readonly<Record<string, string>>) {
  const rows = new Map<string, unknown>()
  const failures = await runParts(Object.keys(programs), async (name) => {
    const script = join(directory, `${name}.mjs`)
    await writeFile(script, programs[name]!)
    rows.set(name, await runInProcess(script, []))
  })
  return { rows: Object.fromEntries(rows), failures: Object.fromEntries(failures) }
}

const reports = (row: string) => `process.send({ rows: [{ name: '${row}', figure: '1 ms' }] }, () => process.exit(0));`

test.each([
  ['says why it failed', `process.send({ failure: 'a step: why' }, () => process.exit(1))`, 'a step: why'],
  [
    'has an error that nothing catches',
    `process.send({ step: 'a step' }, () => { throw new Error('uncaught') })`,
    'a step: the process ended with exit status 1'
  ],
  ['is killed', `process.send({ step: 'a step' }, () => process.kill(process.pid, 'SIGKILL'))`, /^a step: .*SIGKILL/],
  ['ends without figures', `process.send({ step: 'a step' }, () => process.exit(0))`, /^a step: /]
])('a part that %s is reported with its step, and the next one runs', async (_, program, failure) => {
  const { rows, failures } = await runPrograms({ first: program, second: reports('a row') })
  expect(failures).toEqual({ first: typeof failure === 'string' ? failure : expect.stringMatching(failure) })
  expect(rows).toEqual({ second: [{ name: 'a row', figure: '1 ms' }] })
})

test('processes left by a crashed part are killed', async () => {
  const { failures } = await runPrograms({
    first: `import { spawn } from 'node:child_process'
      const { pid } = spawn('sleep', ['1000'], { stdio: 'ignore' })
      process.send({ failure: String(pid) }, () => process.exit(1))`
  })
  await expect.poll(() => isAlive(Number(failures.first))).toBe(false)
})

test('an interrupt ends a waiting part', async () => {
  const interrupted = new AbortController()
  const script = join(directory, 'waits.mjs')
  await writeFile(script, 'setInterval(() => {}, 1_000)')
  const run = runInProcess(script, [], interrupted.signal)
  interrupted.abort()
  await expect(run).rejects.toThrow('SIGTERM')
})

const row = (name: string, ratio?: number, aim?: string) => ({ name, figure: '', ratio, aim })

test('ratios are compared with the recorded ones in the right direction', () => {
  const rows = [row('time', 1.2, '<= 2x'), row('speed', 0.8, '>= 0.8x'), row('no aim', 3), row('new', 1), row('figure')]
  const worse = compareRatios(rows, { time: 1, speed: 1, 'no aim': 3.3, gone: 2 }).map((each) => ({
    ...each,
    worse: Math.round(each.worse * 100) / 100
  }))
  expect(worse).toEqual([
    { name: 'time', ratio: 1.2, recorded: 1, worse: 0.2 },
    { name: 'speed', ratio: 0.8, recorded: 1, worse: 0.25 },
    { name: 'no aim', ratio: 3, recorded: 3.3, worse: -0.09 },
    { name: 'new', ratio: 1, recorded: undefined, worse: 0 },
    { name: 'gone', ratio: undefined, recorded: 2, worse: 0 }
  ])
})

test('a budget is not a ratio', () => {
  expect(comparableRatios([row('memory', 0.5, '<= 1x of 120 MB'), row('  time', 1.234)])).toEqual({ time: 1.23 })
})

test('duplicate ratio names are refused', () => {
  expect(() => comparableRatios([row('same', 1), row('same', 2)])).toThrow('same name')
})

test('each ratio is the median of several runs', () => {
  const run = (ratio: number) => [{ name: 'list', figure: `${ratio} ms`, ratio }, row(`base of ${ratio}`)]
  expect(medianRows([run(1), run(5), run(2)])).toEqual([{ name: 'list', figure: '2 ms', ratio: 2 }, row('base of 2')])
})
