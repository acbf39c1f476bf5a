import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { Id } from '@panel/contract/common'
import { deliveryCheckTexts } from '@panel/contract/delivery-check-texts'
import type { CreateDeliveryTest, DeliveryTest } from '@panel/contract/delivery-tests'
import { mailHostname } from '../../config/mail.ts'
import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { AdapterError } from '../../infra/adapter-error.ts'
import { newId } from '../../security/ids.ts'
import { messageOf } from '../../text/message-of.ts'
import { oneLine } from '../../text/one-line.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { type AuditOrigin, recordAudit } from '../audit/recording.service.ts'
import { findActiveDomain } from '../domains/domain-access.ts'
import { getOwnMailbox } from '../mailboxes/mailbox-access.ts'
import { refuseWithoutMail } from '../mailboxes/mail-domain-access.ts'
import { addressOf } from '../mailboxes/mail-address.policy.ts'
import { accountTransaction } from '../users/account-transaction.service.ts'
import { deliveryTestView } from './delivery-test-view.ts'
import { isUnderWay, outcomeOf } from './delivery-test.machine.ts'
import {
  countTestsSince,
  findAccountEmail,
  findTest,
  insertTest,
  moveTest,
  claimProbe
} from './delivery-tests.repository.ts'
import { parseTarget } from './target.policy.ts'
import { renderTestMessage } from './test-message.render.ts'

const perHour = 20
const hourMs = 3_600_000
/** Each check reads some megabytes of the log. */
const checkEveryMs = 2_000

export async function createDeliveryTest(
  deps: Dependencies,
  origin: AuditOrigin,
  userId: string,
  { mailboxId, to }: CreateDeliveryTest
): Promise<DeliveryTest> {
  refuseWithoutMail(deps)
  const mailbox = await getOwnMailbox(deps.db, mailboxId, userId)
  if (!mailbox.isEnabled) throw new AppError('INVALID_TARGET', 'The mailbox is disabled: enable it first')
  const address = await targetOf(deps, userId, to)
  const now = deps.now()
  const id = newId(now.getTime())
  await accountTransaction(deps.db, userId, async (trx) => {
    if ((await countTestsSince(trx, userId, new Date(now.getTime() - hourMs))) >= perHour)
      throw new AppError(
        'RATE_LIMITED',
        `You sent ${perHour} delivery tests in the last hour, the maximum. Try again later.`,
        {
          retryAfterSeconds: hourMs / 1000
        }
      )
    await insertTest(trx, {
      id,
      userId,
      mailboxId,
      token: randomBytes(16).toString('hex'),
      sender: addressOf(mailbox),
      recipient: address,
      status: 'SENDING',
      createdAt: now,
      updatedAt: now
    })
    const metadata = { from: addressOf(mailbox), to: address }
    await recordAudit(deps, trx, origin, {
      action: 'mail.delivery_tested',
      actorId: userId,
      targetId: mailboxId,
      metadata
    })
  })
  await sendDeliveryTest(deps, id)
  return getTest(deps, id, userId)
}

export async function readDeliveryTest(deps: Dependencies, userId: string, id: string): Promise<DeliveryTest> {
  const found = await getTest(deps, id, userId)
  if (!isUnderWay(found.status)) return found
  await probeTest(deps, id)
  return getTest(deps, id, userId)
}

export async function getTest({ db }: Pick<Dependencies, 'db'>, id: string, userId: string): Promise<DeliveryTest> {
  const row = await findTest(db, id, userId)
  if (!row) throw new AppError('NOT_FOUND', 'Delivery test not found; tests are deleted after a week')
  return deliveryTestView(row)
}

async function targetOf({ db }: Pick<Dependencies, 'db'>, userId: string, to: string): Promise<string> {
  const domain = to.slice(to.lastIndexOf('@') + 1).toLowerCase()
  const found = z.hostname().safeParse(domain).success ? await findActiveDomain(db, userId, domain) : undefined
  const target = parseTarget({
    to,
    ownEmail: await findAccountEmail(db, userId),
    isOwnDomain: (name) => name === found?.hostname
  })
  if ('problem' in target) throw new AppError('INVALID_TARGET', `The address ${target.problem}`)
  return target.address
}

type SenderDeps = Pick<Dependencies, 'config' | 'db' | 'logger' | 'mailServer' | 'now'>

const sendDeliveryTest = workerVerb('delivery-tests.send', [Id], async (deps: SenderDeps, id: string) => {
  const { config, db, mailServer, now } = deps
  const test = await findTest(db, id)
  if (test?.status !== 'SENDING') return
  const message = renderTestMessage({
    from: test.sender,
    to: test.recipient,
    hostname: mailHostname(config),
    token: test.token,
    messageId: newId(now().getTime()),
    at: now()
  })
  try {
    const queueId = await mailServer.submit({ sender: test.sender, recipient: test.recipient, message })
    await moveTest(db, { id }, 'QUEUED', now(), { queueId })
  } catch (error) {
    deps.logger.warn({ deliveryTest: id, error: messageOf(error) }, 'delivery test not sent')
    const reply = error instanceof AdapterError ? error.sentence : deliveryCheckTexts.NOT_TAKEN_NOW
    await moveTest(db, { id }, 'FAILED', now(), { reply })
  }
})

type ProbeDeps = Pick<Dependencies, 'db' | 'deliveryLog' | 'now'>

const probeTest = workerVerb('delivery-tests.look', [Id], async (deps: ProbeDeps, id: string) => {
  const now = deps.now()
  if (!(await claimProbe(deps.db, id, now, new Date(now.getTime() - checkEveryMs)))) return
  const test = await findTest(deps.db, id)
  if (!test?.queueId || !isUnderWay(test.status)) return
  const { entries } = await deps.deliveryLog.search({ queueId: test.queueId, offset: 0, limit: 10 })
  const status = outcomeOf(entries)
  const [last] = entries
  if (status === undefined || !last) return
  await moveTest(deps.db, { id }, status, now, {
    relay: last.relay === undefined ? null : oneLine(last.relay, 300),
    reply: oneLine(last.reason, 1_000)
  })
})
