import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commandArguments, knownHostsLine, masterArguments, shellLine } from './ssh-arguments.policy.ts'

test('a shell passes every argument on as it is', () => {
  const argument = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed())
  fc.assert(
    fc.property(fc.array(argument), (args) => {
      const line = shellLine(['printf', '%s\\0', ...args, 'end'])
      expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' }).split('\0').slice(0, -1)).toEqual([...args, 'end'])
    }),
    { numRuns: 50 }
  )
  expect(() => shellLine(['a\0b'])).toThrow()
})

const target = { host: 'm2.example', port: 2222, hostKey: 'ssh-ed25519 AAAA' }
const files = { keyPath: '/k', knownHostsPath: '/h', controlPath: '/c' }

test('only the pinned key of the server is accepted, whatever the address', () => {
  expect(knownHostsLine(target)).toBe('panel-machine ssh-ed25519 AAAA\n')
  expect(masterArguments(files, target)).toEqual(
    expect.arrayContaining(['StrictHostKeyChecking=yes', 'HostKeyAlias=panel-machine', 'HostKeyAlgorithms=ssh-ed25519'])
  )
})

test('the address cannot be an option', () => {
  const argv = commandArguments(files, target, ['id'])
  expect(argv.slice(-3)).toEqual(['--', 'm2.example', "'id'"])
})
