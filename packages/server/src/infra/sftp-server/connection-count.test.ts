import { expect, test } from 'vitest'
import { countConnectionsTo } from './connection-count.ts'

const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode'
const tcp = `${head}
   0: 00000000:4282 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1
   1: 0100007F:4282 0100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 2
   2: 0100007F:D431 0100007F:4282 01 00000000:00000000 00:00000000 00000000     0        0 3
  13: 0100007F:4282 0100007F:D432 06 00000000:00000000 00:00000000 00000000     0        0 0
`
const tcp6 = `${head}
   0: 0000000000000000FFFF00000100007F:4282 0000000000000000FFFF00000100007F:D433 01 00000000:00000000 00:00000000 00000000     0        0 4
`

test('counts only established connections to the port, IPv4 and IPv6', () => {
  expect(countConnectionsTo(0x4282, [tcp, tcp6])).toBe(2)
  expect(countConnectionsTo(0xd431, [tcp, tcp6])).toBe(1)
  expect(countConnectionsTo(22, [tcp, tcp6])).toBe(0)
})
