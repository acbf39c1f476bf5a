import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { sleepingProgram } from '../../test/fixtures/sleeping-program.fixture.ts'
import { withResolvers } from '../../test/support/with-resolvers.ts'
import { parseConfig } from '../config.ts'
import { run } from '../infra/process/run.ts'
import { createLogger } from '../process/logger.ts'
import { startProgram } from './lifecycle.ts'
import { createManager, type Manager } from './manager.ts'
import { type ManagedProgram, ProgramError } from './managed-program.ts'
import type { MachineContext, Program, ProgramName } from './program.ts'
import { createProgramStates, type ProgramStates } from './program-states.ts'

let directory: string
let manager: Manager
let states: ProgramStates
let events: string[]
let lines: string[]
const config = parseConfig({ SESSION_SECRET: 'f00dfacef00dfacef00dfacef00dfacef00dface' })
const context = { config, env: {}, run, step: (line: string) => lines.push(line) } as unknown as MachineContext
const names: readonly ProgramName[] = ['containerEngine', 'postgresql', 'nameServer']

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'manager-'))
})
afterAll(() => rm(directory, { recursive: true }))
beforeEach(() => {
  events = []
  lines = []
  const { step } = context
  states = createProgramStates(names)
  manager = createManager({ logger: createLogger('silent'), step, signal: new AbortController().signal, states })
})
afterEach(() => manager.stop())

function programOf(name: ProgramName, values: Partial<Program<MachineContext>> = {}): Program<MachineContext> {
  const managed = sleepingProgram({
    name,
    log: join(directory, name),
    seconds: `3153601${names.indexOf(name)}`,
    async findSessions() {
      events.push(`stop ${name}`)
      return []
    }
  })
  return {
    name,
    title: name,
    packages: [],
    needs: [],
    isRequired: false,
    isOurs: () => true,
    ports: () => [{ port: 5432, containers: 'nowhere' }],
    portHint: 'choose another port',
    async open() {
      events.push(`open ${name}`)
      return managed
    },
    onStart: async () => void events.push(`started ${name}`),
    ping: async () => '',
    remedy: { code: 'RUN_UP' },
    inspect: async () => ({ part: name, found: true }),
    ...values
  }
}

test('programs wait only for those they need, and stop in reverse order', async () => {
  const { promise: engineMayStart, resolve: letEngineStart } = withResolvers()
  const engine = programOf('containerEngine')
  const starting = manager.start(
    [
      { ...engine, open: (given) => engineMayStart.then(() => engine.open(given)) },
      programOf('postgresql', { needs: ['containerEngine'] }),
      programOf('nameServer')
    ],
    context
  )
  await expect.poll(() => events).toEqual(['open nameServer', 'started nameServer'])
  letEngineStart()
  await starting
  expect(events.slice(2)).toEqual(['open containerEngine', 'started containerEngine', 'open postgresql', 'started postgresql']) // oxfmt-ignore
  expect(lines).toContain('Starting nameServer on port 5432')
  expect(names.map((name) => manager.runs(name))).toEqual([true, true, true])
  expect(names.map((name) => states.of(name))).toEqual(['running', 'running', 'running'])
  await manager.stop({ but: 'containerEngine' })
  expect(events.slice(6).toSorted()).toEqual(['stop nameServer', 'stop postgresql'])
  await manager.stop()
  expect(events.at(-1)).toBe('stop containerEngine')
})

const taken = async (): Promise<ManagedProgram> => {
  throw new ProgramError('it did not start', 'bind: Address already in use')
}

test('a taken port is explained and does not block other programs', async () => {
  await manager.start([programOf('postgresql', { open: taken }), programOf('nameServer')], context)
  expect(events).toContain('started nameServer')
  expect(lines.join()).toContain('continues without postgresql.')
  expect(manager.runs('postgresql')).toBe(false)
  expect(states.of('postgresql')).toBe('failed')
})

test('a start that keeps failing is reported once, with what to do about the port', async () => {
  const reports: string[] = []
  const logger = createLogger('error', { write: (line) => void reports.push(line) })
  let opens = 0
  const open = async () => {
    opens++
    return taken()
  }
  const keen = createManager({ logger, step: context.step, signal: new AbortController().signal, states })
  await keen.start([programOf('postgresql', { open })], context)
  await expect.poll(() => opens, { timeout: 30_000 }).toBeGreaterThan(2)
  expect([...reports, ...lines.filter((line) => line.includes('choose another port'))]).toHaveLength(1)
  expect(states.remedyFor('postgresql')).toEqual({ code: 'PORT_IN_USE', values: { ports: '5432' } })
  await keen.stop()
})

test('an unneeded program is idle until its first use', async () => {
  let isNeeded = false
  const onDemand = { isNeeded: async () => isNeeded, until: 'later' }
  await manager.start([programOf('postgresql', { onDemand }), programOf('nameServer')], context)
  expect([states.of('postgresql'), manager.runs('postgresql')]).toEqual(['idle', false])
  expect(lines).toContain('Postgresql is idle. It starts later.')
  await states.use('postgresql')
  expect([states.of('postgresql'), manager.runs('postgresql')]).toEqual(['running', true])
  await manager.stop()
  isNeeded = true
  await manager.start([programOf('postgresql', { onDemand })], context)
  expect(states.of('postgresql')).toBe('running')
})

test('an unneeded program is started if it runs already or cannot be opened', async () => {
  const onDemand = { isNeeded: async () => false, until: 'later' }
  const running = programOf('postgresql', { onDemand })
  await startProgram((await running.open(context))!)
  await manager.start([running, programOf('nameServer', { onDemand, open: taken })], context)
  expect([states.of('postgresql'), states.of('nameServer')]).toEqual(['running', 'failed'])
})

test('a required program that does not start rejects with the same message', async () => {
  const starting = manager.start([programOf('containerEngine', { open: taken, isRequired: true })], context)
  await expect(starting).rejects.toThrow('It did not start; choose another port')
})

test('an external program is not stopped', async () => {
  const given = programOf('postgresql', { isOurs: () => false })
  await manager.start([programOf('containerEngine', { open: async () => undefined }), given], context)
  expect(manager.runs('containerEngine')).toBe(false)
  expect(events).toEqual([])
})
