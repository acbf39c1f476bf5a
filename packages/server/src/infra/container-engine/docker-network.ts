import { setTimeout as sleep } from 'node:timers/promises'
import {
  EngineError,
  type Labels,
  type NetworkOptions,
  type NetworkState,
  type NetworkSummary
} from './container-engine.ts'
import type { ListedNetwork } from './docker-answers.ts'
import { type EngineCall, ignoringStatuses, type TimeLimits } from './docker-call.ts'
import { hasLabels, labelFilters } from './docker-labels.ts'
import type { EngineHost } from './engine-host.ts'
import {
  formatSubnet,
  freeSubnets,
  networkPlan,
  parseSubnet,
  routedSubnets,
  type Subnet,
  subnetsOverlap
} from '../../net/ipv4-subnet.ts'

interface NetworkDependencies {
  call: EngineCall
  limits: TimeLimits
  host: Pick<EngineHost, 'readFile' | 'interfaceSubnets'>
}

const attempts = 16
// How long a concurrent creator may need until the engine lists its network.
const otherCreatorMs = 1_500
const pollIntervalMs = 250

const bridgeOption = 'com.docker.network.bridge.name'

export async function ensureNetwork(
  deps: NetworkDependencies,
  name: string,
  labels: Labels,
  options: NetworkOptions = {}
): Promise<NetworkState> {
  const wanted = { name, labels, options }
  const existing = await findNetwork(deps, name, labels)
  if (existing) return existing
  if (options.subnet !== undefined) return createOn(deps, wanted, options.subnet)
  const refused = (options.avoid ?? []).flatMap((cidr) => parseSubnet(cidr) ?? [])
  for (let attempt = 0; attempt < attempts; attempt++) {
    const subnet = freeSubnets([...(await takenSubnets(deps)), ...refused], options.prefixLength).next().value
    if (!subnet) break
    const refusal = await tryToCreate(deps, wanted, subnet)
    const agreed = await agreedNetwork(deps, wanted, refusal)
    if (agreed) return agreed
    if (refusal && !isAboutSubnet(refusal)) throw refusal
    refused.push(subnet)
  }
  throw new EngineError(`No free subnet found for the network ${name}`, 409)
}

/** Creates on exactly this subnet. The conflict may be the same network, created by another process a moment ago. */
async function createOn(deps: NetworkDependencies, wanted: WantedNetwork, cidr: string): Promise<NetworkState> {
  const { name, labels } = wanted
  const subnet = parseSubnet(cidr)
  if (!subnet) throw new EngineError(`Not a subnet: ${cidr}`, 400)
  const inTheWay = (await takenSubnets(deps)).find((other) => subnetsOverlap(subnet, other))
  const refusal = inTheWay
    ? new EngineError(`${cidr} for the network ${name} conflicts with ${formatSubnet(inTheWay)}`, 409)
    : await tryToCreate(deps, wanted, subnet)
  const found = await (refusal ? awaitOther(deps, name, labels) : findNetwork(deps, name, labels))
  if (found) return found
  throw refusal ?? new EngineError(`The network ${name} was removed after it was created`, 409)
}

export async function listNetworks({ call, limits }: NetworkDependencies, labels: Labels): Promise<NetworkSummary[]> {
  const query = { filters: { label: labelFilters(labels) } }
  const listed = await call(limits.ordinary, (engine) => engine.ask<ListedNetwork[]>('GET', '/networks', { query }))
  return listed
    .filter((network) => hasLabels(network.Labels, labels))
    .map((network) => ({ id: network.Id, name: network.Name, labels: network.Labels ?? {}, bridge: bridgeOf(network) }))
}

interface WantedNetwork {
  name: string
  labels: Labels
  options: NetworkOptions
}

// Makes processes that create at the same time agree on one network. Bridge names are unique in the engine, so with one
// the response is final. Without one the engine may create two networks of a name, so both processes look again after a
// moment.
async function agreedNetwork(
  deps: NetworkDependencies,
  { name, labels, options }: WantedNetwork,
  refusal: EngineError | undefined
): Promise<NetworkState | undefined> {
  if (refusal) {
    if (options.bridge !== undefined && isAboutSubnet(refusal)) return undefined
    return awaitOther(deps, name, labels)
  }
  return options.bridge === undefined ? agree(deps, name, labels) : findNetwork(deps, name, labels)
}

