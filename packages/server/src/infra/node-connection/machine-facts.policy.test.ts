import { expect, test } from 'vitest'
import { localConnection } from './local.ts'
import { readMachineFacts } from './machine-facts.ts'
import { parseMachineFacts } from './machine-facts.policy.ts'

const text = `time=10000
address=10.0.0.2 172.17.0.1
processors=2
system=Debian GNU/Linux 12 (bookworm)
release=debian 12
MemTotal=1000
MemAvailable=400
link=10.0.0.1 40000 10.0.0.2 22
disk=2000 500 1400
`

test('facts of a machine', () => {
  expect(parseMachineFacts(text, { before: 9_000, after: 9_200 })).toEqual({
    address: '10.0.0.2',
    system: 'Debian GNU/Linux 12 (bookworm)',
    isDebian: true,
    processors: 2,
    memory: { totalBytes: 1000 * 1024, usedBytes: 600 * 1024 },
    disk: { totalBytes: 1900, usedBytes: 500 },
    clockSkewMs: 900,
    link: { panel: '10.0.0.1', machine: '10.0.0.2' }
  })
})

test('a difference of clocks that the question may have taken is none', () => {
  expect(parseMachineFacts(text, { before: 9_800, after: 10_300 }).clockSkewMs).toBe(0)
})

test('an answer without memory is refused', () => {
  expect(() => parseMachineFacts('time=1\nprocessors=2\n', { before: 0, after: 2 })).toThrow('MemTotal')
})

test('this machine answers', async () => {
  const facts = await readMachineFacts(localConnection, '/')
  expect(facts.memory.totalBytes).toBeGreaterThan(facts.memory.usedBytes)
  expect(facts.processors).toBeGreaterThan(0)
  expect(facts.disk.usedBytes).toBeGreaterThan(0)
})
