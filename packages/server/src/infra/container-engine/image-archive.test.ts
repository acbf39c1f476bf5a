import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { extract, pack } from 'tar-stream'
import { expect, it } from 'vitest'
import { layerFiles, withoutFiles } from './image-archive.ts'

const layers = ['b/layer.tar', 'a/layer.tar']
const contents: Readonly<Record<string, string>> = {
  'a/layer.tar': 'upper'.repeat(300_000),
  'b/layer.tar': 'lower'.repeat(300_000),
  'manifest.json': JSON.stringify([{ Config: 'config.json', RepoTags: ['app:1'], Layers: layers }])
}

function archive(): Readable {
  const tar = pack()
  tar.entry({ name: 'a/', type: 'directory' })
  for (const [name, content] of Object.entries(contents)) tar.entry({ name }, content)
  tar.entry({ name: 'c/layer.tar', type: 'symlink', linkname: '../a/layer.tar' })
  tar.finalize()
  return Readable.from(tar, { objectMode: false })
}

async function entriesOf(tar: Readable): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  const entries = extract()
  tar.pipe(entries)
  for await (const entry of entries)
    found[`${entry.header.type} ${entry.header.name}`] =
      (await buffer(entry)).toString() || (entry.header.linkname ?? '')
  return found
}

it('finds the files of layers in the order of the manifest', async () => {
  await expect(layerFiles(archive())).resolves.toEqual(layers)
  await expect(layerFiles(withoutFiles(archive(), new Set(['manifest.json'])))).rejects.toThrow(/no manifest/)
})

it('leaves out these files only', async () => {
  await expect(entriesOf(withoutFiles(archive(), new Set(['b/layer.tar'])))).resolves.toEqual({
    'directory a/': '',
    'file a/layer.tar': contents['a/layer.tar'],
    'file manifest.json': contents['manifest.json'],
    'symlink c/layer.tar': '../a/layer.tar'
  })
})

it('passes an error of the source on, and ends the source when its reader ends', async () => {
  const broken = Readable.from(
    (async function* () {
      yield (await buffer(archive())).subarray(0, 100_000)
      throw new Error('cut off')
    })(),
    { objectMode: false }
  )
  await expect(buffer(withoutFiles(broken, new Set()))).rejects.toThrow(/cut off/)
  const source = archive()
  const copy = withoutFiles(source, new Set())
  copy.once('readable', () => copy.destroy())
  await expect.poll(() => source.destroyed).toBe(true)
})
