import { readdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCertificate } from '../packages/server/test/fixtures/certificate.fixture.ts'
import type { ServedCertificate } from '../packages/server/src/infra/reverse-proxy/reverse-proxy.ts'
import {
  eventually,
  startHaproxy,
  startTestProxy,
  stopHaproxy,
  type TestProxy,
  watchHaproxy
} from './reverse-proxy.harness.ts'
import { freePort } from '../packages/server/test/support/ports.ts'

let world: TestProxy
let made: ServedCertificate[]
const fileOf = ({ id, fingerprint }: ServedCertificate, kind = 'ec') =>
  join(world.paths.certificates, `${id}-${fingerprint.slice(0, 16)}.${kind}.pem`)
const servedIds = async () => {
  const served = await Promise.all(made.map(({ id }) => world.servedFingerprint(`${id}.example.com`)))
  return made.filter(({ fingerprint }, index) => served[index] === fingerprint).map(({ id }) => id)
}
const load = async (id: string) => made.find((certificate) => certificate.id === id)

beforeAll(async () => {
  world = await startTestProxy()
  made = await Promise.all(['a', 'b', 'c', 'd'].map((id) => makeCertificate(id, [`${id}.example.com`])))
})
afterAll(() => world?.close())
beforeEach(async () => {
  await startHaproxy(world.options)
  await world.proxy.sync([{ hostname: 'a.example.com', target: world.first, forceHttps: false }])
  await world.proxy.syncCertificates(made, load)
})

describe('all certificates are served again without any help', () => {
  test.each(['worker', 'master'])('when the %s was killed', async (victim) => {
    const started = await startHaproxy(world.options)
    let restarts = 0
    let isWatched = false
    const watch = watchHaproxy(world.options, {
      onStart({ outcome }) {
        if (outcome === 'adopted') isWatched = true
        else restarts++
      }
    })
    try {
      await eventually(() => isWatched)
      process.kill(victim === 'worker' ? await world.workerPid() : started.pid, 'SIGKILL')
      await eventually(() => restarts === 1)
      expect(await servedIds()).toEqual(['a', 'b', 'c', 'd'])
      expect(await world.proxy.syncCertificates(made, async () => undefined)).toBe(false)
    } finally {
      await watch.stop()
    }
  })

  test('when it was adopted, and when another configuration was loaded', async () => {
    expect(await startHaproxy(world.options)).toMatchObject({ outcome: 'adopted' })
    expect(await servedIds()).toEqual(['a', 'b', 'c', 'd'])
    const changed = { ...world.options, httpBinds: [...world.options.httpBinds, `127.0.0.1:${await freePort()}`] }
    expect(await startHaproxy(changed)).toMatchObject({ outcome: 'reloaded' })
    expect(await servedIds()).toEqual(['a', 'b', 'c', 'd'])
    expect(await world.proxy.syncCertificates(made, async () => undefined)).toBe(false)
  })
})

