import { Id, pagination } from '@panel/contract/common'
import {
  type AllowedNetwork,
  AllowNetwork,
  type Ban,
  type BanList,
  type BanQuery,
  CreateBan
} from '@panel/contract/bans'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { CallerConnection } from '../../http/caller-connection.ts'
import { limitKey } from '../../http/client-ip.ts'
import { networksOverlap } from '../../net/plain-address.ts'
import { newId } from '../../security/ids.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { Origin } from '../audit/origin.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { allowedNetworkView, banView } from './ban-view.ts'
import { announceBans, applyBans, type Deps, readExemptions } from './banning.service.ts'
import {
  countAllowedNetworks,
  deleteAllowedNetwork,
  deleteBans,
  findAllowedNetwork,
  findBan,
  findBansOf,
  insertAllowedNetwork,
  listActiveBans,
  listAllowedNetworks,
  listBansInForce,
  saveBans
} from './bans.repository.ts'
import { isBanned, offencesLeft } from './ban-times.policy.ts'
import { type Exemption, findExemption } from './exemption.policy.ts'

type Reading = Pick<Dependencies, 'config' | 'db' | 'nodeId' | 'now'>

const allowedAtMost = 500

export async function listBans({ config, db, nodeId, now }: Reading, query: BanQuery): Promise<BanList> {
  const { rows, total } = await listActiveBans(db, nodeId, now(), query)
  return { enabled: config.BANS, bans: rows.map(banView), pagination: pagination(query.page, query.limit, total) }
}

/** Adds or replaces the ban of an address. */
export const createBan = workerVerb(
  'bans.create',
  [Origin, Id, CallerConnection, CreateBan],
  (deps: Deps, origin: AuditOrigin, userId: string, caller: CallerConnection, input: CreateBan) =>
    banByHand(deps, origin, userId, [caller.client, caller.peer], input)
)

/** `userId` is null on the server's console. `own`: addresses that must stay able to connect. */
export async function banByHand(
  deps: Deps,
  origin: AuditOrigin,
  userId: string | null,
  own: readonly string[],
  { address: given, seconds, note }: CreateBan
): Promise<Ban> {
  if (!deps.config.BANS) throw new AppError('BANS_OFF', 'Bans are off. Turn on the setting BANS first.')
  const address = limitKey(given.replace(/\/64$/, ''))
  const exemption = own.some((each) => limitKey(each) === address)
    ? 'caller'
    : findExemption(address, await readExemptions(deps))
  if (exemption) throw new AppError('ADDRESS_EXEMPT', `${address} cannot be banned: ${exemptionSentences[exemption]}.`)
  return deps.serverBans.exclusively(async () => {
    const now = deps.now()
    const row = await deps.db.transaction(async (trx) => {
      const [before] = await findBansOf(trx, deps.nodeId, [address])
      const [saved] = await saveBans(trx, [
        {
          id: newId(now.getTime()),
          nodeId: deps.nodeId,
          address,
          reason: 'MANUAL',
          note,
          attempts: 0,
          offences: before ? offencesLeft(before, now) : 0,
          bannedAt: now,
          until: seconds === null ? null : new Date(now.getTime() + seconds * 1000),
          createdBy: userId
        }
      ])
      await recordAudit(deps, trx, origin, {
        action: 'firewall.addresses_banned',
        actorId: userId,
        targetId: saved!.id,
        metadata: { count: 1, addresses: [address], reasons: ['MANUAL'], seconds, note }
      })
      await announceBans(deps, trx)
      return saved!
    })
    await applyBans(deps)
    return banView(row)
  })
}

const exemptionSentences: Readonly<Record<Exemption | 'caller', string>> = {
  caller: 'it is your own address',
  server: 'it belongs to this server',
  containers: 'it belongs to the containers of this server',
  trustedProxies: 'it is a trusted proxy',
  allowed: 'it is on the allow list',
  administrators: 'an administrator is signed in from it'
}

