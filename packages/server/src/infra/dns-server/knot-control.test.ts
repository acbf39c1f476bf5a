import { expect, test } from 'vitest'
import { ProcessError, type Run } from '../process/process.ts'
import { createKnotControl, isNoSuchZone, partialAnswer } from './knot-control.ts'

type Outcome = { stdout?: string; stderr?: string; failed?: boolean }

function controlOf(outcomes: Outcome[], timeoutMs = 5_000) {
  const commands: string[][] = []
  const run: Run = async (argv, options) => {
    commands.push([...argv])
    const { stdout = '', stderr = '', failed = stderr !== '' } = outcomes.length > 1 ? outcomes.shift()! : outcomes[0]!
    options.stdout?.write(Buffer.from(stdout))
    if (failed) throw new ProcessError('knotc: exited with 1', 'failed', 1, stderr)
    return { stdout: '', stderr }
  }
  return { commands, control: createKnotControl({ socket: '/run/knot.sock', run, timeoutMs }) }
}

const problemOf = (answer: Promise<string>) =>
  answer.then(
    () => undefined,
    (error: unknown) => error
  )

test('a command waits until it is carried out, up to the limit', async () => {
  const { control, commands } = controlOf([{ stdout: 'OK\n' }], 2_500)
  expect(await control('zone-reload', 'shop.test')).toBe('OK\n')
  expect(commands).toEqual([['knotc', '-s', '/run/knot.sock', '-b', '-t', '3', 'zone-reload', 'shop.test']])
})

test('a refused connection is retried', async () => {
  const busy = { stderr: "error: failed to connect to socket '/run/knot.sock' (OS lacked necessary resources)" }
  const { control, commands } = controlOf([busy, busy, { stdout: 'OK\n' }])
  expect(await control('status')).toBe('OK\n')
  expect(commands).toHaveLength(3)
})

test.each<[string, Outcome, boolean]>([
  ['an unknown zone', { stderr: 'error: [shop.test] (no such zone found)' }, true],
  ['a zone that cannot be loaded', { stderr: 'error: [shop.test] (failed)' }, false],
  ['no server', { stderr: "error: failed to connect to socket '/run/knot.sock' (not exists)" }, false]
])('%s', async (_, outcome, isUnknown) => {
  const problem = await problemOf(controlOf([outcome]).control('zone-reload', 'shop.test'))
  expect(problem).toMatchObject({ kind: 'name-server-unavailable', cause: { message: outcome.stderr } })
  expect(isNoSuchZone(problem)).toBe(isUnknown)
  expect(() => partialAnswer(problem)).toThrow(problem as Error)
})

test('a partial answer is complete and is not logged', async () => {
  const answer = `${'[a.test.] a.test. 0 CDS 1 13 2 FF\n'.repeat(1_000)}error: (operation failed for some zones) @ CDS\n`
  const problem = await problemOf(controlOf([{ stdout: answer, failed: true }]).control('zone-read', '--', '@', 'CDS'))
  expect(partialAnswer(problem)).toBe(answer)
  expect((problem as Error & { cause: Error }).cause.message).toBe('error: (operation failed for some zones) @ CDS')
  expect(Object.keys((problem as Error & { cause: Error }).cause)).toEqual(['name'])
})

test('commands queued behind one that timed out fail without waiting', async () => {
  const { control, commands } = controlOf([{ stderr: 'error: failed to control (connection timeout)' }])
  const problems = await Promise.all(Array.from({ length: 20 }, () => problemOf(control('status'))))
  expect(new Set(problems.map((problem) => (problem as { kind?: string }).kind))).toEqual(
    new Set(['name-server-unavailable'])
  )
  expect(commands.length).toBeLessThanOrEqual(3)
  await problemOf(control('status'))
  expect(commands.length).toBeGreaterThan(1)
})
