import { readdir, readFile, stat, statfs } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Certificate } from '@panel/contract/certificates'
import type { CreatedDomain } from '@panel/contract/domains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../packages/server/test/fixtures/certificate.fixture.ts'
import { until } from '../support/poll.ts'
import { createHandMadeAuthority, type HandMade, type HandMadeAuthority } from '../support/openssl.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { handshake, visitSecurely } from '../support/tls-clients.ts'

let environment: World
let authority: HandMadeAuthority
beforeAll(async () => {
  authority = await createHandMadeAuthority()
  environment = await sharedWorld()
})
afterAll(() => authority?.close())

const addDomain = () => environment.dns.addDomain(environment.ann, environment.newName())

async function addCertified(key: 'ec' | 'rsa' = 'ec') {
  const { id, hostname } = await addDomain()
  const made = await authority.issue({ names: [hostname], key })
  const { status, body } = await environment.upload(id, made)
  expect({ status, body }).toMatchObject({ status: 200 })
  return { id, hostname, made, certificate: body }
}

const serialAt = async (hostname: string) => (await handshake(environment.panel.proxyHttpsPort, hostname)).serial

describe('an uploaded certificate', () => {
  test('is served at once with its chain, and so is one with a key of another type that replaces it', async () => {
    const { id, hostname, certificate } = await addCertified('rsa')
    expect(certificate).toMatchObject({
      type: 'CUSTOM',
      status: 'ACTIVE',
      sans: [hostname],
      issuer: 'Hand-made intermediate',
      nextRenewalAt: null
    })
    const served = () => environment.shakeHands(hostname, authority.rootPem)
    expect(await served()).toMatchObject({ serial: certificate.serialNumber, isTrusted: true })
    expect(await environment.panel.visit(hostname, '/x')).toMatchObject({
      status: 301,
      headers: { location: `https://${hostname}/x` }
    })

    const next = await environment.upload(id, await authority.issue({ names: [hostname], key: 'ec' }))
    expect(next).toMatchObject({ status: 200, body: { id: certificate.id } })
    expect(next.body.serialNumber).not.toBe(certificate.serialNumber)
    expect(await served()).toMatchObject({ serial: next.body.serialNumber, isTrusted: true })
    // An RSA-only client must not get the previous certificate either.
    const onlyRsa = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' } as const
    await expect(handshake(environment.panel.proxyHttpsPort, hostname, onlyRsa)).rejects.toThrow()
  })

  test.each<[string, string, (made: HandMade, hostname: string) => Promise<Partial<HandMade>>]>([
    ['an encrypted key', 'KEY_INVALID', async ({ keyPem }) => ({ keyPem: await authority.encrypt(keyPem) })],
    [
      'a stranger in the chain',
      'CHAIN_INVALID',
      async ({ chain }, name) => ({ chain: chain + (await other(name)).leaf })
    ]
  ])('with %s is refused, and the previous one stays', async (_, code, spoil) => {
    const { id, hostname, certificate } = await addCertified()
    const made = await authority.issue({ names: [hostname] })
    const answer = await environment.upload(id, { ...made, ...(await spoil(made, hostname)) })
    expect(answer).toMatchObject({ status: 400, body: { code } })
    expect(JSON.stringify(answer.body)).not.toContain(secretLine(made.keyPem))
    expect(await serialAt(hostname)).toBe(certificate.serialNumber)
    expect(await environment.certificateOf(id)).toEqual(certificate)
  })

  const other = (hostname: string) => authority.issue({ names: [hostname] })

  test('with proxy commands in it is only data', async () => {
    const { certificates, map } = await environment.proxyPaths()
    const bystander = await addCertified()
    const commands = [`clear map ${map}`, 'disable frontend web', `del ssl crt-list ${certificates}`, 'shutdown']
    const injected = `\n\n${commands.join('\n')}\n\n`
    const inBlock = (pem: string) => pem.replace(/(-----BEGIN [A-Z ]+-----\n)/, `$1${injected}`)
    const variants: ((made: HandMade) => HandMade)[] = [
      (made) => ({ ...made, chain: `${injected}${made.chain}${injected}` }),
      (made) => ({ ...made, chain: made.chain.replace('-----\n-----', `-----${injected}-----`) }),
      (made) => ({ ...made, keyPem: `${injected}${made.keyPem}${injected}` }),
      (made) => ({ ...made, chain: inBlock(made.chain) }),
      (made) => ({ ...made, keyPem: inBlock(made.keyPem) }),
      (made) => ({ ...made, chain: made.chain.replaceAll('\n', '\r\n'), keyPem: made.keyPem.replaceAll('\n', '\r\n') })
    ]
    const before = (await environment.proxyProcesses()).all
    for (const [index, vary] of variants.entries()) {
      const { id, hostname } = await addDomain()
      const { status, body } = await environment.upload(id, vary(await authority.issue({ names: [hostname] })))
      expect([200, 400], `variant ${index}`).toContain(status)
      if (status === 200) expect(await serialAt(hostname)).toBe(body.serialNumber)
      expect(await serialAt(bystander.hostname)).toBe(bystander.certificate.serialNumber)
      expect((await environment.panel.visit(bystander.hostname)).status).toBe(301)
      expect((await visitSecurely(environment.panel.proxyHttpsPort, bystander.hostname)).status).toBe(404)
    }
    expect((await environment.proxyProcesses()).all).toEqual(before)
  })
})