const isAboutSubnet = ({ status, message }: EngineError) => status !== 409 && !/same bridge name/i.test(message)

async function tryToCreate(
  { call, limits }: NetworkDependencies,
  { name, labels, options }: WantedNetwork,
  subnet: Subnet
): Promise<EngineError | undefined> {
  const plan = networkPlan(subnet)
  try {
    const body = {
      Name: name,
      CheckDuplicate: true,
      Driver: 'bridge',
      IPAM: {
        Driver: 'default',
        Config: [{ Subnet: plan.subnet, Gateway: plan.gateway, IPRange: plan.engineRange }]
      },
      Options: {
        'com.docker.network.bridge.enable_icc': String(options.isOpen ?? false),
        ...(options.bridge === undefined ? {} : { [bridgeOption]: options.bridge })
      },
      Labels: { ...labels }
    }
    await call(limits.long, (engine) => engine.ask('POST', '/networks/create', { body }))
    return undefined
  } catch (error) {
    if (error instanceof EngineError && (error.status === 409 || /overlap|conflicts with/i.test(error.message)))
      return error
    throw error
  }
}

async function agree(deps: NetworkDependencies, name: string, labels: Labels): Promise<NetworkState | undefined> {
  await sleep(pollIntervalMs)
  return findNetwork(deps, name, labels)
}

async function awaitOther(deps: NetworkDependencies, name: string, labels: Labels): Promise<NetworkState | undefined> {
  for (let waitedMs = 0; waitedMs < otherCreatorMs; waitedMs += pollIntervalMs) {
    const found = await agree(deps, name, labels)
    if (found) return found
  }
  return undefined
}

// The network with this name and these labels. The engine allows duplicates and then rejects the name as ambiguous; so
// the oldest wins and the others are removed (the engine keeps those with containers).
async function findNetwork(deps: NetworkDependencies, name: string, labels: Labels): Promise<NetworkState | undefined> {
  const { call, limits } = deps
  const query = { filters: { name: [name], label: labelFilters(labels) } }
  const listed = await call(limits.ordinary, (engine) => engine.ask<ListedNetwork[]>('GET', '/networks', { query }))
  const ours = listed.filter((network) => network.Name === name && hasLabels(network.Labels, labels))
  ours.sort((a, b) => (`${a.Created} ${a.Id}` < `${b.Created} ${b.Id}` ? -1 : 1))
  const [oldest, ...duplicates] = ours
  for (const { Id } of duplicates) {
    await ignoringStatuses(
      [403, 404],
      call(limits.long, (engine) => engine.ask('DELETE', `/networks/${Id}`))
    )
  }
  return oldest && stateOf(oldest)
}

function stateOf(network: ListedNetwork): NetworkState {
  const [config] = network.IPAM?.Config ?? []
  const subnet = parseSubnet(config?.Subnet ?? '')
  if (!config?.Subnet || !subnet) throw new EngineError(`The network ${network.Name} has no IPv4 subnet`, 500)
  const gateway = config.Gateway ?? networkPlan(subnet).gateway
  return { name: network.Name, subnet: config.Subnet, gateway, bridge: bridgeOf(network) }
}

/** Without the option, Docker derives the bridge name from the network id. */
const bridgeOf = ({ Id, Options }: ListedNetwork): string => Options?.[bridgeOption] ?? `br-${Id.slice(0, 12)}`

/** Bridge of the network `bridge`, which every engine has. */
export async function defaultBridge({ call, limits }: NetworkDependencies): Promise<string> {
  return bridgeOf(await call(limits.short, (engine) => engine.ask<ListedNetwork>('GET', '/networks/bridge')))
}

export async function takenSubnets({ call, limits, host }: NetworkDependencies): Promise<Subnet[]> {
  const networks = await call(limits.ordinary, (engine) => engine.ask<ListedNetwork[]>('GET', '/networks'))
  const ofEngine = networks.flatMap(({ IPAM }) => (IPAM?.Config ?? []).map((config) => config.Subnet ?? ''))
  const known = [...ofEngine, ...host.interfaceSubnets()].map(parseSubnet).filter((subnet) => subnet !== undefined)
  return [...known, ...routedSubnets(await readRoutes(host))]
}

async function readRoutes(host: Pick<EngineHost, 'readFile'>): Promise<string> {
  try {
    return await host.readFile('/proc/net/route')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}
