import { expect, test } from 'vitest'
import { parseIpv4, parseSubnet } from './ipv4.ts'

test.each([
  ['0.0.0.0', 0],
  ['172.28.0.1', 2887516161],
  ['255.255.255.255', 4294967295]
])('%s is an address', (text, number) => {
  expect(parseIpv4(text)).toBe(number)
})

test.each([
  '',
  '1',
  '1.2.3',
  '1.2.3.4.5',
  '01.2.3.4',
  '256.1.1.1',
  '1.2.3.4 ',
  ' 1.2.3.4',
  '1.2.3.4\n',
  '0x7f.0.0.1',
  '::1',
  '1..2.3',
  '1e1.0.0.1'
])('%j is not an address', (text) => {
  expect(parseIpv4(text)).toBeUndefined()
})

test('a subnet has a first and a last address', () => {
  expect(parseSubnet('10.0.0.0/30')).toEqual({ first: 167772160, last: 167772163 })
  expect(parseSubnet('0.0.0.0/0')).toEqual({ first: 0, last: 4294967295 })
})

test.each(['10.0.0.0', '10.0.0.1/30', '10.0.0.0/33', '10.0.0.0/08', '10.0.0/8', '10.0.0.0/8\n', '/8', ''])(
  '%j is no subnet',
  (text) => {
    expect(parseSubnet(text)).toBeUndefined()
  }
)
