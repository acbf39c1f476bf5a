import { execFile } from 'node:child_process'
import { readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHaproxyCertificates } from '../../packages/server/src/infra/reverse-proxy/haproxy-certificates.ts'
import { sendCommand } from '../../packages/server/src/infra/reverse-proxy/haproxy-socket.ts'
import { fingerprintOf, makeCertificate } from '../../packages/server/test/fixtures/certificate.fixture.ts'
import type { RouteTarget, ServedCertificate } from '../../packages/server/src/infra/reverse-proxy/reverse-proxy.ts'
import {
  handshake,
  request,
  startHaproxy,
  startTestProxy,
  stopHaproxy,
  type TestProxy,
  upgradeRequest
} from './proxy.harness.ts'

const execute = promisify(execFile)
let environment: TestProxy
let one: ServedCertificate
let two: ServedCertificate
const none = async () => undefined

beforeAll(async () => {
  environment = await startTestProxy()
  one = await makeCertificate('one', ['a.example.com'])
  two = await makeCertificate('one', ['a.example.com'])
})
afterAll(() => environment?.close())
beforeEach(async () => {
  await environment.proxy.syncCertificates([], none)
  await environment.proxy.sync([{ hostname: 'a.example.com', target: environment.first, forceHttps: false }])
})

const blocks = (text: string) => text.match(/-----BEGIN CERTIFICATE-----[^-]+/g)
const client = async (...args: string[]): Promise<string> => {
  const argv = ['s_client', '-connect', `127.0.0.1:${environment.httpsPort}`, ...args]
  const running = execute('openssl', argv)
  running.child.stdin?.end()
  const { stdout, stderr } = await running.catch((error: { stdout: string; stderr: string }) => error)
  return stdout + stderr
}
const running = async () =>
  (await sendCommand(environment.paths.adminSocket, `show ssl crt-list ${environment.paths.crtList}`)).split('\n')
const stored = async () => (await sendCommand(environment.paths.adminSocket, 'show ssl cert')).split('\n')
const command = (text: string) => sendCommand(environment.paths.adminSocket, text)

async function expectOnly(files: readonly string[]): Promise<void> {
  const paths = files.map((file) => `${environment.paths.certificates}/${file}`).sort()
  const lines = (await running()).slice(2).map((line) => line.split(' ')[0])
  expect(lines.sort()).toEqual(paths)
  expect(
    (await stored())
      .slice(1)
      .filter((path) => path !== environment.paths.defaultCertificate)
      .sort()
  ).toEqual(paths)
  await expect.poll(listed).toEqual([environment.paths.defaultCertificate, ...paths].sort())
  await expect
    .poll(() => readdir(environment.paths.certificates).then((names) => names.sort()))
    .toEqual([...files].sort())
}

const listed = async () =>
  (await readFile(environment.paths.crtList, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0]!)
    .sort()

