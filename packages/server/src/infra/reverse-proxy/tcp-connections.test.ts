import { expect, test } from 'vitest'
import { countConnections } from './tcp-connections.ts'

const text = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
   1: 01001CAC:C350 02001CAC:0BB8 01 00000000:00000000 00:00000000 00000000     0        0 2 1 0 20 4 0 10 -1
   2: 01001CAC:C351 02001CAC:0BB8 01 00000000:00000000 00:00000000 00000000     0        0 3 1 0 20 4 0 10 -1
   3: 01001CAC:C352 02001CAC:0BB8 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0
   4: 02001CAC:0BB8 01001CAC:C351 01 00000000:00000000 00:00000000 00000000     0        0 4 1 0 20 4 0 10 -1
   5: 01001CAC:C353 03001CAC:0BB8 01 00000000:00000000 00:00000000 00000000     0        0 5 1 0 20 4 0 10 -1
`

test('counts only established connections to the address and port', () => {
  expect(countConnections(text, '172.28.0.2', 3000)).toBe(2)
  expect(countConnections(text, '172.28.0.3', 3000)).toBe(1)
  expect(countConnections(text, '172.28.0.2', 3001)).toBe(0)
  expect(countConnections(text, '172.28.0.4', 3000)).toBe(0)
  expect(countConnections(text, '172.28.0.2')).toBe(2)
  expect(countConnections('', '172.28.0.2', 3000)).toBe(0)
  expect(countConnections(text, 'x', 3000)).toBe(0)
})
