import { link, lstat, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeOf, type FilesClient, filesOf, formOf, tarOf } from './support/files.ts'
import { createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let files: FilesClient
/** A file outside the project that must stay unreachable. */
let outside: string
beforeAll(async () => {
  panel = await createTestPanel()
  const ann = await panel.signUp('ann')
  files = await filesOf(panel, ann)
  outside = join(panel.deps.config.DATA_DIR, 'outside')
  await writeFile(outside, 'secret')
})
afterAll(() => panel.close())

type Answer = Awaited<ReturnType<FilesClient['get']>>
type Way = (path: string) => Promise<Answer>

const uploadOf = (path: string, name: string) => files.upload({ name, content: 'pwned' }, path)

/** Every endpoint that takes a path from the client. */
const reading: Record<string, Way> = {
  list: (path) => files.get('list', { path }),
  read: (path) => files.get('read', { path }),
  download: (path) => files.get('download', { path }),
  archive: (path) => files.get('archive', { path }),
  search: (path) => files.get('search', { path, name: 'a' })
}
const changing: Record<string, Way> = {
  create: (path) => files.post('create', { path, content: 'pwned' }),
  write: (path) => files.post('write', { path, content: 'pwned' }),
  delete: (path) => files.remove(path),
  mkdir: (path) => files.post('mkdir', { path }),
  chmod: (path) => files.post('chmod', { path, mode: '777' }),
  'rename from': (path) => files.post('rename', { from: path, to: 'new' }),
  'rename to': (path) => files.post('rename', { from: 'plain', to: path }),
  'move from': (path) => files.post('move', { from: path, to: 'new' }),
  'move to': (path) => files.post('move', { from: 'plain', to: path }),
  'copy from': (path) => files.post('copy', { from: path, to: 'new' }),
  'copy to': (path) => files.post('copy', { from: 'plain', to: path })
}
const directories: Record<string, Way> = {
  upload: (path) => uploadOf(path, 'new'),
  'extract to': (path) => files.post('extract', { path: 'plain.tar.gz', to: path })
}
const every: Record<string, Way> = {
  ...reading,
  ...changing,
  ...directories,
  'extract from': (path: string) => files.post('extract', { path })
}

const traversals: [path: string, status: number, code: string][] = [
  ['a\0b', 400, 'PATH_INVALID'],
  ['../\0', 400, 'PATH_INVALID'],
  ['..', 403, 'PATH_FORBIDDEN'],
  ['../', 403, 'PATH_FORBIDDEN'],
  ['../outside', 403, 'PATH_FORBIDDEN'],
  ['../../../outside', 403, 'PATH_FORBIDDEN'],
  ['d/../../outside', 403, 'PATH_FORBIDDEN'],
  ['./d/./../../../outside', 403, 'PATH_FORBIDDEN'],
  ['..hidden', 403, 'PATH_FORBIDDEN'],
  ['/', 403, 'PATH_FORBIDDEN'],
  ['/etc/passwd', 403, 'PATH_FORBIDDEN'],
  ['//etc/passwd', 403, 'PATH_FORBIDDEN'],
  ['/../etc/passwd', 403, 'PATH_FORBIDDEN'],
  ['/proc/self/environ', 403, 'PATH_FORBIDDEN'],
  ['x'.repeat(256), 400, 'PATH_INVALID'],
  [`d/${'ü'.repeat(128)}`, 400, 'PATH_INVALID'],
  ['x'.repeat(4097), 400, 'VALIDATION_ERROR'],
  ['out/outside', 403, 'PATH_FORBIDDEN'],
  ['out/new', 403, 'PATH_FORBIDDEN'],
  ['up/x', 403, 'PATH_FORBIDDEN'],
  ['chain/outside', 403, 'PATH_FORBIDDEN'],
  ['proc/self/root/etc/passwd', 403, 'PATH_FORBIDDEN']
]

describe('no path escapes the project', () => {
  beforeAll(async () => {
    await files.put({ 'd/file': 'in', plain: 'in', out: `-> ${panel.deps.config.DATA_DIR}`, up: '-> ../..' })
    await files.put({ chain: '-> chain2', chain2: '-> out', proc: '-> /proc', direct: `-> ${outside}` })
    await putArchive('plain.tar.gz', ['packed'])
  })
  describe.each(Object.keys(every))('%s', (name) => {
    test.each(traversals)('%j', async (path, status, code) => {
      expect(codeOf(await every[name]!(path))).toEqual([status, code])
    })
  })

  test('an outgoing link is not followed as the last segment either', async () => {
    for (const way of ['list', 'read', 'download', 'archive', 'search', 'write'])
      expect([way, (await every[way]!('direct')).statusCode]).toEqual([way, 403])
    expect(codeOf(await every.chmod!('direct'))).toEqual([409, 'NOT_A_FILE'])
  })

  test('nothing outside was touched, and inside only what was requested', async () => {
    expect(await readFile(outside, 'utf8')).toBe('secret')
    expect((await lstat(outside)).mode & 0o777).not.toBe(0o777)
    const names = ['chain', 'chain2', 'd/', 'd/file', 'direct', 'out', 'plain', 'plain.tar.gz', 'proc', 'up']
    expect(await files.all()).toEqual(names)
  })
})

const protectedNames = [
  '.env',
  '.env.local',
  '.env.production',
  'wp-config.php',
  '.ENV',
  '.Env.Local',
  'WP-CONFIG.PHP',
  'wp-config.php.',
  '.env ',
  '.env...',
  '.env\u200b',
  '\ufeff.env',
  '.e\u00adnv',
  '．env',
  '.ｅｎｖ',
  'wp-conﬁg.php',
  'ｗｐ-config.php',
  '.env::$DATA'
]
const disguises: ((name: string) => string)[] = [
  (name) => name,
  (name) => `./${name}`,
  (name) => `d/${name}`,
  (name) => `d/../${name}`,
  (name) => `${name}/`,
  (name) => `${name}/child`,
  (name) => `d//./${name}//`,
  (name) => name.normalize('NFD'),
  (name) => name.normalize('NFKC')
]
const protectedPaths = protectedNames.flatMap((name) => disguises.map((disguise) => disguise(name)))

describe('no request changes a protected file', () => {
  let before: Record<string, string>
  const contents = async () => {
    const paths = (await files.all()).filter((path) => !path.endsWith('/'))
    return Object.fromEntries(
      await Promise.all(
        paths.map(async (path) => [
          path,
          (await lstat(join(files.root, path))).isSymbolicLink() ? '->' : await files.text(path)
        ])
      )
    ) as Record<string, string>
  }
  beforeAll(async () => {
    files = await filesOf(panel, await panel.signUp('bob'))
    await files.put({ '.env': 'A=1', 'd/.env': 'B=2', 'd/.env.local': 'C=3', 'd/wp-config.php': '<?php', plain: 'in' })
    await files.put({ 'full/deep/er/.env': 'D=4', 'full/x': '', 'free/x': '' })
    await symlink('.env', join(files.root, 'link'))
    await symlink('d', join(files.root, 'directory-link'))
    await link(join(files.root, '.env'), join(files.root, 'hard'))
    await putArchive('plain.tar.gz', ['packed'])
    before = await contents()
  })

  const ways = Object.entries(changing).filter(([name]) => name !== 'copy from')
  describe.each([...ways.map(([name]) => name), ...Object.keys(directories)])('%s', (name) => {
    const way = { ...changing, ...directories }[name]!
    test(`${protectedPaths.length} names`, async () => {
      const wrong: string[] = []
      for (const path of protectedPaths) {
        const [status, code] = codeOf(await way(path))
        if (status !== 403 || code !== 'PATH_PROTECTED') wrong.push(`${JSON.stringify(path)}: ${status} ${code}`)
      }
      expect(wrong).toEqual([])
    })
  })

  test('not as an upload name, whose bytes are not read', async () => {
    for (const name of protectedNames.filter((each) => !/["\\]/.test(each))) {
      expect([name, ...codeOf(await uploadOf('', name))]).toEqual([name, 403, 'PATH_PROTECTED'])
      expect([name, ...codeOf(await uploadOf('d', `some/where/${name}`))]).toEqual([name, 403, 'PATH_PROTECTED'])
      const before = formOf([
        ['file', 'x', name],
        ['path', 'd']
      ])
      const answer = await panelUpload(before)
      expect([name, ...codeOf(answer)]).toEqual([name, 403, 'PATH_PROTECTED'])
    }
  })

  test('not through a link to it or its directory', async () => {
    expect(codeOf(await changing.write!('link'))).toEqual([403, 'PATH_PROTECTED'])
    expect(codeOf(await changing.chmod!('link'))).toEqual([409, 'NOT_A_FILE'])
    for (const [, way] of ways) expect(codeOf(await way('directory-link/.env'))).toEqual([403, 'PATH_PROTECTED'])
  })

  test('not with its parent directory', async () => {
    for (const directory of ['d', 'full', 'full/deep'])
      for (const operation of ['delete', 'rename from', 'move from', 'copy from'])
        expect([operation, directory, ...codeOf(await changing[operation]!(directory))]).toEqual([
          operation,
          directory,
          403,
          'PATH_PROTECTED'
        ])
  })

  test('not by extracting an archive', async () => {
    for (const name of protectedNames) {
      await putArchive('evil.tar.gz', ['good', `some/${name}`])
      expect([name, ...codeOf(await files.post('extract', { path: 'evil.tar.gz', to: 'free' }))]).toEqual([
        name,
        403,
        'PATH_PROTECTED'
      ])
    }
    expect((await files.remove('evil.tar.gz')).statusCode).toBe(200)
  })

  test('afterwards everything is unchanged', async () => {
    expect(await contents()).toEqual(before)
  })

  test('all of them can be read', async () => {
    expect((await files.get('read', { path: 'd/wp-config.php' })).json()).toMatchObject({ content: '<?php' })
    expect((await files.get('download', { path: '.env' })).body).toBe('A=1')
    expect((await files.get('read', { path: 'link' })).json()).toMatchObject({ content: 'A=1' })
  })

  test('a user’s hard link becomes a separate file on write', async () => {
    expect((await files.post('write', { path: 'hard', content: 'new' })).statusCode).toBe(200)
    expect(await files.text('.env')).toBe('A=1')
  })

  test('similar names are allowed', async () => {
    for (const path of ['.environment', '.envrc', 'wp-config-sample.php', 'env', 'x.env', 'wp-config.php.bak'])
      expect([path, (await files.post('create', { path, content: '' })).statusCode]).toEqual([path, 201])
  })
})

function panelUpload(form: { type: string; body: Buffer }): Promise<Answer> {
  return files.raw('upload', form.body, { 'content-type': form.type })
}

async function putArchive(name: string, entries: readonly string[]): Promise<void> {
  await writeFile(join(files.root, name), gzipSync(await tarOf(entries.map((entry) => [entry, 'packed']))))
}