describe('on disk', () => {
  test('the list has id and content; files are private', async () => {
    await environment.proxy.setCertificate(one)
    const file = `one-${one.fingerprint.slice(0, 16)}.ec.pem`
    await expectOnly([file])
    expect((await stat(`${environment.paths.certificates}/${file}`)).mode & 0o777).toBe(0o600)
    expect((await stat(environment.paths.crtList)).mode & 0o777).toBe(0o600)
    expect((await stat(environment.paths.certificates)).mode & 0o777).toBe(0o700)
    await environment.proxy.setCertificate(two)
    await expectOnly([`one-${two.fingerprint.slice(0, 16)}.ec.pem`])
    await environment.proxy.removeCertificate('one')
    await expectOnly([])
  })

  test('nothing remains of a certificate refused by the proxy or with a wrong key', async () => {
    await environment.proxy.setCertificate(one)
    const weak = await makeCertificate('weak', ['a.example.com'], { key: 'rsa-1024' })
    const refused = { name: 'CertificateRefusedError' }
    await expect(environment.proxy.setCertificate(weak)).rejects.toMatchObject(refused)
    await expect(environment.proxy.setCertificate({ ...weak, id: 'one' })).rejects.toMatchObject(refused)
    await expect(environment.proxy.setCertificate({ ...two, keyPem: one.keyPem })).rejects.toMatchObject(refused)
    await expectOnly([`one-${one.fingerprint.slice(0, 16)}.ec.pem`])
    expect(await environment.servedFingerprint('a.example.com')).toBe(one.fingerprint)
  })

  test('leftovers of a crashed client do not matter', async () => {
    const path = (name: string) => `${environment.paths.certificates}/${name}`
    const file = `one-${one.fingerprint.slice(0, 16)}.ec.pem`
    const pem = `${one.chain.trim()}\n${one.keyPem}`
    await command(`new ssl cert ${path('dead-0123456789abcdef.ec.pem')}`)
    await command(`set ssl cert ${path('dead-0123456789abcdef.ec.pem')} <<\n${pem}`)
    await command(`new ssl cert ${path(file)}`)
    await environment.proxy.setCertificate(one)
    expect(await environment.servedFingerprint('a.example.com')).toBe(one.fingerprint)
    await command(`add ssl crt-list ${environment.paths.crtList} <<\n${path(file)} b.example.com\n`)
    expect(await environment.proxy.syncCertificates([one], none)).toBe(true)
    await command(`del ssl cert ${path('dead-0123456789abcdef.ec.pem')}`)
    await expectOnly([file])
  })

  test('sync brings lost files back', async () => {
    await environment.proxy.setCertificate(one)
    const file = `one-${one.fingerprint.slice(0, 16)}.ec.pem`
    await unlink(`${environment.paths.certificates}/${file}`)
    await writeFile(environment.paths.crtList, `${environment.paths.defaultCertificate}\n`)
    await writeFile(`${environment.paths.certificates}/left.pem`, 'a key that nobody serves')
    expect(await environment.proxy.syncCertificates([one], async () => one)).toBe(true)
    await expectOnly([file])
    expect(await environment.proxy.syncCertificates([one], none)).toBe(false)
  })

  test('many certificates are added and removed', async () => {
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, number) =>
        makeCertificate(`n${number}`, [`n${number}.example.com`, `*.n${number}.example.com`])
      )
    )
    const byId = new Map(made.map((certificate) => [certificate.id, certificate]))
    await Promise.all(made.slice(0, 20).map((certificate) => environment.proxy.setCertificate(certificate)))
    expect(await environment.proxy.syncCertificates(made, async (id) => byId.get(id))).toBe(true)
    for (const { id, fingerprint } of made) {
      expect(await handshake(environment.httpsPort, `${id}.example.com`)).toBe(fingerprint)
      expect(await handshake(environment.httpsPort, `www.${id}.example.com`)).toBe(fingerprint)
    }
    await Promise.all(made.slice(0, 20).map(({ id }) => environment.proxy.removeCertificate(id)))
    expect(await environment.proxy.syncCertificates(made.slice(20, 30), none)).toBe(true)
    expect(await environment.servedFingerprint('n0.example.com')).toBe('default')
    expect(await environment.servedFingerprint('n20.example.com')).toBe(made[20]!.fingerprint)
    await environment.proxy.syncCertificates([], none)
    await expectOnly([])
  })
})

