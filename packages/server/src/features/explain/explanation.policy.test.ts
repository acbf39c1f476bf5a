import { expect, test } from 'vitest'
import type { ExplainCode } from '@panel/contract/explain-texts'
import type { ExplainStepName } from '@panel/contract/explain'
import type { Lookup } from '../../infra/public-dns/public-dns.ts'
import { explain, type Observations } from './explanation.policy.ts'
import type {
  CertificateObservations,
  ContainerObservations,
  DnsObservations,
  PageObservations,
  ProjectObservations
} from './observations.types.ts'

const now = new Date('2026-11-28T12:00:00Z')
const hostname = 'shop.example.com'
const lookup = (values: string[], error: string | null = null): Lookup => ({
  resolver: '192.0.2.1',
  values,
  error,
  latencyMs: 1
})
const nxdomain = lookup([], 'NXDOMAIN')

const dns: DnsObservations = {
  hostname,
  managed: null,
  nameServers: { name: 'example.com', servers: ['ns.example.net'] },
  a: [lookup(['203.0.113.5'])],
  aaaa: [lookup([], 'NODATA')],
  addresses: [{ address: '203.0.113.5', owner: 'here' }],
  publicIp: '203.0.113.5',
  publicIpv6: null
}
const project: ProjectObservations = {
  name: 'shop',
  isStopped: false,
  isAsleep: false,
  stopReason: null,
  isSuspended: false,
  isDeployed: true,
  isDeploying: false,
  isLastDeploymentFailed: false
}
const running = { running: true, restarting: false, restartCount: 0, exitCode: 0, outOfMemory: false }
const container: ContainerObservations = {
  state: running,
  port: 3000,
  isAnswering: true,
  listening: [{ port: 3000, isLocal: false }]
}
const page: PageObservations = {
  urls: [`http://${hostname}/`],
  isLoop: false,
  elsewhere: null,
  status: 200,
  failure: null,
  seconds: 15
}
const validTo = new Date('2027-02-01T00:00:00Z')
const certificate: CertificateObservations = {
  hostname,
  certificate: { type: 'LETS_ENCRYPT', status: 'ACTIVE', validTo, hasContent: true, problem: null },
  caaProblem: null,
  presented: { validTo, isForName: true }
}
const well: Observations = {
  dns,
  server: { isProxyUp: true, closedPorts: [], unreachable: null },
  certificate,
  route: { hostname, kind: 'site', domain: { hostname, isVerified: true }, project },
  container,
  page,
  log: ['started']
}
const managed = {
  zone: 'example.com',
  expected: ['ns1.panel.test'],
  lookups: [lookup(['ns1.panel.test'])],
  delegated: []
}
const withDns = (given: Partial<DnsObservations>): Partial<Observations> => ({ dns: { ...dns, ...given } })
const withServer = (given: Partial<Observations['server']>): Partial<Observations> => ({
  server: { ...well.server, ...given }
})
const withCertificate = (
  given: Partial<NonNullable<CertificateObservations['certificate']>>,
  others: Partial<CertificateObservations> = {}
): Partial<Observations> => ({
  certificate: { ...certificate, ...others, certificate: { ...certificate.certificate!, ...given } }
})
const withDomain = (isVerified: boolean, attached: ProjectObservations | null): Partial<Observations> => ({
  route: { ...well.route, domain: { hostname, isVerified }, project: attached },
  container: null,
  page: null,
  log: null
})
const withProject = (given: Partial<ProjectObservations>) => withDomain(true, { ...project, ...given })
const withContainer = (given: Partial<ContainerObservations>): Partial<Observations> => ({
  container: { ...container, isAnswering: false, listening: undefined, ...given },
  page: null
})
const withPage = (given: Partial<PageObservations>): Partial<Observations> => ({ page: { ...page, ...given } })

test('a site that answers has no cause', () => {
  const { cause, steps } = explain(well, now)
  expect(cause).toBeNull()
  expect(steps.map(({ status }) => status)).toEqual(steps.map(() => 'OK'))
})

