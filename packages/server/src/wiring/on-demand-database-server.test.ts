import { expect, test, vi } from 'vitest'
import { createMemoryDatabaseServer } from '../../test/fakes/memory-database-server.ts'
import { createProgramStates } from '../programs/program-states.ts'
import { onDemandDatabaseServer } from './on-demand-database-server.ts'

const account = { database: 'shop', username: 'shop_1', password: 'p' }
const open = (states = createProgramStates()) => {
  const inner = createMemoryDatabaseServer()
  const requestStart = vi.fn(async () => {})
  const server = onDemandDatabaseServer(inner, { name: 'postgresql', title: 'PostgreSQL', states, requestStart })
  return { inner, server, states, requestStart }
}

test.each([
  ['ping', (server: ReturnType<typeof open>['server']) => server.ping()],
  ['provision', (server: ReturnType<typeof open>['server']) => server.provision(account)],
  ['drop', (server: ReturnType<typeof open>['server']) => server.drop(account)]
])('%s starts an idle server and waits for it', async (_verb, call) => {
  const { server, states } = open()
  states.setIdle('postgresql', () => setImmediate(() => states.set('postgresql', 'running')))
  await call(server)
  expect(states.of('postgresql')).toBe('running')
})

test('queries about an idle server do not start it', async () => {
  const { server, states } = open()
  const start = vi.fn()
  states.setIdle('postgresql', start)
  expect([await server.sizes(['shop']), await server.countConnections()]).toEqual([new Map(), 0])
  await server.limitAccounts([])
  await server.addresses(async () => '10.0.0.1')
  expect(start).not.toHaveBeenCalled()
})

test('a process without programs requests the start of an unavailable server', async () => {
  const { server, inner, requestStart } = open()
  await server.ping()
  expect(requestStart).not.toHaveBeenCalled()
  inner.before = () => Promise.reject(new Error('connect ECONNREFUSED'))
  await expect(server.ping()).rejects.toThrow()
  expect(requestStart).toHaveBeenCalledOnce()
})
