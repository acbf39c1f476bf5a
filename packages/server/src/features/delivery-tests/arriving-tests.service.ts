import { mailHostname } from '../../config/mail.ts'
import type { Dependencies } from '../../dependencies.ts'
import { newId } from '../../security/ids.ts'
import { parseDeliveryTestAddress } from '../../text/delivery-test-address.ts'
import type { VerifyMail } from '../../infra/mail-verification/mail-verification.ts'
import { isAwaited, moveTest } from './delivery-tests.repository.ts'
import { parseAnswerMessage, renderAnswerMessage } from './test-answer.render.ts'
import { answerAddress } from './test-message.render.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'logger' | 'mailServer' | 'now'>

const hourMs = 3_600_000
/** Of what claims to be of one domain: a test is sent by hand. */
const perDomain = 20
/** All together, as a sender's domain is only claimed: whoever names many of them keeps others from being answered, and nobody's own tests. */
const perHour = 600
const maxBytes = 65_536

/** What is done with mail to `delivery-test` at the panel's own mail host: tests of others are answered, and answers to our own are kept. */
export interface TestArrivals {
  isWanted(recipient: string, sender: string): Promise<boolean>
  /** Rejects where the store or the mail server does not take it: it comes again. */
  take(recipient: string, message: Buffer, sender: string): Promise<void>
}

export function createTestArrivals(deps: Deps, verify: VerifyMail): TestArrivals {
  const hostname = mailHostname(deps.config)
  let hour = { since: 0, count: 0, ofDomain: new Map<string, number>() }
  const isWithinLimits = (sender: string) => {
    const now = deps.now().getTime()
    if (now - hour.since >= hourMs) hour = { since: now, count: 0, ofDomain: new Map() }
    const domain = sender.slice(sender.lastIndexOf('@') + 1).toLowerCase()
    const count = hour.ofDomain.get(domain) ?? 0
    if (count >= perDomain || hour.count >= perHour) return false
    hour.ofDomain.set(domain, count + 1)
    hour.count++
    return true
  }
  return {
    async isWanted(recipient, sender) {
      const test = parseDeliveryTestAddress(recipient)
      if (test?.hostname !== hostname) return false
      // An answer is wanted once, and by whom it was asked for: it needs no share of what strangers have.
      return test.token === undefined ? isWithinLimits(sender) : isAwaited(deps.db, test.token)
    },
    async take(recipient, message, sender) {
      if (message.length > maxBytes) return
      const token = parseDeliveryTestAddress(recipient)?.token
      if (token === undefined) await answerTest(deps, hostname, message, () => verify(message, sender))
      else await keepAnswer(deps, token, message)
    }
  }
}

/** Who asks to be answered at any other address than a panel's is not: nobody can have us write to a stranger. */
async function answerTest(
  deps: Deps,
  hostname: string,
  message: Buffer,
  check: () => ReturnType<VerifyMail>
): Promise<void> {
  const to = answerAddress(message)
  if (to === undefined) return
  const answer = await check()
  const now = deps.now()
  const messageId = newId(now.getTime())
  await deps.mailServer.submit({
    sender: '',
    recipient: to,
    message: renderAnswerMessage({ to, hostname, messageId, at: now, answer })
  })
  deps.logger.info({ to, clientIp: answer.clientIp }, 'delivery test answered')
}

async function keepAnswer({ db, now }: Deps, token: string, message: Buffer): Promise<void> {
  const answer = parseAnswerMessage(message)
  if (answer) await moveTest(db, { token }, 'ANSWERED', now(), { answer })
}
