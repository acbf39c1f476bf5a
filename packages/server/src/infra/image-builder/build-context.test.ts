import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { extract, pack } from 'tar-stream'
import { describe, expect, test } from 'vitest'
import { createBuildContext, type BuildContextOptions } from './build-context.ts'

type Plan = BuildContextOptions['plan']
const plan = (more: Partial<Plan> = {}): Plan => ({
  files: new Map([['panel/Dockerfile', 'FROM a']]),
  sourceDirectory: 'source/',
  dependencyFiles: new Set(),
  ignore: [],
  ...more
})
const options = (more: Partial<BuildContextOptions> = {}): BuildContextOptions => ({
  plan: plan(),
  maxBytes: 2 ** 30,
  signal: new AbortController().signal,
  ...more
})

const commitTime = new Date(1_700_000_000_000)

function archiveOf(files: Record<string, string | Buffer | { link: string }>): Readable {
  const tar = pack()
  for (const [name, content] of Object.entries(files)) {
    const common = { name, mtime: commitTime, uid: 12, gid: 13 }
    if (name.endsWith('/')) tar.entry({ ...common, type: 'directory' })
    else if (typeof content === 'object' && 'link' in content)
      tar.entry({ ...common, type: 'symlink', linkname: content.link })
    else tar.entry({ ...common, mode: name.endsWith('.sh') ? 0o775 : 0o664 }, content)
  }
  tar.finalize()
  return Readable.from(tar, { objectMode: false })
}

async function entriesOf(context: Readable) {
  const found: [string, string, string][] = []
  const reader = extract()
  context.once('error', (error) => reader.destroy(error))
  context.pipe(reader as unknown as NodeJS.WritableStream)
  for await (const entry of reader) {
    const { name, type, mode, uid, gid, mtime, linkname } = entry.header
    expect([uid, gid]).toEqual([0, 0])
    const text = (await buffer(entry as unknown as Readable)).toString()
    found.push([name, `${type} ${mode.toString(8)} ${mtime.getTime() / 1000}`, linkname ?? text])
  }
  return found
}

describe('a build context', () => {
  test('holds our files, the repository below its own directory, and dependency files twice', async () => {
    const archive = archiveOf({
      'package.json': '{}',
      'a/': '',
      'a/run.sh': 'x',
      'panel/Dockerfile': 'theirs',
      'a/link': { link: '/etc/passwd' },
      "it's $(x)\n.txt": 'y',
      [`${'long/'.repeat(40)}ü`]: 'z',
      'node_modules/b/c.js': 'n'
    })
    const context = createBuildContext(archive, options({ plan: plan({ dependencyFiles: new Set(['package.json']), ignore: ['**/node_modules'] }) })) // oxfmt-ignore
    expect(await entriesOf(context)).toEqual([
      ['panel/Dockerfile', 'file 644 0', 'FROM a'],
      ['source/package.json', 'file 644 1700000000', '{}'],
      ['dependencies/package.json', 'file 644 0', '{}'],
      ['source/a/', 'directory 755 1700000000', ''],
      ['source/a/run.sh', 'file 755 1700000000', 'x'],
      ['source/panel/Dockerfile', 'file 644 1700000000', 'theirs'],
      ['source/a/link', 'symlink 777 1700000000', '/etc/passwd'],
      ["source/it's $(x)\n.txt", 'file 644 1700000000', 'y'],
      [`source/${'long/'.repeat(40)}ü`, 'file 644 1700000000', 'z']
    ])
  })

  test('panel files replace repository files at the root', async () => {
    const context = createBuildContext(
      archiveOf({ Dockerfile: 'theirs', b: '1' }),
      options({ plan: plan({ files: new Map([['Dockerfile', 'ours']]), sourceDirectory: '' }) })
    )
    expect((await entriesOf(context)).map(([name, , text]) => [name, text])).toEqual([
      ['Dockerfile', 'ours'],
      ['b', '1']
    ])
  })

  test('works without a repository', async () => {
    expect(await entriesOf(createBuildContext(undefined, options()))).toHaveLength(1)
  })

  test('a large file passes through with back-pressure', async () => {
    const size = 48 * 2 ** 20
    const context = createBuildContext(archiveOf({ a: Buffer.alloc(size, 7) }), options())
    let seen = 0
    for await (const chunk of context) {
      seen += (chunk as Buffer).length
      if (seen < 2 ** 20) await sleep(5)
    }
    expect(seen).toBeGreaterThan(size)
  })

  test('more than maxBytes is rejected', async () => {
    const context = createBuildContext(archiveOf({ a: 'x'.repeat(3000) }), options({ maxBytes: 2500 }))
    await expect(buffer(context)).rejects.toMatchObject({ name: 'BuildError' })
  })

  test.each([
    ['an error of the archive', (archive: Readable) => archive.destroy(new Error('git failed')), 'git failed'],
    ['an archive that stops', (archive: Readable) => archive.destroy(), 'ended unexpectedly']
  ])('%s surfaces on the result', async (_, operation, message) => {
    const archive = new Readable({ read() {} })
    const context = createBuildContext(archive, options())
    const result = buffer(context)
    setTimeout(() => operation(archive), 5)
    await expect(result).rejects.toThrow(message)
  })

  test('a truncated archive rejects', async () => {
    const whole = await buffer(archiveOf({ a: 'x'.repeat(4000) }))
    const context = createBuildContext(Readable.from([whole.subarray(0, 2000)], { objectMode: false }), options())
    await expect(buffer(context)).rejects.toThrow()
  })

  test.each([
    ['an abort', (controller: AbortController) => controller.abort()],
    ['a reader that goes away', (_: AbortController, context: Readable) => context.destroy()]
  ])('%s ends the archive', async (_, operation) => {
    const archive = new Readable({ read() {} })
    const controller = new AbortController()
    const context = createBuildContext(archive, options({ signal: controller.signal }))
    context.on('error', () => {})
    context.resume()
    await sleep(5)
    operation(controller, context)
    await expect.poll(() => [archive.destroyed, context.destroyed]).toEqual([true, true])
  })
})
