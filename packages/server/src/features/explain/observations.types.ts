import type { CertificateStatus, CertificateType } from '@panel/contract/certificates'
import type { ExplainCode } from '@panel/contract/explain-texts'
import type { ExplainStatus } from '@panel/contract/explain'
import type { Sentence } from '@panel/contract/sentences'
import type { ContainerState, ListeningPort } from '../../infra/container-engine/container-engine.ts'
import type { Lookup } from '../../infra/public-dns/public-dns.ts'

/** What a step found: first what was seen, then what to do. */
export interface Verdict {
  status: ExplainStatus
  sentences: readonly Sentence<ExplainCode>[]
}

export interface DnsObservations {
  hostname: string
  /** Where this server hosts the zone. */
  managed: {
    zone: string
    expected: readonly string[]
    lookups: readonly Lookup[]
    delegated: readonly string[]
  } | null
  /** The nearest name with name servers, where the zone is elsewhere. */
  nameServers: { name: string; servers: readonly string[] } | null
  a: readonly Lookup[]
  aaaa: readonly Lookup[]
  /** `unknown`: neither an address of this server nor probed. */
  addresses: readonly { address: string; owner: 'here' | 'elsewhere' | 'unreachable' | 'unknown' }[]
  publicIp: string
  publicIpv6: string | null
}

export interface ServerObservations {
  isProxyUp: boolean
  /** Web ports that the administrator's firewall closes to the Internet. */
  closedPorts: readonly number[]
  /** A public address of this server on which no web port responds. */
  unreachable: { address: string; port: number } | null
}

export interface CertificateObservations {
  hostname: string
  certificate: {
    type: CertificateType
    status: CertificateStatus
    validTo: Date | null
    hasContent: boolean
    problem: string | null
  } | null
  /** Why CAA forbids an order; looked up where there is no valid certificate. */
  caaProblem: string | null
  /** What the proxy presents; null if it did not respond over TLS. */
  presented: { validTo: Date; isForName: boolean } | null
}

export interface RouteObservations {
  hostname: string
  kind: 'panel' | 'site'
  domain: { hostname: string; isVerified: boolean } | null
  project: ProjectObservations | null
}

export interface ProjectObservations {
  name: string
  isStopped: boolean
  isAsleep: boolean
  stopReason: string | null
  isSuspended: boolean
  isDeployed: boolean
  isDeploying: boolean
  isLastDeploymentFailed: boolean
}

export interface ContainerObservations {
  /** `unreachable`: the engine does not respond. */
  state:
    | Pick<ContainerState, 'running' | 'restarting' | 'restartCount' | 'exitCode' | 'outOfMemory'>
    | 'missing'
    | 'unreachable'
  port: number
  /** Whether it sends a response; false also while it is busy. */
  isAnswering: boolean
  listening: readonly ListeningPort[] | undefined
}

export interface PageObservations {
  /** URLs requested, the last of which is described by the rest. */
  urls: readonly string[]
  isLoop: boolean
  /** Where it redirects to, if that is another host. */
  elsewhere: string | null
  status: number | null
  failure: 'TIMEOUT' | 'LOST' | null
  seconds: number
}
