import { readdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../packages/server/test/fixtures/certificate.fixture.ts'
import type { ServedCertificate } from '../../packages/server/src/infra/reverse-proxy/reverse-proxy.ts'
import { eventually, startHaproxy, startTestProxy, stopHaproxy, type TestProxy, watchHaproxy } from './proxy.harness.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'

let environment: TestProxy
let made: ServedCertificate[]
const fileOf = ({ id, fingerprint }: ServedCertificate, kind = 'ec') =>
  join(environment.paths.certificates, `${id}-${fingerprint.slice(0, 16)}.${kind}.pem`)
const servedIds = async () => {
  const served = await Promise.all(made.map(({ id }) => environment.servedFingerprint(`${id}.example.com`)))
  return made.filter(({ fingerprint }, index) => served[index] === fingerprint).map(({ id }) => id)
}
const load = async (id: string) => made.find((certificate) => certificate.id === id)

beforeAll(async () => {
  environment = await startTestProxy()
  made = await Promise.all(['a', 'b', 'c', 'd'].map((id) => makeCertificate(id, [`${id}.example.com`])))
})
afterAll(() => environment?.close())
beforeEach(async () => {
  await startHaproxy(environment.options)
  await environment.proxy.sync([{ hostname: 'a.example.com', target: environment.first, forceHttps: false }])
  await environment.proxy.syncCertificates(made, load)
})

describe('all certificates are served again automatically', () => {
  test.each(['worker', 'master'])('after a kill of the %s', async (victim) => {
    const started = await startHaproxy(environment.options)
    let restarts = 0
    let isWatched = false
    const watch = watchHaproxy(environment.options, {
      onStart({ outcome }) {
        if (outcome === 'adopted') isWatched = true
        else restarts++
      }
    })
    try {
      await eventually(() => isWatched)
      process.kill(victim === 'worker' ? await environment.workerPid() : started.pid, 'SIGKILL')
      await eventually(() => restarts === 1)
      expect(await servedIds()).toEqual(['a', 'b', 'c', 'd'])
      expect(await environment.proxy.syncCertificates(made, async () => undefined)).toBe(false)
    } finally {
      await watch.stop()
    }
  })

  test('after adoption and a configuration change', async () => {
    expect(await startHaproxy(environment.options)).toMatchObject({ outcome: 'adopted' })
    expect(await servedIds()).toEqual(['a', 'b', 'c', 'd'])
    const changed = {
      ...environment.options,
      httpBinds: [...environment.options.httpBinds, `127.0.0.1:${await freePort()}`]
    }
    expect(await startHaproxy(changed)).toMatchObject({ outcome: 'reloaded' })
    expect(await servedIds()).toEqual(['a', 'b', 'c', 'd'])
    expect(await environment.proxy.syncCertificates(made, async () => undefined)).toBe(false)
  })
})

describe('damaged files', () => {
  const start = async () => {
    const problems: unknown[] = []
    const onCertificateProblem = (error: unknown) => problems.push(error)
    expect(await startHaproxy({ ...environment.options, onCertificateProblem })).toMatchObject({ outcome: 'started' })
    expect(await environment.answer('a.example.com', '/')).toBe(environment.first.name)
    return problems
  }

  test('missing, empty, truncated or mixed files leave the others served', async () => {
    const mixed = (await readFile(fileOf(made[0]!), 'utf8')).replace(/-----BEGIN PRIVATE[^]*/, made[1]!.keyPem)
    const others = await Promise.all(['e', 'f'].map((id) => makeCertificate(id, [`${id}.example.com`])))
    for (const other of others) await environment.proxy.setCertificate(other)
    await eventually(async () => {
      const list = await readFile(environment.paths.crtList, 'utf8')
      return others.every((other) => list.includes(fileOf(other)))
    })
    await stopHaproxy(environment.options)
    await unlink(fileOf(made[1]!))
    await writeFile(fileOf(made[0]!), mixed)
    await writeFile(fileOf(others[0]!), '')
    await writeFile(fileOf(others[1]!), (await readFile(fileOf(others[1]!), 'utf8')).slice(0, -50))
    expect(await start()).toMatchObject([{ message: expect.stringMatching(/starts without 3 certificates: a, e, f/) }])
    expect(await servedIds()).toEqual(['c', 'd'])
    expect(await environment.proxy.syncCertificates(made, load)).toBe(true)
    expect(await servedIds()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('a file that only HAProxy refuses: HTTPS is down until the next sync, HTTP is up', async () => {
    const weak = await makeCertificate('weak', ['weak.example.com'], { key: 'rsa-1024' })
    await stopHaproxy(environment.options)
    await writeFile(fileOf(weak, 'rsa'), `${weak.chain}${weak.keyPem}`)
    await writeFile(
      environment.paths.crtList,
      `${await readFile(environment.paths.crtList, 'utf8')}${fileOf(weak, 'rsa')} weak.example.com\n`
    )
    expect(await start()).toMatchObject([{ message: expect.stringMatching(/without 5 certificates/) }])
    expect(await servedIds()).toEqual([])
    expect(await environment.proxy.syncCertificates(made, load)).toBe(true)
    expect(await servedIds()).toEqual(['a', 'b', 'c', 'd'])
    expect(await readdir(environment.paths.certificates)).toHaveLength(4)
  })

  test('the same while running: the configuration is loaded without it', async () => {
    await writeFile(fileOf(made[0]!), 'garbage')
    const changed = {
      ...environment.options,
      httpBinds: [...environment.options.httpBinds, `127.0.0.1:${await freePort()}`]
    }
    expect(await startHaproxy(changed)).toMatchObject({ outcome: 'reloaded' })
    expect(await servedIds()).toEqual(['b', 'c', 'd'])
  })

  test('a broken list and a missing one', async () => {
    for (const text of ['garbage\n[\n/etc/passwd x.example.com\n\0', undefined]) {
      await stopHaproxy(environment.options)
      if (text === undefined) await unlink(environment.paths.crtList)
      else await writeFile(environment.paths.crtList, text)
      expect(await start()).toEqual([])
      expect(await servedIds()).toEqual([])
    }
  })

  test('a start that fails for another reason keeps the certificates', async () => {
    const before = await readFile(environment.paths.crtList, 'utf8')
    await stopHaproxy(environment.options)
    await expect(startHaproxy({ ...environment.options, httpBinds: ['[1:::2]:80'] })).rejects.toThrow(
      /rejected by its own checker/
    )
    expect(await readFile(environment.paths.crtList, 'utf8')).toBe(before)
    expect(await start()).toEqual([])
    expect(await servedIds()).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('certificates passed to a start', () => {
  test('are served immediately; only those without a file are loaded, others are removed', async () => {
    await environment.proxy.syncCertificates(made.slice(0, 2), load)
    await stopHaproxy(environment.options)
    const requested: string[] = []
    const certificates = {
      list: async () => made.slice(1),
      load: (id: string) => {
        requested.push(id)
        return load(id)
      }
    }
    expect(await startHaproxy({ ...environment.options, certificates })).toMatchObject({ outcome: 'started' })
    expect(await servedIds()).toEqual(['b', 'c', 'd'])
    expect(requested).toEqual(['c', 'd'])
    expect(await readdir(environment.paths.certificates)).toHaveLength(3)
    await startHaproxy({ ...environment.options, certificates })
    expect(requested).toEqual(['c', 'd'])
  })

  test('do not block each other, and work without the database', async () => {
    const previous = made[0]!
    const renewed = { ...(await makeCertificate('a', previous.hostnames)), keyPem: previous.keyPem }
    const problems: unknown[] = []
    const onCertificateProblem = (error: unknown) => problems.push(error)
    await environment.proxy.syncCertificates([previous], load)
    await stopHaproxy(environment.options)
    const certificates = {
      list: async () => [renewed, ...made.slice(1)],
      load: async (id: string) => (id === 'a' ? renewed : load(id))
    }
    await startHaproxy({ ...environment.options, certificates, onCertificateProblem })
    expect(problems).toMatchObject([{ name: 'CertificateRefusedError', message: expect.stringContaining('"a"') }])
    expect(await servedIds()).toEqual(['a', 'b', 'c', 'd'])
    await stopHaproxy(environment.options)
    const unavailable = new Error('the store is away')
    await startHaproxy({
      ...environment.options,
      certificates: { list: () => Promise.reject(unavailable), load },
      onCertificateProblem
    })
    expect(problems[1]).toBe(unavailable)
    expect(await servedIds()).toEqual(['a', 'b', 'c', 'd'])
  })
})