test.each<[string, Partial<Observations>, ExplainStepName, ExplainCode]>([
  ['a domain that DNS does not know', withDns({ nameServers: null, a: [nxdomain], aaaa: [nxdomain], addresses: [] }), 'DELEGATION', 'DOMAIN_UNKNOWN'],
  ['name servers that fail', withDns({ nameServers: null, a: [lookup([], 'SERVFAIL')], aaaa: [lookup([], 'SERVFAIL')], addresses: [] }), 'DELEGATION', 'NAME_SERVERS_FAIL'],
  ['a zone of ours that is delegated elsewhere', withDns({ managed: { ...managed, lookups: [lookup(['ns.elsewhere.test'])] } }), 'DELEGATION', 'NOT_DELEGATED'],
  ['a zone of ours that nobody delegates', withDns({ managed: { ...managed, lookups: [nxdomain] } }), 'DELEGATION', 'NOT_DELEGATED_AT_ALL'],
  ['a name without an address', withDns({ a: [nxdomain], aaaa: [nxdomain], addresses: [] }), 'ADDRESS', 'ADDRESS_MISSING'],
  ['an A record that leads elsewhere', withDns({ addresses: [{ address: '198.51.100.9', owner: 'elsewhere' }] }), 'ADDRESS', 'ADDRESS_ELSEWHERE'],
  ['an AAAA record that leads elsewhere', withDns({ addresses: [...dns.addresses, { address: '2001:db8::1', owner: 'elsewhere' }] }), 'ADDRESS', 'IPV6_ELSEWHERE'],
  ['a proxy that is stopped', { ...withServer({ isProxyUp: false }), page: null }, 'CONNECTION', 'WEB_SERVER_DOWN'],
  ['a firewall that closes web ports', withServer({ closedPorts: [443] }), 'CONNECTION', 'FIREWALL_CLOSED'],
  ['a port that does not respond', withServer({ unreachable: { address: '203.0.113.5', port: 80 } }), 'CONNECTION', 'PORT_UNREACHABLE'],
  ['an order that failed', withCertificate({ status: 'ERROR', hasContent: false, validTo: null, problem: 'no' }), 'TLS', 'CERTIFICATE_FAILED'],
  ['an order that CAA forbids', withCertificate({ status: 'ERROR', hasContent: false, validTo: null }, { caaProblem: 'others only' }), 'TLS', 'CERTIFICATE_CAA'],
  ['a certificate that expired', withCertificate({ validTo: new Date('2026-11-28T11:59:59Z') }), 'TLS', 'CERTIFICATE_EXPIRED'],
  ['a certificate that is not served', withCertificate({}, { presented: { validTo, isForName: false } }), 'TLS', 'CERTIFICATE_NOT_SERVED'],
  ['a domain that is not verified', withDomain(false, project), 'ROUTE', 'DOMAIN_NOT_VERIFIED'],
  ['a domain without a project', withDomain(true, null), 'ROUTE', 'DOMAIN_UNATTACHED'],
  ['a project that was never deployed', withProject({ isDeployed: false }), 'ROUTE', 'NEVER_DEPLOYED'],
  ['a project whose first deployment failed', withProject({ isDeployed: false, isLastDeploymentFailed: true }), 'ROUTE', 'DEPLOYMENT_FAILED'],
  ['a stopped project', withProject({ isStopped: true }), 'ROUTE', 'PROJECT_STOPPED'],
  ['a project stopped by a limit', withProject({ isStopped: true, stopReason: 'disk full' }), 'ROUTE', 'PROJECT_STOPPED_BY_LIMIT'],
  ['a suspended account', withProject({ isStopped: true, isSuspended: true }), 'ROUTE', 'ACCOUNT_SUSPENDED'],
  ['an engine that is down', withContainer({ state: 'unreachable' }), 'CONTAINER', 'ENGINE_DOWN'],
  ['a container that is gone', withContainer({ state: 'missing' }), 'CONTAINER', 'CONTAINER_MISSING'],
  ['a container that crashes', withContainer({ state: { ...running, restartCount: 4, exitCode: 1 }, listening: [] }), 'CONTAINER', 'CONTAINER_CRASHES'],
  ['a container that waits for its restart', withContainer({ state: { ...running, restarting: true } }), 'CONTAINER', 'CONTAINER_CRASHES'],
  ['a container out of memory', withContainer({ state: { ...running, running: false, outOfMemory: true } }), 'CONTAINER', 'OUT_OF_MEMORY'],
  ['another port', withContainer({ listening: [{ port: 8080, isLocal: false }] }), 'CONTAINER', 'WRONG_PORT'],
  ['another port after a restart', withContainer({ state: { ...running, restartCount: 1 }, listening: [{ port: 8080, isLocal: false }] }), 'CONTAINER', 'WRONG_PORT'],
  ['the port on loopback', withContainer({ listening: [{ port: 3000, isLocal: true }] }), 'CONTAINER', 'LISTENS_LOCALLY'],
  ['another port on loopback', withContainer({ listening: [{ port: 8080, isLocal: true }] }), 'CONTAINER', 'LISTENS_LOCALLY'],
  ['no port', withContainer({ listening: [] }), 'CONTAINER', 'NOT_LISTENING'],
  ['an answer 500', withPage({ status: 500 }), 'RESPONSE', 'SERVER_ERROR'],
  ['no answer in time', withPage({ status: null, failure: 'TIMEOUT' }), 'RESPONSE', 'TOO_SLOW'],
  ['a closed connection', withPage({ status: null, failure: 'LOST' }), 'RESPONSE', 'CONNECTION_LOST'],
  ['a redirect loop', withPage({ status: null, isLoop: true }), 'RESPONSE', 'REDIRECT_LOOP']
])('%s is named', (_what, given, cause, code) => {
  const result = explain({ ...well, ...given }, now)
  expect(result.cause).toBe(cause)
  const step = result.steps.find((each) => each.step === cause)!
  expect(step.sentences[0]?.code).toBe(code)
  expect(step.message).not.toMatch(/\{\{|undefined/)
}) // oxfmt-ignore

test.each<[string, Partial<Observations>, ExplainStepName]>([
  ['resolvers that do not respond', withDns({ nameServers: null, a: [lookup([], 'TIMEOUT')], aaaa: [lookup([], 'TIMEOUT')], addresses: [] }), 'DELEGATION'],
  ['an address that cannot be compared', withDns({ addresses: [{ address: '198.51.100.9', owner: 'unknown' }] }), 'ADDRESS'],
  ['no certificate', { certificate: { ...certificate, certificate: null, presented: null } }, 'TLS'],
  ['a pending order', withCertificate({ status: 'PENDING', hasContent: false, validTo: null }), 'TLS'],
  ['the log of another account', { log: 'private' }, 'LOG']
])('%s is no fault of the site', (_what, given, step) => {
  const { cause, steps } = explain({ ...well, ...given }, now)
  expect([cause, steps.find((each) => each.step === step)?.status]).toEqual([null, 'SKIPPED'])
}) // oxfmt-ignore
