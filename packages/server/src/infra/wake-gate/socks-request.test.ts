import { expect, test } from 'vitest'
import { parseSocksRequest } from './socks-request.ts'

const request = [4, 1, 0x1f, 0x90, 172, 29, 0, 2, ...Buffer.from('HAProxy'), 0]

test.each([
  ['whole', request, { address: '172.29.0.2', port: 8080 }],
  ['without a user', [4, 1, 0, 80, 10, 0, 0, 1, 0], { address: '10.0.0.1', port: 80 }],
  ['empty', [], undefined],
  ['without its end', request.slice(0, -1), undefined],
  ['SOCKS5', [5, 1, 0], 'invalid'],
  ['BIND', [4, 2, ...request.slice(2)], 'invalid'],
  ['HTTP', [...Buffer.from('GET / HTTP/1.1')], 'invalid'],
  ['endless', [...request.slice(0, -1), ...new Array<number>(600).fill(65)], 'invalid']
])('a request that is %s', (_name, bytes, expected) => {
  expect(parseSocksRequest(Buffer.from(bytes))).toEqual(expected)
})