export const removeBan = workerVerb(
  'bans.remove',
  [Origin, Id, Id],
  async (deps: Deps, origin: AuditOrigin, userId: string, id: string): Promise<void> => {
    await deps.serverBans.exclusively(() => liftBans(deps, origin, userId, [id]))
  }
)

/** For `./panel firewall unban`. Returns whether the address was banned. */
export async function unbanAddress(deps: Deps, given: string): Promise<boolean> {
  const address = limitKey(given.replace(/\/64$/, ''))
  return deps.serverBans.exclusively(async () => {
    const found = await findBansOf(deps.db, deps.nodeId, [address])
    await liftBans(deps, {}, null, found.map(({ id }) => id)) // oxfmt-ignore
    return found.some((ban) => isBanned(ban, deps.now()))
  })
}

/** The caller runs exclusively. The row goes with its offences, so that the next ban is a short one. */
async function liftBans(deps: Deps, origin: AuditOrigin, userId: string | null, ids: readonly string[]): Promise<void> {
  await deps.db.transaction(async (trx) => {
    for (const { id, address, reason } of await deleteBans(trx, deps.nodeId, ids))
      await recordAudit(deps, trx, origin, {
        action: 'firewall.address_unbanned',
        actorId: userId,
        targetId: id,
        metadata: { address, reason }
      })
    await announceBans(deps, trx)
  })
  await applyBans(deps)
}

export async function requireBan({ db, now }: Pick<Reading, 'db' | 'now'>, id: string): Promise<void> {
  const row = await findBan(db, id)
  if (!row || !isBanned(row, now())) throw new AppError('NOT_FOUND', 'Ban not found')
}

export async function showAllowedNetworks({ db, nodeId }: Reading): Promise<{ networks: AllowedNetwork[] }> {
  return { networks: (await listAllowedNetworks(db, nodeId)).map(allowedNetworkView) }
}

/** Also ends the bans of its addresses. */
export const allowNetwork = workerVerb('bans.allow', [Origin, Id, AllowNetwork], allowHere)

async function allowHere(
  deps: Deps,
  origin: AuditOrigin,
  userId: string,
  { network, note }: AllowNetwork
): Promise<AllowedNetwork> {
  return deps.serverBans.exclusively(async () => {
    const { db, nodeId } = deps
    if ((await countAllowedNetworks(db, nodeId)) >= allowedAtMost)
      throw new AppError('CONFLICT', `The allow list has ${allowedAtMost} networks already. Remove one first.`)
    const now = deps.now()
    const row = await db.transaction(async (trx) => {
      const values = { id: newId(now.getTime()), nodeId, network, note, createdBy: userId, createdAt: now }
      const saved = await insertAllowedNetwork(trx, values)
      if (!saved) throw new AppError('CONFLICT', `${network} is on the allow list already`)
      await recordAudit(deps, trx, origin, {
        action: 'firewall.network_allowed',
        actorId: userId,
        targetId: saved.id,
        metadata: { network, note }
      })
      return saved
    })
    const banned = (await listBansInForce(db, nodeId, now)).filter(({ address }) => networksOverlap(network, address))
    const rows = await findBansOf(db, nodeId, banned.map(({ address }) => address)) // oxfmt-ignore
    await liftBans(deps, origin, userId, rows.map(({ id }) => id)) // oxfmt-ignore
    return allowedNetworkView(row)
  })
}

export async function disallowNetwork(deps: Reading, origin: AuditOrigin, userId: string, id: string): Promise<void> {
  await deps.db.transaction(async (trx) => {
    const row = await deleteAllowedNetwork(trx, deps.nodeId, id)
    if (!row) throw new AppError('NOT_FOUND', 'Network not found')
    await recordAudit(deps, trx, origin, {
      action: 'firewall.network_disallowed',
      actorId: userId,
      targetId: id,
      metadata: { network: row.network }
    })
  })
}

export async function requireAllowedNetwork({ db }: Pick<Reading, 'db'>, id: string): Promise<void> {
  if (!(await findAllowedNetwork(db, id))) throw new AppError('NOT_FOUND', 'Network not found')
}
