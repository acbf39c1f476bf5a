import { describe, expect, test } from 'vitest'
import {
  readBackupLine,
  readEntryLine,
  readForgotten,
  readProblemLine,
  readSize,
  readSnapshots
} from './restic-output.policy.ts'

describe('output of restic backup', () => {
  test('progress and summary are read, other lines are skipped', () => {
    expect(readBackupLine('{"message_type":"status","percent_done":0.5,"total_files":1,"total_bytes":8,"bytes_done":4}')).toEqual({ type: 'progress', bytesDone: 4, bytesTotal: 8 }) // oxfmt-ignore
    expect(readBackupLine('{"message_type":"summary","files_new":2,"data_added":1749,"total_files_processed":2,"total_bytes_processed":7,"snapshot_id":"31a83eb9"}')).toEqual({ type: 'saved', snapshot: { snapshotId: '31a83eb9', files: 2, bytes: 7, bytesAdded: 1749 } }) // oxfmt-ignore
    expect([readBackupLine('created new cache'), readBackupLine('{"message_type":"verbose_status"}')]).toEqual([undefined, undefined]) // oxfmt-ignore
  })

  test.each([
    ['0.14, disappeared', '{"message_type":"error","error":{"Op":"lstat","Path":"/x","Err":2},"during":"archival","item":"/x"}', true],
    ['0.14, not permitted', '{"message_type":"error","error":{"Op":"open","Path":"/x","Err":13},"during":"archival","item":"/x"}', false],
    ['0.18, disappeared', '{"message_type":"error","error":{"message":"lstat /x: no such file or directory"},"during":"archival","item":"/x"}', true]
  ])('a file that could not be read: %s', (_name, line, isGone) => {
    expect(readProblemLine(line)).toMatchObject({ item: '/x', isGone })
  }) // oxfmt-ignore
})

test('entries of restic ls', () => {
  expect(readEntryLine('{"name":"x","type":"symlink","path":"/files/x","mtime":"2026-01-01T00:00:00Z","struct_type":"node"}')).toEqual({ path: '/files/x', type: 'LINK', size: 0, modifiedAt: '2026-01-01T00:00:00Z' }) // oxfmt-ignore
  expect(readEntryLine('{"time":"2026-01-01T00:00:00Z","struct_type":"snapshot"}')).toBeUndefined()
})

test('ids that restic forget removed', () => {
  expect(readForgotten('[{"tags":["a"],"keep":[],"remove":[{"id":"1"},{"id":"2"}]},{"tags":["b"],"remove":null}]')).toEqual(['1', '2']) // oxfmt-ignore
  expect(readForgotten('')).toEqual([])
})

test('snapshots and sizes', () => {
  expect(readSnapshots('[{"time":"2026-11-28T14:08:27.520444633+01:00","tags":["panel"],"id":"4ef9"},{"time":"2026-11-29T00:00:00Z","id":"5a"}]')).toEqual([
    { id: '4ef9', takenAt: new Date('2026-11-28T13:08:27.520Z'), tags: ['panel'] },
    { id: '5a', takenAt: new Date('2026-11-29T00:00:00Z'), tags: [] }
  ]) // oxfmt-ignore
  expect(readSnapshots('null')).toEqual([])
  expect(readSize('{"total_size":3000007,"total_file_count":8,"snapshots_count":1}')).toBe(3_000_007)
})
