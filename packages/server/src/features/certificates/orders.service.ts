import type { CertificateProblemCode } from '@panel/contract/certificate-texts'
import type { Sentence } from '@panel/contract/sentences'
import type { Queryable, Transaction } from '../../db/database.ts'
import type { PendingOrder } from '../../db/schema/certificates.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { DomainRow } from '../domains/domain-access.ts'
import { type CertificateRow, findNextPending, moveCertificate } from './certificates.repository.ts'
import { budgetProblem, budgetWindowMs } from './order-budget.policy.ts'
import { listOrdersOfAccount, listOrdersOfName, listOrdersOfServer, type OrderOwner } from './orders.repository.ts'
import { isDueRenewal } from './renewal.policy.ts'

/** Renewals have their own workers, so that first orders do not delay them. */
export type OrderQueue = 'certificates.renew' | 'certificates.issue'

export const queueOf = (certificate: CertificateRow, now: Date): OrderQueue =>
  isDueRenewal(certificate, now) ? 'certificates.renew' : 'certificates.issue'

type Deps = Pick<Dependencies, 'jobs' | 'now'>

/** Queues an order for this row; undefined if one is already pending. The current certificate stays until then. */
export async function queueOrder(
  deps: Deps,
  trx: Transaction,
  { id }: Pick<CertificateRow, 'id'>,
  userId: string
): Promise<CertificateRow | undefined> {
  const row = await moveCertificate(trx, id, 'PENDING', { renewAt: null }, deps.now())
  if (row) await enqueueIssueNext(deps, trx, queueOf(row, deps.now()), userId)
  return row
}

export async function queueNext(deps: Deps, trx: Transaction, userId: string): Promise<void> {
  const next = await findNextPending(trx, userId)
  if (next) await enqueueIssueNext(deps, trx, queueOf(next, deps.now()), userId)
}

/** The rows are the queue and the job only wakes it: one place per account, however many orders it has. */
async function enqueueIssueNext(deps: Deps, trx: Transaction, queue: OrderQueue, userId: string): Promise<void> {
  await deps.jobs.enqueue(trx, queue, { userId }, { key: userId })
}

/** The interrupted order, if it belongs to the current CA. */
export function openOrderOf(
  certificate: Pick<CertificateRow, 'pendingOrder'>,
  directoryUrl: string
): PendingOrder | undefined {
  const { pendingOrder } = certificate
  return pendingOrder?.directoryUrl === directoryUrl ? pendingOrder : undefined
}

export const ownerOf = (
  { hostname, userId }: Pick<DomainRow, 'hostname' | 'userId'>,
  certificate: CertificateRow,
  now: Date
): OrderOwner => ({ hostname, userId: isDueRenewal(certificate, now) ? null : userId })

interface BudgetWait {
  retryAfterSeconds: number
  reason: Sentence<CertificateProblemCode>[]
}

/** How long our own limits delay another order; undefined if they do not. */
export async function findBudgetWait(
  db: Queryable,
  { hostname, userId }: OrderOwner,
  now: Date
): Promise<BudgetWait | undefined> {
  const since = (windowMs: number) => new Date(now.getTime() - windowMs)
  const history = {
    name: await listOrdersOfName(db, hostname, since(budgetWindowMs.name)),
    account: userId === null ? [] : await listOrdersOfAccount(db, userId, since(budgetWindowMs.account)),
    server: await listOrdersOfServer(db, since(budgetWindowMs.server))
  }
  const problem = budgetProblem(history, { hostname, isRenewal: userId === null, now })
  if (!problem) return undefined
  const { reason, retryAt } = problem
  return { reason, retryAfterSeconds: Math.max(1, Math.ceil((retryAt.getTime() - now.getTime()) / 1000)) }
}
