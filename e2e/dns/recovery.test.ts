import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DnsRecord } from '@panel/contract/dns-records'
import type { CreatedDomain, Domain } from '@panel/contract/domains'
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  addRecord,
  dig,
  knotDirectories,
  listRecords,
  servedRecords,
  servedZones,
  setDnsMode,
  shown
} from '../support/dns-environment.ts'
import { findProcesses } from '../../packages/server/src/infra/process/find-processes.ts'
import type { Client, RunningPanel } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { kill, pause } from '../support/processes.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'

const publicIp = '127.0.0.1'
let world: World
let panel: RunningPanel
let ann: Client
let home: CreatedDomain
beforeAll(async () => {
  world = await sharedWorld()
  panel = world.panel
  ann = await panel.signUp()
  home = await addZone('home')
})
afterEach(({ task }) => {
  if (task.result?.state === 'fail') console.error(panel.output().slice(-5_000))
})

/** Every zone of this file, also those that are not served. */
const zoneNames = new Set<string>()
async function addZone(label: string): Promise<CreatedDomain> {
  const hostname = world.newName(label)
  zoneNames.add(hostname)
  return world.dns.addZone(ann, hostname)
}

const paths = () => knotDirectories(panel)
const knotPid = async () => [...(await findProcesses('knotd', (await paths()).config)).keys()][0]
const valuesOf = async (name: string, type: string) => (await dig(panel, name, type)).values
const addressOf = async (name: string) => (await valuesOf(name, 'A')).join()

async function untilWhole(): Promise<void> {
  await until(
    async () => {
      const domains = await ann.call<Domain[]>('GET', '/domains?limit=100')
      const managed = domains.filter(({ dnsMode }) => dnsMode === 'MANAGED')
      const lists = await Promise.all(
        managed.map(async ({ id, hostname }) => ({ hostname, records: await listRecords(ann, id) }))
      )
      const names = managed.map(({ hostname }) => hostname).filter((hostname) => zoneNames.has(hostname))
      const zones = await Promise.all(
        names.map(async (zone) => {
          const inZone = lists.filter(({ hostname }) => hostname === zone || hostname.endsWith(`.${zone}`))
          const listed = inZone.flatMap(({ hostname, records }) => records.map((record) => shown(record, hostname)))
          return { zone, listed: listed.sort(), served: await servedRecords(panel, zone).catch(() => ['no zone']) }
        })
      )
      return {
        names: [names.sort(), (await servedZones(panel).catch(() => [])).filter((name) => zoneNames.has(name))],
        different: zones.filter(({ listed, served }) => JSON.stringify(listed) !== JSON.stringify(served))
      }
    },
    ({ names: [wanted, served], different }) =>
      JSON.stringify(wanted) === JSON.stringify(served) && different.length === 0,
    // Changes made while the server was down are found once a minute.
    180_000
  )
}

