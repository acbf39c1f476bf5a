import { describe, expect, test } from 'vitest'
import { formatSubnet, freeSubnets, networkPlan, parseSubnet, routedSubnets, subnetsOverlap } from './ipv4-subnet.ts'

const subnet = (cidr: string) => parseSubnet(cidr)!

describe('subnets', () => {
  test.each([
    ['172.28.5.7/20', '172.28.0.0/20'],
    ['255.255.255.255/32', '255.255.255.255/32'],
    ['0.0.0.0/0', '0.0.0.0/0']
  ])('%s is in %s', (cidr, expected) => {
    expect(formatSubnet(subnet(cidr))).toBe(expected)
  })

  test.each(['', '::1/128', '1.2.3/8', '256.0.0.0/8', '1.2.3.4/33'])('%j is not a subnet', (text) => {
    expect(parseSubnet(text)).toBeUndefined()
  })

  test.each([
    ['172.28.0.0/20', '172.28.15.0/24', true],
    ['172.28.0.0/20', '172.28.16.0/24', false],
    ['10.0.0.0/8', '10.200.1.1/32', true],
    ['192.168.0.0/16', '10.0.0.0/8', false]
  ])('%s and %s overlap: %s', (left, right, expected) => {
    expect(subnetsOverlap(subnet(left), subnet(right))).toBe(expected)
    expect(subnetsOverlap(subnet(right), subnet(left))).toBe(expected)
  })

  test('routes are parsed, except the default route', () => {
    const table = [
      'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT',
      'eth0\t00000000\t0101A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0',
      'docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0',
      'eth0\t0101A8C0\t00000000\t0005\t0\t0\t0\tFFFFFFFF\t0\t0\t0',
      ''
    ].join('\n')
    expect(routedSubnets(table).map(formatSubnet)).toEqual(['172.17.0.0/16', '192.168.1.1/32'])
  })

  test('free subnets avoid those in use', () => {
    const taken = ['172.28.0.0/16', '172.29.8.0/24', '172.16.0.0/14'].map(subnet)
    const free = [...freeSubnets(taken)].map(formatSubnet)
    expect(free[0]).toBe('172.29.16.0/20')
    expect(free).toContain('10.128.0.0/20')
    expect(free.length).toBe(64 - 16 - 1 + 2048)
    expect([...freeSubnets([...taken, subnet('10.0.0.0/8'), subnet('172.16.0.0/12')])]).toEqual([])
  })

  test('small subnets come from other ranges', () => {
    const free = freeSubnets([subnet('10.254.0.0/28'), subnet('10.254.0.32/28')], 28)
    expect([free.next().value, free.next().value].map((one) => formatSubnet(one!))).toEqual([
      '10.254.0.16/28',
      '10.254.0.48/28'
    ])
    expect(networkPlan(subnet('10.254.0.16/28'))).toEqual({
      subnet: '10.254.0.16/28',
      gateway: '10.254.0.17',
      engineRange: '10.254.0.16/28'
    })
  })

  test('the engine allocates from the last /24', () => {
    expect(networkPlan(subnet('172.28.16.0/20'))).toEqual({
      subnet: '172.28.16.0/20',
      gateway: '172.28.16.1',
      engineRange: '172.28.31.0/24'
    })
  })
})
