import { expect, test } from 'vitest'
import { renderRouteMap } from './route-map.render.ts'
import { parseTcpMap, renderTcpTable } from './tcp-map.render.ts'

const network = { subnet: '172.28.0.0/20', gateway: '172.28.0.1', pools: ['172.29.0.0/16'], networkPrefix: 27 }
const target = { address: '172.28.0.2', port: 1883 }

test('what was rendered is parsed, and other lines are not', () => {
  const table = renderTcpTable(
    [
      { at: 20_001, target },
      { at: 'mq.example.com', target },
      { at: '*.example.com', target },
      { at: 'a.example.com' }
    ],
    network
  )
  expect([...table.values()]).toEqual([...Array<string>(3).fill('172.28.0.2:1883'), 'closed:0'])
  expect(parseTcpMap(`${renderRouteMap(table)}20002\n20003 panel:0\n`)).toEqual(table)
})

test.each([
  ['port 0', { at: 0, target }],
  ['a port above all', { at: 65_536, target }],
  ['a name with a command', { at: 'a.example.com; del map', target }],
  ['the gateway', { at: 20_001, target: { address: '172.28.0.1', port: 1883 } }],
  ['an address of another network', { at: 20_001, target: { address: '127.0.0.1', port: 1883 } }]
])('%s is refused', (_, route) => {
  expect(() => renderTcpTable([route], network)).toThrow('Invalid')
})
