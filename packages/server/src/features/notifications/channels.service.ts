import { randomBytes } from 'node:crypto'
import { Id, pagination } from '@panel/contract/common'
import {
  type ChangeChannel,
  type ChannelTest,
  CreateChannel,
  type CreatedChannel,
  type NotificationChannel,
  type NotificationDeliveryList,
  type NotificationPreferences
} from '@panel/contract/notifications'
import type { Dependencies } from '../../dependencies.ts'
import type { Transaction } from '../../db/database.ts'
import { lockName } from '../../db/lock.ts'
import { AppError } from '../../errors.ts'
import { newId } from '../../security/ids.ts'
import { panelUrl } from '../../net/panel-url.ts'
import { textsIn } from '../../text/language.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { channelSecrets } from './channel-secret.ts'
import {
  type ChannelRow,
  deleteChannel,
  findChannel,
  findPreferences,
  insertChannel,
  listChannels,
  listDeliveries,
  savePreferences,
  updateChannel
} from './channels.repository.ts'
import { countDeliveries, endTest, insertDelivery } from './deliveries.repository.ts'
import { channelLanguage, type DeliveryDeps, sendBy } from './deliver.jobs.ts'
import { messageTexts } from './message.texts.ts'

type Deps = Pick<Dependencies, 'db' | 'now'>

const maxChannels = 20
const testsPerHour = 30
const hourMs = 3_600_000

export const listOwnChannels = async ({ db }: Pick<Deps, 'db'>, userId: string) => ({
  channels: (await listChannels(db, userId)).map(channelView)
})

export async function getOwnChannel({ db }: Pick<Deps, 'db'>, id: string, userId: string): Promise<ChannelRow> {
  const row = await findChannel(db, id, userId)
  if (!row) throw new AppError('NOT_FOUND', 'Channel not found')
  return row
}

/** Runs in the worker, which has the encryption key. */
export const createChannel = workerVerb(
  'notifications.create',
  [Id, CreateChannel],
  async (
    deps: Pick<Dependencies, 'db' | 'now' | 'secretBox'>,
    userId: string,
    { type, name, ...given }: CreateChannel
  ): Promise<CreatedChannel> => {
    const signingSecret = type === 'WEBHOOK' ? randomBytes(32).toString('hex') : null
    const secret = deps.secretBox.seal(JSON.stringify({ ...given, ...(signingSecret && { signingSecret }) }))
    const target = targetOf(given)
    const now = deps.now()
    const row = await deps.db.transaction(async (trx) => {
      await lockName(trx, `notifications:${userId}`)
      if ((await listChannels(trx, userId)).length >= maxChannels)
        throw new AppError('CONFLICT', `You have ${maxChannels} channels, the maximum. Remove one first.`)
      const id = newId(now.getTime())
      return insertChannel(trx, { id, userId, type, name, target, secret, createdAt: now, updatedAt: now })
    })
    return { ...channelView(row), signingSecret }
  },
  { isSecret: true }
)

/** Runs in the worker. A webhook keeps its signing secret, which its receiver knows. */
export const replaceChannel = workerVerb(
  'notifications.replace',
  [Id, Id, CreateChannel],
  async (
    deps: Pick<Dependencies, 'db' | 'now' | 'secretBox'>,
    userId: string,
    id: string,
    { type, name, ...given }: CreateChannel
  ): Promise<NotificationChannel> => {
    const before = await getOwnChannel(deps, id, userId)
    if (before.type !== type)
      throw new AppError(
        'CONFLICT',
        `The type of a channel cannot be changed: this one is ${before.type}. Add a new channel instead.`
      )
    const kept =
      type === 'WEBHOOK' ? channelSecrets.WEBHOOK.parse(JSON.parse(deps.secretBox.open(before.secret ?? ''))) : {}
    const values = {
      name,
      target: targetOf(given),
      secret: deps.secretBox.seal(JSON.stringify({ ...kept, ...given })),
      failingSince: null,
      problem: null,
      // Enable a channel again that was disabled because of failed deliveries.
      ...(before.problem === null ? {} : { isEnabled: true }),
      updatedAt: deps.now()
    }
    const row = await updateChannel(deps.db, id, values, before.updatedAt)
    if (!row) throw new AppError('CONFLICT', 'Someone else changed this channel. Reload and try again')
    return channelView(row)
  },
  { isSecret: true }
)

export async function changeChannel(
  deps: Deps,
  userId: string,
  id: string,
  { name, isEnabled }: ChangeChannel
): Promise<NotificationChannel> {
  await getOwnChannel(deps, id, userId)
  const row = await updateChannel(deps.db, id, {
    updatedAt: deps.now(),
    ...(name === undefined ? {} : { name }),
    ...(isEnabled === undefined ? {} : { isEnabled }),
    // The three days until it is disabled start again.
    ...(isEnabled ? { failingSince: null, problem: null } : {})
  })
  if (!row) throw new AppError('NOT_FOUND', 'Channel not found')
  return channelView(row)
}

