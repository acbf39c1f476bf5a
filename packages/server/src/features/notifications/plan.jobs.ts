import { notificationKinds } from '@panel/contract/notifications'
import { z } from 'zod'
import { lockName } from '../../db/lock.ts'
import type { Transaction } from '../../db/database.ts'
import type { Dependencies } from '../../dependencies.ts'
import { newId } from '../../security/ids.ts'
import { findUser } from '../users/account-access.ts'
import { type ChannelRow, findPreferences, listChannels, type PreferencesRow } from './channels.repository.ts'
import { damp, type DeliveryNote, settle } from './damping.machine.ts'
import {
  addToDigest,
  countDeliveries,
  insertDelivery,
  listSettling,
  readSubject,
  saveSubject,
  type SubjectKey
} from './deliveries.repository.ts'
import { isOfKnownKind } from './notification-view.ts'
import { findNotification, type NotificationRow, takeForPlanning } from './notifications.repository.ts'
import { quietUntil } from './quiet-hours.policy.ts'

type Deps = Pick<Dependencies, 'db' | 'jobs' | 'now'>

export const planJob = z.object({ notificationId: z.string() })

const flood = { messages: 5, windowMs: 10 * 60_000 }
const perHour = { messages: 100, windowMs: 3_600_000 }

/** Runs one at a time per account and in order per subject, so that the latest notification is sent last. */
export async function planNotification(deps: Deps, { notificationId }: z.infer<typeof planJob>): Promise<void> {
  const upTo = await findNotification(deps.db, notificationId)
  if (!upTo) return
  await deps.db.transaction(async (trx) => {
    await lockName(trx, `notifications:${upTo.userId}`)
    for (const row of await takeForPlanning(trx, upTo, deps.now())) await plan(deps, trx, row)
  })
}

async function plan(deps: Deps, trx: Transaction, row: NotificationRow): Promise<void> {
  if (!isOfKnownKind(row)) return
  if (row.state === null) return send(deps, trx, row, null)
  const now = deps.now()
  const key = keyOf(row)
  const damped = damp(await readSubject(trx, key), { id: row.id, state: row.state }, now.getTime())
  await saveSubject(trx, key, damped.memory, now)
  if (damped.isSent) await send(deps, trx, row, damped.note)
}

export async function settleSubjects(deps: Deps): Promise<void> {
  for (const { userId, pair, subjectType, subjectId } of await listSettling(deps.db, deps.now(), 500))
    await deps.db.transaction(async (trx) => {
      await lockName(trx, `notifications:${userId}`)
      const now = deps.now()
      const key = { userId, pair, subjectType, subjectId }
      const memory = await readSubject(trx, key)
      const held = memory.heldId === null ? undefined : await findNotification(trx, memory.heldId)
      const settled = settle(memory, held?.state ?? null, now.getTime())
      await saveSubject(trx, key, settled.memory, now)
      if (settled.isSent && held && isOfKnownKind(held)) await send(deps, trx, held, null)
    })
}

const keyOf = (row: NotificationRow): SubjectKey => ({
  userId: row.userId,
  pair: notificationKinds[row.kind].pair ?? row.kind,
  subjectType: row.subjectType,
  subjectId: row.subjectId
})

async function send(deps: Deps, trx: Transaction, row: NotificationRow, note: DeliveryNote | null): Promise<void> {
  const user = await findUser(trx, row.userId)
  if (!user || user.suspendedAt !== null) return
  const preferences = await findPreferences(trx, row.userId)
  const channels = await listChannels(trx, row.userId)
  for (const channel of channels.filter((each) => each.isEnabled && isChosen(each, row, preferences)))
    await deliverBy(deps, trx, channel, row, { note, preferences })
}

function isChosen(channel: ChannelRow, { kind }: NotificationRow, preferences: PreferencesRow | undefined): boolean {
  const chosen = preferences?.choices[kind]
  if (chosen) return chosen.includes(channel.id)
  return channel.type === 'EMAIL' && notificationKinds[kind].byEmail === true
}

async function deliverBy(
  deps: Deps,
  trx: Transaction,
  channel: ChannelRow,
  row: NotificationRow,
  { note, preferences }: { note: DeliveryNote | null; preferences: PreferencesRow | undefined }
): Promise<void> {
  const now = deps.now()
  const isUrgent = notificationKinds[row.kind].isUrgent ?? false
  // Urgent notifications must not join a digest that waits for quiet hours or a flood to end.
  const dueBy = isUrgent ? new Date(now.getTime() + flood.windowMs) : undefined
  if (await addToDigest(trx, channel.id, row, dueBy)) return
  const digestAt = await digestTime(trx, channel, { isUrgent, preferences }, now)
  const id = newId(now.getTime())
  const dueAt = digestAt ?? now
  await insertDelivery(trx, {
    id,
    userId: row.userId,
    channelId: channel.id,
    channelType: channel.type,
    channelName: channel.name,
    status: 'WAITING',
    notificationIds: [row.id],
    kinds: { [row.kind]: 1 },
    isDigest: digestAt !== undefined,
    note,
    dueAt,
    createdAt: now
  })
  await enqueueDelivery(deps, trx, { id, userId: row.userId, attempts: 0, dueAt })
}

/**
 * Until when to collect a digest, in quiet hours and floods; undefined to send at once. Urgent ones wait ten minutes at
 * most.
 */
async function digestTime(
  trx: Transaction,
  channel: ChannelRow,
  { isUrgent, preferences }: { isUrgent: boolean; preferences: PreferencesRow | undefined },
  now: Date
): Promise<Date | undefined> {
  const since = (ms: number) => ({ from: new Date(now.getTime() - ms), to: now })
  const later = (ms: number) => new Date(now.getTime() + ms)
  const { quietFrom: from, quietTo: to, timezone } = preferences ?? {}
  if (from && to && !isUrgent) {
    const until = quietUntil(now, { from, to, timezone: timezone ?? 'UTC' })
    if (until) return until
  }
  if ((await countDeliveries(trx, { userId: channel.userId }, since(perHour.windowMs))) >= perHour.messages)
    return later(isUrgent ? flood.windowMs : perHour.windowMs)
  const sent = await countDeliveries(trx, { channelId: channel.id }, since(flood.windowMs))
  return sent >= flood.messages ? later(flood.windowMs) : undefined
}

export async function enqueueDelivery(
  deps: Pick<Deps, 'jobs' | 'now'>,
  trx: Transaction,
  { id, userId, attempts, dueAt }: { id: string; userId: string; attempts: number; dueAt: Date }
): Promise<void> {
  const startAfterSeconds = Math.max(0, Math.ceil((dueAt.getTime() - deps.now().getTime()) / 1000))
  await deps.jobs.enqueue(
    trx,
    'notifications.deliver',
    { deliveryId: id, attempts },
    { key: `${id} ${attempts}`, startAfterSeconds, account: userId }
  )
}
