import { expect, test } from 'vitest'
import { accountNetworkNames, bridgePrefix, buildNetworkNames, panelNetworkNames } from './network-names.ts'

const instanceId = '0123456789'

test('network names contain the full instance id, bridge names its prefix', () => {
  expect(accountNetworkNames(instanceId, 40)).toEqual({ name: 'panel-0123456789-account-40', bridge: 'pn012345a14' })
  expect(panelNetworkNames(instanceId)).toEqual({ name: 'panel-0123456789', bridge: 'pn012345p' })
  expect(buildNetworkNames(instanceId, 7, 0)).toEqual({ name: 'panel-0123456789-build-7-0', bridge: 'pn012345b700' })
})

test('bridge names are short and distinct', () => {
  const bridges = [0, 1, 35, 36, 1295, 1_679_615].flatMap((worker) =>
    [0, 1, 35, 36, 63, 1295].map((number) => buildNetworkNames(instanceId, worker, number).bridge)
  )
  expect(new Set(bridges).size).toBe(bridges.length)
  for (const bridge of bridges) {
    expect(bridge.length).toBeLessThanOrEqual(15)
    expect(bridge.startsWith(bridgePrefix(instanceId))).toBe(true)
  }
  expect(bridges).not.toContain(panelNetworkNames(instanceId).bridge)
})
