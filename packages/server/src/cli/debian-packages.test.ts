import { expect, test } from 'vitest'
import { ProcessError, type Run } from '../infra/process/process.ts'
import { ensureDebianPackages, ensureIfHarmless } from './debian-packages.ts'

function machine(installed: readonly string[], failure?: string) {
  const calls: string[] = []
  const run: Run = async (argv) => {
    calls.push(argv.join(' '))
    if (argv[0] === 'dpkg-query') return { stdout: installed.map((name) => `ii  ${name}\n`).join(''), stderr: '' }
    if (failure !== undefined && argv.includes('install'))
      throw new ProcessError('apt-get failed', 'failed', 100, failure)
    return { stdout: '', stderr: '' }
  }
  return {
    run,
    installs: () => calls.filter((call) => /^apt-get .* install /.test(call)).map((call) => call.replace(/ -o \S+/, ''))
  }
}

test('installed packages are left alone', async () => {
  const { run, installs } = machine(['git', 'postfix'])
  expect(await ensureIfHarmless(run, ['git', 'postfix'])).toBeUndefined()
  expect(installs()).toEqual([])
})

test('missing packages are installed without recommends; mail packages never remove others', async () => {
  const { run, installs } = machine(['git'])
  await ensureDebianPackages(run, ['git', 'haproxy'])
  expect(await ensureIfHarmless(run, ['dovecot-core', 'opendkim'])).toBeUndefined()
  expect(installs()).toEqual([
    'apt-get -qq install -y --no-install-recommends -- haproxy',
    'apt-get -qq install -y --no-install-recommends --no-remove -- dovecot-core opendkim'
  ])
})

test('another mail server is kept, and the message says what to do', async () => {
  const { run } = machine([], 'E: Packages need to be removed but remove is disabled.')
  expect(await ensureIfHarmless(run, ['postfix', 'acl'])).toBe(
    'Installing them would remove another mail server, because Debian allows only one. See apt-get install --simulate postfix acl, then remove that server or set MAIL=off'
  )
})

test('an installation that was interrupted is completed first', async () => {
  const calls: string[] = []
  let isInterrupted = true
  const run: Run = async (argv) => {
    const call = argv.filter((each) => !each.startsWith('DPkg::')).join(' ')
    if (argv[0] !== 'dpkg-query') calls.push(call)
    if (argv[0] === 'dpkg') isInterrupted = false
    if (argv.includes('install') && isInterrupted)
      throw new ProcessError('apt-get failed', 'failed', 100, "E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem.") // oxfmt-ignore
    return { stdout: '', stderr: '' }
  }
  await ensureDebianPackages(run, ['haproxy'])
  const install = 'apt-get -qq -o install -y --no-install-recommends -- haproxy'
  expect(calls).toEqual(['apt-get -qq -o update', install, 'dpkg --configure -a', install])
})

test('unavailable packages are reported without failing', async () => {
  const { run } = machine([], 'E: Unable to locate package opendkim')
  expect(await ensureIfHarmless(run, ['opendkim'])).toBe(
    'apt-get install opendkim failed:\nE: Unable to locate package opendkim'
  )
  await expect(ensureDebianPackages(run, ['haproxy'])).rejects.toThrow('apt-get install haproxy failed')
})
