import { expect, test } from 'vitest'
import { droppedFiles } from './dropped-files.ts'

type Tree = { [name: string]: Tree | string }

const entryOf = (name: string, content: Tree | string): unknown => {
  if (typeof content === 'string')
    return { isFile: true, name, file: (resolve: (file: File) => void) => resolve(new File([content], name)) }
  // Browsers return entries in batches, then an empty one.
  const rest = Object.entries(content).map(([child, below]) => entryOf(child, below))
  const readEntries = (resolve: (some: unknown[]) => void) => resolve(rest.splice(0, 2))
  return { isFile: false, name, createReader: () => ({ readEntries }) }
}
const transferOf = (tree: Tree) => ({
  items: Object.entries(tree).map(([name, content]) => ({ webkitGetAsEntry: () => entryOf(name, content) }))
})

test('expands folders recursively and reports empty ones', async () => {
  const found = await droppedFiles(transferOf({ a: '1', d: { b: '2', c: '3', e: { f: '4' }, g: '5', h: {} } }) as never)
  expect(found.map(({ file, folder }) => [folder, file?.name])).toEqual([
    ['', 'a'],
    ['d', 'b'],
    ['d', 'c'],
    ['d/e', 'f'],
    ['d', 'g'],
    ['d/h', undefined]
  ])
})
