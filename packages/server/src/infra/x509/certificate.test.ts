import 'reflect-metadata'
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, webcrypto, X509Certificate } from 'node:crypto'
import { type JsonGeneralNames, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'
import { describe, expect, test } from 'vitest'
import { readCertificate, readDnsNames } from './certificate.ts'
import { readPemBlocks } from './pem.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

async function certificateWith(name: Record<string, string[]>[], names: JsonGeneralNames): Promise<string> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      keys,
      name,
      signingAlgorithm: algorithm,
      serialNumber: '0badcafe',
      notBefore: new Date('2026-01-02T03:04:05Z'),
      notAfter: new Date('2081-01-02T03:04:05Z'),
      extensions: names.length === 0 ? [] : [new SubjectAlternativeNameExtension(names)]
    },
    webcrypto
  )
  return certificate.toString('pem')
}

describe('readCertificate', () => {
  test('reads the fields', async () => {
    const pem = await certificateWith(
      [{ O: ["Let's Encrypt"] }, { CN: ['R11'] }],
      [
        { type: 'dns', value: 'Shop.Test' },
        { type: 'dns', value: '*.shop.test' },
        { type: 'ip', value: '192.0.2.1' }
      ]
    )
    expect(readCertificate(pem)).toEqual({
      issuer: "Let's Encrypt (R11)",
      commonName: 'R11',
      dnsNames: ['shop.test', '*.shop.test'],
      serialNumber: '0BADCAFE',
      validFrom: new Date('2026-01-02T03:04:05Z'),
      validTo: new Date('2081-01-02T03:04:05Z'),
      fingerprint: new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase()
    })
  })

  test('uses the first DNS name if there is no common name', async () => {
    const pem = await certificateWith([], [{ type: 'dns', value: 'shop.test' }])
    expect(readCertificate(pem)).toMatchObject({ issuer: 'unnamed', commonName: 'shop.test' })
  })

  test('removes control characters and joins repeated attributes', async () => {
    const pem = await certificateWith([{ CN: ['one\n\u202etwo'] }, { CN: ['three'] }], [])
    expect(readCertificate(pem)).toMatchObject({ commonName: 'one two, three', dnsNames: [] })
  })

  test('ignores DNS names smuggled into another name', async () => {
    const pem = await certificateWith(
      [],
      [
        { type: 'dns', value: 'good.test, DNS:evil.test' },
        { type: 'dns', value: 'a"b.test' },
        { type: 'dns', value: 'nul\0.evil.test' },
        { type: 'dn', value: 'CN=x, O=DNS:evil.test' },
        { type: 'url', value: 'https://x.test/, DNS:evil.test' },
        { type: 'email', value: 'DNS:evil.test@x.test' },
        { type: 'dns', value: 'last.test' }
      ]
    )
    expect(readCertificate(pem).dnsNames).toEqual(['last.test'])
  })

  test.each(['', 'no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
    'are not read from %j',
    (text) => expect(() => readCertificate(text)).toThrow()
  )
})

test.each([
  ['DNS:a.test, DNS:b.test', ['a.test', 'b.test']],
  ['IP Address:192.0.2.1, DNS:a.test', ['a.test']],
  ['othername:<unsupported>, DNS:a.test, DNS:a.test', ['a.test']],
  ['DNS:"a.test\\u002c DNS:evil.test", DNS:b.test', ['b.test']],
  ['DNS:a.test, DNS:"unfinished, DNS:evil.test', ['a.test']],
  ['DNS:w*.test, DNS:*, DNS:.test, DNS:-a.test, DNS:a..test, DNS:a.test.', []],
  [`DNS:${'a'.repeat(64)}.test, DNS:${'a.'.repeat(130)}test`, []]
])('alternative names: %s', (text, names) => expect(readDnsNames(text)).toEqual(names))

describe('PEM blocks', () => {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'sec1', format: 'pem' })

  test('are found in any text', () =>
    expect(readPemBlocks(`subject=/CN=x\r\n${String(key)}'; id #\r\n${String(key)} junk`)).toEqual([
      { label: 'EC PRIVATE KEY', pem: String(key) },
      { label: 'EC PRIVATE KEY', pem: String(key) }
    ]))

  test.each([
    ['none at all', 'id', []],
    ['without an end', '-----BEGIN CERTIFICATE-----\nAAAA', undefined],
    ['with another end', '-----BEGIN A-----\nAAAA\n-----END B-----', undefined],
    ['with a strange label', '-----BEGIN a;b-----\n-----END a;b-----', undefined],
    ['only dashes', '-----BEGIN ', undefined],
    ['beginnings without an end', '-----BEGIN A-----\n'.repeat(4000), undefined]
  ])('%s', (_, text, blocks) => expect(readPemBlocks(text)).toEqual(blocks))
})

test('TLS works after a certificate was read first', async () => {
  const pem = await certificateWith([{ CN: ['shop.test'] }], [])
  const script = `
    const { readCertificate } = await import(${JSON.stringify(new URL('./certificate.ts', import.meta.url).href)})
    readCertificate(process.argv[1])
    const { createSecureContext } = await import('node:tls')
    console.log(typeof createSecureContext)`
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script, '--', pem]
  expect(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 50_000 })).toBe('function\n')
})
