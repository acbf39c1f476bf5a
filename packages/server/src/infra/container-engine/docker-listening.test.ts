import { expect, test } from 'vitest'
import { parseListening } from './docker-listening.ts'

const line = (local: string, state = '0A') =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0 0 10 0\n`
const heading = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'

test.each([
  ['every IPv4 address', '00000000:1F90', [{ port: 8080, isLocal: false }]],
  ['127.0.0.1', '0100007F:0BB8', [{ port: 3000, isLocal: true }]],
  ['every IPv6 address', `${'0'.repeat(32)}:0050`, [{ port: 80, isLocal: false }]],
  ['::1', `${'0'.repeat(24)}01000000:0BB8`, [{ port: 3000, isLocal: true }]],
  ['the resolver of the engine', '0B00007F:A1B2', []]
])('a socket on %s', (_what, local, expected) => {
  expect(parseListening(heading + line(local))).toEqual(expected)
})

test('connections are skipped, and a port that is also open elsewhere is not local', () => {
  const text = line('0100007F:0BB8') + line('00000000:0BB8') + line('00000000:1F90', '01')
  expect(parseListening(text)).toEqual([{ port: 3000, isLocal: false }])
})
