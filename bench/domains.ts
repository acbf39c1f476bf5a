import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import * as dnsPacket from 'dns-packet'
import type { Domain } from '@panel/contract/domains'
import type { DnsRecord } from '@panel/contract/dns-records'
import { type Client, type RunningPanel, startMeasuredPanel } from './panel.ts'
import { createSecretBox } from '../packages/server/src/infra/secret-box/secret-box.ts'
import { createSelfSigned } from '../packages/server/src/infra/x509/self-signed.ts'
import { median, report } from './figures.ts'
import { step } from './step.ts'

const rounds = 25
const host = 'measured.bench.example'

interface Figures {
  record: number
  route: number
  certificate: number
}

/** A change of one record, route or certificate until clients see it, among so many domains that each have all three. */
export async function benchDomains(sizes: readonly number[]): Promise<void> {
  const encryptionKey = randomBytes(32).toString('hex')
  const panel = await startMeasuredPanel({
    PANEL_MOCK_DNS: 'true',
    PUBLIC_IP: '127.0.0.1',
    ENCRYPTION_KEY: encryptionKey
  })
  try {
    const user = await panel.signUp()
    const measured = await addMeasured(user)
    const figures = new Map<number, Figures>()
    let there = 0
    for (const size of sizes) {
      const among = `among ${size.toLocaleString('en')} domains`
      await step(`adding domains: ${among}`, () => addOthers(panel, encryptionKey, there, size - 1))
      there = size - 1
      await step(`waiting until all are served: ${among}`, () => untilAllServe(panel, size - 2))
      figures.set(size, {
        record: await step(`changing records ${among}`, () => benchRecord(panel, user, measured)),
        route: await step(`changing routes ${among}`, () => benchRoute(panel, user, measured)),
        certificate: await step(`changing certificates ${among}`, () => benchCertificate(panel, user, measured))
      })
    }
    const names = {
      record: { label: 'record change to its answer', aim: 3 },
      route: { label: 'route change to its page', aim: 2 },
      certificate: { label: 'certificate to its handshake', aim: 1.5 }
    } as const
    for (const [name, { label, aim }] of Object.entries(names) as [keyof Figures, { label: string; aim: number }][]) {
      const base = figures.get(sizes[0]!)![name]
      for (const size of sizes)
        report(
          `${label}, ${size.toLocaleString('en')} domains`,
          `${figures.get(size)![name].toFixed(1)} ms`,
          size === sizes[0] ? undefined : { value: figures.get(size)![name] / base, aim: `<= ${aim}x` }
        )
    }
  } finally {
    await panel.dispose()
  }
}

interface Measured {
  domain: Domain
  projectId: string
  record: DnsRecord
}

async function addMeasured(user: Client): Promise<Measured> {
  const project = await user.createProject({ type: 'STATIC' })
  const domain = await user.call<Domain>('POST', '/domains', { hostname: host, projectId: project.id })
  await user.call('POST', `/domains/${domain.id}/verify?mock=true`)
  await user.call('PATCH', `/domains/${domain.id}/dns-mode`, { mode: 'MANAGED', skipDelegationCheck: true })
  const record = await user.call<DnsRecord>('POST', `/domains/${domain.id}/dns`, {
    type: 'A',
    name: 'changing',
    value: '192.0.2.1'
  })
  return { domain, projectId: project.id, record }
}

/** Rows as the panel itself makes them; through the API 10,000 would take longer than the measurement. */
async function addOthers(panel: RunningPanel, encryptionKey: string, from: number, to: number): Promise<void> {
  const { chain, keyPem } = await createSelfSigned(['*.others.example'], { now: new Date(), days: 90 })
  const fingerprint = createHash('sha256').update(new X509Certificate(chain).raw).digest('hex')
  const key = createSecretBox(encryptionKey).seal(keyPem)
  const numbers = `generate_series(${from}, ${to - 1}) as n`
  const name = `'d' || n || '.others.example'`
  for (const statement of [
    `insert into domains (id, user_id, hostname, status, project_id, dns_mode, zone_id, verified_at)
       select 'd' || n, (select user_id from domains limit 1), ${name}, 'ACTIVE', (select project_id from domains limit 1), 'MANAGED', 'd' || n, now() from ${numbers}`,
    `insert into host_names (hostname, user_id) select ${name}, (select user_id from domains limit 1) from ${numbers}`,
    `insert into dns_zones (domain_id, name, serial) select 'd' || n, ${name}, 2026010100 from ${numbers}`,
    ...[
      ['A', '@', '203.0.113.1'],
      ['CNAME', 'www', 'other.example'],
      ['TXT', '@', 'v=spf1 -all'],
      ['NS', '@', 'ns1.host.example']
    ].map(
      ([type, owner, value]) =>
        `insert into dns_records (id, domain_id, type, name, value, ttl) select 'd' || n || '${type}', 'd' || n, '${type}', '${owner}', '${value}', 3600 from ${numbers}`
    )
  ])
    await panel.query(statement)
  await panel.query(
    `insert into certificates (id, domain_id, type, status, common_name, chain, encrypted_key, fingerprint, valid_from, valid_to)
       select 'd' || n, 'd' || n, 'CUSTOM', 'ACTIVE', ${name}, $1, $2, $3, now(), now() + interval '60 days' from ${numbers}`,
    [chain, key, fingerprint]
  )
}

