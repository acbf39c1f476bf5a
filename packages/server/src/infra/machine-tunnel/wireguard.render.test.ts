import { expect, test } from 'vitest'
import { addressesOf, parseState, renderPeers } from './wireguard.render.ts'

const publicKey = 'Nm/83UwxQi2wkWjDZ6YhCBK1XJrOGZniT28+hNmAo0A='
const peer = { publicKey, address: '10.83.0.2', ownAddress: '10.83.0.1', endpoint: '192.0.2.7:51820' }

test('a peer may use its one address', () => {
  expect(renderPeers([peer, { ...peer, address: '10.83.0.3', endpoint: undefined }])).toMatchInlineSnapshot(`
    "
    [Peer]
    PublicKey = Nm/83UwxQi2wkWjDZ6YhCBK1XJrOGZniT28+hNmAo0A=
    AllowedIPs = 10.83.0.2/32
    Endpoint = 192.0.2.7:51820
    PersistentKeepalive = 25

    [Peer]
    PublicKey = Nm/83UwxQi2wkWjDZ6YhCBK1XJrOGZniT28+hNmAo0A=
    AllowedIPs = 10.83.0.3/32
    "
  `)
  expect(addressesOf([peer, { ...peer, address: '10.83.0.3' }])).toEqual({
    addresses: ['10.83.0.1'],
    routes: ['10.83.0.2:10.83.0.1', '10.83.0.3:10.83.0.1']
  })
})

test.each([
  ['a key', { publicKey: `${publicKey}\nAllowedIPs = 0.0.0.0/0` }],
  ['an address', { address: '0.0.0.0/0' }],
  ['an own address', { ownAddress: '-h' }],
  ['an endpoint', { endpoint: 'm2.example.com:51820' }],
  ['a port', { endpoint: '192.0.2.7:70000' }]
])('%s that is none is refused', (_, values) => {
  const bad = { ...peer, ...values }
  expect(() => [renderPeers([bad]), addressesOf([bad])]).toThrow(TypeError)
})

test('the state names the last handshakes, or what is missing', () => {
  const other = `A${publicKey.slice(1)}`
  expect(
    parseState(`key=${publicKey}\nnew=1\ntime=1000\nhandshake=${publicKey}\t990\nhandshake=${other}\t0\n`)
  ).toEqual({ publicKey, isNew: true, handshakes: new Map([[publicKey, 10]]) })
  expect(parseState('missing=wireguard-tools wireguard-go\n')).toEqual({
    missingPackages: ['wireguard-tools', 'wireguard-go']
  })
})
