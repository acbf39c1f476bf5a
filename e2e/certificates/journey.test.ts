import type { Domain } from '@panel/contract/domains'
import { beforeAll, expect, test } from 'vitest'
import { addRecord, dig, servedZones } from '../support/dns-environment.ts'
import type { Client, Site } from '../support/panel.ts'
import { until } from '../support/poll.ts'
import { sharedWorld, type World } from '../support/shared-world.ts'
import { nodeSite } from '../support/sites.ts'
import { visitSecurely } from '../support/tls-clients.ts'

let world: World
let user: Client
let site: Site
let domain: Pick<Domain, 'id' | 'hostname'>
beforeAll(async () => {
  world = await sharedWorld()
  user = await world.panel.signUp()
  site = await user.createSite(world.git, nodeSite('secure'))
  await user.mustRun(site.id)
})

test('a verified domain whose DNS is hosted here is served by the name server', async () => {
  domain = await world.addManaged(world.newName(), user)
  await addRecord(user, domain.id, { type: 'TXT', name: '@', value: 'token="quoted"' })
  await addRecord(user, domain.id, { type: 'A', name: 'status', value: '203.0.113.9' })
  const answer = async (name: string, type: string) => (await dig(world.panel, name, type)).values
  await expect.poll(() => answer(`status.${domain.hostname}`, 'A')).toEqual(['203.0.113.9'])
  await expect.poll(() => answer(domain.hostname, 'TXT')).toContain('token="quoted"')
})

test('a project is reached by the domain, with a certificate that a browser trusts', async () => {
  const { hostname, id } = domain
  await user.call('PATCH', `/domains/${id}`, { projectId: site.id })
  await expect.poll(async () => (await world.panel.visit(hostname)).body).toBe('secure /')
  const certificate = await world.provision(id, user)
  expect(certificate).toMatchObject({ status: 'ACTIVE', commonName: hostname, sans: [hostname] })
  await world.untilServed(hostname, certificate)
  expect((await world.shakeHands(hostname)).isTrusted).toBe(true)
  const redirect = await until(
    () => world.panel.visit(hostname, '/a?b=c'),
    ({ status }) => status === 301
  )
  expect(redirect.headers.location).toBe(`https://${hostname}/a?b=c`)
  const page = await visitSecurely(world.panel.proxyHttpsPort, hostname, '/a?b=c')
  expect(page).toMatchObject({ status: 200, body: 'secure /a?b=c' })
})

test('a deleted domain leaves no zone and no route', async () => {
  const { hostname, id } = domain
  await user.call('DELETE', `/domains/${id}`)
  await expect.poll(() => servedZones(world.panel)).not.toContain(hostname)
  await expect.poll(async () => (await world.panel.visit(hostname)).status).toBe(404)
})