async function untilAllServe(panel: RunningPanel, last: number): Promise<void> {
  const defaultSerial = await serialOf(panel.proxyHttpsPort, 'unknown.example')
  for (;;) {
    const [outdated] = await panel.query<{ count: string }>(
      'select count(*) from dns_zones where applied_revision <> revision'
    )
    const isNamed = (await ask(panel.dnsPort, `d${last}.others.example`)) === '203.0.113.1'
    const isCertified = (await serialOf(panel.proxyHttpsPort, `d${last}.others.example`)) !== defaultSerial
    const { status } = await panel.visit(`d${last}.others.example`)
    if (outdated!.count === '0' && isNamed && isCertified && status !== 404) return
    await sleep(1_000)
  }
}

async function benchRecord(panel: RunningPanel, user: Client, { domain, record }: Measured): Promise<number> {
  return medianOf(async (round) => {
    const value = `192.0.2.${(round % 2) + 10}`
    await user.call('PATCH', `/domains/${domain.id}/dns/${record.id}`, { value })
    while ((await ask(panel.dnsPort, `changing.${host}`)) !== value);
  })
}

async function benchRoute(panel: RunningPanel, user: Client, { domain, projectId }: Measured): Promise<number> {
  await user.call('DELETE', `/domains/${domain.id}/ssl`).catch(() => {}) // None the first time.
  return medianOf(async (round) => {
    const isLed = round % 2 === 0
    await user.call('PATCH', `/domains/${domain.id}`, { projectId: isLed ? projectId : null })
    while ((await panel.visit(host)).status !== (isLed ? 503 : 404));
  })
}

async function benchCertificate(panel: RunningPanel, user: Client, { domain }: Measured): Promise<number> {
  const made = await Promise.all([0, 1].map(() => createSelfSigned([host], { now: new Date(), days: 90 })))
  return medianOf(async (round) => {
    const { chain, keyPem } = made[round % 2]!
    await user.call('POST', `/domains/${domain.id}/ssl/upload`, { certificate: chain, privateKey: keyPem })
    while ((await serialOf(panel.proxyHttpsPort, host)) !== new X509Certificate(chain).serialNumber);
  })
}

/** Milliseconds. As many rounds before warm up: else the first size, which meets code that has never run, would seem the slowest. */
async function medianOf(work: (round: number) => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 2 * rounds; round++) {
    const started = performance.now()
    await work(round)
    if (round >= rounds) times.push(performance.now() - started)
  }
  return median(times)
}

/** The first A record that the name server answers, or nothing. */
async function ask(port: number, name: string): Promise<string | undefined> {
  const socket = createSocket('udp4')
  try {
    socket.send(dnsPacket.encode({ type: 'query', id: 1, questions: [{ type: 'A', name }] }), port, '127.0.0.1')
    const [message] = (await once(socket, 'message', { signal: AbortSignal.timeout(2_000) })) as [Buffer]
    const answer = dnsPacket.decode(message).answers?.find(({ type }) => type === 'A')
    return answer?.type === 'A' ? answer.data : undefined
  } catch {
    return undefined // Lost, or the server is busy: asked again.
  } finally {
    socket.close()
  }
}

async function serialOf(port: number, servername: string): Promise<string | undefined> {
  const socket = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(10_000) })
    return socket.getPeerX509Certificate()?.serialNumber
  } finally {
    socket.destroy()
  }
}
