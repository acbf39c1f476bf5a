import { expect, test } from 'vitest'
import { FileList } from '@panel/contract/files'
import type { FoundFile } from '../../infra/file-store/file-store.ts'
import { renderListing } from './listing.render.ts'

const file = (name: string): FoundFile => ({
  name,
  path: `dir/${name}`,
  type: 'file',
  size: 5,
  mtime: new Date(1_700_000_000_000),
  mode: 0o644
})
const named = (count: number) => Array.from({ length: count }, (_, index) => file(`file-${index}.txt`))

test.each([0, 1, 200, 201, 10_000])('%i entries are rendered in slices that match FileList', (count) => {
  const pieces = [...renderListing({ nodes: named(count), next: null })]
  const listing = FileList.parse(JSON.parse(pieces.join('')))
  expect(listing.next).toBeNull()
  expect(listing.nodes.map(({ path }) => path)).toEqual(named(count).map(({ path }) => path))
  expect(Math.max(...pieces.map((piece) => piece.split('"path"').length - 1))).toBeLessThanOrEqual(200)
})

test('escapes special characters in names', () => {
  const name = 'a"},{\\\n\u2028\u0001ä.TXT'
  const text = [...renderListing({ nodes: [file(name)], next: name })].join('')
  expect(FileList.parse(JSON.parse(text))).toMatchObject({ next: name, nodes: [{ name, extension: 'txt' }] })
})
