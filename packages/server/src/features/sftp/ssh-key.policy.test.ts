import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fingerprintOf, formatSshKey, isSameKey, parseSshKey, type SshKey } from './ssh-key.policy.ts'

const text = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value as string)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
const line = (type: string, ...parts: Buffer[]) => `${type} ${Buffer.concat([text(type), ...parts]).toString('base64')}`
const point = (bytes: number) => text(Buffer.concat([Buffer.of(4), Buffer.alloc(bytes - 1, 7)]))
const rsa = (bits: number, exponent: Buffer = Buffer.of(1, 0, 1)) => {
  const modulus = Buffer.alloc(Math.ceil(bits / 8), 0x55)
  modulus[0] = 1 << ((bits - 1) % 8)
  return line('ssh-rsa', text(exponent), text(modulus[0] >= 0x80 ? Buffer.concat([Buffer.of(0), modulus]) : modulus))
}

const ed25519 = line('ssh-ed25519', text(Buffer.alloc(32, 7)))
const accepted = (value: string): SshKey => {
  const key = parseSshKey(value)
  if ('problem' in key) throw new Error(key.problem)
  return key
}

describe('accepts', () => {
  test.each([
    ['ssh-ed25519', ed25519],
    ['ecdsa on P-256', line('ecdsa-sha2-nistp256', text('nistp256'), point(65))],
    ['ecdsa on P-384', line('ecdsa-sha2-nistp384', text('nistp384'), point(97))],
    ['ecdsa on P-521', line('ecdsa-sha2-nistp521', text('nistp521'), point(133))],
    ['RSA of 2048 bits', rsa(2048)],
    ['RSA of 4096 bits', rsa(4096)],
    ['a security key', line('sk-ssh-ed25519@openssh.com', text(Buffer.alloc(32, 7)), text('ssh:'))],
    ['one on P-256', line('sk-ecdsa-sha2-nistp256@openssh.com', text('nistp256'), point(65), text('ssh:me'))]
  ])('%s', (_, value) => {
    expect(formatSshKey(accepted(value))).toBe(value)
    expect(formatSshKey(accepted(`${value} ann@example.com on her laptop\n`))).toBe(
      `${value} ann@example.com on her laptop`
    )
  })

  test('the fingerprint matches ssh-keygen -l', () => {
    const key = accepted('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH')
    expect(fingerprintOf(key)).toBe('SHA256:gNSIRW+2Iyiuvsdp/bgjy38bvWHw6wQm3tuoXrl3WjQ')
  })

  test('isSameKey ignores the comment', () => {
    expect(isSameKey(`${ed25519} old`, accepted(`${ed25519} new`))).toBe(true)
    expect(isSameKey(rsa(2048), accepted(ed25519))).toBe(false)
  })
})

describe('rejects', () => {
  test.each([
    ['options', `command="id" ${ed25519}`, /without options/],
    ['an environment', `environment="PATH=/tmp" ${ed25519}`, /without options/],
    ['restrict', `restrict ${ed25519}`, /without options/],
    ['two lines', `${ed25519} a\n${ed25519} b`, /one line/],
    ['a carriage return', `${ed25519}\rssh-rsa`, /one line/],
    ['a NUL', `${ed25519} a\0b`, /one line/],
    ['a tab', `ssh-ed25519\t${ed25519.split(' ')[1]}`, /one line/],
    ['an escape sequence in the comment', `${ed25519} \x1b[2J`, /one line/],
    ['a right-to-left override', `${ed25519} \u202e`, /one line/],
    ['a line separator', `${ed25519} a\u2028b`, /one line/],
    ['a long comment', `${ed25519} ${'a'.repeat(201)}`, /comment of at most/],
    ['10 kB', `${ed25519} ${'a'.repeat(10_240)}`, /at most 8192/],
    ['nothing', ' ', /start with its type/],
    ['a word', 'hello', /start with its type/],
    ['a type alone', 'ssh-ed25519', /incomplete/],
    ['a property of Object.prototype', 'constructor AAAA', /start with its type/],
    ['DSA', line('ssh-dss', text('p'), text('q')), /too weak/],
    ['a certificate', line('ssh-ed25519-cert-v01@openssh.com', text('n')), /certificate/],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl', /private key/],
    ['no Base64', 'ssh-ed25519 ****', /Base64/],
    ['Base64 with trailing characters', `${ed25519.slice(0, -1)}!`, /Base64/],
    ['another type inside', `ssh-rsa ${ed25519.split(' ')[1]}`, /different key type/],
    ['an empty blob', 'ssh-ed25519 AAAAAA==', /different key type/],
    ['a length beyond the end', `ssh-ed25519 ${Buffer.from('ffffffff', 'hex').toString('base64')}`, /incomplete/],
    ['a short key', line('ssh-ed25519', text(Buffer.alloc(31))), /wrong length/],
    ['trailing data', line('ssh-ed25519', text(Buffer.alloc(32)), text('x')), /trailing data/],
    ['another curve', line('ecdsa-sha2-nistp256', text('nistp384'), point(97)), /different curve/],
    [
      'a compressed point',
      line('ecdsa-sha2-nistp256', text('nistp256'), text(Buffer.alloc(65, 2))),
      /not uncompressed/
    ],
    [
      'a key for a web site',
      line('sk-ssh-ed25519@openssh.com', text(Buffer.alloc(32)), text('webauthn')),
      /not a security key for SSH/
    ],
    ['RSA of 1024 bits', rsa(1024), /RSA key of 1024 bits/],
    ['RSA of 2047 bits', rsa(2047), /RSA key of 2047 bits/],
    ['an exponent of 1', rsa(2048, Buffer.of(1)), /exponent/],
    ['an even exponent', rsa(2048, Buffer.of(4)), /exponent/],
    ['a negative modulus', line('ssh-rsa', text(Buffer.of(3)), text(Buffer.alloc(256, 0xff))), /invalid numbers/]
  ])('%s', (_, value, problem) => {
    expect(parseSshKey(value)).toEqual({ problem: expect.stringMatching(problem) })
  })

  test('accepted keys are one line and round-trip', () => {
    const noise = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(' ', '\n', '"', 'restrict', ed25519)
    )
    fc.assert(
      fc.property(fc.array(noise), (parts) => {
        const key = parseSshKey(parts.join(' '))
        if ('problem' in key) return
        expect(formatSshKey(key)).toMatch(/^ssh-ed25519 [A-Za-z0-9+/=]+( \P{C}*)?$/u)
        expect(parseSshKey(formatSshKey(key))).toEqual(key)
      })
    )
  })
})

test('accepts keys generated by Node', () => {
  const { n, e } = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' })
  const number = (value: string) => {
    const bytes = Buffer.from(value, 'base64url')
    return text(bytes[0]! >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes)
  }
  expect(accepted(line('ssh-rsa', number(e!), number(n!))).type).toBe('ssh-rsa')
})