describe('files that are not as they should be', () => {
  const start = async () => {
    const problems: unknown[] = []
    const onCertificateProblem = (error: unknown) => problems.push(error)
    expect(await startHaproxy({ ...world.options, onCertificateProblem })).toMatchObject({ outcome: 'started' })
    expect(await world.answer('a.example.com', '/')).toBe(world.first.name)
    return problems
  }

  test('a missing, an empty, a cut and a mixed one leave the rest served', async () => {
    const mixed = (await readFile(fileOf(made[0]!), 'utf8')).replace(/-----BEGIN PRIVATE[^]*/, made[1]!.keyPem)
    const others = await Promise.all(['e', 'f'].map((id) => makeCertificate(id, [`${id}.example.com`])))
    for (const other of others) await world.proxy.setCertificate(other)
    await stopHaproxy(world.options)
    await unlink(fileOf(made[1]!))
    await writeFile(fileOf(made[0]!), mixed)
    await writeFile(fileOf(others[0]!), '')
    await writeFile(fileOf(others[1]!), (await readFile(fileOf(others[1]!), 'utf8')).slice(0, -50))
    expect(await start()).toMatchObject([{ message: expect.stringMatching(/starts without 3 certificates: a, e, f/) }])
    expect(await servedIds()).toEqual(['c', 'd'])
    expect(await world.proxy.syncCertificates(made, load)).toBe(true)
    expect(await servedIds()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('one that only HAProxy refuses: none is served until the next sync, and plain HTTP is', async () => {
    const weak = await makeCertificate('weak', ['weak.example.com'], { key: 'rsa-1024' })
    await stopHaproxy(world.options)
    await writeFile(fileOf(weak, 'rsa'), `${weak.chain}${weak.keyPem}`)
    await writeFile(
      world.paths.crtList,
      `${await readFile(world.paths.crtList, 'utf8')}${fileOf(weak, 'rsa')} weak.example.com\n`
    )
    expect(await start()).toMatchObject([{ message: expect.stringMatching(/without 5 certificates/) }])
    expect(await servedIds()).toEqual([])
    expect(await world.proxy.syncCertificates(made, load)).toBe(true)
    expect(await servedIds()).toEqual(['a', 'b', 'c', 'd'])
    expect(await readdir(world.paths.certificates)).toHaveLength(4)
  })

  test('the same while it serves: another configuration is loaded without it', async () => {
    await writeFile(fileOf(made[0]!), 'garbage')
    const changed = { ...world.options, httpBinds: [...world.options.httpBinds, `127.0.0.1:${await freePort()}`] }
    expect(await startHaproxy(changed)).toMatchObject({ outcome: 'reloaded' })
    expect(await servedIds()).toEqual(['b', 'c', 'd'])
  })

  test('a list of garbage, and none at all', async () => {
    for (const text of ['garbage\n[\n/etc/passwd x.example.com\n\0', undefined]) {
      await stopHaproxy(world.options)
      if (text === undefined) await unlink(world.paths.crtList)
      else await writeFile(world.paths.crtList, text)
      expect(await start()).toEqual([])
      expect(await servedIds()).toEqual([])
    }
  })

  test('a start that fails for another reason leaves the certificates alone', async () => {
    const before = await readFile(world.paths.crtList, 'utf8')
    await stopHaproxy(world.options)
    await expect(startHaproxy({ ...world.options, httpBinds: ['[1:::2]:80'] })).rejects.toThrow(
      /refused by its own checker/
    )
    expect(await readFile(world.paths.crtList, 'utf8')).toBe(before)
    expect(await start()).toEqual([])
    expect(await servedIds()).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('the certificates that a start is given', () => {
  test('are served from the first moment; only those without a file are loaded, the others removed', async () => {
    await world.proxy.syncCertificates(made.slice(0, 2), load)
    await stopHaproxy(world.options)
    const asked: string[] = []
    const certificates = {
      list: async () => made.slice(1),
      load: (id: string) => {
        asked.push(id)
        return load(id)
      }
    }
    expect(await startHaproxy({ ...world.options, certificates })).toMatchObject({ outcome: 'started' })
    expect(await servedIds()).toEqual(['b', 'c', 'd'])
    expect(asked).toEqual(['c', 'd'])
    expect(await readdir(world.paths.certificates)).toHaveLength(3)
    await startHaproxy({ ...world.options, certificates })
    expect(asked).toEqual(['c', 'd'])
  })

  test('keep one another not back, and their store may be away', async () => {
    const previous = made[0]!
    const renewed = { ...(await makeCertificate('a', previous.hostnames)), keyPem: previous.keyPem }
    const problems: unknown[] = []
    const onCertificateProblem = (error: unknown) => problems.push(error)
    await world.proxy.syncCertificates([previous], load)
    await stopHaproxy(world.options)
    const certificates = {
      list: async () => [renewed, ...made.slice(1)],
      load: async (id: string) => (id === 'a' ? renewed : load(id))
    }
    await startHaproxy({ ...world.options, certificates, onCertificateProblem })
    expect(problems).toMatchObject([{ name: 'CertificateRefusedError', message: expect.stringContaining('"a"') }])
    expect(await servedIds()).toEqual(['a', 'b', 'c', 'd'])
    await stopHaproxy(world.options)
    const away = new Error('the store is away')
    await startHaproxy({
      ...world.options,
      certificates: { list: () => Promise.reject(away), load },
      onCertificateProblem
    })
    expect(problems[1]).toBe(away)
    expect(await servedIds()).toEqual(['a', 'b', 'c', 'd'])
  })
})
