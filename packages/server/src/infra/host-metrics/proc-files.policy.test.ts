import { describe, expect, test } from 'vitest'
import {
  containerTraffic,
  parseCount,
  parseDefaultInterfaces,
  parseLimit,
  parseLoadAverage,
  parseMeminfo,
  parseNamed,
  parseNetworkDevices,
  parseStat,
  parseUptime,
  sumTraffic
} from './proc-files.policy.ts'

describe('/proc/stat', () => {
  test('busy excludes idle and iowait, and does not count guests twice', () => {
    const { cpu, cores } = parseStat('cpu  100 10 50 800 40 5 5 10 30 2\ncpu0 50 5 25 400 20 0 0 0 0 0\nintr 5 5\n')
    expect(cpu).toEqual({ busy: 180, total: 1_020 })
    expect([...cores]).toEqual([[0, { busy: 80, total: 500 }]])
  })
  test('skips an offline core and keeps core numbers', () => {
    expect([...parseStat('cpu  1 1 1 1\ncpu0 1 1 1 1\ncpu3 1 1 1 1\n').cores.keys()]).toEqual([0, 3])
  })
  test.each(['', 'intr 1', 'cpu x y', '\u0000'])('%j has no values', (text) => {
    expect(parseStat(text)).toEqual({ cpu: undefined, cores: new Map() })
  })
})

test.each([
  ['MemTotal: 1000 kB\nMemFree: 100 kB\nMemAvailable: 400 kB\n', { used: 600 * 1024, total: 1000 * 1024 }],
  ['MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 50 kB\nCached: 250 kB\n', { used: 600 * 1024, total: 1000 * 1024 }],
  ['MemTotal: 1000 kB\nMemAvailable: 2000 kB\n', { used: 0, total: 1000 * 1024 }],
  ['MemTotal: 1000 kB\n', undefined],
  ['', undefined]
])('/proc/meminfo %j', (text, memory) => expect(parseMeminfo(text)).toEqual(memory))

test.each([
  ['0.52 1.10 0.97 3/512 12345\n', [0.52, 1.1, 0.97]],
  ['0.52 1.10', undefined],
  ['a b c', undefined],
  ['', undefined]
])('/proc/loadavg %j', (text, load) => expect(parseLoadAverage(text)).toEqual(load))

test.each([
  ['1234.56 99.00\n', 1234.56],
  ['', undefined],
  ['soon', undefined]
])('/proc/uptime %j', (text, seconds) => expect(parseUptime(text)).toBe(seconds))

const devices = parseNetworkDevices(`Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 10 1 0 0 0 0 0 0 10 1 0 0 0 0 0 0
  eth0:1000 1 0 0 0 0 0 0 2000 1 0 0 0 0 0 0
 wg0: 5 1 0 0 0 0 0 0 6 1 0 0 0 0 0 0
vethab: 7 1 0 0 0 0 0 0 8 1 0 0 0 0 0 0
`)

describe('/proc/net/dev', () => {
  test('parses each interface, also without a space after the colon', () => {
    expect([...devices.keys()]).toEqual(['lo', 'eth0', 'wg0', 'vethab'])
    expect(devices.get('eth0')).toEqual({ received: 1000, sent: 2000 })
  })
  test('machine traffic uses default routes, else all non-container interfaces', () => {
    const route =
      'Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\neth0\t00000000\t0100A8C0\t0003\t0\t0\t0\t00000000\n'
    const ipv6 = `${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00 fe80 00000400 1 0 00000003 wg0\n${'0'.repeat(32)} 00 x 00 x 0 0 0 0 lo\n`
    expect([...parseDefaultInterfaces(route, '')]).toEqual(['eth0'])
    expect([...parseDefaultInterfaces(route, ipv6)]).toEqual(['eth0', 'wg0'])
    expect(sumTraffic(devices, new Set(['eth0']))).toEqual({ received: 1000, sent: 2000 })
    expect(sumTraffic(devices, new Set())).toEqual({ received: 1005, sent: 2006 })
    expect(sumTraffic(new Map(), new Set())).toBeUndefined()
  })
  test('container traffic excludes loopback', () => {
    expect(containerTraffic(devices)).toEqual({ received: 1012, sent: 2014 })
  })
})

test.each([
  ['42\n', 42],
  ['max\n', undefined],
  ['-1', undefined],
  ['', undefined],
  [undefined, undefined]
])('a file with one number %j', (text, count) => expect(parseCount(text)).toBe(count))

test.each([
  ['max\n', undefined],
  ['9223372036854771712\n', undefined],
  ['536870912\n', 536870912]
])('a limit %j', (text, limit) => expect(parseLimit(text)).toBe(limit))

test('finds a named line', () => {
  const text = 'usage_usec 12\nuser_usec 7\n'
  expect([parseNamed(text, 'usage_usec'), parseNamed(text, 'usec'), parseNamed(undefined, 'x')]).toEqual([
    12,
    undefined,
    undefined
  ])
})
