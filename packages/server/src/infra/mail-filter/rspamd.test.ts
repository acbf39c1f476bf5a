import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mailPaths } from '../mail-server/mail-paths.ts'
import { createRspamd } from './rspamd.ts'

let root: string
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'rspamd-'))))
afterEach(() => rm(root, { recursive: true, force: true }))

test('reads notes; ignores symbolic links, pipes, directories and large files', async () => {
  const directories = { directory: root, certificateDirectory: root }
  const { held } = mailPaths(directories).filter
  await mkdir(held, { recursive: true })
  const note = JSON.stringify({ login: 'ann@shop.test', score: 16, symbols: ['BAD'], flood: false })
  const [good, notified, link, pipe, folder, large] = ['A', 'B', 'C', 'D', 'E', 'F'].map(
    (letter) => `4ABCDEF12${letter}`
  )
  await writeFile(join(held, good!), note)
  await writeFile(join(held, `${notified}.told`), note)
  await writeFile(join(root, 'secret'), note)
  await symlink(join(root, 'secret'), join(held, link!))
  execFileSync('mkfifo', [join(held, pipe!)])
  await mkdir(join(held, folder!))
  await writeFile(join(held, large!), note + ' '.repeat(20_000))
  const found = await createRspamd(directories).readHeld([good!, notified!, link!, pipe!, folder!, large!])
  expect([...found.keys()]).toEqual([good, notified])
  expect(found.get(good!)).toMatchObject({ login: 'ann@shop.test', score: 16, isFlood: false })
})