describe('a change of one certificate', () => {
  const file = ({ id, fingerprint }: ServedCertificate) => `${id}-${fingerprint.slice(0, 16)}.ec.pem`
  const fileInList = (certificate: ServedCertificate) => `${environment.paths.certificates}/${file(certificate)}`
  const never = () => new Promise<void>(() => {})
  const served = () => environment.servedFingerprint('a.example.com')
  let other: ServedCertificate
  beforeAll(async () => {
    other = await makeCertificate('other', ['b.example.com'])
  })

  test('sends no others', async () => {
    const { paths } = environment
    const sent: string[] = []
    const send = (text: string) => {
      sent.push(text)
      return sendCommand(paths.adminSocket, text)
    }
    const proxy = createHaproxyCertificates(send, paths, {
      alone: (work) => work(),
      readWorker: environment.workerPid
    })
    const listings = () => sent.splice(0).filter((text) => text.startsWith('show ssl crt-list')).length
    await proxy.setCertificate(other)
    expect(listings(), 'a process that has only just begun').toBeGreaterThan(0)
    await proxy.setCertificate(one)
    await proxy.setCertificate(two)
    await proxy.setCertificate(two)
    expect(await proxy.syncCertificates([two, other], none, { isAudit: false })).toBe(false)
    await proxy.removeCertificate('other')
    expect(listings()).toBe(0)
    await expectOnly([file(two)])
    expect(listings(), 'its list').toBe(0)
    expect(await proxy.syncCertificates([two], none)).toBe(false)
    expect(listings(), 'an audit').toBeGreaterThan(0)
  })

  test('a crash between proxy and list is repaired by the sync after a start', async () => {
    await environment.proxy.syncCertificates([one, other], async (id) => (id === 'one' ? one : other))
    const killed = environment.newClient(never)
    await killed.setCertificate({ ...two, id: 'three', hostnames: ['c.example.com'] })
    await killed.removeCertificate('three')
    const before = await listed()
    await killed.setCertificate(two)
    await killed.removeCertificate('other')
    expect(await served()).toBe(two.fingerprint)
    expect(await environment.servedFingerprint('b.example.com')).toBe('default')
    expect(await listed()).toEqual(before)
    await stopHaproxy(environment.options)
    const problems: unknown[] = []
    await startHaproxy({ ...environment.options, onCertificateProblem: (error) => problems.push(error) })
    expect(problems).toEqual([])
    expect(await served()).toBe(one.fingerprint)
    expect(await environment.newClient().syncCertificates([two], async () => two)).toBe(true)
    expect(await served()).toBe(two.fingerprint)
    await expectOnly([file(two)])
  })

  test('concurrent processes do not undo each other’s changes', async () => {
    const [first, second] = [environment.newClient(), environment.newClient()]
    await first.setCertificate(one)
    await second.setCertificate(other)
    await first.setCertificate(two)
    await second.setCertificate({ ...one, id: 'three', hostnames: ['c.example.com'] })
    await first.removeCertificate('other')
    await expectOnly([file(two), file({ ...one, id: 'three' })])
    expect(await served()).toBe(two.fingerprint)
    expect(await environment.servedFingerprint('c.example.com')).toBe(one.fingerprint)
  })

  test('a late write of a process contains the current state', async () => {
    const writes: (() => Promise<void>)[] = []
    const late = environment.newClient(async (work) => void writes.push(work))
    await late.setCertificate(one)
    await late.setCertificate(two)
    await expect.poll(() => writes).toHaveLength(1)
    const killed = environment.newClient(never)
    const third = { ...one, id: 'three', hostnames: ['c.example.com'] }
    await killed.setCertificate(other)
    await killed.setCertificate(third)
    expect(await listed()).not.toContain(fileInList(third))
    await writes[0]!()
    await expectOnly([file(two), file(other), file(third)])
  })

  test('a restarted proxy is queried again', async () => {
    const proxy = environment.newClient(never)
    await proxy.setCertificate(one)
    await proxy.setCertificate(other)
    await proxy.setCertificate(two)
    expect(await proxy.syncCertificates([two, other], none, { isAudit: false })).toBe(false)
    await stopHaproxy(environment.options)
    await startHaproxy(environment.options)
    expect(await served()).toBe(one.fingerprint)
    await proxy.setCertificate(two)
    expect(await served()).toBe(two.fingerprint)
    await expectOnly([file(two)])
    await stopHaproxy(environment.options)
    await startHaproxy(environment.options)
    expect(await proxy.syncCertificates([two, other], async () => other, { isAudit: false })).toBe(true)
    await expectOnly([file(two), file(other)])
  })
})

describe('TLS', () => {
  test('1.2 and 1.3 are supported, 1.1 is refused', async () => {
    await environment.proxy.setCertificate(one)
    const version = async (...args: string[]) => client('-servername', 'a.example.com', '-brief', ...args)
    expect(await version('-tls1_2')).toContain('Protocol version: TLSv1.2')
    expect(await version('-tls1_3')).toContain('Protocol version: TLSv1.3')
    const refused = await version('-tls1_1', '-cipher', 'ALL:@SECLEVEL=0')
    expect(refused).toMatch(/alert protocol version/)
    expect(refused).not.toContain('Protocol version:')
  })

  test('HTTP/2 is preferred over HTTP/1.1', async () => {
    await environment.proxy.setCertificate(one)
    expect(await client('-servername', 'a.example.com', '-alpn', 'http/1.1,h2')).toContain('ALPN protocol: h2')
    expect(await client('-servername', 'a.example.com', '-alpn', 'http/1.1')).toContain('ALPN protocol: http/1.1')
  })

  test('SNI is case-insensitive; unknown or no names get the default certificate', async () => {
    await environment.proxy.setCertificate(one)
    expect(await environment.servedFingerprint('A.Example.COM')).toBe(one.fingerprint)
    expect(await environment.servedFingerprint('b.example.com')).toBe('default')
    expect(await client('-noservername')).toContain('CN = invalid.panel')
    expect(await client('-servername', 'b.example.com')).toContain('CN = invalid.panel')
  })

  test('a long RSA chain is sent completely', async () => {
    const rsa = await makeCertificate('rsa', ['rsa.example.com'], { key: 'rsa-2048', chainLength: 8 })
    await environment.proxy.setCertificate(rsa)
    expect(await environment.servedFingerprint('rsa.example.com')).toBe(rsa.fingerprint)
    const sent = await client('-servername', 'rsa.example.com', '-showcerts')
    expect(blocks(sent)).toHaveLength(8)
    expect(blocks(sent)).toEqual(blocks(rsa.chain))
  })

  test('forced HTTPS redirects plain HTTP except ACME challenges, also without a site', async () => {
    await environment.proxy.setCertificate(one)
    for (const target of [environment.first, { kind: 'nothing' }] satisfies RouteTarget[]) {
      await environment.proxy.set({ hostname: 'a.example.com', target, forceHttps: true })
      const plain = await request(environment.httpPort, '/x?y', { host: 'a.example.com' })
      expect(plain).toMatchObject({ status: 301, headers: { location: 'https://a.example.com/x?y' } })
      expect(await environment.answer('a.example.com', '/.well-known/acme-challenge/token')).toBe('panel')
      expect(await secureStatus('a.example.com')).toBe(target.kind === 'nothing' ? 404 : 200)
    }
  })
})

