import type { MachineRole } from '@panel/contract/machines'
import { expect, test } from 'vitest'
import { isAlive, isEncryptedByDefault, meshOf, nextTunnel } from './tunnel.policy.ts'

test.each([
  ['10.0.0.2', false],
  ['192.168.1.4', false],
  ['100.64.3.2', false],
  ['fd12::2', false],
  ['fe80::1', false],
  ['9.9.9.9', true],
  ['2a01:4f8::1', true],
  ['m2.example.com', true]
])('traffic to %s is encrypted by default: %s', (host, isEncrypted) => {
  expect(isEncryptedByDefault(host)).toBe(isEncrypted)
})

test('the panel has the first address, and each machine one of the others', () => {
  const subnet = '10.83.0.0/29'
  const next = (used: string[], taken: string[] = []) => nextTunnel({ subnet, used, taken })
  expect(next([])).toEqual({ panel: '10.83.0.1', machine: '10.83.0.2' })
  expect(next(['10.83.0.2', '10.83.0.4'])).toEqual({ panel: '10.83.0.1', machine: '10.83.0.3' })
  expect(next(['10.83.0.2', '10.83.0.3', '10.83.0.4', '10.83.0.5', '10.83.0.6'])).toBeUndefined()
  expect(next([], ['172.28.0.0/16'])).toBeDefined()
  expect(next([], ['10.80.0.0/12'])).toBeUndefined()
})

test('a peer without a recent handshake is not alive', () => {
  expect([undefined, 0, 150, 400].map(isAlive)).toEqual([false, true, true, false])
})

test('a proxy for visitors is connected to every other machine, and those without one only to it', () => {
  const machine = (id: string, roles: MachineRole[], publicKey: string | null = id) => ({ id, roles, publicKey })
  const machines = [
    machine('edge', ['SITES', 'EDGE']),
    machine('a', ['SITES']),
    machine('b', ['SITES']),
    machine('new', ['SITES'], null)
  ]
  const idsOf = (id: string) => meshOf(machines, id).map((found) => found.id)
  expect([idsOf('edge'), idsOf('a'), idsOf('new')]).toEqual([['a', 'b'], ['edge'], ['edge']])
})
