import { type DeliveryCheckCode, deliveryCheckTexts } from '@panel/contract/delivery-check-texts'
import type { DeliveryCheck, DeliveryTest, DeliveryTestAnswer } from '@panel/contract/delivery-tests'
import { recognized, sentenceText, type Sentence } from '@panel/contract/sentences'
import { parseDeliveryTestAddress } from '../../text/delivery-test-address.ts'
import type { DeliveryTestRow } from './delivery-tests.repository.ts'

type CheckSentence = Sentence<DeliveryCheckCode>
const found = (status: DeliveryCheck['status'], sentences: CheckSentence[]): DeliveryCheck => ({
  status,
  detail: sentenceText(deliveryCheckTexts, sentences),
  sentences
})
const pass = (...sentences: CheckSentence[]): DeliveryCheck => found('pass', sentences)
const fail = (...sentences: CheckSentence[]): DeliveryCheck => found('fail', sentences)
const pending = (...sentences: CheckSentence[]): DeliveryCheck => found('pending', sentences)

export const deliveryTestView = (row: DeliveryTestRow): DeliveryTest => ({
  id: row.id,
  mailboxId: row.mailboxId,
  from: row.sender,
  to: row.recipient,
  status: row.status,
  queueId: row.queueId,
  relay: row.relay,
  reply: row.reply,
  checks: { accepted: accepted(row), delivered: delivered(row), ...seen(row) },
  answer: row.answer,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString()
})

function accepted({ status, queueId, reply }: DeliveryTestRow): DeliveryCheck {
  if (status === 'SENDING') return pending({ code: 'SERVER_ASKED' })
  if (status === 'FAILED') return fail(whyNotTaken(reply))
  return pass(queueId === null ? { code: 'TAKEN' } : { code: 'TAKEN_AS', values: { queueId } })
}

/** Rows store only the English sentence, usually that of an AdapterError. */
const whyNotTaken = (reply: string | null): CheckSentence =>
  recognized(notTakenTexts, reply ?? '') ?? { code: 'NOT_TAKEN_BECAUSE', values: { reason: reply ?? '' } }
const { TAKEN_OR_NOT, NOT_TAKEN_NOW, SERVER_SILENT, SERVER_REFUSED } = deliveryCheckTexts
const notTakenTexts = { TAKEN_OR_NOT, NOT_TAKEN_NOW, SERVER_SILENT, SERVER_REFUSED }

function delivered({ status, relay, reply }: DeliveryTestRow): DeliveryCheck {
  const words = wordsOf(relay, reply)
  switch (status) {
    case 'SENDING':
    case 'QUEUED':
      return pending({ code: 'NOBODY_ASKED' })
    case 'DEFERRED':
      return pending({ code: 'TRIED_AGAIN' }, words)
    case 'DELIVERED':
      return pass(words)
    case 'ANSWERED':
      return pass(reply === null ? { code: 'RECEIVER_ANSWERED' } : words)
    case 'BOUNCED':
      return fail(words)
    case 'FAILED':
      return fail({ code: 'NOT_SENT' })
  }
}

function wordsOf(server: string | null, answer: string | null): CheckSentence {
  if (server === null)
    return answer === null ? { code: 'NEXT_SAID_NOTHING' } : { code: 'NEXT_SAID', values: { answer } }
  return answer === null ? { code: 'SAID_NOTHING', values: { server } } : { code: 'SAID', values: { server, answer } }
}

type Seen = Pick<DeliveryTest['checks'], 'tls' | 'spf' | 'dkim' | 'dmarc'>

/** Results that only the receiver can report. */
function seen({ status, recipient, answer }: DeliveryTestRow): Seen {
  if (answer) return judged(answer)
  const isOver = status === 'BOUNCED' || status === 'FAILED'
  const willAnswer = parseDeliveryTestAddress(recipient) !== undefined && !isOver
  const check = willAnswer ? pending({ code: 'NOT_ANSWERED' }) : found('unknown', [{ code: 'NOT_TOLD' }])
  return { tls: check, spf: check, dkim: check, dmarc: check }
}

function judged({ clientIp, tls, spf, dkim, dmarc }: DeliveryTestAnswer): Seen {
  const good = dkim.find(({ result }) => result === 'pass')
  const signature = good ?? dkim[0]
  return {
    tls: tls === null ? fail(inClear(clientIp)) : pass({ code: 'CAME_BY', values: { protocol: tls } }),
    spf: (spf.result === 'pass' ? pass : fail)(spfSentence(spf, clientIp)),
    dkim: signature ? (good ? pass : fail)(dkimSentence(signature)) : fail({ code: 'DKIM_MISSING' }),
    dmarc: (dmarc.result === 'pass' ? pass : fail)(dmarcSentence(dmarc))
  }
}

const inClear = (address: string | null): CheckSentence =>
  address === null ? { code: 'CAME_IN_CLEAR_FROM_UNKNOWN' } : { code: 'CAME_IN_CLEAR', values: { address } }

function spfSentence({ result, domain }: DeliveryTestAnswer['spf'], address: string | null): CheckSentence {
  if (domain === null)
    return address === null
      ? { code: 'SPF_NO_DOMAIN_FROM_UNKNOWN', values: { result } }
      : { code: 'SPF_NO_DOMAIN', values: { result, address } }
  return address === null
    ? { code: 'SPF_FROM_UNKNOWN', values: { result, domain } }
    : { code: 'SPF', values: { result, domain, address } }
}

const dkimSentence = ({ result, selector, domain }: DeliveryTestAnswer['dkim'][number]): CheckSentence => ({
  code: 'DKIM',
  values: { result, selector: selector ?? '?', domain: domain ?? '?' }
})

const dmarcSentence = ({ result, policy }: DeliveryTestAnswer['dmarc']): CheckSentence =>
  policy === null ? { code: 'DMARC', values: { result } } : { code: 'DMARC_POLICY', values: { result, policy } }
