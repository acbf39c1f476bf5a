import { certificateProblemTexts } from '@panel/contract/certificate-texts'
import { sentenceText } from '@panel/contract/sentences'
import { expect, test } from 'vitest'
import type { Lookup } from '../../infra/public-dns/public-dns.ts'
import { addressProblem, nameFacts, type ProbeResult, probeProblem } from './precheck.policy.ts'

const lookup = (values: string[], error: string | null = null): Lookup => ({
  resolver: '192.0.2.1',
  values,
  error,
  latencyMs: 1
})

test('merges the addresses of all resolvers', () =>
  expect(
    nameFacts([lookup(['1.1.1.1']), lookup(['1.1.1.1', '2.2.2.2']), lookup([], 'TIMEOUT')], [lookup(['2600::1'])])
  ).toEqual({ addresses: ['1.1.1.1', '2.2.2.2', '2600::1'], isAnswered: false }))

test.each([
  ['NXDOMAIN', 'NXDOMAIN', true],
  ['NODATA', 'NODATA', true],
  ['NODATA', 'TIMEOUT', false],
  ['TIMEOUT', 'NODATA', false],
  ['SERVFAIL', 'SERVFAIL', false]
])('A %s and AAAA %s confirm that there are none: %s', (a, aaaa, isAnswered) =>
  expect(nameFacts([lookup([], a)], [lookup([], aaaa)])).toEqual({ addresses: [], isAnswered })
)

test.each<[string[], boolean, RegExp | undefined]>([
  [[], true, /no address record.*A record shop\.example with the value 9\.9\.9\.9/],
  [[], false, undefined],
  [['9.9.9.9'], false, undefined],
  [['9.9.9.9', '2600::1'], true, undefined],
  [['10.0.0.1'], true, /points to 10\.0\.0\.1.*change its A record to 9\.9\.9\.9/],
  [['9.9.9.9', '10.0.0.1'], true, /points to 10\.0\.0\.1/],
  [['9.9.9.9', 'fd00::1'], true, /points to fd00::1.*remove its AAAA record/]
])('addresses %j, answered %s', (addresses, isAnswered, problem) => {
  const isAllowed = (address: string) => !/^(10\.|fd)/.test(address)
  const found = addressProblem('shop.example', { addresses, isAnswered }, { publicIp: '9.9.9.9', isAllowed })
  if (problem === undefined) expect(found).toBeUndefined()
  else expect(sentenceText(certificateProblemTexts, found!)).toMatch(problem)
})

test.each<[string, Record<string, ProbeResult>, RegExp | undefined]>([
  ['the proof', { '9.9.9.9': 'proof' }, undefined],
  ['the proof, and silence on IPv6', { '9.9.9.9': 'proof', '2600::1': 'silent' }, undefined],
  ['the proof, and no IPv6 here', { '9.9.9.9': 'proof', '2600::1': 'no-way' }, undefined],
  ['no way at all', { '2600::1': 'no-way' }, undefined],
  ['a redirection', { '1.1.1.1': 'redirected' }, undefined],
  ['something else', { '1.1.1.1': 'other' }, /at 1\.1\.1\.1 \(port 80\).*A record to 9\.9\.9\.9/],
  ['the proof, and something else', { '9.9.9.9': 'proof', '2600::1': 'other' }, /at 2600::1.*AAAA/],
  ['silence', { '1.1.1.1': 'silent' }, /at 1\.1\.1\.1/],
  ['silence at our own', { '9.9.9.9': 'silent' }, /Forward port 80 to this server.*Check before ordering/],
  ['something else at our own', { '9.9.9.9': 'other' }, /Forward port 80 to this server/],
  ['nothing asked', {}, undefined]
])('%s', (_name, results, problem) => {
  const probes = Object.entries(results).map(([address, result]) => ({ address, result }))
  const found = probeProblem('shop.example', probes, { publicIp: '9.9.9.9', port: 80 })
  if (problem === undefined) expect(found).toBeUndefined()
  else expect(sentenceText(certificateProblemTexts, found!)).toMatch(problem)
})

test('silent and other responses give the same message, except for the address', () => {
  const messageOf = (result: ProbeResult) =>
    probeProblem('shop.example', [{ address: '1.1.1.1', result }], { publicIp: '9.9.9.9', port: 80 })
  expect(messageOf('silent')).toEqual(messageOf('other'))
})
