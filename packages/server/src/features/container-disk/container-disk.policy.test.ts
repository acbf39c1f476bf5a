import { expect, test } from 'vitest'
import { evaluateLayer, isMeasurementDue } from './container-disk.policy.ts'

const limits = { bytes: 1000, files: 100 }

test.each([
  ['nothing written', { bytes: 0, files: 0 }, undefined, false],
  ['four fifths', { bytes: 800, files: 80 }, undefined, false],
  ['more than four fifths of the bytes', { bytes: 801, files: 1 }, undefined, true],
  ['more than four fifths of the files', { bytes: 1, files: 81 }, undefined, true],
  ['all of it', { bytes: 1000, files: 100 }, undefined, true],
  ['more bytes', { bytes: 1001, files: 1 }, 'CONTAINER_DISK_LIMIT', true],
  ['more files, all of them empty', { bytes: 0, files: 101 }, 'CONTAINER_FILES_LIMIT', true],
  ['files that were not counted', { bytes: 1, files: null }, undefined, false]
] as const)('%s', (_name, layer, stop, isNear) => expect(evaluateLayer(layer, limits)).toEqual({ stop, isNear }))

test.each([
  [5000, 5000, false],
  [5000, 4000, false],
  [5000, 3999, true],
  [5000, 6000, false]
])('%s free at the measurement, %s now: another is due: %s', (atMeasurement, now, expected) =>
  expect(isMeasurementDue({ atMeasurement, now }, limits)).toBe(expected)
)
