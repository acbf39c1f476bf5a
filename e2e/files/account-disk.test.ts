import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findQuotaKernelProblem, runUnderQuotaKernel } from '../support/quota-kernel.ts'

const execute = promisify(execFile)
const guest = fileURLToPath(new URL('account-disk.guest.ts', import.meta.url))
const tsx = import.meta.resolve('tsx')
const problem = await findQuotaKernelProblem()
if (problem !== undefined) console.warn(`The quotas of file systems are not tried here: ${problem}`)
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'panel-quota-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const tryOn = async (make: readonly string[], options: string) => {
  const image = join(directory, options)
  await execute('truncate', ['-s', '400M', image])
  const [program, ...args] = make
  await execute(program!, [...args, image])
  const command = [process.execPath, '--conditions', 'source', '--import', tsx, guest, '/dev/ubda', options]
  const output = await runUnderQuotaKernel(command, [image])
  expect(output).toMatch(/\nexit 0\n$/)
  return JSON.parse(output.split('\n').find((line) => line.startsWith('{'))!) as Record<string, unknown>
}

const refused = expect.stringMatching(/quota exceeded|No space left/)

test.skipIf(problem !== undefined).each([
  ['ext4', ['mkfs.ext4', '-q', '-F', '-O', 'quota'], 'usrquota'],
  ['XFS', ['mkfs.xfs', '-q', '-f'], 'uquota']
])('quotas on %s limit each account and report its usage', async (_name, make, options) => {
  expect(await tryOn(make, options)).toEqual({
    isLimited: true,
    covers: true,
    first: ['all of it', 'all of it', [8, 8]],
    limited: [refused, 'all of it', [10, 16]],
    given: [10, 20],
    unlimited: ['all of it', [18, 20]]
  })
})

test.skipIf(problem !== undefined)('without quotas nothing is refused, and files are counted by walking', async () => {
  expect(await tryOn(['mkfs.ext4', '-q', '-F'], 'noatime')).toEqual({
    isLimited: false,
    covers: false,
    first: ['all of it', 'all of it', [8, 8]],
    limited: ['all of it', 'all of it', [16, 16]],
    given: [16, 20],
    unlimited: ['all of it', [24, 20]]
  })
})
