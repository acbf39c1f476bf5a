import { z } from 'zod'
import type { Dependencies } from '../../dependencies.ts'
import { OutboundFailure } from '../../infra/outbound-http/outbound-http.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { type Language, languageOf } from '../../text/language.ts'
import { messageOf } from '../../text/message-of.ts'
import { panelUrl } from '../../net/panel-url.ts'
import { findUser } from '../users/account-access.ts'
import { renderNotificationMail } from './channel-mail.render.ts'
import { channelRequests } from './channel-request.render.ts'
import { channelSecrets } from './channel-secret.ts'
import { type ChannelRow, type DeliveryRow, findChannel, updateChannel } from './channels.repository.ts'
import { endAttempt, takeDelivery } from './deliveries.repository.ts'
import { type ChannelMessage, renderMessage } from './message.render.ts'
import { isOfKnownKind } from './notification-view.ts'
import { listNotificationsById } from './notifications.repository.ts'
import { notify } from './notify-access.ts'
import { enqueueDelivery } from './plan.jobs.ts'
import { isOver, isWorthRetry, nextAttempt } from './retry.policy.ts'

export type DeliveryDeps = Pick<
  Dependencies,
  'config' | 'db' | 'events' | 'jobs' | 'logger' | 'mailer' | 'now' | 'outboundHttp' | 'secretBox'
>

export const deliverJob = z.object({ deliveryId: z.string(), attempts: z.int() })

export interface Outcome {
  problem: string | null
  responseCode: number | null
  isFinal: boolean
}

/** Attempts one delivery. May send it twice if the process dies before it records the outcome. */
export async function deliver(deps: DeliveryDeps, { deliveryId, attempts }: z.infer<typeof deliverJob>): Promise<void> {
  const delivery = await takeDelivery(deps.db, deliveryId, attempts)
  if (!delivery) return
  const channel = delivery.channelId === null ? undefined : await findChannel(deps.db, delivery.channelId)
  const rows = (await listNotificationsById(deps.db, delivery.notificationIds)).filter(isOfKnownKind)
  if (!channel?.isEnabled) return note(deps, delivery, undefined, givenUp('The channel was disabled or removed'))
  if (rows.length === 0) return note(deps, delivery, undefined, givenUp('The notification is no longer kept'))
  const message = renderMessage(rows, {
    ...delivery,
    at: delivery.createdAt,
    panelUrl: panelUrl(deps.config),
    language: await channelLanguage(deps, channel)
  })
  await note(deps, delivery, channel, await sendBy(deps, channel, message))
}

/** That of the account; webhooks are read by programs and stay in English. */
export async function channelLanguage({ db }: Pick<DeliveryDeps, 'db'>, channel: ChannelRow): Promise<Language> {
  if (channel.type === 'WEBHOOK') return 'en'
  return languageOf((await findUser(db, channel.userId))?.locale ?? null)
}

/** For deliveries that were never attempted. */
const givenUp = (problem: string): Outcome => ({ problem, responseCode: null, isFinal: true })

/** Sends a message to the service or mail server and returns the outcome. */
export async function sendBy(
  deps: Pick<DeliveryDeps, 'db' | 'logger' | 'mailer' | 'now' | 'outboundHttp' | 'secretBox'>,
  channel: ChannelRow,
  message: ChannelMessage
): Promise<Outcome> {
  try {
    if (channel.type === 'EMAIL') return await mail(deps, channel.userId, message)
    const secret = channelSecrets[channel.type].parse(JSON.parse(deps.secretBox.open(channel.secret ?? '')))
    const request = channelRequests[channel.type](message, secret as never, deps.now())
    const { status } = await deps.outboundHttp.post(request)
    if (status >= 200 && status < 300) return { problem: null, responseCode: status, isFinal: true }
    const isRedirect = status >= 300 && status < 400
    const problem = isRedirect
      ? `The destination answered ${status}: redirects are not followed`
      : `The destination answered ${status}`
    return { problem, responseCode: status, isFinal: !isWorthRetry(status) }
  } catch (error) {
    if (error instanceof OutboundFailure) return { problem: error.message, responseCode: null, isFinal: error.isFinal }
    // Without the error text: parser and key errors quote parts of secrets.
    deps.logger.warn({ channel: channel.id, problem: error instanceof Error ? error.name : 'unknown' }, 'notification')
    return { problem: 'Internal error', responseCode: null, isFinal: false }
  }
}

async function mail(
  { db, mailer, logger }: Pick<DeliveryDeps, 'db' | 'mailer' | 'logger'>,
  userId: string,
  message: ChannelMessage
): Promise<Outcome> {
  if (!mailer.isConfigured())
    return givenUp(
      'This panel cannot send email. An administrator can enable the mail server, or set an SMTP relay, in Settings → Email'
    )
  const user = await findUser(db, userId)
  if (!user) return givenUp('The account was deleted')
  try {
    await mailer.send(renderNotificationMail(message, user))
    return { problem: null, responseCode: null, isFinal: true }
  } catch (error) {
    logger.warn({ error: messageOf(error) }, 'notification by mail')
    const problem = error instanceof AdapterError ? error.sentence : 'The mail server did not accept the message'
    return { problem, responseCode: null, isFinal: false }
  }
}

async function note(
  deps: DeliveryDeps,
  delivery: DeliveryRow,
  channel: ChannelRow | undefined,
  { problem, responseCode, isFinal }: Outcome
): Promise<void> {
  const sendsMail = deps.mailer.isConfigured()
  await deps.db.transaction(async (trx) => {
    const now = deps.now()
    const retryAt = problem === null || isFinal ? undefined : nextAttempt(delivery.attempts + 1, now)
    const isNoted = await endAttempt(trx, delivery, {
      status: problem === null ? 'SENT' : retryAt ? 'WAITING' : 'FAILED',
      lastError: problem,
      responseCode,
      ...(retryAt ? { dueAt: retryAt } : { endedAt: now })
    })
    if (!isNoted) return
    if (retryAt) await enqueueDelivery(deps, trx, { ...delivery, attempts: delivery.attempts + 1, dueAt: retryAt })
    // Missing mail on the panel is not a failure of the channel.
    if (!channel || (channel.type === 'EMAIL' && !sendsMail)) return
    if (problem === null) {
      const well = { lastSentAt: now, failingSince: null, problem: null }
      await updateChannel(trx, channel.id, well, channel.updatedAt)
      return
    }
    const failingSince = channel.failingSince ?? now
    const isOff = isOver(failingSince, now)
    // The owner may have changed the address since; its failures do not count for the new one.
    const failing = { problem, failingSince, ...(isOff ? { isEnabled: false } : {}) }
    const isSame = await updateChannel(trx, channel.id, failing, channel.updatedAt)
    if (isOff && isSame)
      await notify(deps, trx, {
        userId: channel.userId,
        kind: 'channel-off',
        subject: { type: 'channel', id: channel.id, name: channel.name },
        text: [{ code: 'CHANNEL_OFF', values: { channel: channel.name, problem } }],
        link: '/account/notifications'
      })
  })
}