const untilGone = (directory: string, id: string) =>
  until(
    async () => (await readdir(directory)).filter((file) => file.startsWith(id)),
    (files) => files.length === 0
  )

describe('the private key', () => {
  test('is kept in memory, private, and never stored below DATA_DIR', async () => {
    const { panel } = environment
    const { made, certificate } = await addCertified('ec')
    const rsa = await addCertified('rsa')
    const { certificates } = await environment.proxyPaths()
    const files = await readdir(certificates)
    const own = files.filter((file) => file.startsWith(certificate.id))
    expect(own).toHaveLength(1)
    expect(await readFile(join(certificates, own[0]!), 'utf8')).toContain(secretLine(made.keyPem))
    for (const path of [certificates, ...files.map((file) => join(certificates, file))])
      expect((await stat(path)).mode & 0o077, basename(path)).toBe(0)
    expect((await statfs(certificates)).type).toBe(0x01021994)

    // Flushes the database to disk, so that its files can be searched.
    await panel.query('checkpoint')
    const secrets = [made, rsa.made].flatMap(({ keyPem }) => secretsOf(keyPem))
    expect(await filesWith(panel.dataDir, secrets)).toEqual([])
    expect(secrets.filter((secret) => panel.output().includes(secret.toString('latin1')))).toEqual([])
    // Control: the search finds a known value.
    const known = Buffer.from(certificate.serialNumber!)
    expect((await filesWith(panel.dataDir, [known])).length).toBeGreaterThan(0)
    await environment.ann.call('DELETE', `/domains/${certificate.domainId}/ssl`)
    await untilGone(certificates, certificate.id)
  })
})

describe('removed', () => {
  test('with its domain or alone: the default one is served and the redirect is gone', async () => {
    const above = await addCertified()
    const below = await environment.ann.call<CreatedDomain>('POST', '/domains', { hostname: `a.${above.hostname}` })
    await environment.upload(below.id, await authority.issue({ names: [below.hostname] }))
    expect(await environment.isDefaultServed(below.hostname)).toBe(false)
    const expectGone = async (hostname: string) => {
      expect(await environment.isDefaultServed(hostname)).toBe(true)
      expect((await environment.panel.visit(hostname)).status).toBe(404)
    }
    await environment.ann.call('DELETE', `/domains/${below.id}/ssl`)
    await expectGone(below.hostname)
    expect(await serialAt(above.hostname)).toBe(above.certificate.serialNumber)
    await environment.ann.call('DELETE', `/domains/${above.id}`)
    await expectGone(above.hostname)
    const { certificates } = await environment.proxyPaths()
    await untilGone(certificates, above.certificate.id)
  })

  test('twelve certificates come and go at the same time', async () => {
    const parent = await addDomain()
    const twelve = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const hostname = `n${index}.${parent.hostname}`
        const { id } = await environment.ann.call<CreatedDomain>('POST', '/domains', { hostname })
        const made = await makeCertificate(id, [hostname])
        return { id, hostname, made }
      })
    )
    const answers = await Promise.all(twelve.map(({ id, made }) => environment.upload(id, made)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const served = () => Promise.all(twelve.map(({ hostname }) => serialAt(hostname)))
    expect(await served()).toEqual(answers.map(({ body }) => body.serialNumber))

    const second = await Promise.all(
      twelve.map(async ({ id, hostname }, index) => {
        if (index % 2 === 0) return environment.ann.request<Certificate>('DELETE', `/domains/${id}/ssl`)
        return environment.upload(id, await makeCertificate(id, [hostname]))
      })
    )
    expect(new Set(second.map(({ status }) => status))).toEqual(new Set([200]))
    const fallback = await serialAt('nobody.invalid')
    expect(await served()).toEqual(second.map(({ body }, index) => (index % 2 === 0 ? fallback : body.serialNumber)))
    await Promise.all(twelve.map(({ id }) => environment.ann.request('DELETE', `/domains/${id}/ssl`)))
    expect(new Set(await served())).toEqual(new Set([fallback]))
  })
})

/**
 * A line from the middle of the PEM, where the private numbers are (the RSA modulus comes first, the EC point last).
 */
function secretLine(keyPem: string): string {
  const lines = keyPem.trim().split('\n')
  return lines[Math.floor(lines.length / 2)]!.slice(0, 40)
}

/** The key as PEM, raw bytes and hexadecimal. */
function secretsOf(keyPem: string): Buffer[] {
  const line = Buffer.from(secretLine(keyPem))
  const bytes = Buffer.from(line.toString(), 'base64')
  return [line, bytes, Buffer.from(bytes.toString('hex'))]
}

async function filesWith(directory: string, searchTerms: readonly Buffer[]): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const found: string[] = []
  // The reserve of the disk is 256 MB of zeros.
  for (const entry of entries.filter((one) => one.isFile() && one.name !== 'store.reserve')) {
    const path = join(entry.parentPath, entry.name)
    const content = await readFile(path).catch(() => Buffer.alloc(0)) // Removed in the meantime.
    if (searchTerms.some((searchTerm) => content.includes(searchTerm))) found.push(path)
  }
  return found
}
