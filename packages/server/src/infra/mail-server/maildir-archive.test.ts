import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extract } from 'tar-stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDirectory } from './mail-directory.ts'
import { archiveMaildir } from './maildir-archive.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'maildir-'))
})
afterEach(() => rm(home, { recursive: true }))

const put = async (path: string, content: string | Buffer) => {
  await mkdir(join(home, path, '..'), { recursive: true })
  await writeFile(join(home, path), content)
}
async function unpack(onEntry: (name: string) => Promise<void> = async () => {}) {
  const found: Record<string, { content: Buffer; mtime: Date | undefined }> = {}
  const tar = archiveMaildir(() => openDirectory(home, 'Maildir')).pipe(extract())
  for await (const entry of tar) {
    const parts: Buffer[] = []
    for await (const part of entry) parts.push(part as Buffer)
    found[entry.header.name] = { content: Buffer.concat(parts), mtime: entry.header.mtime }
    await onEntry(entry.header.name)
  }
  return found
}

test('archives messages of all folders with dates, without indexes and undelivered messages', async () => {
  const bytes = Buffer.from([0, 255, 13, 10, 128, 10])
  await put('Maildir/cur/1.M1.host,S=6:2,FS', bytes)
  await put('Maildir/new/2.M1.host', 'new')
  await put('Maildir/tmp/3.M1.host', 'half')
  await put(`Maildir/.Work.&ANw-bung/cur/${'x'.repeat(150)}:2,`, 'long name')
  await put('Maildir/.Work.&ANw-bung/maildirfolder', '')
  await put('Maildir/dovecot.index.cache', 'index')
  await put('Maildir/subscriptions', 'Work\n')
  await put('Maildir/..odd/cur/1', 'no folder')
  await put('.dovecot.sieve', 'keep;')
  await symlink('/etc/passwd', join(home, 'Maildir/cur/4.link:2,'))
  await utimes(join(home, 'Maildir/new/2.M1.host'), 1_000_000_000, 1_000_000_000)

  const found = await unpack()
  const files = Object.entries(found).filter(([name]) => !name.endsWith('/'))
  expect(Object.fromEntries(files.map(([name, { content }]) => [name, content.toString('latin1')]))).toEqual({
    'Maildir/cur/1.M1.host,S=6:2,FS': bytes.toString('latin1'),
    'Maildir/new/2.M1.host': 'new',
    [`Maildir/.Work.&ANw-bung/cur/${'x'.repeat(150)}:2,`]: 'long name',
    'Maildir/.Work.&ANw-bung/maildirfolder': '',
    'Maildir/subscriptions': 'Work\n'
  })
  expect(found['Maildir/new/2.M1.host']!.mtime).toEqual(new Date(1_000_000_000_000))
  for (const each of ['', 'new/', 'cur/', 'tmp/', '.Work.&ANw-bung/new/'])
    expect(found).toHaveProperty(`Maildir/${each}`)
})

test('a message renamed meanwhile is archived once, under its new name', async () => {
  const large = 'x'.repeat(2_000_000)
  for (const name of ['a', 'b', 'c']) await put(`Maildir/new/${name}.M1.host`, `${name}${large}`)
  await mkdir(join(home, 'Maildir/cur'))
  let isMoved = false
  const found = await unpack(async (name) => {
    if (isMoved || !name.includes('M1')) return
    isMoved = true
    for (const each of ['a', 'b', 'c'])
      await rename(join(home, `Maildir/new/${each}.M1.host`), join(home, `Maildir/cur/${each}.M1.host:2,S`))
  })
  const messages = Object.keys(found).filter((name) => name.includes('M1'))
  expect(messages.map((name) => /([abc])\.M1/.exec(name)![1]).sort()).toEqual(['a', 'b', 'c'])
  expect(messages.filter((name) => name.endsWith(':2,S')).length).toBeGreaterThan(0)
})

test('no mail: empty archive', async () => {
  expect(await unpack()).toEqual({})
})

test('follows no symbolic links: mailbox, folder or message directory', async () => {
  await put('secret/cur/panel.key', 'the key')
  await put('Maildir/cur/1.M1.host', 'mine')
  await symlink(join(home, 'secret'), join(home, 'Maildir/.Linked'))
  await mkdir(join(home, 'Maildir/.Folder'))
  await symlink(join(home, 'secret/cur'), join(home, 'Maildir/.Folder/cur'))
  const found = await unpack()
  expect(
    Object.values(found)
      .map(({ content }) => content.toString())
      .filter(Boolean)
  ).toEqual(['mine'])
  await rm(join(home, 'Maildir'), { recursive: true })
  await symlink(join(home, 'secret'), join(home, 'Maildir'))
  expect(await unpack()).toEqual({})
})
