import { describe, expect, test } from 'vitest'
import { parseAddress, placeOf } from './restore-target.policy.ts'

describe('the address of a target', () => {
  test.each([
    ['/mnt/backup/panel', { kind: 'FOLDER', path: '/mnt/backup/panel' }],
    ['sftp://backup@box.example:2222/panel', { kind: 'SFTP', username: 'backup', host: 'box.example', port: 2222, path: '/panel' }],
    ['sftp://backup@2001:db8::1:22/panel', { kind: 'SFTP', username: 'backup', host: '2001:db8::1', port: 22, path: '/panel' }],
    ['sftp://backup@box.example/a/b', { kind: 'SFTP', username: 'backup', host: 'box.example', path: '/a/b' }],
    ['s3:https://s3.example:9000/bucket/a/b', { kind: 'S3', endpoint: 'https://s3.example:9000', bucket: 'bucket', prefix: 'a/b' }],
    ['s3:https://s3.example/bucket', { kind: 'S3', endpoint: 'https://s3.example', bucket: 'bucket', prefix: '' }],
    ['rest:https://box.example:8000/panel', { kind: 'REST', url: 'https://box.example:8000/panel' }]
  ])('%s', (text, address) => {
    expect(parseAddress(text)).toEqual(address)
  }) // oxfmt-ignore

  test.each(['backup/panel', 'https://box.example/panel', 'ftp://box.example/panel', ''])('%j is refused', (text) => {
    expect(() => parseAddress(text)).toThrow('not a backup target')
  })
})

test('values are checked as in the dashboard, and not repeated', () => {
  const address = parseAddress('s3:https://s3.example/bucket')
  expect(placeOf(address, { accessKeyId: 'id', secretAccessKey: 'secret' })).toMatchObject({ kind: 'S3', prefix: '', secretAccessKey: 'secret' }) // oxfmt-ignore
  expect(() => placeOf(address, { accessKeyId: 'id', secretAccessKey: 'sec\nret' })).toThrow(/^(?!.*sec\nret).*secretAccessKey/s) // oxfmt-ignore
})
