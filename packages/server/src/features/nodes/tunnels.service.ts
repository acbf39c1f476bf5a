import { isDeepStrictEqual } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { type MachineProblem, machineProblemTexts } from '@panel/contract/machine-texts'
import { type Sentence, sentenceText } from '@panel/contract/sentences'
import { findNode } from '../../db/nodes.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import type { TunnelPeer, TunnelState } from '../../infra/machine-tunnel/machine-tunnel.ts'
import { resolveServers } from '../../net/resolve-servers.ts'
import { reasonOf } from './machine-changes.service.ts'
import { listTunnels, saveTunnel } from './nodes.repository.ts'
import { isAlive, meshOf } from './tunnel.policy.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'nodes'>
type Problem = Sentence<MachineProblem>

/**
 * Sets up both ends of the encrypted network of a machine that is in it, and removes what is left on one that is not. Both ends
 * keep what is right, so sites notice nothing. Rejects with AdapterError if the machine does not respond.
 */
export async function checkTunnel(deps: Deps, id: string): Promise<Problem | undefined> {
  try {
    if (id === deps.nodes.ownId) return problemOf(await syncOwnTunnel(deps))
    const ensured = await ensureTunnel(deps, id)
    if (!ensured || 'code' in ensured) return ensured
    const { publicKey } = ensured
    for (let attempt = 0; attempt < handshakeAttempts; attempt++) {
      // After a cut, the next attempt to shake hands may be half a minute away.
      const own = await syncOwnTunnel(deps, attempt === 1 ? [publicKey] : [])
      if (!own || 'code' in own) return own
      if (isAlive(own.handshakes.get(publicKey))) return undefined
      await sleep(handshakePauseMs)
    }
    return { code: 'TUNNEL_SILENT', values: { port: deps.config.MACHINE_TUNNEL_PORT } }
  } catch (error) {
    return { code: 'TUNNEL', values: { reason: reasonOf(error) } }
  }
}

// A handshake takes a few round trips, and one that is lost is repeated after 5 s.
const handshakeAttempts = 7
const handshakePauseMs = 1_000

/** Before a container publishes a port there. Rejects with AdapterError node-unavailable if it would not be reached. */
export async function requireTunnel(deps: Deps, id: string): Promise<void> {
  if (!(await findNode(deps.db, id))?.tunnel) return
  const ensured = await ensureTunnel(deps, id)
  if (ensured && 'code' in ensured)
    throw new AdapterError('node-unavailable', sentenceText(machineProblemTexts, [ensured]))
}

async function ensureTunnel(deps: Deps, id: string): Promise<Problem | { publicKey: string } | undefined> {
  const there = await deps.nodes.forNode(id)
  const tunnel = (await findNode(deps.db, id))?.tunnel
  if (!tunnel) {
    await there.tunnel.remove()
    await syncOwnTunnel(deps)
    return undefined
  }
  const own = await syncOwnTunnel(deps)
  if (!own || 'code' in own) return own
  const panel = { publicKey: own.publicKey, address: tunnel.panel, ownAddress: tunnel.machine }
  const others = await peersOf(deps, meshOf(await listTunnels(deps.db), id), () => tunnel.machine)
  const state = await there.tunnel.ensure({ port: deps.config.MACHINE_TUNNEL_PORT, peers: [panel, ...others] })
  if ('missingPackages' in state) return packages('TUNNEL_PACKAGES', state.missingPackages)
  const { publicKey, isNew, handshakes } = state
  const reached = others.filter((peer) => isAlive(handshakes.get(peer.publicKey))).map(({ address }) => address)
  const found = { ...tunnel, publicKey, reached }
  if (!isDeepStrictEqual(found, { reached: [], ...tunnel })) await saveTunnel(deps.db, id, found)
  if (isNew || publicKey !== tunnel.publicKey) await syncOwnTunnel(deps, [publicKey])
  return { publicKey }
}

/**
 * Makes the panel's end what the rows say; without a machine in the network it is removed. Repeats if a row changed in the meantime,
 * which another process may have applied already.
 */
export async function syncOwnTunnel(
  deps: Deps,
  renew: readonly string[] = []
): Promise<TunnelState | Problem | undefined> {
  const { tunnel: own } = await deps.nodes.forNode(deps.nodes.ownId)
  for (;;) {
    const machines = await listTunnels(deps.db)
    if (machines.length === 0) await own.remove()
    const state =
      machines.length === 0
        ? undefined
        : await own.ensure({
            port: deps.config.MACHINE_TUNNEL_PORT,
            peers: await peersOf(deps, machines, ({ panel }) => panel),
            renew
          })
    if (!isDeepStrictEqual(await listTunnels(deps.db), machines)) continue
    return state && 'missingPackages' in state ? packages('TUNNEL_PACKAGES_HERE', state.missingPackages) : state
  }
}

type TunnelRow = Awaited<ReturnType<typeof listTunnels>>[number]

async function peersOf(
  { config }: Deps,
  machines: readonly TunnelRow[],
  ownAddress: (machine: TunnelRow) => string
): Promise<TunnelPeer[]> {
  const peers = machines.map(async (row) => {
    const { host, machine, publicKey } = row
    if (publicKey === null) return []
    const [found] = await resolveServers([{ host, port: config.MACHINE_TUNNEL_PORT }])
    const endpoint = found && `${found.to.includes(':') ? `[${found.to}]` : found.to}:${found.port}`
    return [{ publicKey, address: machine, ownAddress: ownAddress(row), endpoint }]
  })
  return (await Promise.all(peers)).flat()
}

const packages = (code: 'TUNNEL_PACKAGES' | 'TUNNEL_PACKAGES_HERE', names: readonly string[]): Problem => ({
  code,
  values: { packages: names.join(' ') }
})

const problemOf = (own: TunnelState | Problem | undefined): Problem | undefined =>
  own && 'code' in own ? own : undefined
