import type { DeliveryTest, DeliveryTestAnswer } from '@panel/contract/delivery-tests'
import { parseDeliveryTestAddress } from '../../delivery-test-address.ts'
import type { DeliveryTestRow } from './delivery-tests.repository.ts'

type Check = DeliveryTest['checks']['spf']
const pass = (detail: string): Check => ({ status: 'pass', detail })
const fail = (detail: string): Check => ({ status: 'fail', detail })
const pending = (detail: string): Check => ({ status: 'pending', detail })

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

function accepted({ status, queueId, reply }: DeliveryTestRow): Check {
  if (status === 'SENDING') return pending('Our mail server is being asked')
  if (status === 'FAILED') return fail(reply ?? 'Our mail server did not take it: try again')
  return pass(queueId === null ? 'Our mail server has taken it' : `Our mail server has it as ${queueId}`)
}

function delivered({ status, relay, reply }: DeliveryTestRow): Check {
  const words = `${relay ?? 'The next server'}: ${reply ?? 'no word'}`
  switch (status) {
    case 'SENDING':
    case 'QUEUED':
      return pending('Nobody has been asked yet')
    case 'DEFERRED':
      return pending(`Tried again later. ${words}`)
    case 'DELIVERED':
      return pass(words)
    case 'ANSWERED':
      return pass(reply === null ? 'The receiver has answered' : words)
    case 'BOUNCED':
      return fail(words)
    case 'FAILED':
      return fail('It was not sent')
  }
}

type Seen = Pick<DeliveryTest['checks'], 'tls' | 'spf' | 'dkim' | 'dmarc'>

/** What only the receiver knows. */
function seen({ status, recipient, answer }: DeliveryTestRow): Seen {
  if (answer) return judged(answer)
  const isOver = status === 'BOUNCED' || status === 'FAILED'
  const willAnswer = parseDeliveryTestAddress(recipient) !== undefined && !isOver
  const check: Check = willAnswer
    ? pending('The receiver has not answered yet')
    : { status: 'unknown', detail: 'Only delivery-test@mail.<domain of a panel> says what it sees' }
  return { tls: check, spf: check, dkim: check, dmarc: check }
}

function judged({ clientIp, tls, spf, dkim, dmarc }: DeliveryTestAnswer): Seen {
  const good = dkim.find(({ result }) => result === 'pass')
  const signature = good ?? dkim[0]
  return {
    tls:
      tls === null ? fail(`It came in the clear from ${clientIp ?? 'nobody knows where'}`) : pass(`It came by ${tls}`),
    spf: (spf.result === 'pass' ? pass : fail)(
      `${spf.result} for ${spf.domain ?? 'no domain'} from ${clientIp ?? 'an unknown address'}`
    ),
    dkim: signature
      ? (good ? pass : fail)(`${signature.result} by ${signature.selector ?? '?'} of ${signature.domain ?? '?'}`)
      : fail('It has no signature'),
    dmarc: (dmarc.result === 'pass' ? pass : fail)(
      dmarc.policy === null ? dmarc.result : `${dmarc.result} (p=${dmarc.policy})`
    )
  }
}
