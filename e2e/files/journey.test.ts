import { randomBytes } from 'node:crypto'
import { lstat, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileList } from '@panel/contract/files'
import type { SftpCredentials } from '@panel/contract/sftp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client, Site } from '../support/panel.ts'
import { makeKey, runClient } from '../support/sftp.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { nodeSite } from '../support/sites.ts'
import { bytesOf, digest, download, upload } from '../support/transfer.ts'

let world: World
let user: Client
let site: Site
let local: string
let credentials: SftpCredentials
beforeAll(async () => {
  world = await sharedWorld()
  user = await world.panel.signUp()
  local = await mkdtemp(join(tmpdir(), 'files-journey-'))
  const files = nodeSite('with files')
  const server = String(files['server.js']).replace(`'/built'`, `'/note'`).replace(`'built.json'`, `'/data/note.txt'`)
  site = await user.createSite(world.git, { ...files, 'server.js': server })
  await user.mustRun(site.id)
})
afterAll(() => rm(local, { recursive: true, force: true }))

test('a 10 MB file survives upload and download and belongs to the account', async () => {
  const [size, chunk] = [10 * 1024 * 1024, randomBytes(65_537)]
  const sent = await upload(world.panel, user, site.id, { name: 'big.bin', size, content: bytesOf(size, chunk) })
  expect(sent).toMatchObject({ status: 201, body: { path: 'big.bin', size } })
  const got = await download(world.panel, user, site.id, 'big.bin')
  expect(got).toEqual({ status: 200, size, sha256: digest(bytesOf(size, chunk)) })
  const { uid, mode } = await lstat(join(world.projects, 'by-id', site.id, 'big.bin'))
  expect([uid >= 20_000, mode & 0o777]).toEqual([true, 0o644])
})

test('OpenSSH uploads with a key, visible to the API and the site', async () => {
  await makeKey(join(local, 'key'))
  await writeFile(join(local, 'note.txt'), 'from the client\n')
  credentials = await user.call<SftpCredentials>('POST', '/sftp/provision')
  await user.call('POST', '/sftp/add-ssh-key', { publicKey: await readFile(join(local, 'key.pub'), 'utf8') })
  expect(await sftp(`put ${join(local, 'note.txt')} ${site.name}/note.txt`, `get ${site.name}/big.bin ${join(local, 'big.bin')}`)).toMatchObject({ code: 0 }) // oxfmt-ignore
  expect((await lstat(join(local, 'big.bin'))).size).toBe(10 * 1024 * 1024)
  const { nodes } = await user.call<FileList>('GET', `/files/${site.id}/list?path=`)
  expect(nodes.map(({ name }) => name)).toEqual(expect.arrayContaining(['big.bin', 'note.txt']))
  expect((await world.panel.visit(site.hostname, '/note')).body).toBe('from the client\n')
})

test('a disabled SFTP account is refused', async () => {
  await user.call('DELETE', '/sftp/disable')
  expect((await sftp('ls')).code).not.toBe(0)
})

/** Runs OpenSSH's sftp with the key; stops at the first failing command. */
function sftp(...commands: string[]) {
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR', 'IdentitiesOnly=yes', 'PasswordAuthentication=no', 'ConnectTimeout=20'].flatMap((option) => ['-o', option]) // oxfmt-ignore
  const to = ['-F', 'none', '-i', join(local, 'key'), '-P', String(credentials.port), '-b', '-', `${credentials.username}@127.0.0.1`] // oxfmt-ignore
  return runClient(['sftp', ...options, ...to], commands.join('\n'))
}
