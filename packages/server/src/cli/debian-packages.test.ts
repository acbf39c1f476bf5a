import { expect, test } from 'vitest'
import { ProcessError, type Run } from '../infra/process/process.ts'
import { ensureDebianPackages, ensureIfHarmless } from './debian-packages.ts'

/** A machine with these packages, whose apt-get fails with these words. */
function machine(installed: readonly string[], failure?: string) {
  const calls: string[] = []
  const run: Run = async (argv) => {
    calls.push(argv.join(' '))
    if (argv[0] === 'dpkg-query') return { stdout: installed.map((name) => `ii  ${name}\n`).join(''), stderr: '' }
    if (failure !== undefined && argv.includes('install'))
      throw new ProcessError('apt-get failed', 'failed', 100, failure)
    return { stdout: '', stderr: '' }
  }
  return { run, installs: () => calls.filter((call) => call.startsWith('apt-get -qq install')) }
}

test('what is there is left alone', async () => {
  const { run, installs } = machine(['git', 'postfix'])
  expect(await ensureIfHarmless(run, ['git', 'postfix'])).toBeUndefined()
  expect(installs()).toEqual([])
})

test('what is missing comes without what is only recommended; of mail, nothing goes for it', async () => {
  const { run, installs } = machine(['git'])
  await ensureDebianPackages(run, ['git', 'haproxy'])
  expect(await ensureIfHarmless(run, ['dovecot-core', 'opendkim'])).toBeUndefined()
  expect(installs()).toEqual([
    'apt-get -qq install -y --no-install-recommends -- haproxy',
    'apt-get -qq install -y --no-install-recommends --no-remove -- dovecot-core opendkim'
  ])
})

test('another mail server stays, and the sentence says what to do', async () => {
  const { run } = machine([], 'E: Packages need to be removed but remove is disabled.')
  expect(await ensureIfHarmless(run, ['postfix', 'acl'])).toBe(
    'Other packages of this machine would have to go for them, as Debian has one mail server at a time: see apt-get install --simulate postfix acl, and remove that one or set MAIL=off'
  )
})

test('what cannot be had is said, and ends nothing', async () => {
  const { run } = machine([], 'E: Unable to locate package opendkim')
  expect(await ensureIfHarmless(run, ['opendkim'])).toBe(
    'apt-get install opendkim failed:\nE: Unable to locate package opendkim'
  )
  await expect(ensureDebianPackages(run, ['haproxy'])).rejects.toThrow('apt-get install haproxy failed')
})
