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

async function makeImage(name: string, [program, ...args]: readonly string[]): Promise<string> {
  const image = join(directory, name)
  await execute('truncate', ['-s', '400M', image])
  await execute(program!, [...args, image])
  return image
}
const command = (device: string, options: string) => [process.execPath, '--conditions', 'source', '--import', tsx, guest, device, options] // oxfmt-ignore
const messageIn = (output: string) =>
  JSON.parse(output.split('\n').find((line) => line.startsWith('{'))!) as Record<string, unknown>

const refused = expect.stringMatching(/quota exceeded|No space left/)

test.skipIf(problem !== undefined).each([
  ['ext4', ['mkfs.ext4', '-q', '-F', '-O', 'quota'], 'usrquota'],
  ['XFS', ['mkfs.xfs', '-q', '-f'], 'uquota']
])('quotas on %s limit each account and report its usage', async (_name, make, options) => {
  const output = await runUnderQuotaKernel(command('/dev/ubda', options), [await makeImage(options, make)])
  expect(output).toMatch(/\nexit 0\n$/)
  expect(messageIn(output)).toEqual({
    isLimited: true,
    covers: true,
    first: ['all of it', 'all of it', [8, 8]],
    limited: [refused, 'all of it', [10, 16]],
    given: [10, 20],
    unlimited: ['all of it', [18, 20]]
  })
})

test('without quotas nothing is refused, and files are counted by walking', async () => {
  const image = await makeImage('none', ['mkfs.ext4', '-q', '-F'])
  // On this kernel, with a /mnt of its own.
  const script = 'mount -t tmpfs tmpfs /mnt && exec "$@"'
  const { stdout } = await execute('unshare', ['--mount', '--', 'sh', '-ec', script, 'sh', ...command(image, 'loop,noatime')]) // oxfmt-ignore
  expect(messageIn(stdout)).toEqual({
    isLimited: false,
    covers: false,
    first: ['all of it', 'all of it', [8, 8]],
    limited: ['all of it', 'all of it', [16, 16]],
    given: [16, 20],
    unlimited: ['all of it', [24, 20]]
  })
})