export async function removeChannel(deps: Deps, userId: string, id: string): Promise<{ message: string }> {
  const { type } = await getOwnChannel(deps, id, userId)
  if (type === 'EMAIL') throw new AppError('CONFLICT', 'The email channel cannot be removed. Disable it instead.')
  await deps.db.transaction((trx) => deleteChannel(trx, id))
  return { message: 'The channel was removed' }
}

/** Sends a message at once and returns the outcome. The caller checks the ownership of the channel. */
export const testChannel = workerVerb(
  'notifications.test',
  [Id],
  async (deps: DeliveryDeps, id: string): Promise<ChannelTest> => {
    const channel = await findChannel(deps.db, id)
    if (!channel) throw new AppError('NOT_FOUND', 'Channel not found')
    const now = deps.now()
    const deliveryId = newId(now.getTime())
    await deps.db.transaction((trx) => noteTest(trx, channel, { id: deliveryId, now }))
    const t = textsIn(messageTexts, await channelLanguage(deps, channel))
    const outcome = await sendBy(deps, channel, {
      id: deliveryId,
      at: now.toISOString(),
      severity: 'info',
      title: t('test.title'),
      text: t('test.text', { name: channel.name }),
      url: panelUrl(deps.config),
      count: 0,
      notifications: []
    })
    await endTest(deps.db, deliveryId, {
      status: outcome.problem === null ? 'SENT' : 'FAILED',
      lastError: outcome.problem,
      responseCode: outcome.responseCode,
      endedAt: deps.now()
    })
    const isDelivered = outcome.problem === null
    return { isDelivered, message: outcome.problem ?? 'Delivered', responseCode: outcome.responseCode }
  }
)

/** Recorded before it is sent, so that concurrent and interrupted tests count too. */
async function noteTest(
  trx: Transaction,
  { id: channelId, userId, type, name }: ChannelRow,
  { id, now }: { id: string; now: Date }
): Promise<void> {
  await lockName(trx, `notifications:${userId}`)
  const hour = { from: new Date(now.getTime() - hourMs), to: now }
  if ((await countDeliveries(trx, { userId, isTest: true }, hour)) >= testsPerHour)
    throw new AppError(
      'RATE_LIMITED',
      `You sent ${testsPerHour} tests in the last hour, the maximum. Try again later.`,
      {
        retryAfterSeconds: hourMs / 1000
      }
    )
  await insertDelivery(trx, {
    id,
    userId,
    channelId,
    channelType: type,
    channelName: name,
    status: 'FAILED',
    lastError: 'The panel was stopped before the result was known',
    notificationIds: [],
    count: 0,
    kinds: {},
    isTest: true,
    attempts: 1,
    dueAt: now,
    createdAt: now,
    endedAt: now
  })
}

export async function readPreferences({ db }: Pick<Deps, 'db'>, userId: string): Promise<NotificationPreferences> {
  const row = await findPreferences(db, userId)
  const { quietFrom: from, quietTo: to, timezone, choices = {} } = row ?? {}
  return { quietHours: from && to ? { from, to, timezone: timezone ?? 'UTC' } : null, channels: choices }
}

export async function setPreferences(
  deps: Deps,
  userId: string,
  { quietHours, channels }: NotificationPreferences
): Promise<NotificationPreferences> {
  const known = new Set((await listChannels(deps.db, userId)).map(({ id }) => id))
  const unknown = Object.values(channels)
    .flat()
    .find((id) => !known.has(id))
  if (unknown !== undefined) throw new AppError('NOT_FOUND', `Channel ${unknown} not found`)
  await deps.db.transaction((trx) =>
    savePreferences(trx, {
      userId,
      timezone: quietHours?.timezone ?? null,
      quietFrom: quietHours?.from ?? null,
      quietTo: quietHours?.to ?? null,
      choices: channels,
      updatedAt: deps.now()
    })
  )
  return readPreferences(deps, userId)
}

export async function listOwnDeliveries(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  { page, limit }: { page: number; limit: number }
): Promise<NotificationDeliveryList> {
  const { rows, total } = await listDeliveries(db, userId, page, limit)
  const deliveries = rows.map((row) => ({
    ...row,
    dueAt: row.dueAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null
  }))
  return { deliveries, pagination: pagination(page, limit, total) }
}

/** The part that may be shown: for most services the rest of the URL is a secret. */
const targetOf = (given: { url: string } | { chatId: string }): string =>
  'url' in given ? new URL(given.url).host : `chat ${given.chatId}`

function channelView(row: ChannelRow): NotificationChannel {
  const { id, type, name, target, isEnabled, problem } = row
  return {
    id,
    type,
    name,
    target,
    isEnabled,
    problem,
    failingSince: row.failingSince?.toISOString() ?? null,
    lastSentAt: row.lastSentAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString()
  }
}