describe('while certificates change', () => {
  test('every handshake gets the old or new certificate, never the default one', async () => {
    const exact = [one, two]
    const wildcards = [
      await makeCertificate('wild', ['*.example.org']),
      await makeCertificate('wild', ['*.example.org'])
    ]
    const rsa = await makeCertificate('rsa', ['rsa.example.org'], { key: 'rsa-2048' })
    await environment.proxy.setCertificate(exact[0]!)
    await environment.proxy.setCertificate(wildcards[0]!)
    const allowed: Record<string, readonly string[]> = {
      'a.example.com': exact.map(({ fingerprint }) => fingerprint),
      'w.example.org': wildcards.map(({ fingerprint }) => fingerprint),
      'rsa.example.org': [...wildcards, rsa].map(({ fingerprint }) => fingerprint)
    }
    const seen = new Map<string, Set<string>>()
    let isChanging = true
    const connect = async (name: string) => {
      while (isChanging) {
        const fingerprint = await handshake(environment.httpsPort, name)
        seen.set(name, (seen.get(name) ?? new Set()).add(fingerprint))
      }
    }
    const clients = [...Object.keys(allowed), ...Object.keys(allowed)].map(connect)
    try {
      for (let number = 1; number <= 12; number++) {
        await environment.proxy.setCertificate(exact[number % 2]!)
        await environment.proxy.setCertificate(wildcards[number % 2]!)
        if (number % 4 === 0) await environment.proxy.removeCertificate('rsa')
        else await environment.proxy.setCertificate(rsa)
        expect(await handshake(environment.httpsPort, 'a.example.com')).toBe(exact[number % 2]!.fingerprint)
      }
    } finally {
      isChanging = false
      await Promise.all(clients)
    }
    for (const [name, fingerprints] of seen)
      for (const fingerprint of fingerprints) expect(allowed[name], name).toContain(fingerprint)
    expect(seen.get('a.example.com')?.size).toBe(2)
  })

  test('a WebSocket and a long download continue', async () => {
    const site = http.createServer((_, response) => {
      response.writeHead(200)
      response.write('begin')
      finish = () => response.end('end')
    })
    let finish = () => {}
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.4', resolve))
    const { port } = site.address() as AddressInfo
    const container = { kind: 'container', address: '127.0.0.4', port } as const
    await environment.proxy.set({ hostname: 'a.example.com', pathPrefix: '/long', target: container, forceHttps: true })
    await environment.proxy.setCertificate(one)
    const webSocket = await open(upgradeRequest('a.example.com'), 'hello')
    const download = await open('GET /long HTTP/1.1\r\nHost: a.example.com\r\n\r\n', 'begin')
    try {
      for (let number = 0; number < 10; number++) await environment.proxy.setCertificate(number % 2 === 0 ? two : one)
      await environment.proxy.removeCertificate('one')
      await environment.proxy.syncCertificates([], none)
      webSocket.socket.write('still here')
      await webSocket.until('still here')
      finish()
      await download.until('end')
    } finally {
      webSocket.socket.destroy()
      download.socket.destroy()
      await new Promise((resolve) => site.close(resolve))
    }
  })
})

async function open(bytes: string, text: string) {
  const socket = tls.connect({
    host: '127.0.0.1',
    port: environment.httpsPort,
    servername: 'a.example.com',
    rejectUnauthorized: false
  })
  let received = ''
  let failure: Error | undefined
  let wake = () => {}
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
    wake()
  })
  socket.on('close', () => {
    failure ??= new Error(`The connection ended after ${received}`)
    wake()
  })
  socket.on('error', (error) => (failure = error))
  socket.write(bytes)
  const until = async (wanted: string) => {
    while (!received.includes(wanted)) {
      if (failure) throw failure
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  await until(text)
  expect(fingerprintOf(socket.getPeerX509Certificate()!)).toBe(one.fingerprint)
  return { socket, until }
}

async function secureStatus(hostname: string): Promise<number> {
  const { socket, text } = await new Promise<{ socket: tls.TLSSocket; text: string }>((resolve, reject) => {
    const socket = tls.connect({
      host: '127.0.0.1',
      port: environment.httpsPort,
      servername: hostname,
      rejectUnauthorized: false
    })
    socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`)
    socket.once('data', (chunk: Buffer) => resolve({ socket, text: chunk.toString() }))
    socket.on('error', reject)
  })
  socket.destroy()
  return Number(text.split(' ')[1])
}
