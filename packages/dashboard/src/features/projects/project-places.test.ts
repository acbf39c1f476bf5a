import { expect, test } from 'vitest'
import { placeOptions } from './project-places.ts'

const web = { type: 'NODEJS' as const, rootDirectory: 'web', dockerfilePath: null }
const pathsOf = (places: (typeof web)[], rootDirectory: string | null) =>
  placeOptions({ places, rootDirectory, dockerfilePath: null }).map((place) => place.rootDirectory)

test('the repository comes first, and a requested folder is among them', () => {
  expect(pathsOf([], null)).toEqual([null])
  expect(pathsOf([web], 'web')).toEqual([null, 'web'])
  expect(pathsOf([web], 'other')).toEqual([null, 'other', 'web'])
})
