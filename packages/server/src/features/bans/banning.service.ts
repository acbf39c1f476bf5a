import type { BanService } from '@panel/contract/bans'
import { configuredAddresses } from '../../config/panel.ts'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { containerSubnets } from '../../net/panel-network.ts'
import { plainAddress } from '../../net/plain-address.ts'
import { expandNetworks } from '../../http/own-proxy.ts'
import type { ServerBan } from '../../infra/server-firewall/server-bans.ts'
import { newId } from '../../security/ids.ts'
import { recordAudit } from '../audit/recording.service.ts'
import { notifyAdmins } from '../notifications/notify-access.ts'
import { listAdministratorAddresses } from '../sessions/live-sessions.service.ts'
import { nextBan } from './ban-times.policy.ts'
import {
  type BanRow,
  deleteForgottenBans,
  findBansOf,
  listAllowedNetworks,
  listBansInForce,
  saveBans,
  wasAnyoneBannedSince
} from './bans.repository.ts'
import { type Exemptions, findExemption } from './exemption.policy.ts'

export type Deps = Pick<Dependencies, 'config' | 'db' | 'events' | 'network' | 'nodeId' | 'now' | 'serverBans'>

export interface Guesser {
  /** An IPv4 address or the /64 of an IPv6 address. */
  address: string
  service: BanService
  attempts: number
}

// A wave of bans ends when none was added for this long. Each wave is reported once.
const waveMs = 3600_000
const auditedAddresses = 20

export type BanningDeps = Deps & Pick<Dependencies, 'jobs'>

/** Bans the addresses that can be banned: rows first, then the packet filter; reconcile repairs the rest. */
export async function banGuessers(deps: BanningDeps, guessers: readonly Guesser[]): Promise<void> {
  if (!deps.config.BANS) return
  const exemptions = await readExemptions(deps)
  const bannable = guessers.filter(({ address }) => findExemption(address, exemptions) === undefined)
  if (bannable.length === 0) return
  await deps.serverBans.exclusively(async () => {
    const rows = await deps.db.transaction((trx) => saveNextBans(deps, trx, bannable))
    await deps.serverBans.add(rows.map((row) => inForce(row, deps.now())))
  })
}

async function saveNextBans(deps: BanningDeps, trx: Transaction, guessers: readonly Guesser[]): Promise<BanRow[]> {
  const { nodeId } = deps
  const now = deps.now()
  const addresses = guessers.map(({ address }) => address)
  const before = new Map((await findBansOf(trx, nodeId, addresses)).map((row) => [row.address, row]))
  const isWaveNew = !(await wasAnyoneBannedSince(trx, nodeId, new Date(now.getTime() - waveMs)))
  const next = guessers.flatMap(({ address, service, attempts }) => {
    const ban = nextBan(before.get(address), now)
    const values = { id: newId(now.getTime()), nodeId, address, reason: service, attempts, bannedAt: now }
    return ban ? [{ ...values, ...ban, note: '', createdBy: null }] : []
  })
  if (next.length === 0) return []
  const rows = await saveBans(trx, next)
  const banned = rows.map(({ address }) => address)
  await recordAudit(
    deps,
    trx,
    {},
    {
      action: 'firewall.addresses_banned',
      actorId: null,
      targetId: null,
      metadata: {
        count: rows.length,
        addresses: banned.slice(0, auditedAddresses),
        reasons: [...new Set(rows.map(({ reason }) => reason))].sort()
      }
    }
  )
  if (isWaveNew)
    await notifyAdmins(deps, trx, {
      kind: 'addresses-banned',
      subject: { type: 'server', id: nodeId, name: 'Firewall' },
      text: [{ code: 'ADDRESSES_BANNED', values: { addresses: banned } }],
      link: '/server/firewall/bans'
    })
  await announceBans(deps, trx)
  return rows
}

export const announceBans = ({ events }: Pick<Deps, 'events'>, trx: Transaction): Promise<void> =>
  events.publish(trx, { to: 'admins', name: 'changed', data: { type: 'ban', id: null, projectId: null } })

/** Brings the packet filter in line with the rows. The caller runs exclusively. */
export async function applyBans({ config, db, nodeId, now, serverBans }: Deps): Promise<void> {
  const rows = config.BANS ? await listBansInForce(db, nodeId, now()) : []
  await serverBans.apply(rows.map((row) => inForce(row, now())))
}

/** After a restart or a flush, and when the setting has changed. */
export async function reconcileBans(deps: Deps): Promise<void> {
  await deleteForgottenBans(deps.db, deps.nodeId, deps.now())
  await deps.serverBans.exclusively(() => applyBans(deps))
}

const inForce = ({ address, until }: Pick<BanRow, 'address' | 'until'>, now: Date): ServerBan => ({
  address,
  seconds: until && Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
})

export async function readExemptions({ config, db, network, nodeId, now }: Deps): Promise<Exemptions> {
  const [allowed, administrators] = await Promise.all([
    listAllowedNetworks(db, nodeId),
    listAdministratorAddresses(db, now())
  ])
  return {
    server: configuredAddresses(config),
    containers: containerSubnets(await network()),
    trustedProxies: expandNetworks(config.TRUSTED_PROXIES),
    allowed: allowed.map((row) => row.network),
    administrators: administrators.map(plainAddress)
  }
}