describe('kill -9 of the panel', () => {
  test('during many changes: acknowledged ones are kept and nothing is half done', async () => {
    const [grown, moved]: [CreatedDomain[], CreatedDomain[]] = [[], []]
    for (const number of [1, 2, 3]) {
      grown.push(await addZone(`grown${number}`))
      moved.push(await addZone(`moved${number}`))
    }
    const counter = await addRecord(ann, home.id, { type: 'TXT', name: 'counter', value: '0' })
    let count = 0
    for (let round = 0; round < 2; round++) {
      let isDead = false
      /** Undefined if the response was lost with the panel. */
      const ask = async <T>(method: string, path: string, body?: unknown) => {
        const answer = await ann.request<T>(method, path, body).catch(() => undefined)
        if (answer && !isDead) expect([200, 201, 204, 409], `${method} ${path}`).toContain(answer.status)
        return answer && answer.status < 300 ? answer.body : undefined
      }
      const added = new Map<string, string>()
      const deleted: string[] = []
      const [modes, domains] = [new Map<string, string>(), new Set<string>()]
      const untilDead = async (operation: (number: number) => Promise<void>) => {
        for (let number = 0; !isDead; number++) await operation(number)
      }
      const work = [
        ...[...grown, ...grown].map(({ id, hostname }, writer) =>
          untilDead(async (number) => {
            const values = { type: 'TXT', name: `r${round}w${writer}n${number}`, value: `${number} of ${round}` }
            const record = await ask<DnsRecord>('POST', `/domains/${id}/dns`, values)
            if (!record) return
            const owner = `${record.name}.${hostname}`
            if (number % 3 !== 2) added.set(owner, record.value)
            else if ((await ask('DELETE', `/domains/${id}/dns/${record.id}`)) !== undefined) deleted.push(owner)
          })
        ),
        ...moved.map(({ id, hostname }) =>
          untilDead(async () => {
            const mode = modes.get(hostname) === 'CONNECTED' ? 'MANAGED' : 'CONNECTED'
            modes.delete(hostname)
            const body = { mode, skipDelegationCheck: true }
            if (await ask('PATCH', `/domains/${id}/dns-mode`, body)) modes.set(hostname, mode)
          })
        ),
        untilDead(async () => {
          if (await ask('PATCH', `/domains/${home.id}/dns/${counter.id}`, { value: String(count + 1) })) count++
        }),
        untilDead(async (number) => {
          if (number >= 10) return void (await sleep(50))
          const hostname = `sub${round}-${number}.${home.hostname}`
          if (await ask('POST', '/domains', { hostname })) domains.add(hostname)
        })
      ]
      await until(
        async () => added.size + deleted.length + domains.size,
        (done) => done > 10
      )
      await sleep(Math.random() * 1_000)
      const answered = { added, deleted, modes, domains }
      const pid = await knotPid()
      const killed = panel.kill()
      isDead = true
      const served = structuredClone(answered)
      await Promise.all([killed, ...work])
      const expectServed = async ({ added, deleted, modes, domains }: typeof answered) => {
        for (const [owner, value] of added) expect(await valuesOf(owner, 'TXT'), owner).toEqual([value])
        for (const owner of deleted) expect(await valuesOf(owner, 'TXT'), owner).toEqual([])
        for (const hostname of domains) expect(await addressOf(hostname), hostname).toBe(publicIp)
        for (const [hostname, mode] of modes)
          expect(await dig(panel, hostname, 'SOA')).toMatchObject({
            status: mode === 'MANAGED' ? 'NOERROR' : 'REFUSED'
          })
      }
      await expectServed(served)
      await panel.start()
      expect(await knotPid()).toBe(pid)
      await untilWhole()
      await expectServed(answered)
      const [value] = await valuesOf(`counter.${home.hostname}`, 'TXT')
      // The change in progress may have been applied without a response.
      expect([count, count + 1]).toContain(Number(value))
      count = Number(value)
      for (const { id } of moved) await setDnsMode(ann, id, 'MANAGED')
    }
  })
})

describe('the name server', () => {
  test('restarts after a kill with every zone and the changes made meanwhile', async () => {
    const before = await servedZones(panel)
    const pid = (await knotPid())!
    kill(pid, 'SIGKILL')
    const values = { type: 'A', name: 'while-dead', value: '192.0.2.7' }
    expect(await ann.request('POST', `/domains/${home.id}/dns`, values)).toMatchObject({ status: 201 })
    await until(
      () => addressOf(`while-dead.${home.hostname}`),
      (address) => address === '192.0.2.7',
      240_000
    )
    expect(await knotPid()).not.toBe(pid)
    await untilWhole()
    expect(await servedZones(panel)).toEqual(before)
  })

  test('fails no change while hanging and catches up', async () => {
    const other = await addZone('hanging')
    const pid = (await knotPid())!
    await pause(pid)
    onTestFinished(() => kill(pid, 'SIGCONT'))
    const values = { type: 'A', name: 'while-hanging', value: '192.0.2.8' }
    const answers = await Promise.all([
      ann.request<{ code?: string }>('POST', `/domains/${home.id}/dns`, values),
      ann.request<{ code?: string }>('POST', '/domains', { hostname: `sub.${home.hostname}` }),
      ann.request<{ code?: string }>('PATCH', `/domains/${other.id}/dns-mode`, { mode: 'CONNECTED' })
    ])
    for (const { status, body } of answers)
      if (status >= 300)
        expect({ status, body }).toMatchObject({ status: 503, body: { code: 'DNS_SERVER_UNAVAILABLE' } })
    expect((await listRecords(ann, home.id)).map(({ name }) => name)).toContain('while-hanging')
    kill(pid, 'SIGCONT')
    await until(
      () => addressOf(`while-hanging.${home.hostname}`),
      (address) => address === '192.0.2.8'
    )
    await untilWhole()
    expect(await dig(panel, other.hostname, 'A')).toMatchObject({ status: 'REFUSED' })
  })

  test('gets deleted zone files back and responds throughout', async () => {
    const { zones } = await paths()
    for (const name of await readdir(zones)) await rm(join(zones, name))
    expect(await addressOf(home.hostname)).toBe(publicIp)
    await until(
      async () => {
        expect(await addressOf(home.hostname)).toBe(publicIp)
        return [(await readdir(zones)).sort(), await servedZones(panel)]
      },
      ([files, served]) => JSON.stringify(files) === JSON.stringify(served),
      180_000
    )
    await untilWhole()
  })
})
